import { nextPollAt, retryWaitMs } from "./cadence.ts";
import { matchOffer } from "./match.ts";
import { awakeAt, compiledFiltersOf } from "./compiled-filters.ts";
import { nextExpiryWarningAt } from "./service-notifications.ts";
import type { Attempt } from "../../db/shapes/attempt.ts";
import type { DriverState, EngineSettings, StepContext } from "./types.ts";
import type { Phase } from "../../db/shapes/phase.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";

/** Longer than any call may run: an attempt that is pending still was cut off with the object's turn. */
const PENDING_TIMEOUT_MS = 2 * MINUTE_MS;
/** A call that was cut off may still arrive; after this it has, or never will. */
const CALL_SETTLE_MS = MINUTE_MS;
/** How often the platform is asked whether it still wants to see the driver in person. */
const VERIFICATION_INTERVAL_MS = MINUTE_MS;

/**
 * What the driver sees the system do. What only the driver can mend comes first, then what time
 * mends. `unreachable` lasts until a call succeeds, `throttled` until its instant.
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

/** Whether the platform may be called at all: linked, not waiting for a person, a limit or a retry. */
export function canCall(state: DriverState, now: EpochMs): boolean {
  return state.link.status === "linked" && !state.verification && reachableAt(state, now) <= now;
}

/** The profile under which offers may be taken now; null where they may not: off, unlinked, unpaid, held up. */
export function capturingProfile(state: DriverState, now: EpochMs): Profile | null {
  return canCall(state, now) ? activeProfile(state, now) : null;
}

/** The profile of a driver who is on and has service left. */
function activeProfile({ profile }: DriverState, now: EpochMs): Profile | null {
  return profile?.switchedOn && hasService(profile, now) ? profile : null;
}

/** When the throttle and the backoff both let a call through: `now` or later. */
function reachableAt({ throttle, backoff }: DriverState, now: EpochMs): EpochMs {
  return Math.max(now, throttle.until ?? 0, backoff.retryAt ?? 0);
}

/**
 * The end of the wait that the platform asked for; null where it asks for none. It holds for every
 * call, whoever makes it.
 */
export function waitsUntil({ throttle }: DriverState, now: EpochMs): EpochMs | null {
  return throttle.until !== null && throttle.until > now ? throttle.until : null;
}

/** Whether the platform is to be asked now if it still wants to see the driver in person. */
export function isVerificationCheckDue(state: DriverState, now: EpochMs): boolean {
  const at = verificationCheckAt(state, now);
  return at !== null && at <= now;
}

/** When that is asked next; null where there is nothing to ask. */
function verificationCheckAt(state: DriverState, now: EpochMs): EpochMs | null {
  const { verification, profile, link, transient } = state;
  if (!verification || !profile?.switchedOn || link.status !== "linked") return null;
  const { verificationCheckedAt: checkedAt } = transient;
  return Math.max(reachableAt(state, now), checkedAt === null ? 0 : checkedAt + VERIFICATION_INTERVAL_MS);
}

/** Whether a poll may go out now: allowed, awake, due at the earliest roll, and no accept under way. */
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

/** Whether an accept is under way. */
export function hasPendingAttempt({ openAttempts }: DriverState): boolean {
  return [...openAttempts.values()].some(({ outcome }) => outcome.status === "pending");
}

/** Whether a pending attempt can get no answer any more. */
export function isPendingTimedOut({ outcome, createdAt }: Attempt, now: EpochMs): boolean {
  return outcome.status === "pending" && createdAt + PENDING_TIMEOUT_MS <= now;
}

/** Whether an unknown attempt's offer is still to be taken, as the driver's switch and rules stand now. */
export function isStillWanted(state: DriverState, { offer }: Attempt, now: EpochMs): boolean {
  const profile = activeProfile(state, now);
  if (!profile) return false;
  const compiled = compiledFiltersOf(profile, state.warehouses);
  // Whether it has expired is for the platform to say: the first call may have come in time.
  return matchOffer(offer, { book: compiled, now, taken: [] }).every(({ code }) => code === "expired");
}

/**
 * When an unknown attempt is looked after next. One that is wanted is repeated with a growing
 * wait. One that is not is only looked for among the blocks, soon and once more when a call that
 * was cut off must have arrived.
 */
export function reconcileAt(state: DriverState, attempt: Attempt, now: EpochMs): EpochMs {
  const { lastUnknownAt, heldFetchedAt } = state.transient;
  if (lastUnknownAt === null) return 0;
  const tries = attempt.outcome.status === "unknown" ? attempt.outcome.tries : 0;
  const soonAt = lastUnknownAt + retryWaitMs(tries);
  const wasRead = heldFetchedAt !== null && heldFetchedAt >= soonAt;
  return wasRead && !isStillWanted(state, attempt, now) ? lastUnknownAt + CALL_SETTLE_MS : soonAt;
}

/** Whether a call for this attempt that was cut off must have arrived by an instant. */
export function hasCallSettled({ transient }: DriverState, at: EpochMs): boolean {
  return transient.lastUnknownAt !== null && transient.lastUnknownAt + CALL_SETTLE_MS <= at;
}

/**
 * When the object must wake next, `now` or later: to poll, to settle what is unknown, when the
 * schedule opens, or to tell of the end of the service time. Null for never: nothing can be done
 * before another event comes.
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
