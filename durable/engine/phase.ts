import { dateOfDay } from "../../db/shapes/work/local-date.ts";
import type { Phase } from "../../db/shapes/work/phase.ts";
import { type EpochMs, HOUR_MS } from "../../db/shapes/units.ts";
import { awakeFrom } from "./awake.ts";
import { hasService } from "./state/callable.ts";
import { areCountedRead } from "./verdicts/counted-blocks.ts";
import { isInFlight } from "./attempts/in-flight.ts";
import { MODE_RULES } from "./selection/modes.ts";
import { blocksUnreadableSince, offersUnreadableSince, recordLastContact } from "./contact.ts";
import { fullWeekAt } from "./verdicts/weekly-limit.ts";
import type { DriverState, EngineSettings, StepContext } from "./state/types.ts";
import { rememberPolls } from "./quota/quota-record.ts";
import { notifyOfEnd } from "./state/service-notifications.ts";
import { updateState, type Transition } from "./state/transition.ts";

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
  // The poll at the end of a wait may lead to the next one.
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

/** Whether a limit keeps the driver from taking any block now. */
export function isLimitReached(state: DriverState, { now, settings }: StepContext): boolean {
  return phaseOf(state, now, settings).kind === "limit_reached";
}

/** Logs each new phase, and notifies the driver once of each that needs them to act. */
export function applyPhase(transition: Transition): void {
  const { now, settings } = transition.ctx;
  const before = transition.state.phase;
  const phase = phaseOf(transition.state, now, settings);
  if (JSON.stringify(phase) === JSON.stringify(before)) return;
  updateState(transition, { phase });
  transition.log.push({ kind: "phase_changed", at: now, phase });
  if (phase.kind !== before.kind) notifyPhase(transition, phase);
  if (before.kind === "polling") {
    rememberPolls(transition);
    recordLastContact(transition);
  }
  if (phase.kind === "throttled" || phase.kind === "quota_used_up") notifyLongWait(transition, phase.until);
  const { throttle } = transition.state;
  const isOver = phase.kind === "polling" && throttle.until === null;
  if (isOver && throttle.isNotified)
    updateState(transition, { throttle: { ...throttle, isNotified: false } });
}

/** Notifies the driver of a wait of over an hour, once until polls are answered again. */
function notifyLongWait(transition: Transition, until: EpochMs): void {
  const { throttle } = transition.state;
  if (throttle.isNotified || until - transition.ctx.now <= HOUR_MS) return;
  updateState(transition, { throttle: { ...throttle, isNotified: true } });
  transition.notifications.push({ kind: "long_wait", until });
}

function notifyPhase(transition: Transition, phase: Phase): void {
  // Drivers who never linked, or unlinked themselves, already know.
  if (phase.kind === "needs_link" && transition.state.link.status === "signed_out") {
    transition.notifications.push({ kind: "needs_link" });
  }
  if (phase.kind === "verification_required")
    transition.notifications.push({ kind: "verification_required" });
  if (phase.kind === "unreadable") transition.notifications.push({ kind: "unreadable" });
  if (phase.kind === "no_service") notifyOfEnd(transition, phase);
}
