import type { DateException } from "../../../../db/shapes/work/filters.ts";
import type { LocalDate } from "../../../../db/shapes/work/local-date.ts";
import { m } from "../../../messages/messages.js";
import { formatDate, formatWeekday } from "../../language/format.ts";
import { formatDaySchedule, formatHoursOfDay } from "../schedule-window.ts";
import { spanOf } from "./dates.ts";

/** `Thu, Nov 26`. */
export function formatLocalDate(date: LocalDate): string {
  return formatDate(Date.parse(date), "UTC");
}

/** `Thu, Nov 26`, or `Thu, Nov 26 to Sun, Nov 29`. */
export function formatExceptionDates(exception: DateException): string {
  const { from, to } = spanOf(exception);
  return from === to
    ? formatLocalDate(from)
    : m.time_span({ start: formatLocalDate(from), end: formatLocalDate(to) });
}

/** The hours of its dates: none, other ones, or those of each day of that week. */
export function formatException(exception: DateException): string {
  switch (exception.kind) {
    case "off":
      return m.week_off();
    case "hours":
      return formatHoursOfDay(exception);
    case "week":
      return exception.schedule
        .map((day, index) =>
          m.sentence_named({ name: formatWeekday(index + 1, "short"), sentence: formatDaySchedule(day) }),
        )
        .join("; ");
  }
}
