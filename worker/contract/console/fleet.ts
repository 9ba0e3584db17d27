import * as z from "zod/mini";
import { ANSWER_KINDS, fleetState } from "../../../db/shapes/fleet.ts";
import { driverId, epochMs } from "../../../db/shapes/units.ts";

const figure = z.int().check(z.nonnegative());

/** GET /ops/v1/fleet?span=. */
export const fleetQueryInput = z.object({ span: z._default(z.enum(["day", "week", "month"]), "day") });
export type FleetSpan = z.infer<typeof fleetQueryInput>["span"];

/** Something that wants an operator now. `since` is when it began, where that is known. */
export const attention = z.discriminatedUnion("kind", [
  /** Objects of drivers who are on did not wake when they had to, and the watchdog did not wake them either. */
  z.object({ kind: z.literal("stale"), drivers: figure }),
  /** Objects throw when they are woken; `failure`: the error of the one that has for longest, by classes and place. */
  z.object({ kind: z.literal("failing"), drivers: figure, failure: z.string() }),
  /** So many were signed out by the platform in the last hour. */
  z.object({ kind: z.literal("signed_out"), drivers: figure }),
  /** So many of the drivers at work get no answer from the platform, or are told to wait by it. */
  z.object({
    kind: z.enum(["platform_down", "platform_limits"]),
    drivers: figure,
    of: figure,
    since: epochMs,
  }),
  /** The platform refuses most calls (401, 403, 429), or fails at them. `percent` of the last hour's. */
  z.object({ kind: z.enum(["platform_refuses", "platform_fails"]), percent: figure }),
  /** Money without service: the kind of the alert, and the payment's driver. */
  z.object({
    kind: z.literal("money"),
    alert: z.string(),
    driverId: z.nullable(driverId),
    since: epochMs,
  }),
  /** A ceiling of texts, or the gateway. */
  z.object({ kind: z.literal("texts"), alert: z.string(), reason: z.string(), since: epochMs }),
]);
export type Attention = z.infer<typeof attention>;

/** GET /ops/v1/fleet: what all drivers' objects do, and what they counted. */
export const fleetResponse = z.object({
  at: epochMs,
  attention: z.array(attention),
  drivers: z.object({
    on: figure,
    looking: figure,
    waiting: figure,
    asleep: figure,
    signedOut: figure,
    notLinked: figure,
    verification: figure,
    noService: figure,
    stale: figure,
    failing: z._default(figure, 0),
    off: figure,
  }),
  /** Each hour of the span, also those in which nothing was counted, oldest first. */
  hours: z.array(
    z.object({
      at: epochMs,
      captures: figure,
      losses: figure,
      /** Answers that could be used, those that refused or slowed the caller, and calls without a usable one. */
      answers: figure,
      refusals: figure,
      errors: figure,
      /** The same hour of the weeks before, the middle one of up to four; null where none was counted. */
      usual: z.nullable(z.object({ captures: figure, losses: figure, errors: figure })),
    }),
  ),
  /** How many drivers were in each state, oldest first; the present one is last. */
  states: z.array(z.object({ at: epochMs, drivers: z.partialRecord(fleetState, figure) })),
  /** How the platform answered within the span. */
  answers: z.partialRecord(z.enum(ANSWER_KINDS), figure),
  /**
   * For polls within the span: how many left within each edge, and the edges by which 50, 95 and 99 of a hundred had left; null
   * beyond the last.
   */
  lateness: z.object({
    polls: figure,
    bins: z.array(z.object({ withinMs: z.nullable(z.int()), polls: figure })),
    p50Ms: z.nullable(z.int()),
    p95Ms: z.nullable(z.int()),
    p99Ms: z.nullable(z.int()),
  }),
  /** Service time that was given back in the last 30 days for time in which the system could not work. */
  givenBackMs: z.optional(z.int()),
});
export type FleetResponse = z.infer<typeof fleetResponse>;

/** The lists behind the counts. */
export const fleetList = z.enum([
  "looking",
  "waiting",
  "asleep",
  "signedOut",
  "notLinked",
  "verification",
  "noService",
  "stale",
  "failing",
  "off",
]);
export type FleetListName = z.infer<typeof fleetList>;

/** GET /ops/v1/fleet/drivers?in=: those who came into a state last, or are most overdue. */
export const fleetDriversQueryInput = z.object({ in: fleetList });
export const fleetDriversResponse = z.object({
  drivers: z.array(
    z.object({
      id: driverId,
      name: z.string(),
      /** Masked but for its end, where the caller is support. */
      phone: z.string(),
      /** Null where the object never reported. */
      state: z.nullable(fleetState),
      /** Since when they are in the state, or were due. */
      since: epochMs,
      reportedAt: z.nullable(epochMs),
      /** The error that the object throws when it is woken, by classes and place; null where it doesn't. */
      failure: z._default(z.nullable(z.string()), null),
    }),
  ),
  hasMore: z.boolean(),
});
export type FleetDriversResponse = z.infer<typeof fleetDriversResponse>;

/** GET /ops/v1/fleet/cities?span=. */
export const citiesQueryInput = z.object({ span: z._default(z.enum(["day", "week"]), "day") });
export type CitiesSpan = z.infer<typeof citiesQueryInput>["span"];

/** The answer to 'why are there no captures?': see `worker/console/silence.ts`. */
export const silenceCause = z.enum([
  "nobody_looked",
  "refused",
  "nothing_published",
  "suspected",
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
      /**
       * Set where offers or captures ceased. `expected`: the least that the same hours of the last weeks had; 0 where many
       * drivers' objects suspect a soft block.
       */
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
