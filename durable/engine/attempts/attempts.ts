import * as z from "zod/mini";
import { untriedMatches, rejudge, busySpans } from "../verdicts/judge.ts";
import { judgeOffer } from "../verdicts/match.ts";
import { minimumPay } from "../verdicts/rule-checks.ts";
import { isHeldKnown, LONG_AGO } from "./held-blocks.ts";
import { areCountedRead, limitBookOf } from "../verdicts/counted-blocks.ts";
import { noteSent, roomForAccepts, roomForRepeats } from "./in-flight.ts";
import { isPendingTimedOut, maySendAccept } from "./unsettled-attempts.ts";
import { capturingProfile } from "../state/callable.ts";
import { compiledFiltersOf } from "../verdicts/compiled-filters.ts";
import { askAbout } from "../questions/ask.ts";
import { isApproved, noteAttempt, noteSettled, withdrawOvertaken } from "../questions/close.ts";
import { isUnasked, openQuestions } from "../questions/question-list.ts";
import { wantedAction } from "../questions/question-reasons.ts";
import { selectOffers } from "../selection/select.ts";
import {
  updateState,
  updateTransient,
  applyFailure,
  applyStatedWait,
  type Transition,
} from "../state/transition.ts";
import { MODE_RULES } from "../selection/modes.ts";
import { learnWeeklyLimit } from "../verdicts/weekly-limit.ts";
import { noteContact } from "../contact.ts";
import { completeCapture } from "../complete-blocks.ts";
import type { AcceptOutcome, PartialBlock } from "../state/outcomes.ts";
import type { DriverState } from "../state/types.ts";
import { placeOf, type Attempt, type LostReason } from "../../../db/shapes/log/attempt.ts";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import { ASK_SECONDS } from "../../../db/shapes/work/rule-action.ts";
import { attemptId, type AttemptId, type DurationMs, type OfferId } from "../../../db/shapes/units.ts";

/** Offers listed longer ago than this are not accepted: they may be gone by now. */
const LISTING_MAX_AGE_MS: DurationMs = 30_000;
/** Reasons that have nothing to do with the offer, so that it can be tried again later. */
const RETRYABLE_REASONS: ReadonlySet<LostReason> = new Set([
  "rate_limited",
  "signed_out",
  "verification_required",
  "withdrawn",
  "weekly_limit",
]);

/**
 * Starts attempts for the matches that the mode selects, if the driver's switch, filters and service allow it
 * now. Held blocks must be known, and in a mode that reads them first fetched just now (`heldIsFresh`) before each
 * accept; returns `blocks_first` if they must be fetched first.
 */
export function acceptMatches(
  transition: Transition,
  { heldIsFresh }: { heldIsFresh: boolean },
): "done" | "blocks_first" {
  const { now } = transition.ctx;
  const { lastPollAnsweredAt } = transition.state.transient;
  if (lastPollAnsweredAt === null || now - lastPollAnsweredAt > LISTING_MAX_AGE_MS) return "done";
  rejudge(transition);
  const profile = capturingProfile(transition.state, now);
  if (!profile) return "done";
  const mode = MODE_RULES[profile.mode];
  const pending = [...transition.state.openAttempts.values()].filter(
    ({ outcome }) => outcome.status === "pending",
  );
  const room = Math.min(mode.mostPending - pending.length, roomForAccepts(transition.state, now));
  const { wanted, askable } = sortMatches(transition, profile);
  const busy = busySpans(transition.state, "pending");
  const book = limitBookOf(transition.state, "pending", transition.ctx.settings.currency);
  const selected = selectOffers(profile.mode, { matches: wanted, busy, book });
  withdrawOvertaken(transition, selected);
  const chosen = selected.slice(0, Math.max(0, room));
  if (chosen.length > 0) {
    const isKnown = mode.readsBlocksFirst ? heldIsFresh : isHeldKnown(transition.state, now);
    if (!isKnown || !areCountedRead(transition.state, now)) return "blocks_first";
    startAttempts(transition, chosen, profile);
  }
  return askAboutOthers(transition, { askable, selected, profile });
}

/**
 * Asks about what nothing else is taken for. Nobody is asked about a time that is taken, or about two offers for the
 * same time.
 */
function askAboutOthers(
  transition: Transition,
  {
    askable,
    selected,
    profile,
  }: { askable: ReadonlyMap<Offer, number>; selected: readonly Offer[]; profile: Profile },
): "done" | "blocks_first" {
  if (askable.size === 0) return "done";
  const { state, ctx } = transition;
  const others = openQuestions(state).map(({ offer }) => offer);
  const questionable = selectOffers(profile.mode, {
    matches: [...askable.keys()],
    busy: [...busySpans(state, "pending"), ...selected, ...others],
    book: limitBookOf(state, "pending", ctx.settings.currency),
  });
  if (questionable.length === 0) return "done";
  if (!isHeldKnown(state, ctx.now) || !areCountedRead(state, ctx.now)) return "blocks_first";
  const asked = questionable.map((offer) => ({ offer, askSeconds: askable.get(offer) ?? ASK_SECONDS.usual }));
  askAbout(transition, asked, profile.filtersVersion);
  return "done";
}

