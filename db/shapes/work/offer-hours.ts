import * as z from "zod/mini";
import { cents, warehouseId } from "../units.ts";

/** How far back the hours of offers go, in days: whole weeks, so that each weekday is in it as often. */
export const OFFER_HOURS_DAYS = [7, 28] as const;
export const offerHoursDays = z.union([z.literal(7), z.literal(28)]);
export type OfferHoursDays = z.infer<typeof offerHoursDays>;

/** The hours of a week on a warehouse's clock: 0 is Monday from midnight to 1 AM, 167 the last one of Sunday. */
export const WEEK_HOURS = 168;
export const weekHour = z.int().check(z.minimum(0), z.maximum(WEEK_HOURS - 1));

/** The figures of some offers, of which there is one at least. */
const figures = {
  offers: z.int(),
  /** Half of them or more pay this an hour, or better. */
  medianHourlyCents: cents,
  bestHourlyCents: cents,
  /** How long it took until half of them had left the list; null where that is not known. */
  halfGoneMs: z.nullable(z.int()),
  /** How many Jornada captured. */
  captured: z.int(),
};

/** The offers that appeared at a warehouse in an hour of the week. */
export const offerHour = z.object({
  hour: weekHour,
  ...figures,
  /** The hour of the week in which most of their blocks start. */
  startHour: weekHour,
});
export type OfferHour = z.infer<typeof offerHour>;

/** Some hours in a row, which may run past the end of the week. */
export const offerStretch = z.object({ from: weekHour, hours: z.int(), ...figures });
export type OfferStretch = z.infer<typeof offerStretch>;

/** A warehouse's week. */
export const warehouseHours = z.object({
  warehouseId,
  /** Every offer, each once. */
  offers: z.int(),
  /** Those among them that were listed already when a look began: when they appeared is not known, and no hour counts them. */
  unplaced: z.int(),
  /** The hours with most offers; null where there are too few to say. */
  best: z.nullable(offerStretch),
  /** The hours in which an offer appeared, in the order of the week. */
  hours: z.array(offerHour),
  /**
   * How many minutes of each hour of the week its list was watched, in all weeks of the time. Not given by earlier
   * releases.
   */
  watchedMinutes: z.optional(z.array(z.int()).check(z.length(WEEK_HOURS))),
});
export type WarehouseHours = z.infer<typeof warehouseHours>;
