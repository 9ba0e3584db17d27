import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { type LocalDate, dateOfDay, dayOfDate } from "../../../db/shapes/work/local-date.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import { storeLostDay } from "../../../db/queries/payments/lost-days.ts";
import type { Deps } from "../../deps.ts";
import { countLost, dueAfter, endOfDate, localDateAt, type LostTime } from "../../engine/lost-time.ts";
import type { DriverState, EngineSettings } from "../../engine/state/types.ts";
import { describeError } from "../../runtime/describe-error.ts";
import { watcherOf } from "../../watch/watchers.ts";
import { mayLeaveMemory } from "../../watch/own-turn.ts";
import type { MachineStep } from "../machine-step.ts";
import type { ReturnedDay, StoredLostTime } from "../storage/stored-shapes.ts";
import type { StateTable } from "../storage/tables/state.ts";

/** An object at work says so this often: one that was cut off counts as at work until then. */
const STORE_EVERY_MS: DurationMs = 10 * MINUTE_MS;
/** Of a longer sleep its end is stored: what comes after it is late. */
const LONG_SLEEP_MS: DurationMs = 2 * MINUTE_MS;
/** Less in a day is nothing to speak of. */
const LEAST_MS: DurationMs = 10 * MINUTE_MS;
/** Days that could not be settled for so long are given up, as days of a clock that was wrong are. */
const KEPT_MS: DurationMs = 10 * DAY_MS;
/** After a try that failed. */
const RETRY_MS: DurationMs = 30 * MINUTE_MS;

type LostTimeDeps = Pick<Deps, "now" | "log"> & {
  settings: () => EngineSettings;
  stored: Pick<StateTable, "lostTime" | "write">;
  /** Stores a day that is over, once. Rejects if it could not. @returns how much service was given for it now */
  settle: (day: { owner: DriverOwner; date: LocalDate; lostMs: DurationMs }) => Promise<DurationMs>;
  /** Service was given for a day. */
  noteReturned: (day: ReturnedDay) => void;
};

/**
 * Counts the time in which the system could not work for a driver whose schedule, switch and service let it. In memory
 * while the object is at work; stored before it leaves memory, and every ten minutes. A day that is over goes to D1.
 */
export class LostTimeKeeper {
  readonly #deps: LostTimeDeps;
  #lost: LostTime;
  /** Up to when it is counted; null before the first step. */
  #countedTo: EpochMs | null;
  /** When an earlier life had to wake at the latest; undefined once this one has stepped. */
  #resumeDueAt: EpochMs | null | undefined;
  #storedAt: EpochMs;
  #storedDays: LostTime["days"];
  #storedWakesAt: EpochMs | null;
  #isSettling = false;
  #notBefore: EpochMs = 0;

  constructor(deps: LostTimeDeps) {
    this.#deps = deps;
    const stored = deps.stored.lostTime();
    this.#lost = { days: stored?.days ?? {}, pending: {}, late: null };
    this.#countedTo = stored?.countedTo ?? null;
    this.#resumeDueAt = stored ? (stored.wakesAt ?? stored.countedTo + STORE_EVERY_MS) : undefined;
    this.#storedAt = stored?.countedTo ?? deps.now();
    this.#storedDays = this.#lost.days;
    this.#storedWakesAt = stored?.wakesAt ?? null;
  }

