import { Temporal } from "temporal-polyfill";
import type { Language } from "../../../db/shapes/language.ts";
import type { QuietHours } from "../../../db/shapes/notifications.ts";
import { DAY_MS, MINUTE_MS, type DriverId, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import type { TextAbout } from "../storage/text-about.ts";
import type { DriverNotification } from "../../engine/state/types.ts";
import { isCharge, isQuiet, notificationEventOf } from "./channels.ts";

/** When the day of texts ends and a digest tells of the rest: people are awake, and plan the next day. */
const DIGEST_HOUR = 20;

/** Within which the digests of a time zone leave: all at once they would reach the deployment's ceiling of an hour's texts. */
const DIGEST_SPREAD_MS: DurationMs = 30 * MINUTE_MS;

/**
 * A driver's texts since the last evening: how many were queued, and how many were held back for the digest. `urgent` ones
 * are counted by themselves, so that neither takes the place of the other.
 */
export type TextDay = { endsAt: EpochMs; sent: number; held: number; urgent: number };

/** The driver's clock, which a day of texts follows, and how long after eight their evening begins. */
export type DriverClock = {
  now: EpochMs;
  timeZone: string;
  quietHours: QuietHours | null;
  eveningDelayMs: DurationMs;
};

/** How long after eight a driver's evening begins: the same every day, and another for another driver. */
export function eveningDelayOf(driverId: DriverId): DurationMs {
  // FNV-1a: ids that differ in one place are far apart.
  const hash = [...driverId].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619), 0);
  return (hash >>> 0) % DIGEST_SPREAD_MS;
}

/** The next evening, or the end of the quiet hours that it falls in. */
export function textDayEnd({ now, timeZone, quietHours, eveningDelayMs }: DriverClock): EpochMs {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  const evening = local.withPlainTime({ hour: DIGEST_HOUR }).add({ milliseconds: eveningDelayMs });
  const next = Temporal.ZonedDateTime.compare(evening, local) > 0 ? evening : evening.add({ days: 1 });
  const at = next.epochMilliseconds;
  if (!quietHours || !isQuiet(quietHours, at, timeZone)) return at;
  const { toMinute } = quietHours;
  const end = next.withPlainTime({ hour: Math.floor(toMinute / 60), minute: toMinute % 60 });
  return (Temporal.ZonedDateTime.compare(end, next) > 0 ? end : end.add({ days: 1 })).epochMilliseconds;
}

/**
 * Counts one more text. Above the limit of its kind it is held back.
 * @param day null before the first text, or once the last day is closed
 */
export function addToTextDay(
  day: TextDay | null,
  { clock, limit, isUrgent }: { clock: DriverClock; limit: number; isUrgent: boolean },
): { day: TextDay; isHeld: boolean } {
  const today = day ?? openTextDay(clock);
  const count = isUrgent ? "urgent" : "sent";
  const isHeld = today[count] >= limit;
  const counted = isHeld ? "held" : count;
  return { day: { ...today, [counted]: today[counted] + 1 }, isHeld };
}

/** A day without texts. */
export function openTextDay(clock: DriverClock): TextDay {
  return { endsAt: textDayEnd(clock), sent: 0, held: 0, urgent: 0 };
}

/** Whether a day is over. A clock that went back a day or more closes it, too. */
export function isTextDayOver({ endsAt }: TextDay, now: EpochMs): boolean {
  return now >= endsAt || endsAt - now > 2 * DAY_MS;
}

/** News that can't wait for the evening: a task for the driver now, or a charge without them. */
export function isUrgentText(notification: DriverNotification): boolean {
  const event = notificationEventOf(notification);
  return isCharge(notification) || event === "needs_you" || event === "before_shift";
}

/** Whether a text can't wait, by what it is about; one of which that is not known can. */
export function isUrgentAbout(about: TextAbout | null): boolean {
  return about !== null && about.kind !== "digest" && isUrgentText(about);
}

/** The one text that tells of those that were held back. */
export function digestText(
  held: number,
  { language, productName, publicUrl }: { language: Language; productName: string; publicUrl: string },
): string {
  return formatMessage(language, "text_digest", {
    product: productName,
    count: held,
    figure: held,
    url: `${publicUrl}/flex/dashboard`,
  });
}
