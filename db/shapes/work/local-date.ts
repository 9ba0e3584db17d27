import * as z from "zod/mini";
import { DAY_MS } from "../units.ts";

/** A date of a calendar, `2026-11-26`, without a time zone. */
export const localDate = z.iso.date();
export type LocalDate = z.infer<typeof localDate>;

/** The days from 1970-01-01 to a date. */
export function dayOfDate(date: LocalDate): number {
  return Date.parse(date) / DAY_MS;
}

/** The date of a day that is counted so. */
export function dateOfDay(day: number): LocalDate {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The ISO weekday of a day: 1 is Monday. 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}
