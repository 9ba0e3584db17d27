import {
  DEFAULT_DAY_SCHEDULE,
  MAX_DATES,
  type DateException,
  type DaySchedule,
  type WeekSchedule,
} from "../../../../db/shapes/work/filters.ts";
import { dateOfDay, dayOfDate, weekdayOf, type LocalDate } from "../../../../db/shapes/work/local-date.ts";
import { withoutPastDates } from "../../../../db/shapes/work/past-dates.ts";
import type { EpochMs } from "../../../../db/shapes/units.ts";
import { dayKey, DEVICE_TIME_ZONE } from "../../language/format.ts";
import type { Draft } from "../draft.ts";

type Dated = Pick<Draft, "schedule" | "dates">;

/** A week's schedule that is for one week only. */
export type WeekException = Extract<DateException, { kind: "week" }>;

/** Today's date on this device, which is where the driver is, and the warehouses are near. */
export function todayAt(now: EpochMs): LocalDate {
  return dayKey(now, DEVICE_TIME_ZONE);
}

export function addDays(date: LocalDate, days: number): LocalDate {
  return dateOfDay(dayOfDate(date) + days);
}

export function weekdayOfDate(date: LocalDate): number {
  return weekdayOf(dayOfDate(date));
}

/** The Monday of a date's week. */
export function mondayOf(date: LocalDate): LocalDate {
  return addDays(date, 1 - weekdayOfDate(date));
}

/** The first and the last date that an exception is about. */
export function spanOf(exception: DateException): { from: LocalDate; to: LocalDate } {
  switch (exception.kind) {
    case "off":
      return exception;
    case "hours":
      return { from: exception.date, to: exception.date };
    case "week":
      return { from: exception.monday, to: addDays(exception.monday, 6) };
  }
}

/** Names an exception, so that two devices mean the same one. */
export function keyOfDate(exception: DateException): string {
  const { from, to } = spanOf(exception);
  return `${exception.kind} ${from} ${to}`;
}

/** Those that aren't over, the earliest first. */
export function upcomingDates(dates: readonly DateException[], today: LocalDate): DateException[] {
  return dates
    .filter((exception) => spanOf(exception).to >= today)
    .toSorted((one, other) => spanOf(one).from.localeCompare(spanOf(other).from));
}

/** The exception that holds on a date, by precedence; null where the date is as every week. */
export function exceptionOn({ dates }: Pick<Draft, "dates">, date: LocalDate): DateException | null {
  const concerned = dates.filter((exception) => {
    const { from, to } = spanOf(exception);
    return from <= date && date <= to;
  });
  const last = (kind: DateException["kind"]) => concerned.findLast((exception) => exception.kind === kind);
  return last("off") ?? last("hours") ?? last("week") ?? null;
}

/** A date's hours: of the exception that holds, else of its weekday. */
export function dayOn(draft: Dated, date: LocalDate): DaySchedule {
  const usual = dayOfWeek(draft.schedule, date);
  const exception = exceptionOn(draft, date);
  switch (exception?.kind) {
    case undefined:
      return usual;
    case "off":
      return { ...usual, active: false };
    case "hours":
      return { active: true, start: exception.start, end: exception.end };
    case "week":
      return dayOfWeek(exception.schedule, date);
  }
}

function dayOfWeek(schedule: WeekSchedule, date: LocalDate): DaySchedule {
  return schedule[weekdayOfDate(date) - 1] ?? DEFAULT_DAY_SCHEDULE;
}

/** The schedule of one week: its own, or that of every week. */
export function scheduleOfWeek({ schedule, dates }: Dated, monday: LocalDate): WeekSchedule {
  return dates.findLast(isWeekOf(monday))?.schedule ?? schedule;
}

const isWeekOf =
  (monday: LocalDate) =>
  (exception: DateException): exception is WeekException =>
    exception.kind === "week" && exception.monday === monday;

/** Gives one week its own schedule, or none where that is the one of every week. */
export function withWeek(draft: Draft, monday: LocalDate, schedule: WeekSchedule): Draft {
  const others = draft.dates.filter((exception) => !isWeekOf(monday)(exception));
  const isUsual = JSON.stringify(schedule) === JSON.stringify(draft.schedule);
  return { ...draft, dates: isUsual ? others : [...others, { kind: "week", monday, schedule }] };
}

/** Adds an exception, and drops those that are over. */
export function withDate(draft: Draft, added: DateException, now: EpochMs): Draft {
  return replaceDate(withoutPastDates(draft, now), added);
}

/** Adds an exception in place of one of the same kind for the same dates. */
export function replaceDate(draft: Draft, added: DateException): Draft {
  return { ...draft, dates: [...withoutDate(draft, added).dates, added] };
}

/** A draft's exception of the same kind for the same dates. */
export function findDate({ dates }: Pick<Draft, "dates">, sought: DateException): DateException | null {
  return dates.findLast((exception) => keyOfDate(exception) === keyOfDate(sought)) ?? null;
}

export function withoutDate(draft: Draft, removed: DateException): Draft {
  return { ...draft, dates: draft.dates.filter((exception) => keyOfDate(exception) !== keyOfDate(removed)) };
}

/** An exception that was removed, and its place among the others: the later of two for one date holds. */
export type RemovedDate = { date: DateException; index: number };

export function toRemovedDate({ dates }: Pick<Draft, "dates">, date: DateException): RemovedDate {
  return { date, index: dates.findIndex((exception) => keyOfDate(exception) === keyOfDate(date)) };
}

/** Whether a removed exception can come back: there is room, and none of its kind for the same dates. */
export function canRestoreDate(draft: Pick<Draft, "dates">, { date }: RemovedDate): boolean {
  return draft.dates.length < MAX_DATES && findDate(draft, date) === null;
}

/** Puts a removed exception back in its place. */
export function restoreDate(draft: Draft, { date, index }: RemovedDate): Draft {
  return { ...draft, dates: draft.dates.toSpliced(index, 0, date) };
}
