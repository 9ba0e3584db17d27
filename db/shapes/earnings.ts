import * as z from "zod/mini";
import { epochMs } from "./units.ts";

const cents = z.int();
/** A date of the driver's own calendar, `2026-11-21`. */
const calendarDate = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

/** What the blocks that started on one day earned, tips apart. */
export const earningsDay = z.object({ date: calendarDate, blocks: z.int(), cents, tipsCents: cents });
export type EarningsDay = z.infer<typeof earningsDay>;

/** Seven days from Monday; those to come are there with nothing in them. */
export const earningsWeek = z.object({
  cents,
  tipsCents: cents,
  blocks: z.int(),
  days: z.array(earningsDay),
});
export type EarningsWeek = z.infer<typeof earningsWeek>;

/**
 * GET /flex/v1/user/earnings, from the platform. `asOf` is when the platform was asked; older than a few
 * minutes where it can't be reached. Null where nothing was ever read.
 */
export const earningsResponse = z.object({
  earnings: z.nullable(
    z.object({
      currency: z.string(),
      /** Today by the driver's own calendar. */
      today: calendarDate,
      timeZone: z.string(),
      thisWeek: earningsWeek,
      lastWeek: earningsWeek,
      asOf: epochMs,
      /** The last question failed: this is what was known before. */
      isStale: z.boolean(),
    }),
  ),
});
export type EarningsResponse = z.infer<typeof earningsResponse>;
