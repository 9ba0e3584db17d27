import * as z from "zod/mini";
import { block, offer } from "./offer.ts";
import { attemptId, cents, epochMs } from "../units.ts";

/**
 * Why an attempt was lost: the platform's own code; `withdrawn` if the driver's switch, filters or service
 * changed before the call went out; `refused` for a code that we don't know; `no_answer` if the platform had not
 * told the outcome when the block started; `other` for a reason of a later release.
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
  "no_answer",
  "other",
]);

export type LostReason = z.infer<typeof lostReason>;

export const attempt = z.object({
  attemptId,
  offer,
  /** The least pay that the driver's filters accept. The platform answers `pay_changed` if the pay is lower. */
  payAtLeastCents: cents,
  createdAt: epochMs,
  endedAt: z.nullable(epochMs),
  outcome: z.discriminatedUnion("status", [
    z.object({ status: z.literal("pending") }),
    /** `triedAt` is when the latest of `tries` calls ended without an answer. */
    z.object({ status: z.literal("unknown"), tries: z.int(), triedAt: epochMs }),
    z.object({ status: z.literal("won"), block }),
    z.object({ status: z.literal("lost"), reason: lostReason }),
  ]),
});

export type Attempt = z.infer<typeof attempt>;
