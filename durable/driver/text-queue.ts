import type { DriverOwner } from "../../db/shapes/profile.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { Config } from "../runtime/config.ts";
import type { Store } from "./storage/store.ts";
import { countText, digestText, isTextDayOver } from "./text-day.ts";

type QueueContext = { owner: DriverOwner; store: Store; config: Config; now: EpochMs };

/** Queues a text, or holds it back for the evening's digest where the driver has had a day's texts. */
export function queueText(body: string, isUrgent: boolean, context: QueueContext): void {
  closeTextDay(context);
  const { owner, store, config, now } = context;
  const { timeZone, notifications } = owner;
  const { day, isHeld } = countText(store.state.textDay(), {
    clock: { now, timeZone, quietHours: notifications.quietHours },
    limit: config.texts.perDriver,
    isUrgent,
  });
  store.state.writeTextDay(day);
  if (!isHeld) store.outbox.add({ kind: "text", body }, now);
}

/** Once the day is over: queues the digest, if anything was held back. */
export function closeTextDay({ owner, store, config, now }: QueueContext): void {
  const day = store.state.textDay();
  if (day === null || !isTextDayOver(day, now)) return;
  store.state.writeTextDay(null);
  if (day.held === 0) return;
  const { productName, publicUrl } = config;
  const body = digestText(day.held, { language: owner.language, productName, publicUrl });
  store.outbox.add({ kind: "text", body }, now);
}

/** Adds a text that the deployment's ceiling stopped to the evening's digest, so that it isn't lost. */
export function holdStoppedText(store: Store): void {
  const day = store.state.textDay();
  if (day !== null) store.state.writeTextDay({ ...day, held: day.held + 1 });
}

/** When a digest is due; null if nothing was held back. */
export function digestDueAt(store: Store): EpochMs | null {
  const day = store.state.textDay();
  return day !== null && day.held > 0 ? day.endsAt : null;
}
