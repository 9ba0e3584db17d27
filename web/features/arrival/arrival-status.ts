import {
  MAX_FIX_ACCURACY_METERS,
  MAX_FIX_AGE_MS,
  type CheckInResponse,
  type DevicePosition,
  type NextBlockResponse,
} from "../../../db/shapes/work/check-in.ts";
import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { RequestError } from "../../api/client/request-error.ts";
import type { ShownObstacle } from "./shown-obstacle.ts";

/** The results of the device's geolocation. */
export type PositionState =
  | { kind: "locating" }
  | { kind: "denied" }
  | { kind: "unavailable" }
  | { kind: "fix"; fix: DevicePosition };

/** The result of the latest attempt. `retryAt` is when the page may try again on its own; null: only the driver can. */
export type CheckInAttempt = { response: CheckInResponse | null; error: unknown; retryAt: EpochMs | null };

/** The status that the screen shows. */
export type ArrivalStatus =
  | { kind: "none" | "locating" | "denied" | "unavailable" | "checking" | "inside" | "late" | "other" }
  | { kind: "done"; already: boolean }
  | { kind: "prevented"; obstacle: ShownObstacle }
  | { kind: "coarse"; accuracyMeters: number }
  | { kind: "outside"; distanceMeters: number | null }
  | { kind: "early"; opensAt: EpochMs | null }
  | { kind: "failed"; error: unknown; willRetry: boolean };

export type ArrivalState = {
  next: NextBlockResponse;
  position: PositionState;
  attempt: CheckInAttempt | null;
  isCheckingIn: boolean;
  isOnline: boolean;
  now: EpochMs;
};

const RETRY_OUTSIDE_MS = 10_000;
/** Where it has opened by our clock, and not by the platform's yet. */
const RETRY_EARLY_MS = 5_000;
const RETRY_FAILURE_MS = 15_000;

const EARTH_METERS = 6_371_008.8;

type Point = { latitude: number; longitude: number };

/** The fix where it is fresh and accurate enough to send; else null. */
export function usableFix(position: PositionState, now: EpochMs): DevicePosition | null {
  const fix = freshFix(position, now);
  return fix && fix.accuracyMeters <= MAX_FIX_ACCURACY_METERS ? fix : null;
}

/** Distance to the warehouse in meters; null where either position is unknown. */
function distanceToWarehouse({
  next,
  position,
  now,
}: Pick<ArrivalState, "next" | "position" | "now">): number | null {
  const fix = freshFix(position, now);
  return fix && next.warehouse ? distanceBetween(fix, next.warehouse) : null;
}

/** The first status that applies. */
export function arrivalStatus(arrival: ArrivalState): ArrivalStatus {
  const { next, position, attempt, isCheckingIn, now } = arrival;
  const outcome = attempt?.response?.outcome;
  if (!next.block) return { kind: "none" };
  if (outcome === "checked_in") return { kind: "done", already: false };
  if (outcome === "already_checked_in" || next.block.status === "checked_in") {
    return { kind: "done", already: true };
  }
  if (outcome === "too_late") return { kind: "late" };
  if (outcome === "other") return { kind: "other" };
  if (isCheckingIn) return { kind: "checking" };
  const obstacle = obstacleNow(arrival);
  if (obstacle) return { kind: "prevented", obstacle };
  if (position.kind === "denied" || position.kind === "unavailable") return { kind: position.kind };
  const fix = freshFix(position, now);
  if (!fix) return { kind: "locating" };
  if (fix.accuracyMeters > MAX_FIX_ACCURACY_METERS) {
    return { kind: "coarse", accuracyMeters: fix.accuracyMeters };
  }
  if (attempt?.error) return { kind: "failed", error: attempt.error, willRetry: attempt.retryAt !== null };
  const response = attempt?.response;
  if (response?.outcome === "too_early" && (response.opensAt === null || now < response.opensAt)) {
    return { kind: "early", opensAt: response.opensAt };
  }
  const distanceMeters = distanceToWarehouse({ next, position, now });
  if (!isInside({ next, position, now })) return { kind: "outside", distanceMeters };
  // The platform measures the distance itself. Where it disagrees, it is right until the next attempt.
  if (response?.outcome === "outside_geofence" && now < (attempt?.retryAt ?? 0))
    return { kind: "outside", distanceMeters: response.distanceMeters };
  return { kind: "inside" };
}

/** The fix to check in with now without being asked; null while the page should not try. */
export function fixToCheckInWith(
  arrival: ArrivalState,
  { instant }: { instant: boolean },
): DevicePosition | null {
  const { next, position, attempt, isCheckingIn, now } = arrival;
  if (isCheckingIn || !next.block || next.block.status !== "scheduled") return null;
  if (obstacleNow(arrival)) return null;
  if (attempt && (instant || attempt.retryAt === null || now < attempt.retryAt)) return null;
  if (!instant && !isInside(arrival)) return null;
  return usableFix(position, now);
}

/** When the page may try again on its own; null where it may not. */
export function nextAttemptAt(
  response: CheckInResponse | null,
  error: unknown,
  now: EpochMs,
): EpochMs | null {
  if (response) {
    if (response.outcome === "too_early")
      return Math.max(response.opensAt ?? now + MINUTE_MS, now + RETRY_EARLY_MS);
    return response.outcome === "outside_geofence" ? now + RETRY_OUTSIDE_MS : null;
  }
  if (!(error instanceof RequestError)) return null;
  switch (error.code) {
    case "network":
    case "rate_limited":
    case "platform_unreachable":
    case "platform_refused":
    case "invalid_request":
      return now + Math.max(RETRY_FAILURE_MS, (error.retryAfter ?? 0) * 1000);
    default:
      return null;
  }
}

/** A wait is over by itself. */
function obstacleNow({ next: { obstacle }, isOnline, now }: ArrivalState): ShownObstacle | null {
  if (!isOnline) return { kind: "offline" };
  return obstacle?.kind === "wait" && obstacle.until <= now ? null : obstacle;
}

function freshFix(position: PositionState, now: EpochMs): DevicePosition | null {
  return position.kind === "fix" && now - position.fix.observedAt <= MAX_FIX_AGE_MS ? position.fix : null;
}

function isInside({ next, position, now }: Pick<ArrivalState, "next" | "position" | "now">): boolean {
  const meters = distanceToWarehouse({ next, position, now });
  // Without the warehouse's position there is nothing to measure: the platform decides.
  return meters === null ? next.warehouse === null : meters <= (next.warehouse?.geofenceMeters ?? 0);
}

/** Metres along the great circle between two points given in degrees (haversine). */
export function distanceBetween(one: Point, other: Point): number {
  const rise = Math.sin(radians(other.latitude - one.latitude) / 2) ** 2;
  const run = Math.sin(radians(other.longitude - one.longitude) / 2) ** 2;
  const chord = rise + Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * run;
  return 2 * EARTH_METERS * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
