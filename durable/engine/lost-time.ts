import { dateOfDay, dayOfDate, type LocalDate } from "../../db/shapes/work/local-date.ts";
import { DAY_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";
import { nextWakeAt } from "./next-wake.ts";
import { phaseOf } from "./phase.ts";
import type { LearnedQuota } from "./quota/quota.ts";
import type { DriverState, EngineSettings } from "./state/types.ts";
import { createZone, dayOf, type Zone } from "./schedule/zone.ts";

/** A shorter pause between two steps is judged by its ends; within a longer one the schedule may change. */
const SHORT_MS: DurationMs = 2 * MINUTE_MS;
/** An object that is this late did not wake. */
const LATE_MS: DurationMs = 2 * MINUTE_MS;
/** The part of a quota that the object's own calls never use. */
const QUOTA_WE_LEAVE = 0.1;
/** Waits are stated in seconds, and answers take time. */
const RESET_SLACK_MS: DurationMs = 3_000;
/** A clock that jumped further can't be trusted. */
const LONGEST_GAP_MS: DurationMs = 7 * DAY_MS;

/** Time in which the platform gave no answer, until an answer says that it is over, in ms by the driver's date. */
export type LostByDate = Readonly<Record<LocalDate, DurationMs>>;

/** Time that the last late waking was counted as, and its instant. */
type Late = { to: EpochMs; days: LostByDate };

/**
 * The lost time; `pending`, the part that counts only if the next failure confirms it; and `late`, the part that is undone if
 * the clock goes back.
 */
export type LostTime = { days: LostByDate; pending: LostByDate; late: Late | null };

/** A pause between two steps of the machine. `dueAt`: when the object had to wake; null if nothing was due. */
export type Gap = { from: EpochMs; to: EpochMs; dueAt: EpochMs | null };

/**
 * Whether the account's quota is used up, nearly was at the last response, or goes to other devices: our own calls leave some.
 * A refusal that ends together with a quota window counts as the quota's.
 */
function isQuotaUsedUp({ quotaWaitUntil, throttle, transient }: DriverState, at: EpochMs): boolean {
  if (quotaWaitUntil !== null && quotaWaitUntil > at) return true;
  if (transient.quota === null) return false;
  const { quota, othersPerWindow } = transient.quota;
  return (
    quota.remaining <= quota.limit * QUOTA_WE_LEAVE ||
    othersPerWindow >= quota.limit / 2 ||
    (throttle.until !== null && isEndOfWindow(transient.quota, throttle.until))
  );
}

/** Whether an instant is the end of the window that was reported last, or of one before or after it. */
function isEndOfWindow(
  { quota: { resetAt }, rolls, isWindowKnown, longestResetMs: windowMs }: LearnedQuota,
  at: EpochMs,
): boolean {
  if (rolls) return false;
  const offMs = Math.abs(at - resetAt);
  const fromEndMs = isWindowKnown ? Math.min(offMs % windowMs, windowMs - (offMs % windowMs)) : offMs;
  return fromEndMs <= RESET_SLACK_MS;
}

/**
 * Whether a wait that the platform asked for keeps the system from working. Nothing is lost while the system is off, asleep or
 * without service, nor by a refusal while the quota is used up: the driver used it, on whatever device.
 */
function isHeldBack(state: DriverState, at: EpochMs, settings: EngineSettings): boolean {
  return !isQuotaUsedUp(state, at) && phaseOf(state, at, settings).kind === "throttled";
}

/** Whether the platform gives no answer that the system can work with. */
function isWithoutAnswer(state: DriverState, at: EpochMs, settings: EngineSettings): boolean {
  const phase = phaseOf(state, at, settings);
  return (
    phase.kind === "unreachable" ||
    phase.kind === "unreadable" ||
    (phase.kind === "blocks_unreadable" && !phase.isCapturing)
  );
}

/** Whether the system would work, were it awake. The driver's own quota and weekly limit are their own. */
function wouldWork(state: DriverState, at: EpochMs, settings: EngineSettings): boolean {
  const { kind } = phaseOf(state, at, settings);
  return kind === "polling" || kind === "blocks_unreadable" || isWithoutAnswer(state, at, settings);
}

/** When the machine had to wake next, by its state at that instant. */
export function dueAfter(state: DriverState, at: EpochMs, settings: EngineSettings): EpochMs | null {
  return nextWakeAt(state, { now: at, roll: 0, settings });
}

/**
 * Counts a pause between two steps: waits that the platform asked for, time in which the object was late to wake, and, once the
 * next failure says that it lasted, time without an answer. Never more than what was lost: what isn't known is not counted.
 * @param before the state during the pause
 * @param after the state of the step that ended it
 */
export function countLost(
  lost: LostTime,
  { before, after, gap, timeZone }: { before: DriverState; after: DriverState; gap: Gap; timeZone: string },
  settings: EngineSettings,
): LostTime {
  const { from, to, dueAt } = gap;
  const zone = createZone(timeZone);
  if (from - to > LATE_MS) return takeBack(lost, to, zone);
  if (to <= from || to - from > LONGEST_GAP_MS) return lost;
  const isLate = dueAt !== null && to - Math.max(dueAt, from) > LATE_MS;
  const lateFrom = isLate ? Math.max(dueAt, from) : Infinity;
  const days = new Map(Object.entries(lost.days));
  const pending = new Map(Object.entries(lost.pending));
  const late = new Map<LocalDate, DurationMs>();
  for (const [start, end] of partsOf(from, to)) {
    const holds = (judge: typeof isHeldBack) =>
      judge(before, start, settings) && judge(before, end, settings);
    if (holds(isHeldBack)) add(days, zone, start, end);
    else if (start >= lateFrom && holds(wouldWork)) {
      add(days, zone, start, end);
      add(late, zone, start, end);
    } else if (!isLate && holds(isWithoutAnswer)) add(pending, zone, start, end);
  }
  if (hasFailedAgain(before, after, to)) {
    for (const [date, ms] of pending) days.set(date, (days.get(date) ?? 0) + ms);
    pending.clear();
  } else if (!isWithoutAnswer(after, to, settings)) pending.clear();
  if (isSame(days, lost.days) && isSame(pending, lost.pending)) return lost;
  return {
    days: Object.fromEntries(days),
    pending: Object.fromEntries(pending),
    late: late.size > 0 ? { to, days: Object.fromEntries(late) } : lost.late,
  };
}

/**
 * The clock went back after it had gone ahead: the time that looked like a late waking is still to come. No more of a date can
 * be lost than has passed.
 */
function takeBack({ days, late }: LostTime, now: EpochMs, zone: Zone): LostTime {
  const untrue = late !== null && late.to > now ? late.days : {};
  const today = dayOf(zone.wallAt(now));
  const passedMs = now - zone.instantOf(today * DAY_MS, "opening");
  const left = Object.entries(days).flatMap(([date, ms]): [LocalDate, DurationMs][] => {
    const day = dayOfDate(date);
    const known = Math.min(ms - (untrue[date] ?? 0), day === today ? passedMs : Infinity);
    return day <= today && known > 0 ? [[date, known]] : [];
  });
  return { days: Object.fromEntries(left), pending: {}, late: null };
}

/** Whether a call of this step got no response from the platform, as the one before it. */
function hasFailedAgain(before: DriverState, after: DriverState, at: EpochMs): boolean {
  const { failures } = before.backoff;
  return (
    (failures > 0 && after.backoff.failures > failures) ||
    after.transient.offersUnreadableAt === at ||
    after.transient.heldBackoff.failures > before.transient.heldBackoff.failures
  );
}

/** Minutes of a long pause, a short one whole. */
function* partsOf(from: EpochMs, to: EpochMs): Generator<[EpochMs, EpochMs]> {
  if (to - from <= SHORT_MS) {
    yield [from, to];
    return;
  }
  for (let start = from; start < to; start += MINUTE_MS) yield [start, Math.min(start + MINUTE_MS, to)];
}

/** Adds a span to the date on which it begins, or to both dates if it crosses midnight. */
function add(days: Map<LocalDate, DurationMs>, zone: Zone, start: EpochMs, end: EpochMs): void {
  const [first, last] = [dayOf(zone.wallAt(start)), dayOf(zone.wallAt(end))];
  const midnight = first === last ? end : zone.instantOf(last * DAY_MS, "opening");
  const put = (day: number, ms: DurationMs) => {
    const date = dateOfDay(day);
    if (ms > 0) days.set(date, (days.get(date) ?? 0) + ms);
  };
  put(first, Math.min(end, midnight) - start);
  put(last, end - Math.min(end, midnight));
}

function isSame(counted: ReadonlyMap<LocalDate, DurationMs>, stored: LostByDate): boolean {
  const entries = Object.entries(stored);
  return entries.length === counted.size && entries.every(([date, ms]) => counted.get(date) === ms);
}

/** The driver's date at an instant. */
export function localDateAt(at: EpochMs, timeZone: string): LocalDate {
  return dateOfDay(dayOf(createZone(timeZone).wallAt(at)));
}

/** When a date of the driver's is over. */
export function endOfDate(date: LocalDate, timeZone: string): EpochMs {
  return createZone(timeZone).instantOf((dayOfDate(date) + 1) * DAY_MS, "opening");
}
