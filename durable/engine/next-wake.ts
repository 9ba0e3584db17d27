import { awakeFrom, limitRecheckAt } from "./awake.ts";
import { nextPollAt } from "./state/cadence.ts";
import { activeProfile, blocksReadableAt, canCall, reachableAt } from "./state/callable.ts";
import { nextGiveBackReminderAt } from "./give-back.ts";
import { isInFlight, roomForRepeats, timesOutAt } from "./attempts/in-flight.ts";
import { untriedMatches } from "./verdicts/judge.ts";
import { nextQuestionEnd } from "./questions/question-list.ts";
import { nextExpiryWarningAt } from "./state/service-notifications.ts";
import { doubtAt, reconcileAt } from "./attempts/unsettled-attempts.ts";
import { verificationCheckAt } from "./verification.ts";
import type { DriverState, EngineSettings, StepContext } from "./state/types.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import type { EpochMs } from "../../db/shapes/units.ts";

/** Whether to read the blocks because a limit keeps the driver from taking any. */
export function isLimitRecheckDue(state: DriverState, { now, settings }: StepContext): boolean {
  const profile = canCall(state, now) ? activeProfile(state, now) : null;
  const at = profile && limitRecheckAt(state, profile, { now, settings });
  return at !== null && at <= now;
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
  // An unknown attempt is dropped when its block starts, whatever keeps us from reconciling it.
  for (const { attemptId, outcome, offer } of openAttempts.values())
    if (outcome.status === "unknown" && !isInFlight(state, attemptId, now)) times.push(offer.startsAt);
  const questionEnd = nextQuestionEnd(state, now);
  if (questionEnd !== null) times.push(questionEnd);
  if (state.link.status !== "linked") return earliest(times, now);
  const checkAt = verificationCheckAt(state, now);
  if (checkAt !== null) times.push(checkAt);
  if (!state.verification) {
    const reachable = reachableAt(state, now);
    // Work that waits for a call in flight continues after its response, or once none can come.
    times.push(...[...transient.inFlight.values()].map(timesOutAt).filter((at) => at > now));
    for (const attempt of openAttempts.values()) {
      if (attempt.outcome.status === "pending") times.push(timesOutAt(attempt.createdAt));
      else if (!isInFlight(state, attempt.attemptId, now) && !isReconcileAwaited(state, now))
        times.push(Math.max(reachable, reconcileAt(state, attempt, now), blocksReadableAt(state)));
    }
    const readableAt = Math.max(reachable, blocksReadableAt(state));
    // After that instant, other work wakes the object.
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

/** Whether matches wait to be accepted because the blocks could not be read. */
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
