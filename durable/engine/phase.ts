import { nextPollAt, retryWaitMs } from "./cadence.ts";
import { matchOffer } from "./match.ts";
import { awakeAt, compiledFiltersOf } from "./compiled-filters.ts";
import { nextExpiryWarningAt } from "./service-notifications.ts";
import type { Attempt } from "../../db/shapes/attempt.ts";
import type { DriverState, EngineSettings, StepContext } from "./types.ts";
import type { Phase } from "../../db/shapes/phase.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";

/** Longer than any call may take: an attempt that is still pending then was cut off by a restart. */
const PENDING_TIMEOUT_MS = 2 * MINUTE_MS;
/** How long a call that was cut off may still reach the platform. */
const CALL_SETTLE_MS = MINUTE_MS;
/** How often we ask the platform whether the driver must still verify themselves. */
const VERIFICATION_INTERVAL_MS = MINUTE_MS;

/**
 * The phase that the driver sees. What needs the driver to act comes before what passes by itself.
 * `unreachable` lasts until a call succeeds, `throttled` until its deadline.
 */
export function phaseOf(state: DriverState, now: EpochMs, settings: EngineSettings): Phase {
  const { profile, link, verification, throttle, backoff } = state;
  if (!profile?.switchedOn) return { kind: "off" };
  if (link.status !== "linked") return { kind: "needs_link" };
  if (!hasService(profile, now)) return { kind: "no_service", waitingForSpot: profile.waitingForSpot };
  if (verification) return { kind: "verification_required", url: verification.url };
  const until = awakeFrom(state, profile, { now, settings });
  if (until === null || until > now) return { kind: "asleep", until };
  if (throttle.until !== null && throttle.until > now) return { kind: "throttled", until: throttle.until };
  if (backoff.retryAt !== null) return { kind: "unreachable", retryAt: backoff.retryAt };
  return { kind: "polling" };
}

function awakeFrom(
  { warehouses }: DriverState,
  profile: Profile,
  { now, settings }: { now: EpochMs; settings: EngineSettings },
): EpochMs | null {
  return awakeAt(compiledFiltersOf(profile, warehouses), { now, horizonMs: settings.offerHorizonMs });
}

function hasService({ serviceUntil, waitingForSpot }: Profile, now: EpochMs): boolean {
  return serviceUntil !== null && now < serviceUntil && !waitingForSpot;
}

/** Whether the platform may be called: linked, no verification required, and neither throttled nor backing off. */
export function canCall(state: DriverState, now: EpochMs): boolean {
  return state.link.status === "linked" && !state.verification && reachableAt(state, now) <= now;
}

/** The driver's profile if offers may be accepted now; null if off, without service, or `canCall` is false. */
export function capturingProfile(state: DriverState, now: EpochMs): Profile | null {
  return canCall(state, now) ? activeProfile(state, now) : null;
}

/** The driver's profile if they are switched on and have service left, else null. */
function activeProfile({ profile }: DriverState, now: EpochMs): Profile | null {
  return profile?.switchedOn && hasService(profile, now) ? profile : null;
}

/** When throttle and backoff both allow a call: `now` or later. */
function reachableAt({ throttle, backoff }: DriverState, now: EpochMs): EpochMs {
  return Math.max(now, throttle.until ?? 0, backoff.retryAt ?? 0);
}

/**
 * The end of the wait that the platform asked for, null if there is none. It applies to every call to the
 * platform, not only to polls and accepts.
 */
export function waitsUntil({ throttle }: DriverState, now: EpochMs): EpochMs | null {
  return throttle.until !== null && throttle.until > now ? throttle.until : null;
}

/** Whether it is time to ask the platform again if the driver must still verify themselves. */
export function isVerificationCheckDue(state: DriverState, now: EpochMs): boolean {
  const at = verificationCheckAt(state, now);
  return at !== null && at <= now;
}

/** When to ask next; null if no verification is required. */
function verificationCheckAt(state: DriverState, now: EpochMs): EpochMs | null {
  const { verification, profile, link, transient } = state;
  if (!verification || !profile?.switchedOn || link.status !== "linked") return null;
  const { verificationCheckedAt: checkedAt } = transient;
  return Math.max(reachableAt(state, now), checkedAt === null ? 0 : checkedAt + VERIFICATION_INTERVAL_MS);
}

