import { nextPollAt, retryWaitMs, verificationIntervalMs } from "./cadence.ts";
import { isInFlight, roomForAccepts, timesOutAt } from "./in-flight.ts";
import { matchOffer } from "./match.ts";
import { awakeAt, compiledFiltersOf } from "./compiled-filters.ts";
import { nextExpiryWarningAt } from "./service-notifications.ts";
import type { Attempt } from "../../db/shapes/attempt.ts";
import type { DriverState, EngineSettings, StepContext } from "./types.ts";
import type { Phase } from "../../db/shapes/phase.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { MINUTE_MS, type AttemptId, type EpochMs } from "../../db/shapes/units.ts";

/** How long a call that was cut off may still reach the platform. */
const CALL_SETTLE_MS = MINUTE_MS;
/** The least time between two questions whether the driver must still verify themselves, however often they return. */
const MIN_VERIFICATION_GAP_MS = 1_000;

/**
 * The phase that the driver sees. What needs the driver to act comes before what passes by itself.
 * `unreachable` lasts until a call succeeds, `throttled` until its deadline.
 */
export function phaseOf(state: DriverState, now: EpochMs, settings: EngineSettings): Phase {
  const { profile, link, verification, throttle, backoff, quotaWaitUntil } = state;
  if (!profile?.switchedOn) return { kind: "off" };
  if (link.status !== "linked") return { kind: "needs_link" };
  if (!hasService(profile, now)) return { kind: "no_service", waitingForSpot: profile.waitingForSpot };
  if (verification) return { kind: "verification_required", url: verification.url };
  const until = awakeFrom(state, profile, { now, settings });
  if (until === null || until > now) return { kind: "asleep", until };
  if (throttle.until !== null && throttle.until > now) return { kind: "throttled", until: throttle.until };
  if (backoff.retryAt !== null) return { kind: "unreachable", retryAt: backoff.retryAt };
  // While the poll at its end is in flight it may turn into the next wait.
  if (quotaWaitUntil !== null && (quotaWaitUntil > now || isInFlight(state, "poll", now)))
    return { kind: "quota_used_up", until: quotaWaitUntil };
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
  return isCallable(state, now) ? activeProfile(state, now) : null;
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
  const { verification, transient } = state;
  if (!verification || !isVerificationAwaited(state, now)) return null;
  const { verificationCheckedAt: checkedAt } = transient;
  const reachable = reachableAt(state, now);
  if (checkedAt === null) return reachable;
  return Math.max(reachable, checkedAt + verificationIntervalMs(checkedAt - verification.since));
}

function isVerificationAwaited(state: DriverState, now: EpochMs): boolean {
  const { profile, link } = state;
  return (
    profile?.switchedOn === true && link.status === "linked" && !isInFlight(state, "check_verification", now)
  );
}

/** Whether to ask at once, because the driver has come back and may have verified themselves. */
export function mayCheckVerificationNow(state: DriverState, now: EpochMs): boolean {
  const { verificationCheckedAt: checkedAt } = state.transient;
  return (
    state.verification !== null &&
    isVerificationAwaited(state, now) &&
    reachableAt(state, now) <= now &&
    (checkedAt === null || now - checkedAt >= MIN_VERIFICATION_GAP_MS)
  );
}

/** Whether a poll may be sent now: allowed, awake, due, and none in flight. Accepts in flight don't delay it. */
export function isPollDue(state: DriverState, { now, settings }: StepContext): boolean {
  const profile = canCall(state, now) ? activeProfile(state, now) : null;
  if (!profile || isInFlight(state, "poll", now)) return false;
  const awake = awakeFrom(state, profile, { now, settings });
  return awake !== null && awake <= now && pollAt(state, profile, settings) <= now;
}

function pollAt(
  { transient, quotaWaitUntil }: DriverState,
  { mode }: Profile,
  settings: EngineSettings,
): EpochMs {
  const { lastPollAt, polls, pollRoll, quota } = transient;
  const { pollFloorMs } = settings;
  return Math.max(quotaWaitUntil ?? 0, nextPollAt({ mode, lastPollAt, polls, quota, pollFloorMs }, pollRoll));
}

/** Whether a pending attempt can no longer get a response. */
export function isPendingTimedOut({ outcome, createdAt }: Attempt, now: EpochMs): boolean {
  return outcome.status === "pending" && timesOutAt(createdAt) <= now;
}

/**
 * Whether an accept may leave now. Asked once more in the instant of sending: between the decision and the call
 * the token may have had to be refreshed, and the driver's switch, filters or service may have changed.
 */
export function maySendAccept(state: DriverState, attemptId: AttemptId, now: EpochMs): boolean {
  const attempt = state.openAttempts.get(attemptId);
  return attempt !== undefined && isCallable(state, now) && isStillWanted(state, attempt, now);
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
  // The first repeat was sent at once, so the ladder starts at the second.
  const tries = attempt.outcome.status === "unknown" ? attempt.outcome.tries : 0;
  const soonAt = lastUnknownAt + retryWaitMs(Math.max(1, tries - 1));
  const wasRead = heldFetchedAt !== null && heldFetchedAt >= soonAt;
  return wasRead && !isStillWanted(state, attempt, now) ? lastUnknownAt + CALL_SETTLE_MS : soonAt;
}

/** When the blocks may be read again after failed reads. This wait holds back nothing but reads of the blocks. */
export function blocksReadableAt({ transient }: DriverState): EpochMs {
  return transient.heldBackoff.retryAt ?? 0;
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
  const { openAttempts, transient } = state;
  const profile = activeProfile(state, now);
  const warningAt = nextExpiryWarningAt(state);
  const times: EpochMs[] = warningAt === null ? [] : [warningAt];
  if (state.link.status !== "linked") return earliest(times, now);
  const checkAt = verificationCheckAt(state, now);
  if (checkAt !== null) times.push(checkAt);
  if (!state.verification) {
    const reachable = reachableAt(state, now);
    // What waits for a call in flight goes on when that is answered, or can no longer be.
    times.push(...[...transient.inFlight.values()].map(timesOutAt).filter((at) => at > now));
    for (const attempt of openAttempts.values()) {
      if (attempt.outcome.status === "pending") times.push(timesOutAt(attempt.createdAt));
      else if (!isInFlight(state, attempt.attemptId, now) && !isReconcileAwaited(state, now))
        times.push(Math.max(reachable, reconcileAt(state, attempt, now), blocksReadableAt(state)));
    }
    if (profile && !isInFlight(state, "poll", now)) {
      const awake = awakeFrom(state, profile, { now, settings });
      if (awake !== null)
        times.push(awake > now ? awake : Math.max(reachable, pollAt(state, profile, settings)));
    }
  }
  if (profile?.serviceUntil != null) times.push(profile.serviceUntil);
  return earliest(times, now);
}

/** Whether an unknown attempt must wait for the blocks, or for a place among the accepts. */
function isReconcileAwaited(state: DriverState, now: EpochMs): boolean {
  return isInFlight(state, "read_blocks", now) || roomForAccepts(state, now) === 0;
}

function earliest(times: readonly EpochMs[], now: EpochMs): EpochMs | null {
  return times.length > 0 ? Math.max(now, Math.min(...times)) : null;
}
