import type { DaySchedule } from "../../../db/shapes/work/filters.ts";
import { m } from "../../messages/messages.js";
import { formatMinuteOfDay } from "../language/format.ts";

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

/** As `formatHoursOfDay`, or that the day is off. */
export function formatDaySchedule(day: DaySchedule): string {
  return day.active ? formatHoursOfDay(day) : m.week_off();
}

/** `9:30 AM to 6:00 PM`; past midnight it says that the end is on the next day. */
export function formatHoursOfDay(hours: Pick<DaySchedule, "start" | "end">): string {
  const [start, end] = [formatMinuteOfDay(hours.start), formatMinuteOfDay(hours.end)];
  switch (windowKind(hours)) {
    case "whole":
      return m.week_all_day();
    case "same":
      return m.time_span({ start, end });
    case "overnight":
      return m.time_span_overnight({ start, end });
  }
}