/** The matches that may be taken, by a rule or the driver's yes, and those that the driver can be asked about. */
function sortMatches(
  { state, ctx: { now, settings } }: Transition,
  profile: Profile,
): { wanted: Offer[]; askable: ReadonlyMap<Offer, number> } {
  const filters = compiledFiltersOf(profile, state.warehouses);
  const context = { filters, now, busy: [], currency: settings.currency, givenBack: [] };
  const wanted: Offer[] = [];
  const askable = new Map<Offer, number>();
  for (const offer of untriedMatches(state, now)) {
    const { action, askSeconds } = wantedAction(judgeOffer(offer, context));
    if (action === "take" || isApproved(state, offer)) wanted.push(offer);
    else if (isUnasked(state, offer)) askable.set(offer, askSeconds);
  }
  return { wanted, askable };
}

function startAttempts(transition: Transition, offers: readonly Offer[], profile: Profile): void {
  const { now } = transition.ctx;
  const { keyPrefix, attemptSeq, openAttempts, warehouses } = transition.state;
  const compiled = compiledFiltersOf(profile, warehouses);
  const attempts = offers.map((offer, index): Attempt => {
    // A yes is to the pay that the driver was asked about.
    const least = isApproved(transition.state, offer) ? null : minimumPay(compiled, offer, now);
    const payAtLeastCents = least ?? offer.payCents;
    const id = z.parse(attemptId, `${keyPrefix}-${attemptSeq + index}`);
    return {
      attemptId: id,
      offer,
      place: placeOf(offer, warehouses),
      payAtLeastCents,
      createdAt: now,
      endedAt: null,
      outcome: { status: "pending" },
    };
  });
  updateState(transition, {
    attemptSeq: attemptSeq + attempts.length,
    openAttempts: new Map([
      ...openAttempts,
      ...attempts.map((attempt) => [attempt.attemptId, attempt] as const),
    ]),
  });
  for (const attempt of attempts) {
    noteAttempt(transition, attempt);
    transition.log.push({ kind: "attempt_started", at: now, attempt });
  }
  sendAccepts(transition, attempts);
}

/** Sends the accepts of attempts, new ones or repeats. */
export function sendAccepts(transition: Transition, attempts: readonly Attempt[]): void {
  for (const { attemptId } of attempts) noteSent(transition, attemptId);
  transition.calls.push({ kind: "accept", attempts });
}

/**
 * Applies the outcome of an accept. If the attempt is already closed, only a capture still counts. Returns `blocks_first` if
 * the block must be found in the driver's list of blocks, `repeat` if the accept was cut off.
 */
export function applyAcceptOutcome(
  transition: Transition,
  id: AttemptId,
  outcome: AcceptOutcome,
): "done" | "blocks_first" | "repeat" {
  const attempt = transition.state.openAttempts.get(id);
  if (!attempt) return applyLateOutcome(transition, id, outcome);
  switch (outcome.kind) {
    case "won":
      markWon(transition, attempt, captureOf(transition, attempt, outcome.block));
      return "done";
    case "already_yours":
      // No call of ours can have taken it before this one.
      if (!mayBeOurs(transition.state, attempt)) {
        markLost(transition, attempt, { reason: "already_yours", isDoubted: false });
        return "blocks_first";
      }
      markWon(transition, attempt, captureOf(transition, attempt, outcome.block));
      return "done";
    case "lost":
      markLost(transition, attempt, { reason: outcome.reason, isDoubted: false });
      if (outcome.reason === "weekly_limit") learnWeeklyLimit(transition, attempt.offer);
      if (outcome.reason !== "overlap") return "done";
      noteOverlap(transition, attempt.offer);
      return "blocks_first";
    case "timeout":
    case "unreachable":
    case "unreadable":
      // Never backs off the polls: whether they can be answered is found out by polling. A stated wait is for every call.
      applyStatedWait(transition, outcome);
      markUnknown(transition, attempt);
      return attempt.outcome.status === "pending" ? "repeat" : "done";
    case "withdrawn":
      if (attempt.outcome.status === "pending")
        markLost(transition, attempt, { reason: "withdrawn", isDoubted: false });
      return "done";
    case "refused":
      applyStatedWait(transition, outcome);
      markLost(transition, attempt, { reason: "refused", isDoubted: true });
      return "done";
    case "rate_limited":
    case "signed_out":
    case "verification_required":
      applyFailure(transition, outcome);
      // A repeat that was refused doesn't tell whether the first call, which got no response, succeeded.
      if (attempt.outcome.status === "unknown") markUnknown(transition, attempt);
      else markLost(transition, attempt, { reason: outcome.kind, isDoubted: true });
      return "done";
  }
}

/** Whether a call of ours that got no answer may have taken the offer of an attempt. */
function mayBeOurs({ doubtedAttempts }: DriverState, { offer, outcome }: Attempt): boolean {
  return (
    outcome.status === "unknown" ||
    [...doubtedAttempts.values()].some((doubted) => doubted.offer.offerId === offer.offerId)
  );
}

