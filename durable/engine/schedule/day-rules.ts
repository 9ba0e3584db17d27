import type {
  DateException,
  DaySchedule,
  Filters,
  RuleHours,
  WeekSchedule,
} from "../../../db/shapes/work/filters.ts";
import { dayOfDate, weekdayOf } from "../../../db/shapes/work/local-date.ts";

/** Days from one to another, both included, counted from 1970-01-01. */
type Days = { from: number; to: number };

/** Which window each day has. Days are counted from 1970-01-01. */
export type DayRules = {
  scheduleOf(day: number): DaySchedule;
  /** The days off that a day is one of; null if it is none. */
  offOn(day: number): Days | null;
  /** ISO weekdays that usually have a window. */
  activeDays: readonly number[];
  /** Whether some day is off or has another window than its weekday. */
  hasDates: boolean;
  /** Those days, the earliest first. */
  dates: readonly Days[];
};

/** The days by the week's schedule, and by the dates that differ from it. */
export function scheduledDays({ schedule, dates }: Pick<Filters, "schedule" | "dates">): DayRules {
  const windows = new Map<number, DaySchedule>();
  const weeks = new Map<number, WeekSchedule>();
  for (const exception of dates) {
    if (exception.kind === "week") weeks.set(dayOfDate(exception.monday), exception.schedule);
    if (exception.kind !== "hours") continue;
    const { date, start, end } = exception;
    windows.set(dayOfDate(date), { active: true, start, end });
  }
  return {
    scheduleOf: (day) =>
      windows.get(day) ?? dayScheduleOf(weeks.get(day + 1 - weekdayOf(day)) ?? schedule, day),
    activeDays: schedule.flatMap((day, index) => (day.active ? [index + 1] : [])),
    ...daysOff(dates),
  };
}

/** The days by a rule's own hours. Only days off hold for them, too. */
export function ruleDays({ days, start, end }: RuleHours, dates: readonly DateException[]): DayRules {
  const active = { active: true, start, end };
  const inactive = { active: false, start, end };
  return {
    scheduleOf: (day) => (days.includes(weekdayOf(day)) ? active : inactive),
    activeDays: days,
    ...daysOff(dates),
  };
}

function daysOff(dates: readonly DateException[]): Pick<DayRules, "offOn" | "hasDates" | "dates"> {
  const off = dates.flatMap((exception) => (exception.kind === "off" ? [daysOf(exception)] : []));
  return {
    offOn: (day) => off.find(({ from, to }) => from <= day && day <= to) ?? null,
    hasDates: dates.length > 0,
    dates: dates.map(daysOf).toSorted((one, other) => one.from - other.from),
  };
}

function daysOf(exception: DateException): Days {
  switch (exception.kind) {
    case "off":
      return { from: dayOfDate(exception.from), to: dayOfDate(exception.to) };
    case "hours":
      return { from: dayOfDate(exception.date), to: dayOfDate(exception.date) };
    case "week":
      return { from: dayOfDate(exception.monday), to: dayOfDate(exception.monday) + 6 };
  }
}

/** The schedule of a day's weekday. */
function dayScheduleOf(schedule: WeekSchedule, day: number): DaySchedule {
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
