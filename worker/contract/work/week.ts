import * as z from "zod/mini";
import { localDate } from "../../../db/shapes/work/local-date.ts";
import { proposedGain } from "../../../db/shapes/log/passed-over.ts";
import { epochMs } from "../../../db/shapes/units.ts";
import { weekFigures } from "../../../db/shapes/work/week.ts";
import type { ApiRoute } from "../api-route.ts";

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
