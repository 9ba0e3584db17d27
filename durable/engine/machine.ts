import { applyCheckInOutcome } from "./check-in.ts";
import { paceFrom, relaxThrottle, settleThrottle, CLEAN_THROTTLE, NO_BACKOFF } from "./cadence.ts";
import { addPoll, callsLeft, isTight, longQuotaWait, windowMsOf } from "./quota.ts";
import { learnFrom, rememberQuota } from "./quota-memory.ts";
import { allowTakingAgain, leaveBlocksBehind } from "./given-back.ts";
import { countUnseen, judgeListing } from "./judge.ts";
import { noteAnswered, noteSent } from "./in-flight.ts";
import {
  isPollDue,
  canCall,
  isCallable,
  isVerificationCheckDue,
  mayCheckVerificationNow,
  phaseOf,
  isDoubtDue,
  pollAt,
} from "./phase.ts";
import { compiledFiltersOf } from "./compiled-filters.ts";
import { applyNews, applyServiceChanges, warnOfExpiry } from "./service-notifications.ts";
import { timeOutPending, markLost, applyAcceptOutcome, acceptMatches } from "./attempts.ts";
import { dropStarted, isReconcileDue, reconcileUnknown, settleByListing } from "./reconcile.ts";
import { endBlocksRead, isHeldDue, isHeldStale, requestBlocks, replaceHeldBlocks } from "./held-blocks.ts";
import { trackOfferActivity } from "./offer-activity.ts";
import {
  beginTransition,
  updateState,
  updateTransient,
  applyFailure,
  applyStatedWait,
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
  PlatformFailure,
  Quota,
  StepResult,
  StepContext,
} from "./types.ts";
import type { Phase } from "../../db/shapes/phase.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import type { Warehouse } from "../../db/shapes/offer.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";

export { nextWakeAt, phaseOf } from "./phase.ts";

/** A return this soon after the last one doesn't start the first minutes anew, so that it writes no row. */
const FRESH_RETURN_MS = MINUTE_MS;

