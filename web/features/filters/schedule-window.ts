import type { DaySchedule } from "../../../db/shapes/filters.ts";
import type { MinuteOfDay } from "../../../db/shapes/units.ts";

export const MINUTES_PER_DAY = 1440;

/** A segment of the day's bar, in minutes. */
export type ScheduleSegment = { from: number; to: number };

/** `same` ends on the same day, `overnight` on the next; `whole` covers all 24 hours. */
export function windowKind({ start, end }: DaySchedule): "same" | "overnight" | "whole" {
  if (start === end) return "whole";
  return end > start ? "same" : "overnight";
}

/** The segments of a window on a bar from midnight to midnight; an overnight one wraps to the left. */
export function scheduleSegments(day: DaySchedule): ScheduleSegment[] {
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

/** `09:30`, the value format of a time input. */
export function formatTimeInput(minute: MinuteOfDay): string {
  const pad = (part: number) => String(part).padStart(2, "0");
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
}

/** Minutes since midnight of a time input's value; null where it is empty. */
export function parseTimeInput(clock: string): MinuteOfDay | null {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(clock) ?? [];
  return hours === undefined || minutes === undefined ? null : Number(hours) * 60 + Number(minutes);
}
