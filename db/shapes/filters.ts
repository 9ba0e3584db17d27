import * as z from "zod/mini";
import { durations } from "./durations.ts";
import { cents, minuteOfDay, warehouseId } from "./units.ts";

/** The highest money threshold that a filter accepts: 9999 of the currency's major unit. */
export const MAX_THRESHOLD_CENTS = 999_900;

/** The longest notice that a warehouse can ask for before a block starts. */
export const MAX_BUFFER_MINUTES = 1440;

/** `masacre` is the internal key of the mode that drivers see as turbo. */
export const mode = z.enum(["lucrative", "secure", "masacre"]);
export type Mode = z.infer<typeof mode>;

/** `wf` narrows the mode to Whole Foods offers. */
export const specialMode = z.enum(["wf"]);
export type SpecialMode = z.infer<typeof specialMode>;

export const serviceType = z.enum(["parcel", "whole_foods", "grocery", "other"]);
export type ServiceType = z.infer<typeof serviceType>;

/**
 * One weekday's window, in the warehouse's wall clock, in minutes since midnight. An end at or
 * before the start runs over midnight and belongs to this day; start = end is the whole 24 hours.
 */
export const daySchedule = z.object({
  active: z.boolean(),
  start: minuteOfDay,
  end: minuteOfDay,
});
export type DaySchedule = z.infer<typeof daySchedule>;

/** Monday to Sunday. */
export const weekSchedule = z.tuple([
  daySchedule,
  daySchedule,
  daySchedule,
  daySchedule,
  daySchedule,
  daySchedule,
  daySchedule,
]);
export type WeekSchedule = z.infer<typeof weekSchedule>;

const thresholdCents = cents.check(z.maximum(MAX_THRESHOLD_CENTS));

/** A driver's rules for one warehouse. */
export const warehouseFilter = z.object({
  warehouseId,
  selected: z.boolean(),
  /** For the whole block; more than 0. */
  minPriceCents: thresholdCents.check(z.positive()),
  bufferMinutes: z.int().check(z.minimum(0), z.maximum(MAX_BUFFER_MINUTES)),
  minHourlyCents: thresholdCents,
  durations,
  /** The block's price is not looked at, only what it pays an hour. */
  onlyHourly: z.boolean(),
});
export type WarehouseFilter = z.infer<typeof warehouseFilter>;

/** Everything that a driver decides about offers, save mode and switch. */
export const filters = z.object({
  /** The general hourly minimum; null where the driver disabled it. */
  minHourlyCents: z.nullable(thresholdCents),
  schedule: weekSchedule,
  warehouses: z.array(warehouseFilter).check(z.maxLength(500)),
});
export type Filters = z.infer<typeof filters>;

/** From 9:30 until 18:00. */
export const DEFAULT_DAY_SCHEDULE: DaySchedule = { active: true, start: 9 * 60 + 30, end: 18 * 60 };

/** A week as it was stored. A day that can't be read is a day off: nothing is taken that was not asked for. */
export function readWeekSchedule(stored: unknown): WeekSchedule {
  const days: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return z.parse(
    weekSchedule,
    Array.from({ length: 7 }, (_, index) => {
      const day = z.safeParse(daySchedule, days[index]);
      return day.success ? day.data : { ...DEFAULT_DAY_SCHEDULE, active: false };
    }),
  );
}
