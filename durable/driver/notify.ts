import type { Config } from "../runtime/config.ts";
import type { DriverState, DriverNotification } from "../engine/types.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import type { Store } from "./storage/store.ts";
import { channelsFor } from "./channels.ts";
import { pushMessageFor, textMessageFor } from "./notification-messages.ts";
import { isUrgentText } from "./text-day.ts";
import { queueText } from "./text-queue.ts";

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
  const { language, timeZone, notifications } = owner;
  const channels = channelsFor(notification, { settings: notifications, now, timeZone });
  const context = { language, timeZone, now, state, productName, publicUrl };
  if (channels.text) {
    const body = textMessageFor(notification, context);
    queueText(body, isUrgentText(notification), { owner, store, config, now });
  }
  if (!channels.push || !vapid) return;
  const pushMessage = pushMessageFor(notification, context);
  for (const { endpoint } of store.pushSubscriptions.list())
    store.outbox.add({ kind: "push", endpoint, message: pushMessage }, now);
}
