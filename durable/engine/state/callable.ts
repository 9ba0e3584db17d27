import { isPaused } from "./service-notifications.ts";
import type { DriverState } from "./types.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";

/** Whether the driver's service time runs and they don't wait for a spot. */
export function hasService({ serviceUntil, waitingForSpot }: Profile, now: EpochMs): boolean {
  return serviceUntil !== null && now < serviceUntil && !waitingForSpot;
}

/** Whether the platform lets us call: linked, no verification required, not throttled. */
export function isCallable(state: DriverState, now: EpochMs): boolean {
  return state.link.status === "linked" && !state.verification && waitsUntil(state, now) === null;
}

/** Whether polls and blocks may be requested: the platform lets us call, and they are not backing off. */
export function canCall(state: DriverState, now: EpochMs): boolean {
  return isCallable(state, now) && reachableAt(state, now) <= now;
}

/**
 * The driver's profile if offers may be accepted now; null if off, without service, or `isCallable` is false.
 * The backoff of polls doesn't matter: what was just listed may still be accepted.
 */
export function capturingProfile(state: DriverState, now: EpochMs): Profile | null {
  return isCallable(state, now) ? watchingProfile(state, now) : null;
}

/** The driver's profile if they want offers now: switched on, with service left that isn't paused; else null. */
export function watchingProfile(state: DriverState, now: EpochMs): Profile | null {
  const profile = activeProfile(state, now);
  return profile && !isPaused(profile, now) ? profile : null;
}

/** Whether nothing may be captured because of the driver's own account: switched off, unlinked, without service or paused. */
export function isStopped(state: DriverState, now: EpochMs): boolean {
  const profile = activeProfile(state, now);
  return state.link.status !== "linked" || profile === null || isPaused(profile, now);
}

/** The driver's profile if they are switched on and have service left, else null. */
export function activeProfile({ profile }: DriverState, now: EpochMs): Profile | null {
  return profile?.switchedOn && hasService(profile, now) ? profile : null;
}

/** When throttle and backoff both allow a call: `now` or later. */
export function reachableAt({ throttle, backoff }: DriverState, now: EpochMs): EpochMs {
  return Math.max(now, throttle.until ?? 0, backoff.retryAt ?? 0);
}

/**
 * The end of the wait that the platform asked for, null if there is none. It applies to every call to the
 * platform, not only to polls and accepts.
 */
export function waitsUntil({ throttle }: DriverState, now: EpochMs): EpochMs | null {
  return throttle.until !== null && throttle.until > now ? throttle.until : null;
}

/** When the blocks may be read again after failed reads. This wait holds back nothing but reads of the blocks. */
export function blocksReadableAt({ transient }: DriverState): EpochMs {
  return transient.heldBackoff.retryAt ?? 0;
}