function captureOf({ state, ctx }: Transition, { offer }: Attempt, block: PartialBlock | null): Block {
  return completeCapture(block, { offer, held: state.held, now: ctx.now });
}

function noteOverlap(transition: Transition, offer: Offer): void {
  const { overlapRefusals } = transition.state.transient;
  updateTransient(transition, {
    overlapRefusals: [...overlapRefusals, { offer, at: transition.ctx.now }],
  });
}

/**
 * The block may belong to an account that is no longer linked: it is not added to the held ones, which are read again. A wait
 * that the platform states holds for every call, whichever call got it.
 */
function applyLateOutcome(transition: Transition, id: AttemptId, outcome: AcceptOutcome): "done" {
  if (outcome.kind === "rate_limited") applyFailure(transition, outcome);
  else applyStatedWait(transition, outcome);
  const attempt = transition.state.doubtedAttempts.get(id);
  const isCapture = outcome.kind === "won" || (outcome.kind === "already_yours" && outcome.block !== null);
  if (!attempt || !isCapture) return "done";
  recordCapture(transition, attempt, captureOf(transition, attempt, outcome.block));
  updateTransient(transition, { heldFetchedAt: LONG_AGO });
  return "done";
}

/** Settles an attempt as won; its block is held from now on. */
export function markWon(transition: Transition, attempt: Attempt, block: Block): void {
  const { held, transient } = transition.state;
  const others = held.filter(({ blockId }) => blockId !== block.blockId);
  updateState(transition, { held: [...others, block] });
  updateTransient(transition, {
    wonAt: new Map([...transient.wonAt, [block.blockId, transition.ctx.now]]),
  });
  recordCapture(transition, attempt, block);
}

/** Records a capture. The driver knows of a block that they have given back since, so they get no message of it. */
function recordCapture(transition: Transition, attempt: Attempt, block: Block): void {
  // Other attempts at this offer can't have taken it as well.
  const { doubtedAttempts } = transition.state;
  const rest = [...doubtedAttempts].filter(([, { offer }]) => offer.offerId !== attempt.offer.offerId);
  if (rest.length < doubtedAttempts.size) updateState(transition, { doubtedAttempts: new Map(rest) });
  endAttempt(transition, attempt, { status: "won", block });
  noteContact(transition, { isStored: true });
  if (block.status !== "forfeited")
    transition.notifications.push({ kind: "captured", block, place: attempt.place });
}

/**
 * Settles an attempt as lost. `isDoubted` if the platform may have given the driver the block all the same: then it
 * is looked for among the blocks.
 */
export function markLost(
  transition: Transition,
  attempt: Attempt,
  { reason, isDoubted }: { reason: LostReason; isDoubted: boolean },
): void {
  const closed = endAttempt(transition, attempt, { status: "lost", reason });
  if (!isDoubted) return;
  const { doubtedAttempts } = transition.state;
  updateState(transition, { doubtedAttempts: new Map([...doubtedAttempts, [closed.attemptId, closed]]) });
}

function endAttempt(transition: Transition, attempt: Attempt, outcome: Attempt["outcome"]): Attempt {
  const { now } = transition.ctx;
  const openAttempts = new Map(transition.state.openAttempts);
  if (openAttempts.delete(attempt.attemptId)) updateState(transition, { openAttempts });
  if (outcome.status !== "lost" || !RETRYABLE_REASONS.has(outcome.reason)) {
    const { triedOffers } = transition.state.transient;
    updateTransient(transition, { triedOffers: new Set<OfferId>([...triedOffers, attempt.offer.offerId]) });
  }
  const ended: Attempt = { ...attempt, endedAt: now, outcome };
  noteSettled(transition, ended);
  transition.log.push({ kind: "attempt_settled", at: now, attempt: ended });
  return ended;
}

function markUnknown(transition: Transition, attempt: Attempt): void {
  const tries = attempt.outcome.status === "unknown" ? attempt.outcome.tries + 1 : 1;
  const next: Attempt = { ...attempt, outcome: { status: "unknown", tries, triedAt: transition.ctx.now } };
  updateState(transition, {
    openAttempts: new Map([...transition.state.openAttempts, [attempt.attemptId, next]]),
  });
}

/** Repeats an accept that was cut off, under the same key, if the driver still wants the offer and there is room for it. */
export function repeatAtOnce(transition: Transition, id: AttemptId): void {
  const { state, ctx } = transition;
  const attempt = state.openAttempts.get(id);
  if (!attempt || roomForRepeats(state, ctx.now) === 0) return;
  if (maySendAccept(state, id, ctx.now)) sendAccepts(transition, [attempt]);
}

/** Marks pending attempts that can no longer get a response as unknown. */
export function timeOutPending(transition: Transition): void {
  for (const attempt of transition.state.openAttempts.values()) {
    if (isPendingTimedOut(attempt, transition.ctx.now)) markUnknown(transition, attempt);
  }
}