  /** Counts the pause before a step. Writes a row every ten minutes at most. */
  note({ before, state }: MachineStep, owner: DriverOwner | null, now: EpochMs): void {
    const from = this.#countedTo;
    this.#countedTo = now;
    if (from !== null && owner !== null && before.profile !== null) {
      const settings = this.#deps.settings();
      const dueAt =
        this.#resumeDueAt === undefined
          ? now - from > MINUTE_MS
            ? dueAfter(before, from, settings)
            : null
          : this.#resumeDueAt;
      const gap = { from, to: now, dueAt };
      this.#lost = countLost(this.#lost, { before, after: state, gap, timeZone: owner.timeZone }, settings);
    }
    this.#resumeDueAt = undefined;
    if (owner === null || !state.profile?.switchedOn) return;
    // Where a wait or an outage begins or ends is exact also after a crash; the phase is written with it.
    const hasTurned = before.phase.kind !== state.phase.kind && (isTrouble(before) || isTrouble(state));
    if (hasTurned || now < this.#storedAt || now - this.#storedAt >= STORE_EVERY_MS) this.#store(now, null);
  }

  /** Stores what only memory knows, if the object may leave it before it wakes again. */
  keep(state: DriverState, now: EpochMs, wakesAt: EpochMs | null): void {
    if (this.#countedTo === null || !mayLeaveMemory(now, wakesAt)) return;
    // A driver who is off loses nothing, and one who polls on in a moment has lost nothing yet.
    const isLong = wakesAt !== null && wakesAt - now >= LONG_SLEEP_MS && state.profile?.switchedOn === true;
    if (this.#lost.days === this.#storedDays && !isLong && !isTrouble(state)) return;
    if (this.#lost.days === this.#storedDays && this.#storedWakesAt === wakesAt) return;
    this.#store(now, wakesAt);
  }

  /** The storage was deleted. */
  forget(): void {
    this.#lost = { days: {}, pending: {}, late: null };
    this.#countedTo = null;
    this.#resumeDueAt = undefined;
    this.#storedDays = this.#lost.days;
  }

  /** When a day that is over is to be settled; null if there is none. Spread over an hour: a city's days end at once. */
  nextAt(owner: DriverOwner | null): EpochMs | null {
    if (owner === null) return null;
    const ends = this.#worthSettling().map((date) => endOfDate(date, owner.timeZone));
    if (ends.length === 0) return null;
    return Math.max(Math.min(...ends) + 5 * MINUTE_MS + watcherOf(owner.driverId, HOUR_MS), this.#notBefore);
  }

  /** Settles the days that are over. Never throws: the next run tries again. @returns whether service was given */
  async settle(owner: DriverOwner, now: EpochMs): Promise<boolean> {
    const at = this.nextAt(owner);
    let isGiven = false;
    if (at === null || now < at || this.#isSettling) return isGiven;
    this.#isSettling = true;
    try {
      const today = localDateAt(now, owner.timeZone);
      for (const date of this.#worthSettling().filter((one) => one < today)) {
        const lostMs = this.#lost.days[date] ?? 0;
        const givenMs = await this.#deps.settle({ owner, date, lostMs });
        // In the write that drops the day: a crash before it loses the message, and none tells twice.
        if (givenMs > 0) this.#deps.noteReturned({ date, lostMs, givenMs });
        this.#drop((one) => one === date, now);
        isGiven ||= givenMs > 0;
      }
    } catch (error) {
      this.#notBefore = now + RETRY_MS;
      this.#deps.log("warn", "driver.lost_time.failed", {
        driverId: owner.driverId,
        ...describeError(error),
      });
    } finally {
      this.#isSettling = false;
    }
    const oldest = localDateAt(now - KEPT_MS, owner.timeZone);
    const newest = localDateAt(now + DAY_MS, owner.timeZone);
    if (Object.keys(this.#lost.days).some((date) => date < oldest || date > newest))
      this.#drop((date) => date < oldest || date > newest, now);
    return isGiven;
  }

  #worthSettling(): LocalDate[] {
    return Object.entries(this.#lost.days)
      .filter(([, ms]) => ms >= LEAST_MS)
      .map(([date]) => date)
      .toSorted();
  }

  #drop(isDropped: (date: LocalDate) => boolean, now: EpochMs): void {
    const days = Object.fromEntries(Object.entries(this.#lost.days).filter(([date]) => !isDropped(date)));
    this.#lost = { ...this.#lost, days };
    this.#store(this.#countedTo ?? now, null);
  }

  #store(now: EpochMs, wakesAt: EpochMs | null): void {
    const row: StoredLostTime = { countedTo: now, wakesAt, days: { ...this.#lost.days } };
    this.#deps.stored.write("lostTime", row);
    this.#storedAt = now;
    this.#storedDays = this.#lost.days;
    this.#storedWakesAt = wakesAt;
  }
}

/** Whether the phase is one in which time may be lost. */
function isTrouble({ phase }: DriverState): boolean {
  return ["throttled", "unreachable", "unreadable", "blocks_unreadable"].includes(phase.kind);
}

/** Takes a day that is over to D1, which gives back what was lost of it if it was long. @returns how much */
export async function settleLostDay(
  { db, config, now }: Pick<Deps, "db" | "config" | "now">,
  { owner, date, lostMs }: { owner: DriverOwner; date: LocalDate; lostMs: DurationMs },
): Promise<DurationMs> {
  const to = endOfDate(date, owner.timeZone);
  const { daysBackMinutes } = config;
  return storeLostDay(db, {
    driverId: owner.driverId,
    date,
    lostMs,
    day: { from: endOfDate(dateOfDay(dayOfDate(date) - 1), owner.timeZone), to },
    fromMs: daysBackMinutes === null ? null : daysBackMinutes * MINUTE_MS,
    now: now(),
  });
}
