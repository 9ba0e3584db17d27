import type { DaySchedule } from "../../../db/shapes/work/filters.ts";
import { DAY_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import type { DayRules } from "./day-rules.ts";
import { dayOf, type Zone } from "./zone.ts";

/** A schedule window as instants: contains a start if opensAt ≤ start < closesAt. */
export type ScheduleWindow = { opensAt: EpochMs; closesAt: EpochMs };

/** A driver's days in one time zone. Windows are computed on first use and cached. */
export type Calendar = {
  zone: Zone;
  days: DayRules;
  /** The window of a day (counted from 1970-01-01); null if the day is off or the window empty. */
  windowOf(day: number): ScheduleWindow | null;
};

/** More than the three weeks or so that offers and `nextAwake` need. */
const MAX_CACHED_DAYS = 64;
/** More than two weeks: if a clock change empties the window of a day, the next is a week later. */
const LOOKAHEAD_DAYS = 15;

/** Applies the rules of days to a time zone. */
export function createCalendar(zone: Zone, days: DayRules): Calendar {
  const windows = new Map<number, ScheduleWindow | null>();
  return {
    zone,
    days,
    windowOf(day) {
      const known = windows.get(day);
      if (known !== undefined) return known;
      if (windows.size >= MAX_CACHED_DAYS) windows.clear();
      const made = days.offOn(day) ? null : toWindow(zone, day, days.scheduleOf(day));
      windows.set(day, made);
      return made;
    },
  };
}

/** An end at or before the start is on the next day; start = end means 24 hours. */
function toWindow(zone: Zone, day: number, { active, start, end }: DaySchedule): ScheduleWindow | null {
  if (!active) return null;
  const lastDay = end <= start ? day + 1 : day;
  const opensAt = zone.instantOf(day * DAY_MS + start * MINUTE_MS, "opening");
  const closesAt = zone.instantOf(lastDay * DAY_MS + end * MINUTE_MS, "closing");
  return opensAt < closesAt ? { opensAt, closesAt } : null;
}

/**
 * Whether a start is inside the window of its own day, or of the day before if that runs past midnight. No block starts on a
 * day off, whatever the night before.
 */
export function isInSchedule({ zone, days, windowOf }: Calendar, startsAt: EpochMs): boolean {
  const day = dayOf(zone.wallAt(startsAt));
  if (days.hasDates && days.offOn(day)) return false;
  return contains(windowOf(day), startsAt) || contains(windowOf(day - 1), startsAt);
}

function contains(window: ScheduleWindow | null, at: EpochMs): boolean {
  return window !== null && window.opensAt <= at && at < window.closesAt;
}

/** A start to look for: at least `bufferMs` and at most `horizonMs` ahead, on a day that is not full. */
export type AwakeQuestion = {
  now: EpochMs;
  bufferMs: DurationMs;
  horizonMs: DurationMs;
  isFull?: (day: number) => boolean;
};

/**
 * The first instant, `now` or later, at which such a start can be inside a window, with its day: until then no offer can
 * match, so polling can pause. Null for never.
 */
export function nextAwake(
  calendar: Calendar,
  { now, bufferMs, horizonMs, isFull }: AwakeQuestion,
): { at: EpochMs; day: number } | null {
  if (bufferMs > horizonMs) return null;
  // Windows open in the order of their days.
  for (const day of daysToCheck(calendar, now)) {
    for (const part of partsByDay(calendar, day)) {
      const at = Math.max(now, part.opensAt - horizonMs);
      if (at + bufferMs < part.closesAt && !isFull?.(part.day)) return { at, day: part.day };
    }
  }
  return null;
}

/** The first windows that are not over at an instant, by the day on which a block would start: at most `count`. */
export function windowsAfter(calendar: Calendar, now: EpochMs, count: number): ScheduleWindow[] {
  const found: ScheduleWindow[] = [];
  for (const day of daysToCheck(calendar, now)) {
    if (found.length >= count) break;
    for (const { opensAt, closesAt } of partsByDay(calendar, day))
      if (closesAt > now) found.push({ opensAt, closesAt });
  }
  return found;
}

/**
 * The days whose windows may tell something, from yesterday on, whose own may still be open: those around today and around each
 * date. Between two of them each week is like the one before, however many there are.
 */
function* daysToCheck({ zone, days }: Calendar, now: EpochMs): Generator<number> {
  const today = dayOf(zone.wallAt(now));
  let day = today - 1;
  for (const { from, to } of [{ from: today, to: today }, ...days.dates]) {
    for (day = Math.max(day, from - 1); day <= to + LOOKAHEAD_DAYS; day += 1) {
      day = Math.max(day, days.offOn(day)?.to ?? day);
      yield day;
    }
  }
}

/** The parts of a day's window by the day on which a block would start, without those of days off. */
function partsByDay({ zone, days, windowOf }: Calendar, day: number): (ScheduleWindow & { day: number })[] {
  const window = windowOf(day);
  if (!window) return [];
  const midnight = zone.instantOf((day + 1) * DAY_MS, "opening");
  if (window.closesAt <= midnight) return [{ ...window, day }];
  const first = { opensAt: window.opensAt, closesAt: midnight, day };
  const second = { opensAt: midnight, closesAt: window.closesAt, day: day + 1 };
  const own = first.opensAt < midnight ? [first] : [];
  return days.offOn(day + 1) ? own : [...own, second];
}
