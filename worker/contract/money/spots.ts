import * as z from "zod/mini";
import { epochMs } from "../../../db/shapes/units.ts";
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
