import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { Config } from "../../runtime/config.ts";
import type { OutboxTable } from "../storage/tables/outbox.ts";
import type { TextAbout } from "../storage/text-about.ts";
import type { StateTable } from "../storage/tables/state.ts";
import {
  addToTextDay,
  digestText,
  eveningDelayOf,
  isTextDayOver,
  openTextDay,
  type DriverClock,
} from "./text-day.ts";

type QueueStore = {
  state: Pick<StateTable, "textDay" | "writeTextDay">;
  outbox: Pick<OutboxTable, "add">;
};

type QueueContext = { owner: DriverOwner; store: QueueStore; config: Config; now: EpochMs };

/** Queues a text, or holds it back for the evening's digest where the driver has had a day's texts. */
export function queueText(
  { body, about, isUrgent }: { body: string; about: TextAbout; isUrgent: boolean },
  context: QueueContext,
): void {
  closeTextDay(context);
  const { store, config, now } = context;
  const { day, isHeld } = addToTextDay(store.state.textDay(), {
    clock: clockOf(context),
    limit: config.texts.perDriver,
    isUrgent,
  });
  store.state.writeTextDay(day);
  if (!isHeld) store.outbox.add({ kind: "text", body, notifications: 1, about }, now);
}

/** The tries of a push take a quarter of a minute, and the answers that it waits for. */
const PUSH_PATIENCE_MS = MINUTE_MS;

/** Leaves a text to be queued soon, unless a push of this name is taken until then. */
export function queueUnlessPushed(
  { body, about }: { body: string; about: TextAbout },
  name: string,
  { store, now }: Pick<QueueContext, "store" | "now">,
): void {
  const text = { kind: "text", body, notifications: 1, about, unlessPushed: name } as const;
  store.outbox.add(text, now + PUSH_PATIENCE_MS);
}

/** Once the day is over: queues the digest, if anything was held back. */
export function closeTextDay({ owner, store, config, now }: QueueContext): void {
  const day = store.state.textDay();
  if (day === null || !isTextDayOver(day, now)) return;
  store.state.writeTextDay(null);
  if (day.held === 0) return;
  const { productName, publicUrl } = config;
  const body = digestText(day.held, { language: owner.language, productName, publicUrl });
  const about = { kind: "digest", held: day.held } as const;
  store.outbox.add({ kind: "text", body, notifications: day.held, about }, now);
}

/**
 * Adds what a text told of, which the deployment's ceiling stopped, to the evening's digest: to the next one where the text
 * was the digest, or the day ended while it waited.
 */
export function holdStoppedText(notifications: number, context: Omit<QueueContext, "config">): void {
  const { store } = context;
  const day = store.state.textDay() ?? openTextDay(clockOf(context));
  store.state.writeTextDay({ ...day, held: day.held + notifications });
}

/** When a digest is due; null if nothing was held back. */
export function digestDueAt({ state }: Pick<QueueStore, "state">): EpochMs | null {
  const day = state.textDay();
  return day !== null && day.held > 0 ? day.endsAt : null;
}

function clockOf({ owner, now }: Pick<QueueContext, "owner" | "now">): DriverClock {
  const { driverId, timeZone, notifications } = owner;
  return {
    now,
    timeZone,
    quietHours: notifications.quietHours,
    eveningDelayMs: eveningDelayOf(driverId),
  };
}
