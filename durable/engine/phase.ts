import { nextPollAt, retryWaitMs, verificationIntervalMs } from "./cadence.ts";
import { MODE_RULES } from "./modes.ts";
import { isInFlight, roomForRepeats, timesOutAt } from "./in-flight.ts";
import { judgeOffer } from "./match.ts";
import { awakeFrom, limitRecheckAt } from "./awake.ts";
import { nextGiveBackReminderAt } from "./give-back-clock.ts";
import { compiledFiltersOf } from "./compiled-filters.ts";
import { areCountedRead, limitBookOf } from "./counted-blocks.ts";
import { isPaused, nextExpiryWarningAt } from "./service-notifications.ts";
import { untriedMatches } from "./judge.ts";
import { isAnsweredYes, nextQuestionEnd } from "./questions/question-list.ts";
import { wantedAction } from "./questions/wanted-action.ts";
import { blocksUnreadableSince, offersUnreadableSince } from "./reading/contact.ts";
import { fullWeekAt } from "./weekly-limit.ts";
import type { Attempt } from "../../db/shapes/work/attempt.ts";
import type { DriverState, EngineSettings, StepContext } from "./types.ts";
import { dateOfDay } from "../../db/shapes/work/local-date.ts";
import type { Phase } from "../../db/shapes/work/phase.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { HOUR_MS, MINUTE_MS, type AttemptId, type EpochMs } from "../../db/shapes/units.ts";

/** How long a call that was cut off may still reach the platform. */
const CALL_SETTLE_MS = MINUTE_MS;
/** How long the blocks are read for the sake of a doubted attempt alone, and the least time between two such reads. */
const MAX_DOUBT_MS = HOUR_MS;
const DOUBT_GAP_MS = MINUTE_MS / 2;
/** The least time between two questions whether the driver must still verify themselves, however often they return. */
const MIN_VERIFICATION_GAP_MS = 1_000;

/**
 * The phase that the driver sees. A state that the driver must act on comes before one that passes by itself.
 * `unreachable` lasts until a call succeeds, `throttled` until its deadline.
 */
export function phaseOf(state: DriverState, now: EpochMs, settings: EngineSettings): Phase {
  const { profile, link, verification, throttle, backoff, quotaWaitUntil } = state;
  if (!profile?.switchedOn) return { kind: "off" };
  if (link.status !== "linked") return { kind: "needs_link" };
  if (!hasService(profile, now)) return { kind: "no_service", waitingForSpot: profile.waitingForSpot };
  if (verification) return { kind: "verification_required", url: verification.url };
  const { awake, fullBy } = awakeFrom(state, profile, { now, settings });
  if (awake === null || awake.at > now) {
    const until = awake?.at ?? null;
    if (fullBy === null) return { kind: "asleep", until };
    return { kind: "limit_reached", limit: fullBy, until, day: awake ? dateOfDay(awake.day) : null };
  }
  if (throttle.until !== null && throttle.until > now) return { kind: "throttled", until: throttle.until };
  const unreadableSince = offersUnreadableSince(state);
  if (unreadableSince !== null) return { kind: "unreadable", since: unreadableSince };
  if (backoff.retryAt !== null) return { kind: "unreachable", retryAt: backoff.retryAt };
  // While the poll at its end is in flight it may turn into the next wait.
  if (quotaWaitUntil !== null && (quotaWaitUntil > now || isInFlight(state, "poll", now)))
    return { kind: "quota_used_up", until: quotaWaitUntil };
  const blocksSince = blocksUnreadableSince(state, now);
  if (blocksSince !== null) {
    const isKnown = state.transient.heldFetchedAt !== null && areCountedRead(state, now);
    const isCapturing = !MODE_RULES[profile.mode].readsBlocksFirst && isKnown;
    return { kind: "blocks_unreadable", since: blocksSince, isCapturing };
  }
  const full = fullWeekAt(state, now);
  if (full) return { kind: "weekly_limit", until: full.until };
  return { kind: "polling" };
}

/** Whether the blocks are to be read because a limit keeps the driver from taking any. */
export function isLimitRecheckDue(state: DriverState, { now, settings }: StepContext): boolean {
  const profile = canCall(state, now) ? activeProfile(state, now) : null;
  const at = profile && limitRecheckAt(state, profile, { now, settings });
  return at !== null && at <= now;
}