const INITIAL_TRANSIENT_STATE: TransientState = {
  etag: null,
  quota: null,
  lastPollAt: null,
  pacedFrom: null,
  polls: [],
  pollRoll: 0.5,
  pollCalls: 1,
  inFlight: new Map(),
  polledFiltersVersion: null,
  heldFetchedAt: null,
  heldBackoff: NO_BACKOFF,
  overlapRefusals: [],
  wonAt: new Map(),
  unreadableHeld: [],
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
    weeklyLimit: null,
    throttle: CLEAN_THROTTLE,
    backoff: NO_BACKOFF,
    quotaWaitUntil: null,
    quotaMemory: null,
    listParts: null,
    offerActivity: { lastNewAt: null, meanGapMs: null, suspectedAt: null },
    expiryWarnings: { endsAt: null, thresholdsMs: [] },
    seenServiceChanges: [],
    keyPrefix,
    attemptSeq: 0,
    verdicts: new Map(),
    openAttempts: new Map(),
    doubtedAttempts: new Map(),
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
      dropStarted(transition);
      return requestNextCalls(transition, { heldIsFresh: false });
    case "profile_changed":
      return applyProfile(transition, event.profile);
    case "service_changed":
      return applyServiceChanges(transition, event.serviceChanges);
    case "news_arrived":
      return applyNews(transition, event.news);
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
      return applyReturn(transition);
    case "wait_stated":
      return applyStatedWait(transition, event);
    case "polled":
      return applyPollOutcome(transition, event);
    case "blocks_read":
      return applyBlocksOutcome(transition, event.outcome);
    case "arriving":
      return isHeldStale(transition.state, transition.ctx.now) ? requestBlocks(transition) : undefined;
    case "take_again":
      return allowTakingAgain(transition, event.blockId);
    case "check_in_answered":
      return applyCheckInOutcome(transition, event);
    case "accepted": {
      noteAnswered(transition, event.attemptId);
      const next = applyAcceptOutcome(transition, event.attemptId, event.outcome);
      if (next === "blocks_first") requestBlocks(transition);
      return requestNextCalls(transition, { heldIsFresh: false });
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
  if (canCall(state, ctx.now)) {
    if (isReconcileDue(transition)) {
      if (heldIsFresh) reconcileUnknown(transition);
      else requestBlocks(transition);
    }
    if (isDoubtDue(transition.state, ctx.now)) requestBlocks(transition);
    if (isPollDue(transition.state, ctx)) {
      if (isHeldStale(transition.state, ctx.now)) requestBlocks(transition);
      requestPoll(transition);
    }
  }
  if (acceptMatches(transition, { heldIsFresh }) === "blocks_first") requestBlocks(transition);
}

function requestVerificationCheck(transition: Transition): void {
  updateTransient(transition, { verificationCheckedAt: transition.ctx.now });
  noteSent(transition, "check_verification");
  transition.calls.push({ kind: "check_verification" });
}

function requestPoll(transition: Transition): void {
  const { profile, warehouses, transient, listParts: parts } = transition.state;
  if (!profile) return;
  const { quota, polls } = transient;
  const { now, roll, settings } = transition.ctx;
  const dueAt = pollAt(transition.state, profile, settings);
  const warehouseIds = compiledFiltersOf(profile, warehouses).selectedIds;
  const maxCalls = quota ? callsLeft(quota, polls, now) : Infinity;
  transition.calls.push({ kind: "poll", warehouseIds, etag: transient.etag, maxCalls, parts });
  noteSent(transition, "poll");
  // Counted when sent: a call that gets no response still uses quota.
  updateTransient(transition, {
    lastPollAt: now,
    pacedFrom: paceFrom({ dueAt, now, pollFloorMs: settings.pollFloorMs }),
    pollRoll: roll,
    polls: addPoll(polls, now, quota && windowMsOf(quota)),
    polledFiltersVersion: profile.filtersVersion,
    quota: quota && {
      ...quota,
      quota: { ...quota.quota, remaining: Math.max(0, quota.quota.remaining - 1) },
    },
  });
  rememberPoll(transition);
}

function applyPollOutcome(
  transition: Transition,
  { sentAt, partsSentAt = [], parts, outcome }: Extract<MachineEvent, { kind: "polled" }>,
): void {
  noteAnswered(transition, "poll");
  const { state, ctx } = transition;
  const { profile, transient } = state;
  if (!profile || state.link.status !== "linked") return;
  notePollSent(transition, sentAt, partsSentAt);
  if (parts !== undefined) updateState(transition, { listParts: parts });
  if (outcome.kind !== "offers" && outcome.kind !== "unchanged") return applyFailure(transition, outcome);

  updateState(transition, { backoff: NO_BACKOFF, throttle: settleThrottle(state.throttle, ctx.now) });
  if (outcome.quota) recordQuota(transition, outcome.quota, sentAt);
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
  requestNextCalls(transition, { heldIsFresh: false });
  // The time until the next poll is idle, unless there is something to accept.
  if (transition.calls.length === 0 && isHeldDue(transition.state, ctx.now)) requestBlocks(transition);
}

/** A poll leaves a little later than it was requested if its token had to be refreshed. */
function notePollSent(transition: Transition, sentAt: EpochMs, partsSentAt: readonly EpochMs[]): void {
  const { lastPollAt, polls } = transition.state.transient;
  updateTransient(transition, { pollCalls: 1 + partsSentAt.length });
  const isLater = lastPollAt === null || sentAt > lastPollAt;
  if (!isLater && partsSentAt.length === 0) return;
  const earlier = isLater && polls.at(-1) === lastPollAt ? polls.slice(0, -1) : polls;
  updateTransient(transition, {
    lastPollAt: isLater ? sentAt : lastPollAt,
    polls: [...earlier, ...(isLater ? [sentAt] : []), ...partsSentAt],
  });
}

function recordQuota(transition: Transition, quota: Quota, sentAt: EpochMs): void {
  const { now } = transition.ctx;
  const { transient, quotaMemory } = transition.state;
  const answer = { quota, now, tookMs: now - sentAt, polls: transient.polls };
  const { learned, polls } = learnFrom(transient.quota, answer);
  updateTransient(transition, { quota: learned, polls });
  const waitUntil = longQuotaWait(learned, { polls, calls: transient.pollCalls }, now);
  updateState(transition, {
    quotaWaitUntil: waitUntil,
    quotaMemory: rememberQuota(quotaMemory, { learned, polls, mayLeaveMemory: waitUntil !== null }),
  });
}

/**
 * Stores a poll before it leaves where its quota is tight, or while polls are so seldom that the object may leave memory
 * before it is answered: it counts even if nothing is ever heard of it.
 */
function rememberPoll(transition: Transition): void {
  const { transient, quotaMemory, quotaWaitUntil, phase } = transition.state;
  const { quota: learned, polls } = transient;
  const mayLeaveMemory = phase.kind !== "polling";
  if (!learned || !(isTight(learned, polls) || mayLeaveMemory)) return;
  const waitUntil = longQuotaWait(learned, { polls, calls: transient.pollCalls }, transition.ctx.now);
  updateState(transition, {
    // A wait that is over stays until the answer says what comes after it.
    quotaWaitUntil: waitUntil ?? quotaWaitUntil,
    quotaMemory: rememberQuota(quotaMemory, { learned, polls, mayLeaveMemory: true }),
  });
}

/** Stores the polls of the window: from here on the object may leave memory. */
function rememberPolls(transition: Transition): void {
  const { transient, quotaMemory } = transition.state;
  const { quota: learned, polls } = transient;
  if (!learned) return;
  updateState(transition, {
    quotaMemory: rememberQuota(quotaMemory, { learned, polls, mayLeaveMemory: true }),
  });
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
  if (transition.state.link.status !== "linked") return noteAnswered(transition, "read_blocks");
  const sentAt = transition.state.transient.inFlight.get("read_blocks") ?? transition.ctx.now;
  endBlocksRead(transition, { failed: outcome.kind !== "blocks" });
  if (outcome.kind !== "blocks") return applyBlocksFailure(transition, outcome);
  settleByListing(transition, outcome, sentAt);
  replaceHeldBlocks(transition, outcome, sentAt);
  requestNextCalls(transition, { heldIsFresh: true });
  // Refused while this list was on its way.
  if (transition.state.transient.overlapRefusals.length > 0) requestBlocks(transition);
}

/** What concerns every call applies to every call. That the blocks can't be read delays accepts, never polls. */
function applyBlocksFailure(transition: Transition, failure: PlatformFailure): void {
  if (
    failure.kind === "rate_limited" ||
    failure.kind === "signed_out" ||
    failure.kind === "verification_required"
  )
    return applyFailure(transition, failure);
  applyStatedWait(transition, failure);
  requestNextCalls(transition, { heldIsFresh: false });
}

/** A driver who comes back while a verification is asked for may have done it: ask at once, then often for a while. */
function applyReturn(transition: Transition): void {
  const { state, ctx } = transition;
  if (!mayCheckVerificationNow(state, ctx.now)) return;
  const { verification } = state;
  if (verification && ctx.now - verification.since >= FRESH_RETURN_MS)
    updateState(transition, { verification: { ...verification, since: ctx.now } });
  requestVerificationCheck(transition);
}

/** The driver verifies on the platform's own page, so only the platform knows when that is done. */
function applyVerification(transition: Transition, outcome: VerificationOutcome): void {
  noteAnswered(transition, "check_verification");
  if (outcome.kind !== "verification") return applyFailure(transition, outcome);
  updateState(transition, { backoff: NO_BACKOFF });
  if (outcome.required) return;
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

/**
 * The new link may be to another account, so nothing that was seen under the old one counts: no offer listed then is
 * accepted now, and no attempt is repeated. What those attempts took for the old account is recorded when it is known.
 * A wait goes on, and so does the quota: the platform may mean the address that we call from, and linking anew must not
 * be a way around it. A wait ends after four hours at most, and the driver hears of it again if it is long.
 */
function applyLink(transition: Transition, warehouses: readonly Warehouse[]): void {
  forgetAccount(transition);
  const { throttle } = transition.state;
  updateState(transition, {
    throttle: throttle.isNotified ? { ...throttle, isNotified: false } : throttle,
    link: { status: "linked" },
    warehouses,
  });
}

/**
 * Replaces the warehouses if they have changed. Ones that are merely malformed stay, and an empty list is not believed:
 * without a warehouse nothing would be captured.
 */
function applyWarehouses(
  transition: Transition,
  { warehouses, isComplete }: Extract<MachineEvent, { kind: "warehouses_read" }>,
): void {
  const { warehouses: known, link } = transition.state;
  if (link.status !== "linked" || warehouses.length === 0) return;
  const ids = new Set(warehouses.map(({ warehouseId }) => warehouseId));
  const rest = isComplete ? [] : known.filter(({ warehouseId }) => !ids.has(warehouseId));
  const next = [...warehouses, ...rest];
  if (JSON.stringify(next) === JSON.stringify(known)) return;
  updateState(transition, { warehouses: next });
  // The next poll may ask for other warehouses.
  updateTransient(transition, { etag: null });
}

/** Attempts are closed now: without a token they can't be reconciled. The late answer of a call in flight still counts. */
function applyUnlink(transition: Transition): void {
  forgetAccount(transition);
  updateState(transition, { link: { status: "unlinked" }, warehouses: [] });
}

function forgetAccount(transition: Transition): void {
  const { quota, polls, lastPollAt } = transition.state.transient;
  for (const attempt of transition.state.openAttempts.values())
    markLost(transition, attempt, { reason: "signed_out", isDoubted: true });
  leaveBlocksBehind(transition);
  updateState(transition, {
    verification: null,
    backoff: NO_BACKOFF,
    held: [],
    weeklyLimit: null,
    listParts: null,
    verdicts: new Map(),
    transient: { ...INITIAL_TRANSIENT_STATE, quota, polls, lastPollAt },
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
  if (before.kind === "polling") rememberPolls(transition);
  if (phase.kind === "throttled" || phase.kind === "quota_used_up") notifyLongWait(transition, phase.until);
  const { throttle } = transition.state;
  const isOver = phase.kind === "polling" && throttle.until === null;
  if (isOver && throttle.isNotified)
    updateState(transition, { throttle: { ...throttle, isNotified: false } });
}

/** Notifies the driver of a wait of over an hour: once, until polls were answered again. */
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
  if (phase.kind === "no_service") {
    transition.notifications.push({ kind: "no_service", waitingForSpot: phase.waitingForSpot });
  }
}
