import * as z from "zod/mini";
import { epochMs } from "../../db/shapes/units.ts";

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
