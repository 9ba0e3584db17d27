import type { Config } from "../../runtime/config.ts";
import type { DriverState, DriverNotification } from "../../engine/state/types.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import type { Store } from "../storage/store.ts";
import type { HeldNotification } from "../storage/text-about.ts";
import { channelsFor, notificationEventOf, quietEnd } from "./channels.ts";
import { isTexted, pushMessageFor, textMessageFor } from "./notification-messages.ts";
import { withNotified } from "./told.ts";
import { isUrgentText } from "./text-day.ts";
import { queueText, queueUnlessPushed } from "./text-queue.ts";

/**
 * Queues a notification in the outbox: at most one text, unless it is held back for the day's digest, and one push message
 * per subscribed browser.
 */
export function notifyDriver(
  notification: DriverNotification,
  {
    owner,
    state,
    store,
    config,
    now,
  }: { owner: DriverOwner; state: DriverState; store: Store; config: Config; now: EpochMs },
): void {
  const { productName, publicUrl, vapid } = config;
  const { language, timeZone, notifications, reminders } = owner;
  const told = withNotified(store.state.told(), notification, now);
  if (told === null) return;
  if (isHeldInQuiet(notification)) {
    const quietUntil = quietEnd(notifications.quietHours, now, timeZone);
    if (quietUntil !== null) return store.outbox.add({ kind: "quiet_over", about: notification }, quietUntil);
  }
  const channels = channelsFor(notification, { settings: notifications, reminders, now, timeZone });
  const context = { language, timeZone, now, state, productName, publicUrl };
  if (channels.text || channels.push) store.state.write("told", told);
  const usesPush = channels.push && vapid !== null;
  const browsers = usesPush ? store.pushSubscriptions.list(now) : [];
  // An announcement goes by push alone, and what comes each shift or week, or asks nothing, by one of the two.
  const isEither =
    notification.kind === "before_shift" || notification.kind === "week" || notification.kind === "lost_day";
  const isPushEnough = isEither && browsers.length > 0;
  const name = isPushEnough ? crypto.randomUUID() : undefined;
  if (channels.text && isTexted(notification) && notification.kind !== "announcement") {
    const body = textMessageFor(notification, context);
    const text = { body, about: notification, isUrgent: isUrgentText(notification) };
    if (name === undefined) queueText(text, { owner, store, config, now });
    else queueUnlessPushed(text, name, { store, now });
  }
  if (!usesPush) return;
  const pushMessage = pushMessageFor(notification, context);
  if (notification.kind === "announcement")
    store.announcementPushes.begin(notification.announcement.id, browsers.length, now);
  for (const { endpoint } of browsers)
    store.outbox.add({ kind: "push", endpoint, message: pushMessage, inPlaceOf: name }, now);
}

/**
 * Whether a notification waits for the end of quiet hours, which would lose it: nothing is captured without service until the
 * driver adds days, and news, such as a raffle that was won, is told once.
 */
function isHeldInQuiet(notification: DriverNotification): notification is HeldNotification {
  switch (notification.kind) {
    case "no_service":
    case "service_ending":
      return true;
    case "news":
      return notificationEventOf(notification) !== "needs_you";
    default:
      return false;
  }
}
