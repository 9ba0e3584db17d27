import * as z from "zod/mini";
import type { Limit } from "./filters.ts";
import { localDate } from "./local-date.ts";

/** The limits that blocks use up: those of a day, then those of its week. */
export const COUNTED_LIMITS = [
  "blocksPerDay",
  "minutesPerDay",
  "minutesPerWeek",
  "weekGoalCents",
] as const satisfies readonly Limit[];
export type CountedLimit = (typeof COUNTED_LIMITS)[number];

/**
 * The use of a limit, in its own unit, on a day or in a week: from its first to its last date, by the clocks of the
 * warehouses.
 */
export const usedLimit = z.object({
  limit: z.enum(COUNTED_LIMITS),
  used: z.int(),
  most: z.int(),
  from: localDate,
  until: localDate,
});
export type UsedLimit = z.infer<typeof usedLimit>;
