import type { Attempt } from "../../../db/shapes/log/attempt.ts";
import type { DriverId, EpochMs } from "../../../db/shapes/units.ts";
import type { LogFacts } from "../../runtime/log.ts";

/** A log line about a settled attempt. */
export type CaptureLine = { event: "capture.won" | "capture.lost"; facts: LogFacts };

/**
 * The log line for a settled attempt; null while it isn't settled. `ms` is the time from when we first saw the offer to
 * the response (null if that is no longer known), `acceptMs` the time from the accept to the response. The difference
 * is our own latency.
 */
export function captureLine(
  attempt: Attempt,
  { driverId, firstSeenAt }: { driverId: DriverId | null; firstSeenAt: EpochMs | null },
): CaptureLine | null {
  const { attemptId, offer, createdAt, endedAt, outcome } = attempt;
  if (endedAt === null || (outcome.status !== "won" && outcome.status !== "lost")) return null;
  const facts = {
    driverId,
    offerId: offer.offerId,
    attemptId,
    ms: firstSeenAt === null ? null : endedAt - firstSeenAt,
    acceptMs: endedAt - createdAt,
  };
  return outcome.status === "won"
    ? { event: "capture.won", facts }
    : { event: "capture.lost", facts: { ...facts, reason: outcome.reason } };
}
