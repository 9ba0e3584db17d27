import { applyCheckInOutcome } from "./check-in.ts";
import { relaxThrottle, CLEAN_THROTTLE, NO_BACKOFF, quotaWindowLength } from "./cadence.ts";
import { allowTakingAgain } from "./given-back.ts";
import { countUnseen, judgeListing } from "./judge.ts";
import { isPollDue, canCall, isVerificationCheckDue, phaseOf } from "./phase.ts";
import { compiledFiltersOf } from "./compiled-filters.ts";
import { applyServiceChanges, warnOfExpiry } from "./service-notifications.ts";
import {
  timeOutPending,
  isReconcileDue,
  reconcileUnknown,
  markLost,
  applyAcceptOutcome,
  replaceHeldBlocks,
  acceptMatches,
} from "./attempts.ts";
import { trackOfferActivity } from "./offer-activity.ts";
import {
  beginTransition,
  updateState,
  updateTransient,
  applyFailure,
  type Transition,
} from "./transition.ts";
import type { Attempt } from "../../db/shapes/attempt.ts";
import type {
  BlocksOutcome,
  DriverState,
  Effect,
  MachineEvent,
  TransientState,
  VerificationOutcome,
  PollOutcome,
  Quota,
  StepResult,
  StepContext,
} from "./types.ts";
import type { Phase } from "../../db/shapes/phase.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import type { Warehouse } from "../../db/shapes/offer.ts";
import { DAY_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";

export { nextWakeAt, phaseOf } from "./phase.ts";

/** How long until a block that the driver accepted by hand is noticed, at most. */
const HELD_REFRESH_MS = 5 * MINUTE_MS;
/** Offers start a few days ahead at most. The platform lists at most 62 days at once. */
const HELD_LOOKAHEAD_MS = 30 * DAY_MS;
const HELD_LOOKBACK_MS = DAY_MS;
const MAX_HELD_LOOKBACK_MS = 30 * DAY_MS;

const INITIAL_TRANSIENT_STATE: TransientState = {
  etag: null,
  quota: null,
  quotaWindowMs: null,
  lastPollAt: null,
  polledFiltersVersion: null,
  lastUnknownAt: null,
  heldFetchedAt: null,
  verificationCheckedAt: null,
  lastPollAnsweredAt: null,
  openOfferIds: [],
  triedOffers: new Set(),
};

/** The state of a new driver. `keyPrefix` is random and starts the id of every attempt. */
export function initialState(keyPrefix: string): DriverState {
  return {
    profile: null,
    link: { status: "unlinked" },
    verification: null,
    warehouses: [],
    held: [],
    givenBack: [],
    throttle: CLEAN_THROTTLE,
    backoff: NO_BACKOFF,
    offerActivity: { lastNewAt: null, meanGapMs: null, suspectedAt: null },
    expiryWarnings: { endsAt: null, thresholdsMs: [] },
    seenServiceChanges: [],
    keyPrefix,
    attemptSeq: 0,
    verdicts: new Map(),
    openAttempts: new Map(),
    phase: { kind: "off" },
    transient: INITIAL_TRANSIENT_STATE,
  };
}

/** Restores the state after a restart: a pending attempt may or may not have reached the platform, so it is unknown. */
export function recover(state: DriverState): DriverState {
  const attempts = [...state.openAttempts.values()];
  if (!attempts.some(({ outcome }) => outcome.status === "pending")) return state;
  const openAttempts = attempts.map((attempt): Attempt => {
    return attempt.outcome.status === "pending"
      ? { ...attempt, outcome: { status: "unknown", tries: 1, triedAt: attempt.createdAt } }
      : attempt;
  });
  return { ...state, openAttempts: new Map(openAttempts.map((attempt) => [attempt.attemptId, attempt])) };
}

/**
 * The state machine: takes a state and an event, returns the next state and the effects to perform. Fields that
 * did not change keep their reference. Effects are ordered: log, notifications, then calls to the platform,
 * each of whose outcomes is a later event.
 */
export function step(state: DriverState, event: MachineEvent, ctx: StepContext): StepResult {
  const transition = beginTransition(state, ctx);
  applyEvent(transition, event);
  warnOfExpiry(transition);
  applyPhase(transition);
  const effects: Effect[] = [];
  if (transition.log.length > 0) effects.push({ kind: "log", events: transition.log });
  if (transition.notifications.length > 0)
    effects.push({ kind: "notify", notifications: transition.notifications });
  return { state: transition.state, effects: [...effects, ...transition.calls] };
}

function applyEvent(transition: Transition, event: MachineEvent): void {
  switch (event.kind) {
    case "woke":
      updateState(transition, { throttle: relaxThrottle(transition.state.throttle, transition.ctx.now) });
      timeOutPending(transition);
      return requestNextCall(transition, { heldIsFresh: false });
    case "profile_changed":
      return applyProfile(transition, event.profile);
    case "service_changed":
      return applyServiceChanges(transition, event.serviceChanges);
    case "linked":
      return applyLink(transition, event.warehouses);
    case "unlinked":
      return applyUnlink(transition);
    case "verification_checked":
      return applyVerification(transition, event.outcome);
    case "rate_limited":
      return applyFailure(transition, event);
    case "polled":
      return applyPollOutcome(transition, event);
    case "blocks_read":
      return applyBlocksOutcome(transition, event.outcome);
    case "arriving":
      return isHeldStale(transition) ? requestBlocks(transition) : undefined;
    case "take_again":
      return allowTakingAgain(transition, event.blockId);
    case "check_in_answered":
      return applyCheckInOutcome(transition, event);
    case "accepted": {
      if (isConclusive(event.outcome.kind)) updateState(transition, { backoff: NO_BACKOFF });
      const next = applyAcceptOutcome(transition, event.attemptId, event.outcome);
      return next === "blocks_first"
        ? requestBlocks(transition)
        : requestNextCall(transition, { heldIsFresh: false });
    }
  }
}

function isConclusive(kind: Extract<MachineEvent, { kind: "accepted" }>["outcome"]["kind"]): boolean {
  return kind === "won" || kind === "already_yours" || kind === "lost";
}

/**
 * Requests the next call, if one is allowed now. One kind of call at a time, since its outcome may forbid the
 * next: first unknown attempts are reconciled, then a due poll is sent, then remaining matches are accepted.
 */
function requestNextCall(transition: Transition, { heldIsFresh }: { heldIsFresh: boolean }): void {
  const { ctx, state } = transition;
  if (isVerificationCheckDue(state, ctx.now)) {
    updateTransient(transition, { verificationCheckedAt: ctx.now });
    transition.calls.push({ kind: "check_verification" });
    return;
  }
  if (!canCall(state, ctx.now)) return;
  if (isReconcileDue(transition)) {
    if (!heldIsFresh) return requestBlocks(transition);
    reconcileUnknown(transition);
    if (transition.calls.length > 0) return;
  }
  if (isPollDue(transition.state, ctx))
    return isHeldStale(transition) ? requestBlocks(transition) : requestPoll(transition);
  if (acceptMatches(transition, { heldIsFresh }) === "blocks_first") requestBlocks(transition);
}

function isHeldStale({ state, ctx }: Transition): boolean {
  const { heldFetchedAt } = state.transient;
  return heldFetchedAt === null || ctx.now - heldFetchedAt >= HELD_REFRESH_MS;
}

function requestBlocks(transition: Transition): void {
  const { now } = transition.ctx;
  if (!canCall(transition.state, now)) return;
  const starts = [...transition.state.openAttempts.values()].map(({ offer }) => offer.startsAt);
  const from = Math.max(now - MAX_HELD_LOOKBACK_MS, Math.min(now - HELD_LOOKBACK_MS, ...starts));
  transition.calls.push({ kind: "read_blocks", from, to: now + HELD_LOOKAHEAD_MS });
}

function requestPoll(transition: Transition): void {
  const { profile, warehouses, transient } = transition.state;
  if (!profile) return;
  const { quota } = transient;
  const warehouseIds = compiledFiltersOf(profile, warehouses).selectedIds;
  transition.calls.push({ kind: "poll", warehouseIds, etag: transient.etag });
  // Counted when sent: a call that gets no response still uses quota.
  updateTransient(transition, {
    lastPollAt: transition.ctx.now,
    polledFiltersVersion: profile.filtersVersion,
    quota: quota && { ...quota, remaining: Math.max(0, quota.remaining - 1) },
  });
}

function applyPollOutcome(
  transition: Transition,
  { sentAt, outcome }: { sentAt: EpochMs; outcome: PollOutcome },
): void {
  const { state, ctx } = transition;
  const { profile, transient } = state;
  if (!profile || state.link.status !== "linked") return;
  const before = transient.lastPollAt;
  updateTransient(transition, { lastPollAt: Math.max(before ?? 0, sentAt) });
  if (outcome.kind !== "offers" && outcome.kind !== "unchanged") return applyFailure(transition, outcome);

  updateState(transition, { backoff: NO_BACKOFF, throttle: relaxThrottle(state.throttle, ctx.now) });
  if (outcome.quota) recordQuota(transition, outcome.quota);
  const listed = outcome.kind === "offers" ? outcome.offers : null;
  checkForSoftBlock(transition, {
    listed: listed?.length ?? transient.openOfferIds.length,
    unseen: listed ? countUnseen(state, listed) : 0,
  });
  if (outcome.kind === "offers") {
    // Filters saved during the poll may select other warehouses, so the ETag would not match the next request.
    const isCurrent = transient.polledFiltersVersion === profile.filtersVersion;
    updateTransient(transition, { etag: isCurrent ? outcome.etag : null });
    judgeListing(transition, outcome.offers);
  }
  if (acceptMatches(transition, { heldIsFresh: false }) === "blocks_first") requestBlocks(transition);
}

function recordQuota(transition: Transition, quota: Quota): void {
  const quotaWindowMs = quotaWindowLength(transition.state.transient, { quota, now: transition.ctx.now });
  updateTransient(transition, { quota, quotaWindowMs });
}

function checkForSoftBlock(transition: Transition, observed: { listed: number; unseen: number }): void {
  const { now } = transition.ctx;
  const { offerActivity, transient } = transition.state;
  const next = trackOfferActivity(offerActivity, {
    now,
    answeredAt: transient.lastPollAnsweredAt,
    ...observed,
  });
  updateState(transition, { offerActivity: next });
  updateTransient(transition, { lastPollAnsweredAt: now });
  if (offerActivity.suspectedAt !== null || next.suspectedAt === null) return;
  transition.log.push({ kind: "silence_suspected", at: now, lastNewAt: next.lastNewAt ?? now });
  transition.notifications.push({ kind: "silence_suspected" });
}

function applyBlocksOutcome(transition: Transition, outcome: BlocksOutcome): void {
  if (transition.state.link.status !== "linked") return;
  if (outcome.kind !== "blocks") return applyFailure(transition, outcome);
  updateState(transition, { backoff: NO_BACKOFF });
  replaceHeldBlocks(transition, outcome.blocks);
  requestNextCall(transition, { heldIsFresh: true });
}

/** The driver verifies on the platform's own page, so only the platform knows when that is done. */
function applyVerification(transition: Transition, outcome: VerificationOutcome): void {
  if (outcome.kind !== "verification") return applyFailure(transition, outcome);
  updateState(transition, { backoff: NO_BACKOFF });
  if (outcome.required) return;
  updateState(transition, { verification: null });
  requestNextCall(transition, { heldIsFresh: false });
}

/** Saved filters make every listed offer eligible again. They don't reset the throttle. */
function applyProfile(transition: Transition, profile: Profile): void {
  const known = transition.state.profile;
  if (known && profile.revision <= known.revision) return;
  updateState(transition, { profile });
  if (known?.filtersVersion !== profile.filtersVersion)
    updateTransient(transition, { etag: null, triedOffers: new Set() });
}

/** The new link may be to another account, so everything fetched under the old one is discarded. */
function applyLink(transition: Transition, warehouses: readonly Warehouse[]): void {
  const { lastUnknownAt } = transition.state.transient;
  updateState(transition, {
    link: { status: "linked" },
    verification: null,
    backoff: NO_BACKOFF,
    warehouses,
    transient: { ...INITIAL_TRANSIENT_STATE, lastUnknownAt },
  });
}

/** Attempts are settled now: without a token they can't be reconciled, and a repeat under another account would accept the block again. */
function applyUnlink(transition: Transition): void {
  for (const attempt of transition.state.openAttempts.values()) markLost(transition, attempt, "signed_out");
  updateState(transition, {
    link: { status: "unlinked" },
    verification: null,
    backoff: NO_BACKOFF,
    warehouses: [],
    held: [],
    transient: INITIAL_TRANSIENT_STATE,
  });
}

/** Logs each new phase, and notifies the driver once of each that needs them to act. */
function applyPhase(transition: Transition): void {
  const { now, settings } = transition.ctx;
  const before = transition.state.phase;
  const phase = phaseOf(transition.state, now, settings);
  if (JSON.stringify(phase) === JSON.stringify(before)) return;
  updateState(transition, { phase });
  transition.log.push({ kind: "phase_changed", at: now, phase });
  if (phase.kind !== before.kind) notifyPhase(transition, phase);
}

function notifyPhase(transition: Transition, phase: Phase): void {
  // Drivers who never linked, or unlinked themselves, already know.
  if (phase.kind === "needs_link" && transition.state.link.status === "signed_out") {
    transition.notifications.push({ kind: "needs_link" });
  }
  if (phase.kind === "verification_required")
    transition.notifications.push({ kind: "verification_required" });
  if (phase.kind === "no_service") {
    transition.notifications.push({ kind: "no_service", waitingForSpot: phase.waitingForSpot });
  }
}
