import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { Filters } from "../../../db/shapes/work/filters.ts";

/** Amounts are lowered to whole units, notice to five minutes, hours to the half. */
export const WHOLE_UNIT = 100;
export const NOTICE_STEP = 5;
const WINDOW_STEP = 30;

/** Opens the weekday's window up to a start before it, or closes it after one behind it. */
export function windowChange(
  minute: number,
  { filters, weekday }: { filters: Filters; weekday: number },
): FilterChange | "allowed" {
  const day = filters.schedule[weekday - 1];
  if (!day?.active) return { kind: "day_on", day: weekday };
  const { start, end } = day;
  const isOvernight = end <= start;
  if (minute < start)
    return { kind: "earlier", day: weekday, minutes: start - roundDown(minute, WINDOW_STEP) };
  if (isOvernight || minute < end) return "allowed";
  return { kind: "later", day: weekday, minutes: roundDown(minute, WINDOW_STEP) + WINDOW_STEP - end };
}

export function roundDown(value: number, step: number): number {
  return Math.floor(value / step) * step;
}
