import type { DaySchedule, RuleHours } from "../../../../db/shapes/work/filters.ts";
import type { LocalDate } from "../../../../db/shapes/work/local-date.ts";
import { m } from "../../../messages/messages.js";
import { formatList } from "../../language/format.ts";
import type { Draft } from "../draft.ts";
import {
  scheduleSegments,
  type ScheduleSegment,
  formatHoursOfDay,
  formatDaySchedule,
} from "../schedule-window.ts";
import { formatLocalDate } from "./date-labels.ts";
import { addDays, dayOn, exceptionOn, weekdayOfDate } from "./dates.ts";
import type { Scope } from "./week-scope.tsx";

type HoursWindow = Pick<RuleHours, "start" | "end">;

/** The lines and the bar that a weekday's row has beside its hours. */
export type DayNotes = { also: readonly ScheduleSegment[]; notes: readonly string[] };

/**
 * Notes a weekday's next date that is off or has other hours, as seen from the week that is edited, and the hours in which
 * some rule looks beside the day's own.
 */
export function dayNotes(
  draft: Draft,
  { index, day, scope, today }: { index: number; day: DaySchedule; scope: Scope; today: LocalDate },
): DayNotes {
  const date = dateOfRow(index, { scope, today });
  const exception = exceptionOn(draft, date);
  // The week that is edited shows its own hours in its rows.
  const isShown = exception !== null && (exception.kind !== "week" || scope.kind === "every");
  const effective = dayOn(draft, date);
  const differs = isShown && formatDaySchedule(effective) !== formatDaySchedule(day);
  const isOff = exception?.kind === "off";
  const windows = isOff && scope.kind === "one" ? [] : ruleWindows(draft, { weekday: index + 1, day });
  return {
    also: windows.flatMap(scheduleSegments),
    notes: [
      ...(differs
        ? [m.sentence_named({ name: formatLocalDate(date), sentence: formatDaySchedule(effective) })]
        : []),
      ...(windows.length > 0 ? [m.week_rules_too({ hours: formatList(windows.map(formatHoursOfDay)) })] : []),
    ],
  };
}

/** The date that a row is about: in the week that is edited, else the next one of its weekday. */
function dateOfRow(index: number, { scope, today }: { scope: Scope; today: LocalDate }): LocalDate {
  if (scope.kind === "one") return addDays(scope.monday, index);
  const ahead = (index + 1 - weekdayOfDate(today) + 7) % 7;
  return addDays(today, ahead);
}

/** The windows that the selected warehouses' rules have of their own on a weekday, where they go beyond the day's. */
function ruleWindows(
  { warehouses }: Draft,
  { weekday, day }: { weekday: number; day: DaySchedule },
): HoursWindow[] {
  const windows = warehouses.flatMap(({ selected, extraRules }) =>
    selected ? extraRules.flatMap(({ hours }) => (hours?.days.includes(weekday) ? [hours] : [])) : [],
  );
  const beyond = windows.filter((window) => !day.active || !isInside(window, day));
  const different = new Map(beyond.map(({ start, end }) => [`${start} ${end}`, { start, end }]));
  return [...different.values()].toSorted((one, other) => one.start - other.start);
}

function isInside(window: HoursWindow, day: DaySchedule): boolean {
  const segments = scheduleSegments(day);
  return scheduleSegments(window).every(({ from, to }) =>
    segments.some((segment) => segment.from <= from && to <= segment.to),
  );
}
