import type { DaySchedule, WeekSchedule } from "../../../db/shapes/work/filters.ts";
import { DAY_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import { weekdayOf } from "../../../db/shapes/work/local-date.ts";
import { dayOf, type Zone } from "../../../durable/engine/schedule/zone.ts";

/** A schedule window as instants: contains a start if opensAt ≤ start < closesAt. */
export type ScheduleWindow = { opensAt: EpochMs; closesAt: EpochMs };

/** A driver's week schedule in one time zone. Windows are computed on first use and cached. */
export type Calendar = {
  zone: Zone;
  /** The window of a day (counted from 1970-01-01); null if the day is off or the window empty. */
  windowOf(day: number): ScheduleWindow | null;
};

/** More than the three weeks or so that offers and `nextAwakeAt` need. */
const MAX_CACHED_DAYS = 64;
/** More than two weeks: if a clock change empties the window of a day, the next is a week later. */
const LOOKAHEAD_DAYS = 15;

/** Applies a week schedule to the days of a time zone. */
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

/** The schedule of a day's weekday. */
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

/** An end at or before the start is on the next day; start = end means 24 hours. */
function toWindow(zone: Zone, day: number, { active, start, end }: DaySchedule): ScheduleWindow | null {
  if (!active) return null;
  const lastDay = end <= start ? day + 1 : day;
  const opensAt = zone.instantOf(day * DAY_MS + start * MINUTE_MS, "opening");
  const closesAt = zone.instantOf(lastDay * DAY_MS + end * MINUTE_MS, "closing");
  return opensAt < closesAt ? { opensAt, closesAt } : null;
}

/** Whether a start is inside the window of its own day, or of the day before if that runs past midnight. */
export function isInSchedule(calendar: Calendar, startsAt: EpochMs): boolean {
  const day = dayOf(calendar.zone.wallAt(startsAt));
  return contains(calendar.windowOf(day), startsAt) || contains(calendar.windowOf(day - 1), startsAt);
}

function contains(window: ScheduleWindow | null, at: EpochMs): boolean {
  return window !== null && window.opensAt <= at && at < window.closesAt;
}

/**
 * The first instant, `now` or later, at which a start that is at least `bufferMs` and at most `horizonMs` ahead
 * can be inside a window: until then no offer can match, so polling can pause. Null for never.
 */
export function nextAwakeAt(
  calendar: Calendar,
  { now, bufferMs, horizonMs }: { now: EpochMs; bufferMs: DurationMs; horizonMs: DurationMs },
): EpochMs | null {
  if (bufferMs > horizonMs) return null;
  const today = dayOf(calendar.zone.wallAt(now));
  // Starts with yesterday, whose window may still be open. Windows open in the order of their days.
  for (let day = today - 1; day <= today + LOOKAHEAD_DAYS; day += 1) {
    const window = calendar.windowOf(day);
    if (!window) continue;
    const at = Math.max(now, window.opensAt - horizonMs);
    if (at + bufferMs < window.closesAt) return at;
  }
  return null;
}