/** Whether a poll may be sent now: allowed, awake, due even at the shortest jitter, and no accept in flight. */
export function isPollDue(state: DriverState, { now, settings }: StepContext): boolean {
  const profile = capturingProfile(state, now);
  if (!profile || hasPendingAttempt(state)) return false;
  const awake = awakeFrom(state, profile, { now, settings });
  return awake !== null && awake <= now && pollAt(state, profile, { settings, roll: 0 }) <= now;
}

function pollAt(
  { transient }: DriverState,
  { mode }: Profile,
  { settings, roll }: Pick<StepContext, "settings" | "roll">,
): EpochMs {
  const { lastPollAt, quota, quotaWindowMs } = transient;
  return nextPollAt({ mode, lastPollAt, quota, quotaWindowMs, pollFloorMs: settings.pollFloorMs }, roll);
}

/** Whether an accept is in flight. */
export function hasPendingAttempt({ openAttempts }: DriverState): boolean {
  return [...openAttempts.values()].some(({ outcome }) => outcome.status === "pending");
}

/** Whether a pending attempt can no longer get a response. */
export function isPendingTimedOut({ outcome, createdAt }: Attempt, now: EpochMs): boolean {
  return outcome.status === "pending" && createdAt + PENDING_TIMEOUT_MS <= now;
}

/** Whether the driver's present switch, filters and service still want the attempt's offer. */
export function isStillWanted(state: DriverState, { offer }: Attempt, now: EpochMs): boolean {
  const profile = activeProfile(state, now);
  if (!profile) return false;
  const { warehouses, givenBack } = state;
  const filters = compiledFiltersOf(profile, warehouses);
  // Expiry doesn't count: the first call may have reached the platform in time, and only the platform knows.
  // Nor does the currency, which no saved filter changes.
  return matchOffer(offer, { filters, now, busy: [], currency: offer.currency, givenBack }).every(
    ({ code }) => code === "expired",
  );
}

/**
 * When to reconcile an unknown attempt next. One that is still wanted is repeated with a growing wait. One that
 * isn't is only looked up among the blocks: soon, and once more when a call that was cut off can no longer
 * reach the platform.
 */
export function reconcileAt(state: DriverState, attempt: Attempt, now: EpochMs): EpochMs {
  const { lastUnknownAt, heldFetchedAt } = state.transient;
  if (lastUnknownAt === null) return 0;
  const tries = attempt.outcome.status === "unknown" ? attempt.outcome.tries : 0;
  const soonAt = lastUnknownAt + retryWaitMs(tries);
  const wasRead = heldFetchedAt !== null && heldFetchedAt >= soonAt;
  return wasRead && !isStillWanted(state, attempt, now) ? lastUnknownAt + CALL_SETTLE_MS : soonAt;
}

/** Whether a call that was cut off can no longer reach the platform at an instant. */
export function hasCallSettled({ transient }: DriverState, at: EpochMs): boolean {
  return transient.lastUnknownAt !== null && transient.lastUnknownAt + CALL_SETTLE_MS <= at;
}

/**
 * When the object must wake next, `now` or later: to poll, to reconcile an attempt, when the schedule opens, or
 * to warn of the end of the service time. Null if only another event gives it something to do.
 */
export function nextWakeAt(state: DriverState, ctx: StepContext): EpochMs | null {
  const { now, settings } = ctx;
  const { openAttempts } = state;
  const profile = activeProfile(state, now);
  const warningAt = nextExpiryWarningAt(state);
  const times: EpochMs[] = warningAt === null ? [] : [warningAt];
  if (state.link.status !== "linked") return earliest(times, now);
  const checkAt = verificationCheckAt(state, now);
  if (checkAt !== null) times.push(checkAt);
  if (!state.verification) {
    const reachable = reachableAt(state, now);
    for (const attempt of openAttempts.values()) {
      const { outcome, createdAt } = attempt;
      times.push(
        outcome.status === "pending"
          ? createdAt + PENDING_TIMEOUT_MS
          : Math.max(reachable, reconcileAt(state, attempt, now)),
      );
    }
    if (profile) {
      const awake = awakeFrom(state, profile, { now, settings });
      if (awake !== null) times.push(awake > now ? awake : Math.max(reachable, pollAt(state, profile, ctx)));
    }
  }
  if (profile?.serviceUntil != null) times.push(profile.serviceUntil);
  return earliest(times, now);
}

function earliest(times: readonly EpochMs[], now: EpochMs): EpochMs | null {
  return times.length > 0 ? Math.max(now, Math.min(...times)) : null;
}
