import type { DaySchedule } from "../../../db/shapes/work/filters.ts";
import { m } from "../../messages/messages.js";
import { formatMinuteOfDay } from "../language/format.ts";
import { windowKind } from "./schedule-window.ts";

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
