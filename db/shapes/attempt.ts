import * as z from "zod/mini";
import { block, offer } from "./offer.ts";
import { attemptId, cents, epochMs } from "./units.ts";

/**
 * Why an attempt did not win: the platform's word, or `withdrawn` where the driver's switch,
 * rules or service changed before the call went out, or `refused` for a code not known here.
 */
export const lostReason = z.enum([
  "offer_gone",
  "overlap",
  "weekly_limit",
  "pay_changed",
  "withdrawn",
  "rate_limited",
  "signed_out",
  "verification_required",
  "refused",
]);

export type LostReason = z.infer<typeof lostReason>;

export const attempt = z.object({
  attemptId,
  offer,
  /** What the driver's rules ask at least; the platform answers `pay_changed` below it. */
  payAtLeastCents: cents,
  createdAt: epochMs,
  endedAt: z.nullable(epochMs),
  outcome: z.discriminatedUnion("status", [
    z.object({ status: z.literal("pending") }),
    z.object({ status: z.literal("unknown"), tries: z.int() }),
    z.object({ status: z.literal("won"), block }),
    z.object({ status: z.literal("lost"), reason: lostReason }),
  ]),
});

export type Attempt = z.infer<typeof attempt>;
