import {
  COARSEST_FIX_METERS,
  OLDEST_FIX_MS,
  type CheckInAnswer,
  type DevicePosition,
  type NextBlockAnswer,
} from "../../../worker/contract/arrival.ts";
import { MINUTE_MS, type EpochMs } from "../../../durable/engine/units.ts";
import { ApiError } from "../../api/problem.ts";
import { distanceBetween } from "./distance.ts";

/** What the device says of where it is. */
export type Watch =
  | { kind: "locating" }
  | { kind: "denied" }
  | { kind: "unavailable" }
  | { kind: "fix"; fix: DevicePosition };

/** What the latest try came to, and when the next may follow by itself: null where only the driver starts one. */
export type Tried = { answer: CheckInAnswer | null; error: unknown; againAt: EpochMs | null };

/** How it stands with arriving; what the screen says. */
export type Standing =
  | { kind: "none" | "locating" | "denied" | "unavailable" | "checking" | "inside" | "late" }
  | { kind: "done"; already: boolean }
  | { kind: "coarse"; accuracyMeters: number }
  | { kind: "outside"; distanceMeters: number | null }
  | { kind: "early"; opensAt: EpochMs | null }
  | { kind: "failed"; error: unknown; goesOn: boolean };

export type Arrival = {
  next: NextBlockAnswer;
  watch: Watch;
  tried: Tried | null;
  isAsking: boolean;
  now: EpochMs;
};

const AFTER_OUTSIDE_MS = 10_000;
const AFTER_FAILURE_MS = 15_000;

/** A fix that may be sent: not older than a minute, and not too coarse. */
export function usableFix(watch: Watch, now: EpochMs): DevicePosition | null {
  const fix = freshFix(watch, now);
  return fix && fix.accuracyMeters <= COARSEST_FIX_METERS ? fix : null;
}

/** Metres to the station; null where either place is not known. */
export function metersToGo({ next, watch, now }: Pick<Arrival, "next" | "watch" | "now">): number | null {
  const fix = freshFix(watch, now);
  return fix && next.warehouse ? distanceBetween(fix, next.warehouse) : null;
}

/** How it stands: the first that holds. */
export function standingOf({ next, watch, tried, isAsking, now }: Arrival): Standing {
  const outcome = tried?.answer?.outcome;
  if (!next.block) return { kind: "none" };
  if (outcome === "checked_in") return { kind: "done", already: false };
  if (outcome === "already_checked_in" || next.block.status === "checked_in") {
    return { kind: "done", already: true };
  }
  if (outcome === "too_late") return { kind: "late" };
  if (isAsking) return { kind: "checking" };
  if (watch.kind === "denied" || watch.kind === "unavailable") return { kind: watch.kind };
  const fix = freshFix(watch, now);
  if (!fix) return { kind: "locating" };
  if (fix.accuracyMeters > COARSEST_FIX_METERS) {
    return { kind: "coarse", accuracyMeters: fix.accuracyMeters };
  }
  if (tried?.error) return { kind: "failed", error: tried.error, goesOn: tried.againAt !== null };
  const said = tried?.answer;
  if (said?.outcome === "too_early" && (said.opensAt === null || now < said.opensAt)) {
    return { kind: "early", opensAt: said.opensAt };
  }
  const distanceMeters = metersToGo({ next, watch, now });
  if (!isInside({ next, watch, now })) return { kind: "outside", distanceMeters };
  // The platform measures by its own map: where it differs, its word counts until the next try.
  if (said?.outcome === "outside_geofence" && now < (tried?.againAt ?? 0))
    return { kind: "outside", distanceMeters: said.distanceMeters };
  return { kind: "inside" };
}

/** The fix to check in with now by itself; null while it is not to be tried. */
export function fixToTry(arrival: Arrival, { instant }: { instant: boolean }): DevicePosition | null {
  const { next, watch, tried, isAsking, now } = arrival;
  if (isAsking || !next.block || next.block.status !== "scheduled") return null;
  if (tried && (instant || tried.againAt === null || now < tried.againAt)) return null;
  if (!instant && !isInside(arrival)) return null;
  return usableFix(watch, now);
}

/** When a try may follow another by itself. */
export function againAfter(answer: CheckInAnswer | null, error: unknown, now: EpochMs): EpochMs | null {
  if (answer) {
    if (answer.outcome === "too_early") return answer.opensAt ?? now + MINUTE_MS;
    return answer.outcome === "outside_geofence" ? now + AFTER_OUTSIDE_MS : null;
  }
  if (!(error instanceof ApiError)) return null;
  switch (error.code) {
    case "network":
    case "rate_limited":
    case "platform_unreachable":
    case "invalid_request":
      return now + Math.max(AFTER_FAILURE_MS, (error.retryAfter ?? 0) * 1000);
    default:
      return null;
  }
}

function freshFix(watch: Watch, now: EpochMs): DevicePosition | null {
  return watch.kind === "fix" && now - watch.fix.observedAt <= OLDEST_FIX_MS ? watch.fix : null;
}

function isInside({ next, watch, now }: Pick<Arrival, "next" | "watch" | "now">): boolean {
  const meters = metersToGo({ next, watch, now });
  // A station that is not known any more can't be measured against: the platform decides.
  return meters === null ? next.warehouse === null : meters <= (next.warehouse?.geofenceMeters ?? 0);
}
