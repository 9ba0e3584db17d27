import * as z from "zod/mini";
import { offerHoursDays, warehouseHours } from "../../../db/shapes/work/offer-hours.ts";
import { cityOfferHours } from "../../../db/shapes/work/city-hours.ts";
import { epochMs } from "../../../db/shapes/units.ts";
import { localDate } from "../../../db/shapes/work/local-date.ts";
import { proposedGain } from "../../../db/shapes/log/passed-over.ts";
import { weekFigures } from "../../../db/shapes/work/week.ts";
import type { ApiRoute } from "../api-route.ts";

/** GET /flex/v1/offer-hours?days=: 7 or 28; 28 if it isn't given. */
export const offerHoursQuery = z.object({
  days: z._default(z.enum(["7", "28"]), "28"),
});

/** Its response. */
export const offerHoursResponse = z.object({
  days: offerHoursDays,
  currency: z.string(),
  /** From when on in that time it is known when offers appeared; null if it never is. */
  knownFrom: z.nullable(epochMs),
  /** Those at which an offer was seen, the one with the fullest hours first. */
  warehouses: z.array(warehouseHours),
});
export type OfferHoursResponse = z.infer<typeof offerHoursResponse>;

/** GET /flex/v1/offer-hours/city: the driver's warehouses of which enough drivers were counted. */
export const cityOfferHoursResponse = z.object({ currency: z.string(), warehouses: z.array(cityOfferHours) });
export type CityOfferHoursResponse = z.infer<typeof cityOfferHoursResponse>;

/** When and where offers appear. */
export const OFFER_HOURS_ROUTES = {
  "GET /flex/v1/offer-hours": {
    summary:
      "When offers appeared in the last 7 or 28 days, by warehouse and hour of its week: how many, what they paid an hour, how long they stayed, and how many were captured.",
    auth: "bearer",
    query: offerHoursQuery,
    responses: { 200: offerHoursResponse },
    errors: ["not_found", "rate_limited"],
  },
  "GET /flex/v1/offer-hours/city": {
    summary:
      "When offers appeared at the driver's warehouses in the last eight weeks, and the pay that half of them had or better, by all drivers together. Warehouses with too few drivers are left out.",
    auth: "bearer",
    responses: { 200: cityOfferHoursResponse },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;

/** The query of GET /flex/v1/week: a date in the week; left out, it is the present one. */
export const weekQueryInput = z.object({ date: z.optional(localDate) });

/** GET /flex/v1/week. */
export const weekResponse = z.object({
  monday: localDate,
  currency: z.string(),
  figures: weekFigures,
  /** Those of the week before; null if none of it is known. */
  before: z.nullable(weekFigures),
  /** From when on the week's blocks are known; null if all are. */
  knownFrom: z.nullable(epochMs),
  /** The one change of the filters of now that would have let through the most pay that week; null if none would. */
  best: z.nullable(proposedGain),
  /** The weeks of which anything is known, the newest first. */
  mondays: z.array(localDate),
});
export type WeekResponse = z.infer<typeof weekResponse>;

/** A week in figures. */
export const WEEK_ROUTES = {
  "GET /flex/v1/week": {
    summary:
      "A week of the driver's in figures, against the week before, and the change that would have brought most.",
    auth: "bearer",
    query: weekQueryInput,
    responses: { 200: weekResponse },
    errors: ["not_found", "rate_limited"],
  },
} as const satisfies Record<string, ApiRoute>;
