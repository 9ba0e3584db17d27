import type { DateException, Filters } from "./filters.ts";
import { dayOfDate } from "./local-date.ts";
import { DAY_MS, HOUR_MS, type EpochMs } from "../units.ts";

/** The furthest that a clock is behind UTC. */
const FURTHEST_BEHIND_MS = 12 * HOUR_MS;

/** The filters without dates that are over wherever a warehouse may be, the night after them included. */
export function withoutPastDates<Dated extends Pick<Filters, "dates">>(filters: Dated, now: EpochMs): Dated {
  const today = Math.floor((now - FURTHEST_BEHIND_MS) / DAY_MS);
  const dates = filters.dates.filter((exception) => lastDayOf(exception) + 1 >= today);
  return dates.length === filters.dates.length ? filters : { ...filters, dates };
}

function lastDayOf(exception: DateException): number {
  switch (exception.kind) {
    case "off":
      return dayOfDate(exception.to);
    case "hours":
      return dayOfDate(exception.date);
    case "week":
      return dayOfDate(exception.monday) + 6;
  }
}
