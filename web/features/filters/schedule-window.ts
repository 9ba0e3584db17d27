import type { DaySchedule } from "../../../db/shapes/work/filters.ts";

export const MINUTES_PER_DAY = 1440;

/** A segment of the day's bar, in minutes. */
export type ScheduleSegment = { from: number; to: number };

/** `same` ends on the same day, `overnight` on the next; `whole` covers all 24 hours. */
export function windowKind({
  start,
  end,
}: Pick<DaySchedule, "start" | "end">): "same" | "overnight" | "whole" {
  if (start === end) return "whole";
  return end > start ? "same" : "overnight";
}

/** The segments of a window on a bar from midnight to midnight; an overnight one wraps to the left. */
export function scheduleSegments(day: Pick<DaySchedule, "start" | "end">): ScheduleSegment[] {
  const { start, end } = day;
  switch (windowKind(day)) {
    case "whole":
      return [{ from: 0, to: MINUTES_PER_DAY }];
    case "same":
      return [{ from: start, to: end }];
    case "overnight":
      return [
        { from: start, to: MINUTES_PER_DAY },
        { from: 0, to: end },
      ].filter(({ from, to }) => to > from);
  }
}
