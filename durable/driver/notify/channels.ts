import { Temporal } from "temporal-polyfill";
import {
  REMINDERS,
  type NotificationEvent,
  type NotificationPreferences,
  type ReminderPreferences,
  type Reminder,
  type QuietHours,
  type Channels,
} from "../../../db/shapes/notifications.ts";
import type { DriverNotification } from "../../engine/state/types.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";

/** The preference group that a notification belongs to. */
export function notificationEventOf(notification: DriverNotification): NotificationEvent | Reminder {
  switch (notification.kind) {
    case "captured":
    case "probably_captured":
      return "captured";
    case "asked":
    case "questions_limited":
    case "offers_told":
      return "question";
    case "needs_link":
    case "verification_required":
    case "long_wait":
      return "needs_you";
    case "no_service":
    case "service_ending":
    case "service_changed":
    case "lost_day":
      return "service";
    case "announcement":
      return "service";
    case "news":
      // A spot is kept for two days only: this can't wait for the end of quiet hours.
      return notification.news.kind === "spot_opened" ? "needs_you" : "service";
    case "give_back_ahead":
      return notification.reminder;
    case "before_shift":
    case "week":
      return notification.kind;
    case "silence_suspected":
    case "unreadable":
    case "weekly_limit":
      return "silence";
  }
}

function isReminder(event: NotificationEvent | Reminder): event is Reminder {
  return REMINDERS.some((reminder) => reminder === event);
}

/** Whether a notification tells of what is, or will be, charged without the driver. */
export function isCharge(notification: DriverNotification): boolean {
  return notification.kind === "service_changed" && notification.change.kind.startsWith("renewal_");
}

/**
 * The channels to send a notification by, now. During quiet hours in the driver's time zone, only what needs the driver
 * is sent.
 */
export function channelsFor(
  notification: DriverNotification,
  {
    settings,
    reminders,
    now,
    timeZone,
  }: {
    settings: NotificationPreferences;
    reminders: ReminderPreferences;
    now: EpochMs;
    timeZone: string;
  },
): Channels {
  const event = notificationEventOf(notification);
  // Charges without the driver are always announced, whatever they chose. The Worker minds the quiet hours.
  if (isCharge(notification)) return { text: true, push: settings.service.push };
  // A question is over in a minute, so that the end of quiet hours would be too late for it.
  if (event !== "needs_you" && isQuiet(settings.quietHours, now, timeZone))
    return { text: false, push: notification.kind === "asked" && settings.question.push };
  // Only what can be answered is worth a text.
  if (notification.kind === "questions_limited" || notification.kind === "offers_told")
    return { text: false, push: settings.question.push };
  // A line to all drivers is no reason for a text to each.
  if (notification.kind === "announcement") return { text: false, push: settings.service.push };
  return isReminder(event) ? reminders[event] : settings[event];
}

/** Whether `now` is in [fromMinute, toMinute); an end at or before the start is on the next day. */
export function isQuiet(quiet: QuietHours | null, now: EpochMs, timeZone: string): boolean {
  if (!quiet) return false;
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  const at = hour * 60 + minute;
  const { fromMinute, toMinute } = quiet;
  return fromMinute < toMinute ? at >= fromMinute && at < toMinute : at >= fromMinute || at < toMinute;
}

/** When the quiet hours are over that an instant is in; null if it is in none, or they never end. */
export function quietEnd(quiet: QuietHours | null, now: EpochMs, timeZone: string): EpochMs | null {
  if (!quiet || !isQuiet(quiet, now, timeZone)) return null;
  const { toMinute } = quiet;
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  const end = local.withPlainTime({ hour: Math.floor(toMinute / 60), minute: toMinute % 60 });
  const next = Temporal.ZonedDateTime.compare(end, local) > 0 ? end : end.add({ days: 1 });
  return isQuiet(quiet, next.epochMilliseconds, timeZone) ? null : next.epochMilliseconds;
}
