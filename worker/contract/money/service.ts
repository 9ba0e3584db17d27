import * as z from "zod/mini";
import { epochMs } from "../../../db/shapes/units.ts";
import { pauseInput, pauseResponse } from "../../../db/shapes/money/pause.ts";
import { localDate } from "../../../db/shapes/work/local-date.ts";
import type { ApiRoute } from "../api-route.ts";

/** GET /status/spots: each city with a limit. In a city that is not among them nobody waits. */
export const citySpotsResponse = z.object({
  cities: z.array(
    z.object({
      city: z.string(),
      spots: z.int(),
      /** Those that a newcomer would get: none while others wait. */
      left: z.int(),
      waiting: z.int(),
    }),
  ),
});
export type CitySpotsResponse = z.infer<typeof citySpotsResponse>;

/** Where a driver stands in their city. */
export const spot = z.discriminatedUnion("status", [
  z.object({ status: z.literal("held"), city: z.string() }),
  z.object({
    status: z.literal("waiting"),
    city: z.string(),
    /** From 1: how many drivers it takes until it is their turn. */
    place: z.int(),
    /** How many wait in the city. */
    waiting: z.int(),
    /** The place at which they joined. */
    joinedPlace: z.int(),
  }),
  z.object({ status: z.literal("offered"), city: z.string(), offerEndsAt: epochMs }),
  z.object({ status: z.literal("left"), city: z.string() }),
]);
export type Spot = z.infer<typeof spot>;

/** GET /flex/v1/spot, POST /flex/v1/spot/take, POST /flex/v1/spot/join. */
export const spotResponse = z.object({
  /** Null before the first linking. */
  spot: z.nullable(spot),
  /** There are limits, and only linking says whether there is a spot: nothing can be paid before. */
  mustLink: z.boolean(),
});
export type SpotResponse = z.infer<typeof spotResponse>;

/** Spots and the lines for them. */
export const SPOT_ROUTES = {
  "GET /status/spots": {
    summary: "The spots that are left in each city that has a limit, and how many drivers wait.",
    auth: "none",
    responses: { 200: citySpotsResponse },
    errors: [],
  },
  "GET /flex/v1/spot": {
    summary: "The driver's spot in their city, or their place in its line.",
    auth: "bearer",
    responses: { 200: spotResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/spot/take": {
    summary: "Takes the spot that is kept for the driver, within 48 hours.",
    auth: "bearer",
    responses: { 200: spotResponse },
    errors: ["not_found", "spot_gone"],
  },
  "POST /flex/v1/spot/join": {
    summary: "Gets a spot, or joins the end of the line, for a driver who let theirs pass or lost it.",
    auth: "bearer",
    responses: { 200: spotResponse },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;

/** Pausing the days of service. */
export const PAUSE_ROUTES = {
  "GET /flex/v1/pause": {
    summary: "The pause of the driver's service that runs, and what the year still has.",
    auth: "bearer",
    responses: { 200: pauseResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/pause": {
    summary:
      "Pauses the driver's service for whole days from now on. Where that isn't possible, the response says why.",
    auth: "bearer",
    body: pauseInput,
    responses: { 200: pauseResponse },
    errors: ["not_found"],
  },
  "DELETE /flex/v1/pause": {
    summary: "Ends the pause that runs. What is left of it no longer delays the end of the service.",
    auth: "bearer",
    responses: { 200: pauseResponse },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;

/**
 * A date on which the system could not work for a while, through no fault of the driver's, and the time that was given back.
 */
export const lostDay = z.object({ date: localDate, lostMs: z.int(), givenMs: z.int() });
export type LostDayLine = z.infer<typeof lostDay>;

/** GET /flex/v1/lost-days: the last 31 such dates, newest first. A date is there once it is over. */
export const lostDaysResponse = z.object({ days: z.array(lostDay) });
export type LostDaysResponse = z.infer<typeof lostDaysResponse>;

/** Lost time that comes back. */
export const LOST_DAY_ROUTES = {
  "GET /flex/v1/lost-days": {
    summary:
      "The days on which the system could not work for a while, and the service time given back for them.",
    auth: "bearer",
    responses: { 200: lostDaysResponse },
    errors: [],
  },
} as const satisfies Record<string, ApiRoute>;
