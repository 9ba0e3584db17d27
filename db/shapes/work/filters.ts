import * as z from "zod/mini";
import { durations } from "./durations.ts";
import { cents, minuteOfDay, warehouseId } from "../units.ts";
import { readsAs } from "../tolerant.ts";

/** The highest money threshold that a filter accepts: 9999 of the currency's major unit. */
export const MAX_THRESHOLD_CENTS = 999_900;

/** The longest notice before a block's start that a driver can require for a warehouse. */
export const MAX_BUFFER_MINUTES = 1440;

const MODES = ["lucrative", "secure", "masacre"] as const;

/**
 * `masacre` is the key of the mode that drivers see as turbo. What captures in a mode of a later release does so in the
 * default one, which is also what the database reads it as.
 */
export const mode = readsAs(z.enum(MODES), "lucrative");
export type Mode = z.infer<typeof mode>;

/** The mode as it is shown; `other` is one of a later release. */
export const shownMode = z.enum([...MODES, "other"]);
export type ShownMode = z.infer<typeof shownMode>;

/** `wf` narrows the mode to Whole Foods offers. */
export const specialMode = z.enum(["wf"]);
export type SpecialMode = z.infer<typeof specialMode>;

export const serviceType = z.enum(["parcel", "whole_foods", "grocery", "other"]);
export type ServiceType = z.infer<typeof serviceType>;

/**
 * One weekday's window in minutes since midnight, in the warehouse's local time. A window whose end is at or
 * before its start runs past midnight and belongs to this day; start = end means 24 hours.
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

/** A driver's filters for one warehouse. */
export const warehouseFilter = z.object({
  warehouseId,
  selected: z.boolean(),
  /** Minimum pay for the whole block; at least 1. */
  minPriceCents: thresholdCents.check(z.positive()),
  bufferMinutes: z.int().check(z.minimum(0), z.maximum(MAX_BUFFER_MINUTES)),
  minHourlyCents: thresholdCents,
  durations,
  /** Apply only the hourly minimum and ignore `minPriceCents`. */
  onlyHourly: z.boolean(),
});
export type WarehouseFilter = z.infer<typeof warehouseFilter>;

/** Which offers a driver wants. Mode and switch are kept apart, in the profile. */
export const filters = z.object({
  /** The hourly minimum for all warehouses; null if the driver turned it off. */
  minHourlyCents: z.nullable(thresholdCents),
  schedule: weekSchedule,
  warehouses: z.array(warehouseFilter).check(z.maxLength(500)),
});
export type Filters = z.infer<typeof filters>;

/** 9:30 to 18:00, which every new driver starts with on all seven days. */
export const DEFAULT_DAY_SCHEDULE: DaySchedule = { active: true, start: 9 * 60 + 30, end: 18 * 60 };

/** Parses a stored week. A malformed day becomes a day off, so that nothing unwanted is accepted. */
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
