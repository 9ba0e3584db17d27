import type { Attempt } from "../../db/shapes/attempt.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import type { LogFacts } from "../runtime/log.ts";

/** One line of the log. */
export type CaptureLine = { event: "capture.won" | "capture.lost"; facts: LogFacts };

/**
 * The log's line about an attempt that ended; null while it has not. `ms` is how long it took from the first sight of
 * the offer to the answer (null where that sight is forgotten), `acceptMs` from the accept to the answer: what lies
 * between is ours.
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