/** Whether a limit keeps the driver from taking any block now. */
export function isLimitReached(state: DriverState, { now, settings }: StepContext): boolean {
  return phaseOf(state, now, settings).kind === "limit_reached";
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
  const profile = isCallable(state, now) ? activeProfile(state, now) : null;
  return profile && !isPaused(profile, now) ? profile : null;
}

/** Whether nothing may be captured before the driver acts: switched off, unlinked or without service. */
export function isStopped(state: DriverState, now: EpochMs): boolean {
  return state.link.status !== "linked" || activeProfile(state, now) === null;
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
  const { awake } = awakeFrom(state, profile, { now, settings });
  return awake !== null && awake.at <= now && pollAt(state, profile, settings) <= now;
}

/** When the next poll is due; may be in the past. */
export function pollAt(
  { transient, quotaWaitUntil }: DriverState,
  { mode }: Profile,
  settings: EngineSettings,
): EpochMs {
  const { lastPollAt, pacedFrom, polls, pollRoll, pollCalls, quota } = transient;
  const { pollFloorMs } = settings;
  return Math.max(
    quotaWaitUntil ?? 0,
    nextPollAt({ mode, lastPollAt, pacedFrom, polls, pollCalls, quota, pollFloorMs }, pollRoll),
  );
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

/**
 * Whether the driver's present switch, filters, limits and service still want the attempt's offer. Where it has limits, not before
 * all blocks that count toward them were read.
 */
export function isStillWanted(state: DriverState, attempt: Attempt, now: EpochMs): boolean {
  const { offer, attemptId } = attempt;
  const profile = activeProfile(state, now);
  if (!profile || isPaused(profile, now) || !areCountedRead(state, now)) return false;
  const { warehouses, givenBack } = state;
  const filters = compiledFiltersOf(profile, warehouses);
  const { currency } = offer;
  // All that is held or under way counts toward the limits, this one aside.
  const book = limitBookOf(state, "pending", currency);
  // Expiry doesn't count: the first call may have reached the platform in time, and only the platform knows.
  // Nor does the currency, which no saved filter changes.
  const match = judgeOffer(offer, { filters, now, busy: [], currency, givenBack, book });
  if (match.reasons.some(({ code }) => code !== "expired")) return false;
  // A rule that came to ask or to tell since takes nothing by itself; a yes still counts.
  return wantedAction(match).action === "take" || isAnsweredYes(state, attemptId);
}

/**
 * When to reconcile an unknown attempt next. One that is still wanted is repeated with a growing wait. One that
 * isn't is only looked up among the blocks: soon, and once more when a call that was cut off can no longer
 * reach the platform.
 */
export function reconcileAt(state: DriverState, attempt: Attempt, now: EpochMs): EpochMs {
  const { heldFetchedAt } = state.transient;
  const triedAt = triedAtOf(attempt, now);
  // The first repeat was sent at once, so the ladder starts at the second.
  const tries = attempt.outcome.status === "unknown" ? attempt.outcome.tries : 0;
  const soonAt = triedAt + retryWaitMs(Math.max(1, tries - 1));
  if (isStillWanted(state, attempt, now)) return soonAt;
  const wasRead = heldFetchedAt !== null && heldFetchedAt >= soonAt;
  return wasRead ? triedAt + CALL_SETTLE_MS : soonAt;
}

/** When an unknown attempt was last tried. An instant that is still to come is none: our clock was set back. */
function triedAtOf({ outcome, createdAt }: Attempt, now: EpochMs): EpochMs {
  const triedAt = outcome.status === "unknown" ? outcome.triedAt : createdAt;
  return triedAt > now ? 0 : triedAt;
}

/** Whether no call of an unknown attempt can still reach the platform. */
export function hasCallSettled(attempt: Attempt, now: EpochMs): boolean {
  return triedAtOf(attempt, now) + CALL_SETTLE_MS <= now;
}

/** From when on a listing of the blocks that lacks a closed attempt's block shows that it had no effect. */
export function isConclusiveFrom({ endedAt, createdAt }: Attempt): EpochMs {
  return (endedAt ?? createdAt) + CALL_SETTLE_MS;
}

/**
 * When to look a doubted attempt up among the blocks, if nothing else has them read by then. Null once that was
 * tried for an hour: polling reads them anyway, and a driver who is off is not worth a call for ever.
 */
function doubtAt(attempt: Attempt, { transient, link }: DriverState, now: EpochMs): EpochMs | null {
  const conclusiveFrom = isConclusiveFrom(attempt);
  if (link.status !== "linked" || conclusiveFrom + MAX_DOUBT_MS < now) return null;
  return Math.max(conclusiveFrom, (transient.heldFetchedAt ?? 0) + DOUBT_GAP_MS);
}

/** Whether the blocks must be read now to learn what became of a doubted attempt. */
export function isDoubtDue(state: DriverState, now: EpochMs): boolean {
  return [...state.doubtedAttempts.values()].some((attempt) => {
    const at = doubtAt(attempt, state, now);
    return at !== null && at <= now;
  });
}

/** When the blocks may be read again after failed reads. This wait holds back nothing but reads of the blocks. */
export function blocksReadableAt({ transient }: DriverState): EpochMs {
  return transient.heldBackoff.retryAt ?? 0;
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
  const reminderAt = nextGiveBackReminderAt(state, ctx);
  const times: EpochMs[] = [warningAt, reminderAt].filter((at) => at !== null);
  // An unknown attempt is dropped when its block starts, whatever keeps us from asking.
  for (const { attemptId, outcome, offer } of openAttempts.values())
    if (outcome.status === "unknown" && !isInFlight(state, attemptId, now)) times.push(offer.startsAt);
  const questionEnd = nextQuestionEnd(state, now);
  if (questionEnd !== null) times.push(questionEnd);
  if (state.link.status !== "linked") return earliest(times, now);
  const checkAt = verificationCheckAt(state, now);
  if (checkAt !== null) times.push(checkAt);
  if (!state.verification) {
    const reachable = reachableAt(state, now);
    // Work that waits for a call in flight continues after its response, or once there can be none.
    times.push(...[...transient.inFlight.values()].map(timesOutAt).filter((at) => at > now));
    for (const attempt of openAttempts.values()) {
      if (attempt.outcome.status === "pending") times.push(timesOutAt(attempt.createdAt));
      else if (!isInFlight(state, attempt.attemptId, now) && !isReconcileAwaited(state, now))
        times.push(Math.max(reachable, reconcileAt(state, attempt, now), blocksReadableAt(state)));
    }
    const readableAt = Math.max(reachable, blocksReadableAt(state));
    // Once it has passed, whatever else is awaited wakes us.
    if (profile && readableAt > now && areBlocksAwaited(state, now)) times.push(readableAt);
    for (const attempt of state.doubtedAttempts.values()) {
      const at = isInFlight(state, "read_blocks", now) ? null : doubtAt(attempt, state, now);
      if (at !== null) times.push(Math.max(reachable, at, blocksReadableAt(state)));
    }
    if (profile && !isInFlight(state, "poll", now)) {
      const { awake } = awakeFrom(state, profile, { now, settings });
      if (awake !== null)
        times.push(awake.at > now ? awake.at : Math.max(reachable, pollAt(state, profile, settings)));
    }
    if (profile && !isInFlight(state, "read_blocks", now)) {
      const recheckAt = limitRecheckAt(state, profile, { now, settings });
      if (recheckAt !== null) times.push(Math.max(reachable, recheckAt, blocksReadableAt(state)));
    }
  }
  if (profile?.serviceUntil != null) times.push(profile.serviceUntil);
  return earliest(times, now);
}

/** Whether there are matches to accept, but the blocks could not be read before. */
function areBlocksAwaited(state: DriverState, now: EpochMs): boolean {
  return (
    state.transient.heldBackoff.retryAt !== null &&
    !isInFlight(state, "read_blocks", now) &&
    untriedMatches(state, now).length > 0
  );
}

/** Whether an unknown attempt must wait for the blocks, or for a place among the accepts. */
function isReconcileAwaited(state: DriverState, now: EpochMs): boolean {
  return isInFlight(state, "read_blocks", now) || roomForRepeats(state, now) === 0;
}

function earliest(times: readonly EpochMs[], now: EpochMs): EpochMs | null {
  return times.length > 0 ? Math.max(now, Math.min(...times)) : null;
}
