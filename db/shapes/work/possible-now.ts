import * as z from "zod/mini";
import { epochMs, type EpochMs } from "../units.ts";
import type { Phase } from "./phase.ts";

/** The obstacle to a check-in. A `wait` ends without them. */
export const checkInObstacle = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("not_linked") }),
  z.object({ kind: z.literal("verification_required") }),
  z.object({ kind: z.literal("wait"), until: epochMs }),
]);
export type CheckInObstacle = z.infer<typeof checkInObstacle>;

export type PossibleNow = {
  /** `later`: capturing resumes on its own. `no`: only after the driver, or a free spot, makes it possible. */
  capture: "now" | "later" | "no";
  /** Null if the driver can check in. */
  checkInObstacle: CheckInObstacle | null;
  /** Whether the driver's earnings can be asked of the platform. Those of before stay known. */
  fetchEarnings: boolean;
  /** Whether an account has to be linked before anything else. */
  mustLink: boolean;
  /** Whether days of service would be of use that can't be of use without them. */
  mustPay: boolean;
  /** Whether a renewal would be charged for days on which something is done for the driver. */
  renew: boolean;
};

const CAPTURE = {
  off: "no",
  asleep: "later",
  polling: "now",
  throttled: "later",
  quota_used_up: "later",
  weekly_limit: "later",
  limit_reached: "later",
  unreachable: "later",
  unreadable: "later",
  blocks_unreadable: "now",
  needs_link: "no",
  verification_required: "no",
  no_service: "no",
  other: "later",
} satisfies Record<Phase["kind"], PossibleNow["capture"]>;

/**
 * The possible acts of the driver and of Jornada in a phase: the one answer that routes, cards, sheets and texts share.
 * @param isLinked whether the platform account is linked, which the phase doesn't say while off
 */
export function possibleNow(
  { phase, isLinked }: { phase: Phase; isLinked: boolean },
  now: EpochMs,
): PossibleNow {
  const mustLink = !isLinked || phase.kind === "needs_link";
  const isScheduled = (phase.kind !== "asleep" && phase.kind !== "limit_reached") || phase.until !== null;
  return {
    capture: isScheduled && !mustLink ? captureIn(phase) : "no",
    checkInObstacle: mustLink ? { kind: "not_linked" } : obstacleOf(phase, now),
    fetchEarnings: !mustLink,
    mustLink,
    mustPay: phase.kind === "no_service" && !phase.waitingForSpot,
    renew: !mustLink && phase.kind !== "off",
  };
}

function captureIn(phase: Phase): PossibleNow["capture"] {
  // Secure mode captures nothing without the driver's blocks.
  return phase.kind === "blocks_unreadable" && !phase.isCapturing ? "later" : CAPTURE[phase.kind];
}

function obstacleOf(phase: Phase, now: EpochMs): CheckInObstacle | null {
  if (phase.kind === "verification_required") return { kind: "verification_required" };
  if (phase.kind === "throttled" && phase.until > now) return { kind: "wait", until: phase.until };
  return null;
}
