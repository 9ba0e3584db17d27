import { applyCheckInOutcome } from "./check-in.ts";
import { NO_BACKOFF, relaxThrottle } from "./state/cadence.ts";
import { remindToGiveBack } from "./give-back.ts";
import { allowTakingAgain } from "./verdicts/given-back.ts";
import { noteAnswered } from "./attempts/in-flight.ts";
import { applyLink, applyUnlink, applyWarehouses } from "./link.ts";
import { canCall, isCallable } from "./state/callable.ts";
import { isDoubtDue } from "./attempts/unsettled-attempts.ts";
import { isLimitReached, applyPhase } from "./phase.ts";
import { isLimitRecheckDue, isPollDue } from "./next-wake.ts";
import { isVerificationCheckDue, applyReturn, requestVerificationCheck } from "./verification.ts";
import { applyPoll, requestPoll } from "./poll.ts";
import {
  applyAnnouncement,
  applyNews,
  applyServiceChanges,
  warnOfExpiry,
} from "./state/service-notifications.ts";
import { acceptMatches, applyAcceptOutcome, repeatAtOnce, timeOutPending } from "./attempts/attempts.ts";
import { dropStarted, isReconcileDue, reconcileUnknown, settleByListing } from "./attempts/reconcile.ts";
import { noteBlocksUnread } from "./contact.ts";
import { completeListing } from "./complete-blocks.ts";
import { noteUntried } from "./verdicts/judge.ts";
import {
  endBlocksRead,
  isHeldDue,
  isHeldStale,
  replaceHeldBlocks,
  requestBlocks,
} from "./attempts/held-blocks.ts";
import {
  applyFailure,
  applyStatedWait,
  beginTransition,
  updateState,
  updateTransient,
  type Transition,
} from "./state/transition.ts";
import { applyAnswer, endOverdue, withdrawOutdated } from "./questions/close.ts";
import type { BlocksOutcome, PlatformFailure, VerificationOutcome } from "./state/outcomes.ts";
import type { DriverState, Effect, MachineEvent, StepContext, StepResult } from "./state/types.ts";
import type { Profile } from "../../db/shapes/profile.ts";

/**
 * The state machine: takes a state and an event, returns the next state and the effects to perform. Fields that
 * did not change keep their reference. Effects are ordered: log, notifications, then calls to the platform,
 * each of whose outcomes is a later event.
 */
export function step(state: DriverState, event: MachineEvent, ctx: StepContext): StepResult {
  const transition = beginTransition(state, ctx);
  endOverdue(transition);
  applyEvent(transition, event);
  withdrawOutdated(transition);
  warnOfExpiry(transition);
  remindToGiveBack(transition);
  noteUntried(transition);
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
      dropStarted(transition);
      return requestNextCalls(transition, { heldIsFresh: false });
    case "profile_changed":
      return applyProfile(transition, event.profile);
    case "service_changed":
      return applyServiceChanges(transition, event.serviceChanges);
    case "news_arrived":
      return applyNews(transition, event.news);
    case "announced":
      return applyAnnouncement(transition, event.announcement);
    case "linked":
      return applyLink(transition, event.warehouses);
    case "unlinked":
      return applyUnlink(transition);
    case "warehouses_read":
      return applyWarehouses(transition, event);
    case "verification_checked":
      return applyVerification(transition, event.outcome);
    case "rate_limited":
      return applyFailure(transition, event);
    case "driver_returned":
      applyReturn(transition);
      return askAfterLimit(transition);
    case "wait_stated":
      return applyStatedWait(transition, event);
    case "polled":
      return applyPollOutcome(transition, event);
    case "blocks_read":
      return applyBlocksOutcome(transition, event.outcome);
    case "arriving":
      return isHeldStale(transition.state, transition.ctx.now) ? requestBlocks(transition) : undefined;
    case "question_answered":
      applyAnswer(transition, event);
      return requestNextCalls(transition, { heldIsFresh: false });
    case "take_again":
      return allowTakingAgain(transition, event.blockId);
    case "check_in_answered":
      return applyCheckInOutcome(transition, event);
    case "accepted": {
      noteAnswered(transition, event.attemptId);
      const next = applyAcceptOutcome(transition, event.attemptId, event.outcome);
      if (next === "blocks_first") requestBlocks(transition);
      requestNextCalls(transition, { heldIsFresh: false });
      // New matches go first.
      return next === "repeat" ? repeatAtOnce(transition, event.attemptId) : undefined;
    }
  }
}

