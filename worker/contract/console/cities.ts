import * as z from "zod/mini";
import { epochMs } from "../../../db/shapes/units.ts";

/** GET /ops/v1/fleet/cities?span=. */
export const citiesQueryInput = z.object({ span: z._default(z.enum(["day", "week"]), "day") });
export type CitiesSpan = z.infer<typeof citiesQueryInput>["span"];

const figure = z.int().check(z.nonnegative());

/** The answer to 'why are there no captures?': see `worker/console/silence.ts`. */
export const silenceCause = z.enum([
  "nobody_looked",
  "refused",
  "nothing_published",
  "no_match",
  "others_faster",
  "unknown",
]);

/** The usual counts of an hour: each the middle one of the same hours of the last weeks in which somebody looked. */
const usualHour = z.object({
  looking: z.number(),
  offers: z.number(),
  matches: z.number(),
  captures: z.number(),
  losses: z.number(),
  answered: z.number(),
});

/** A city's counts in an hour. `looking`: drivers, on average over the hour. */
const cityHour = z.object({
  at: epochMs,
  looking: z.number(),
  offers: figure,
  matches: figure,
  captures: figure,
  losses: figure,
  answered: figure,
  refused: figure,
  failed: figure,
  softBlocks: figure,
  /** Null where no past week has the hour. */
  usual: z.nullable(usualHour),
});

/** GET /ops/v1/fleet/cities: what drivers saw and took in each city, by hour. */
export const cityHoursResponse = z.object({
  at: epochMs,
  /** Those that are silent first, then by captures. */
  cities: z.array(
    z.object({
      city: z.string(),
      /** Set where offers or captures ceased that the same hours of the last weeks had. `expected`: the least that they had. */
      silence: z.nullable(
        z.object({
          what: z.enum(["offers", "captures"]),
          since: epochMs,
          expected: figure,
          cause: silenceCause,
        }),
      ),
      /** Why nothing was captured in the last hour; null where something was. */
      cause: z.nullable(silenceCause),
      lastOfferAt: z.nullable(epochMs),
      lastCaptureAt: z.nullable(epochMs),
      /** Each hour of the span, also those in which nothing was counted, oldest first; the last is the running one. */
      hours: z.array(cityHour),
    }),
  ),
});
export type CityHoursResponse = z.infer<typeof cityHoursResponse>;
