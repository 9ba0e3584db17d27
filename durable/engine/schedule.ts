import type { DaySchedule, WeekSchedule } from "../../db/shapes/filters.ts";
import { DAY_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";
import { dayOf, weekdayOf, type Zone } from "./zone.ts";

/** A window as instants: it holds a start where opensAt ≤ start < closesAt. */
export type ScheduleWindow = { opensAt: EpochMs; closesAt: EpochMs };

/** A driver's week in one time zone. Windows are made when first asked for and kept. */
export type Calendar = {
  zone: Zone;
  /** The window of a day (counted from 1970-01-01); null where the day is off or the window empty. */
  windowOf(day: number): ScheduleWindow | null;
};

/** Offers and sleep look at about three weeks of days. */
const MAX_CACHED_DAYS = 64;
/** A week and a day, twice over: the second time for a window that a change of the clock emptied. */
const LOOKAHEAD_DAYS = 15;

/** Lays a week schedule over a zone's days. */
export function createCalendar(zone: Zone, schedule: WeekSchedule): Calendar {
  const windows = new Map<number, ScheduleWindow | null>();
  return {
    zone,
    windowOf(day) {
      const known = windows.get(day);
      if (known !== undefined) return known;
      if (windows.size >= MAX_CACHED_DAYS) windows.clear();
      const made = toWindow(zone, day, dayScheduleOf(schedule, day));
      windows.set(day, made);
      return made;
    },
  };
}

/** The rules of the weekday that a day is. */
export function dayScheduleOf(schedule: WeekSchedule, day: number): DaySchedule {
  const [monday, tuesday, wednesday, thursday, friday, saturday, sunday] = schedule;
  switch (weekdayOf(day)) {
    case 1:
      return monday;
    case 2:
      return tuesday;
    case 3:
      return wednesday;
    case 4:
      return thursday;
    case 5:
      return friday;
    case 6:
      return saturday;
    default:
      return sunday;
  }
}

/** An end at or before the start lies on the next day; start = end is the whole 24 hours. */
function toWindow(zone: Zone, day: number, { active, start, end }: DaySchedule): ScheduleWindow | null {
  if (!active) return null;
  const lastDay = end <= start ? day + 1 : day;
  const opensAt = zone.instantOf(day * DAY_MS + start * MINUTE_MS, "opening");
  const closesAt = zone.instantOf(lastDay * DAY_MS + end * MINUTE_MS, "closing");
  return opensAt < closesAt ? { opensAt, closesAt } : null;
}

/** Whether a start lies inside the window of its own day, or of the day before where that runs over midnight. */
export function isInSchedule(calendar: Calendar, startsAt: EpochMs): boolean {
  const day = dayOf(calendar.zone.wallAt(startsAt));
  return contains(calendar.windowOf(day), startsAt) || contains(calendar.windowOf(day - 1), startsAt);
}

function contains(window: ScheduleWindow | null, at: EpochMs): boolean {
  return window !== null && window.opensAt <= at && at < window.closesAt;
}

/**
 * The first instant, `now` or later, at which a window holds a start that is at least `bufferMs`
 * and at most `horizonMs` ahead: until then there is nothing to watch for. Null for never.
 */
export function nextAwakeAt(
  calendar: Calendar,
  { now, bufferMs, horizonMs }: { now: EpochMs; bufferMs: DurationMs; horizonMs: DurationMs },
): EpochMs | null {
  if (bufferMs > horizonMs) return null;
  const today = dayOf(calendar.zone.wallAt(now));
  let earliest: EpochMs | null = null;
  // From yesterday (its window may still run) on. With a long horizon a later day can already count.
  for (let day = today - 1; day <= today + LOOKAHEAD_DAYS; day += 1) {
    const window = calendar.windowOf(day);
    if (!window) continue;
    const at = Math.max(now, window.opensAt - horizonMs);
    if (at + bufferMs >= window.closesAt) continue;
    if (at === now) return now;
    if (earliest === null || at < earliest) earliest = at;
  }
  return earliest;
}