/**
 * Requests every call that is allowed and due now: unknown attempts are reconciled, a poll is sent, remaining
 * matches are accepted. Polls, accepts and readings of the blocks don't wait for each other; one poll, one reading of
 * the blocks and four new accepts at most are in flight at once.
 */
function requestNextCalls(transition: Transition, { heldIsFresh }: { heldIsFresh: boolean }): void {
  const { ctx, state } = transition;
  if (isVerificationCheckDue(state, ctx.now)) return requestVerificationCheck(transition);
  if (!isCallable(state, ctx.now)) return;
  const matches = acceptMatches(transition, { heldIsFresh });
  if (canCall(state, ctx.now)) {
    if (isReconcileDue(transition)) {
      if (!heldIsFresh) requestBlocks(transition);
      // A repeat has the first call's key, so it is safe even if the blocks can't be read.
      if (heldIsFresh || state.transient.heldBackoff.failures > 0)
        reconcileUnknown(transition, { heldIsFresh });
    }
    if (isDoubtDue(transition.state, ctx.now) || isLimitRecheckDue(transition.state, ctx))
      requestBlocks(transition);
    if (isPollDue(transition.state, ctx)) {
      if (isHeldStale(transition.state, ctx.now)) requestBlocks(transition);
      requestPoll(transition);
    }
  }
  if (matches === "blocks_first") requestBlocks(transition);
}

/** A driver who comes back while a limit is reached may have given a block back. */
function askAfterLimit(transition: Transition): void {
  const { state, ctx } = transition;
  if (isHeldStale(state, ctx.now) && isLimitReached(state, ctx)) requestBlocks(transition);
}

function applyPollOutcome(transition: Transition, event: Extract<MachineEvent, { kind: "polled" }>): void {
  if (!applyPoll(transition, event)) return;
  requestNextCalls(transition, { heldIsFresh: false });
  // The time until the next poll is free, unless there is something to accept.
  if (transition.calls.length === 0 && isHeldDue(transition.state, transition.ctx.now))
    requestBlocks(transition);
}

function applyBlocksOutcome(transition: Transition, outcome: BlocksOutcome): void {
  if (transition.state.link.status !== "linked") return noteAnswered(transition, "read_blocks");
  const sentAt = transition.state.transient.inFlight.get("read_blocks") ?? transition.ctx.now;
  endBlocksRead(transition, { failed: outcome.kind !== "blocks" });
  if (outcome.kind !== "blocks") return applyBlocksFailure(transition, outcome);
  const listing = completeListing(transition.state, outcome.blocks, transition.ctx.now);
  settleByListing(transition, listing, sentAt);
  replaceHeldBlocks(transition, listing, sentAt);
  requestNextCalls(transition, { heldIsFresh: true });
  // The account was refused while this list was on its way.
  if (transition.state.transient.overlapRefusals.length > 0) requestBlocks(transition);
}

/** A failure that concerns every call applies to every call. Unreadable blocks delay accepts, never polls. */
function applyBlocksFailure(transition: Transition, failure: PlatformFailure): void {
  if (
    failure.kind === "rate_limited" ||
    failure.kind === "signed_out" ||
    failure.kind === "verification_required"
  )
    return applyFailure(transition, failure);
  noteBlocksUnread(transition);
  applyStatedWait(transition, failure);
  requestNextCalls(transition, { heldIsFresh: false });
}

/** The driver verifies on the platform's own page, so only the platform knows when that is done. */
function applyVerification(transition: Transition, outcome: VerificationOutcome): void {
  noteAnswered(transition, "check_verification");
  if (outcome.kind !== "verification") return applyFailure(transition, outcome);
  updateState(transition, { backoff: NO_BACKOFF });
  if (outcome.required) return;
  const { verification } = transition.state;
  if (verification)
    updateTransient(transition, {
      verificationDenied: { since: verification.since, at: transition.ctx.now },
    });
  updateState(transition, { verification: null });
  requestNextCalls(transition, { heldIsFresh: false });
}

/** Saved filters make every listed offer eligible again. They don't reset the throttle. */
function applyProfile(transition: Transition, profile: Profile): void {
  const known = transition.state.profile;
  if (known && profile.revision <= known.revision) return;
  updateState(transition, { profile });
  if (known?.filtersVersion !== profile.filtersVersion)
    updateTransient(transition, { etag: null, triedOffers: new Set() });
}
