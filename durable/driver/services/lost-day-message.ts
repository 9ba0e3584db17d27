import { Temporal } from "temporal-polyfill";
import type { QuietHours } from "../../../db/shapes/notifications.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { DriverNotification } from "../../engine/state/types.ts";
import { isQuiet } from "../notify/channels.ts";
import type { ReturnedDay } from "../storage/stored-shapes.ts";
import type { StateTable } from "../storage/tables/state.ts";

/** A day is settled after midnight; in these hours of the driver's clock they are told. */
const FIRST_HOUR = 9;
const LAST_HOUR = 21;
/** After a longer outage the page says the rest. */
const MOST_DAYS = 3;

type LostDayMessageDeps = {
  now: () => EpochMs;
  machine: { readonly owner: DriverOwner | null };
  stored: Pick<StateTable, "returnedDays" | "write">;
  notify: (notification: Extract<DriverNotification, { kind: "lost_day" }>, owner: DriverOwner) => void;
};

/** Tells the driver of each day for which service was given back, once, in the daytime and outside their quiet hours. */
export class LostDayMessage {
  readonly #deps: LostDayMessageDeps;
  /** As stored; each poll asks for it. */
  #days: readonly ReturnedDay[];
  #at: { days: readonly ReturnedDay[]; owner: DriverOwner; at: EpochMs } | null = null;

  constructor(deps: LostDayMessageDeps) {
    this.#deps = deps;
    this.#days = deps.stored.returnedDays();
  }

  /** Service was given back for a day. */
  add(day: ReturnedDay): void {
    this.#store([...this.#days, day].slice(-MOST_DAYS));
  }

  /** When the driver is told; null if there is nothing to tell. An object that wakes late asks for another such time. */
  nextAt(): EpochMs | null {
    const { owner } = this.#deps.machine;
    if (owner === null || this.#days.length === 0) return null;
    const now = this.#deps.now();
    if (this.#at?.days !== this.#days || this.#at.owner !== owner || this.#at.at < now)
      this.#at = { days: this.#days, owner, at: daytimeAfter(now, clockOf(owner)) };
    return this.#at.at;
  }

  /** Queues what is due; it is stored as told first. @returns whether anything was queued */
  run(owner: DriverOwner): boolean {
    const at = this.nextAt();
    if (at === null || at > this.#deps.now()) return false;
    const days = this.#days;
    this.#store([]);
    for (const day of days) this.#deps.notify({ kind: "lost_day", ...day }, owner);
    return true;
  }

  /** The storage was deleted. */
  forget(): void {
    this.#days = [];
    this.#at = null;
  }

  #store(days: readonly ReturnedDay[]): void {
    this.#days = days;
    this.#deps.stored.write("returnedDays", [...days]);
  }
}

type Clock = { timeZone: string; quietHours: QuietHours | null };

function clockOf({ timeZone, notifications }: DriverOwner): Clock {
  return { timeZone, quietHours: notifications.quietHours };
}

/** An instant of the day, or the next one: between nine and nine, or after that at the end of quiet hours. */
export function daytimeAfter(now: EpochMs, { timeZone, quietHours }: Clock): EpochMs {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  const morning = local.withPlainTime({ hour: FIRST_HOUR });
  const start =
    local.hour < FIRST_HOUR ? morning : local.hour >= LAST_HOUR ? morning.add({ days: 1 }) : local;
  const at = start.epochMilliseconds;
  if (quietHours === null || !isQuiet(quietHours, at, timeZone)) return at;
  const { toMinute } = quietHours;
  const end = start.withPlainTime({ hour: Math.floor(toMinute / 60), minute: toMinute % 60 });
  return (Temporal.ZonedDateTime.compare(end, start) > 0 ? end : end.add({ days: 1 })).epochMilliseconds;
}
