import * as z from "zod/mini";

/**
 * Where a dispute is, in Stripe's words. `warning_…`: the bank only inquires. One that we don't know reads as `other`, or as
 * `under_review` while the money is withdrawn and not lost.
 */
export const disputeStatus = z.enum([
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "needs_response",
  "under_review",
  "won",
  "lost",
  "prevented",
  "other",
]);
export type DisputeStatus = z.infer<typeof disputeStatus>;

/** Those in which the bank waits for evidence, or decides about it. */
export const OPEN_DISPUTE_STATUSES = [
  "warning_needs_response",
  "needs_response",
  "warning_under_review",
  "under_review",
] as const satisfies readonly DisputeStatus[];
