import * as z from "zod/mini";
import { readsAs } from "../../../db/shapes/tolerant.ts";
import { epochMs } from "../../../db/shapes/units.ts";

/**
 * The limits of a day: numbers looked at, exports, the worth of all that support gave, and what support asked for above its
 * limits: special prices, gifts (days, points) and refunds.
 */
export const limitKind = readsAs(
  z.enum(["looks", "exports", "worth", "special_prices", "gifts", "refunds", "other"]),
  "other",
);
export type LimitKind = z.infer<typeof limitKind>;

/** GET /ops/v1/limits: the limits that operators reached in the last day, the latest first. */
export const limitsResponse = z.object({
  limits: z.array(
    z.object({
      operator: z.string(),
      kind: limitKind,
      /** How many acts: those within the limit, or the requests above it. */
      acts: z.int(),
      /** The latest of them. */
      at: epochMs,
    }),
  ),
});
export type LimitsResponse = z.infer<typeof limitsResponse>;
export type ReachedLimit = LimitsResponse["limits"][number];
