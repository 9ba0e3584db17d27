import * as z from "zod/mini";
import { epochMs } from "../units.ts";

const cents = z.int();
/** A date in the driver's own time zone, `2026-11-21`. */
const calendarDate = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

/** Earnings of the blocks that started on one day. `cents` excludes tips. */
export const earningsDay = z.object({ date: calendarDate, blocks: z.int(), cents, tipsCents: cents });
export type EarningsDay = z.infer<typeof earningsDay>;

/** Seven days from Monday; days in the future are included with zeros. */
export const earningsWeek = z.object({
  cents,
  tipsCents: cents,
  blocks: z.int(),
  days: z.array(earningsDay),
});
export type EarningsWeek = z.infer<typeof earningsWeek>;

/**
 * GET /flex/v1/user/earnings. `asOf` is when the figures were requested from the platform: more than a few
 * minutes ago only while the platform can't be reached. Null if they have never been fetched.
 */
export const earningsResponse = z.object({
  earnings: z.nullable(
    z.object({
      currency: z.string(),
      /** Today in the driver's own time zone. */
      today: calendarDate,
      timeZone: z.string(),
      thisWeek: earningsWeek,
      lastWeek: earningsWeek,
      asOf: epochMs,
      /** The latest fetch failed: these are the figures of the one before. */
      isStale: z.boolean(),
    }),
  ),
});
export type EarningsResponse = z.infer<typeof earningsResponse>;
