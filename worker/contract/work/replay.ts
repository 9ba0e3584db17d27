import * as z from "zod/mini";
import { filters, mode, specialMode } from "../../../db/shapes/work/filters.ts";
import { acceptOdds, replayDays, replayReport } from "../../../db/shapes/work/replay.ts";
import { cents, epochMs, warehouseId } from "../../../db/shapes/units.ts";
import type { ApiRoute } from "../api-route.ts";

/** POST /flex/v1/filters/replay. Without a mode it is the driver's. */
export const replayInput = z.object({
  days: replayDays,
  filters,
  mode: z.optional(mode),
  specialMode: z.optional(z.nullable(specialMode)),
});
export type ReplayInput = z.infer<typeof replayInput>;

/** Its response. */
export const replayResponse = z.object({
  ...replayReport.shape,
  days: replayDays,
  currency: z.string(),
  /** The first offer of the time; null where none is known. */
  since: z.nullable(epochMs),
  /** From when on it is known how long offers stayed; before, each counts in the moment it was seen. Null if it never is. */
  staysFrom: z.nullable(epochMs),
  /** The blocks that Jornada captured in that time. */
  captured: z.object({ blocks: z.int(), payCents: cents }),
  /** By warehouse, of the last 30 days. */
  odds: z.array(acceptOdds),
  /** Warehouses that the edited filters select but the log has no offers of: nobody knows what they would have brought. */
  unseen: z.array(warehouseId),
});
export type ReplayResponse = z.infer<typeof replayResponse>;

/** The replay of the log by edited filters. */
export const REPLAY_ROUTES = {
  "POST /flex/v1/filters/replay": {
    summary:
      "What edited filters, limits and mode would have done with the offers of the last 1, 7 or 28 days, beside the saved ones. Changes nothing.",
    auth: "bearer",
    body: replayInput,
    responses: { 200: replayResponse },
    errors: ["not_found", "rate_limited"],
  },
} as const satisfies Record<string, ApiRoute>;
