import * as z from "zod/mini";
import { untriedMatches, rejudge, busySpans } from "./judge.ts";
import { recordGivenBack } from "./given-back.ts";
import { minimumPay } from "./match.ts";
import { isHeldKnown } from "./held-blocks.ts";
import { isInFlight, noteSent, roomForAccepts } from "./in-flight.ts";
import {
  isPendingTimedOut,
  isStillWanted,
  reconcileAt,
  hasCallSettled,
  capturingProfile,
  maySendAccept,
} from "./phase.ts";
import { compiledFiltersOf } from "./compiled-filters.ts";
import { selectOffers } from "./select.ts";
import {
  updateState,
  updateTransient,
  applyFailure,
  applyStatedWait,
  type Transition,
} from "./transition.ts";
import type { AcceptOutcome, BlocksOutcome } from "./types.ts";
import type { Attempt, LostReason } from "../../db/shapes/attempt.ts";
import type { Block, Offer } from "../../db/shapes/offer.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { attemptId, type AttemptId, type DurationMs } from "../../db/shapes/units.ts";

/** How many new accepts each mode may have in flight at once. */
const MAX_PENDING: Record<Profile["mode"], number> = { lucrative: 4, secure: 1, masacre: 4 };
/** Offers listed longer ago than this are not accepted: they may be gone by now. */
const LISTING_MAX_AGE_MS: DurationMs = 30_000;
/** How long a listing of held blocks may miss a block that was just won, because it was requested before the accept. */
const FETCH_RACE_MS: DurationMs = 60_000;
/** Reasons that have nothing to do with the offer, so that it can be tried again later. */
const RETRYABLE_REASONS: ReadonlySet<LostReason> = new Set([
  "rate_limited",
  "signed_out",
  "verification_required",
  "withdrawn",
]);

/**
 * Starts attempts for the matches that the mode selects, if the driver's switch, filters and service allow it
 * now. Held blocks must be known, and in secure mode fetched just now (`heldIsFresh`) before each accept; returns
 * `blocks_first` if they must be fetched first.
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
  const pending = [...transition.state.openAttempts.values()].filter(
    ({ outcome }) => outcome.status === "pending",
  );
  const room = Math.min(MAX_PENDING[profile.mode] - pending.length, roomForAccepts(transition.state, now));
  const matches = untriedMatches(transition.state, now);
  const busy = busySpans(transition.state, "pending");
  const chosen = selectOffers(profile.mode, { matches, busy }).slice(0, Math.max(0, room));
  if (chosen.length === 0) return "done";
  const needsBlocks = profile.mode === "secure" ? !heldIsFresh : !isHeldKnown(transition.state, now);
  if (needsBlocks) return "blocks_first";
  startAttempts(transition, chosen, profile);
  return "done";
}

function startAttempts(transition: Transition, offers: readonly Offer[], profile: Profile): void {
  const { now } = transition.ctx;
  const { keyPrefix, attemptSeq, openAttempts, warehouses } = transition.state;
  const compiled = compiledFiltersOf(profile, warehouses);
  const attempts = offers.map((offer, index): Attempt => {
    const payAtLeastCents = minimumPay(compiled, offer) ?? offer.payCents;
    const id = z.parse(attemptId, `${keyPrefix}-${attemptSeq + index}`);
    return {
      attemptId: id,
      offer,
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
  for (const attempt of attempts) transition.log.push({ kind: "attempt_started", at: now, attempt });
  sendAccepts(transition, attempts);
}

function sendAccepts(transition: Transition, attempts: readonly Attempt[]): void {
  for (const { attemptId } of attempts) noteSent(transition, attemptId);
  transition.calls.push({ kind: "accept", attempts });
}

/**
 * Applies the outcome of an accept. Ignored if the attempt is already settled.
 * Returns `blocks_first` if the block must be found in the driver's list of blocks.
 */
export function applyAcceptOutcome(
  transition: Transition,
  id: AttemptId,
  outcome: AcceptOutcome,
): "done" | "blocks_first" {
  const attempt = transition.state.openAttempts.get(id);
  if (!attempt) return "done";
  switch (outcome.kind) {
    case "won":
      markWon(transition, attempt, outcome.block);
      return "done";
    case "already_yours":
      if (outcome.block) {
        markWon(transition, attempt, outcome.block);
        return "done";
      }
      markUnknown(transition, attempt);
      return "blocks_first";
    case "lost":
      markLost(transition, attempt, outcome.reason);
      return "done";
    case "timeout":
    case "unreachable":
    case "unreadable":
      // Never backs off the polls: whether they can be answered is found out by polling. A stated wait is for every call.
      applyStatedWait(transition, outcome);
      markUnknown(transition, attempt);
      if (attempt.outcome.status === "pending") repeatAtOnce(transition, id);
      return "done";
    case "withdrawn":
      if (attempt.outcome.status === "pending") markLost(transition, attempt, "withdrawn");
      return "done";
    case "refused":
      applyStatedWait(transition, outcome);
      markLost(transition, attempt, "refused");
      return "done";
    case "rate_limited":
    case "signed_out":
    case "verification_required":
      applyFailure(transition, outcome);
      // A repeat that was refused doesn't tell whether the first call, which got no response, succeeded.
      if (attempt.outcome.status === "unknown") markUnknown(transition, attempt);
      else markLost(transition, attempt, outcome.kind);
      return "done";
  }
}

function markWon(transition: Transition, attempt: Attempt, block: Block): void {
  const others = transition.state.held.filter(({ blockId }) => blockId !== block.blockId);
  updateState(transition, { held: [...others, block] });
  endAttempt(transition, attempt, { status: "won", block });
  transition.notifications.push({ kind: "captured", block });
}

/** Settles an attempt as lost. */
export function markLost(transition: Transition, attempt: Attempt, reason: LostReason): void {
  endAttempt(transition, attempt, { status: "lost", reason });
}

function endAttempt(transition: Transition, attempt: Attempt, outcome: Attempt["outcome"]): void {
  const { now } = transition.ctx;
  const openAttempts = new Map(transition.state.openAttempts);
  openAttempts.delete(attempt.attemptId);
  updateState(transition, { openAttempts });
  if (outcome.status !== "lost" || !RETRYABLE_REASONS.has(outcome.reason)) {
    updateTransient(transition, {
      triedOffers: new Set([...transition.state.transient.triedOffers, attempt.offer.offerId]),
    });
  }
  transition.log.push({ kind: "attempt_settled", at: now, attempt: { ...attempt, endedAt: now, outcome } });
}

function markUnknown(transition: Transition, attempt: Attempt): void {
  const tries = attempt.outcome.status === "unknown" ? attempt.outcome.tries + 1 : 1;
  const next: Attempt = { ...attempt, outcome: { status: "unknown", tries, triedAt: transition.ctx.now } };
  updateState(transition, {
    openAttempts: new Map([...transition.state.openAttempts, [attempt.attemptId, next]]),
  });
  updateTransient(transition, { lastUnknownAt: transition.ctx.now });
}

/** Repeats an accept that was cut off, under the same key, if the driver still wants the offer. */
function repeatAtOnce(transition: Transition, id: AttemptId): void {
  const { state, ctx } = transition;
  const attempt = state.openAttempts.get(id);
  if (attempt && maySendAccept(state, id, ctx.now)) sendAccepts(transition, [attempt]);
}

/** Marks pending attempts that can no longer get a response as unknown. */
export function timeOutPending(transition: Transition): void {
  for (const attempt of transition.state.openAttempts.values()) {
    if (isPendingTimedOut(attempt, transition.ctx.now)) markUnknown(transition, attempt);
  }
}

/** Whether an unknown attempt must be reconciled now. */
export function isReconcileDue({ state, ctx }: Transition): boolean {
  if (roomForAccepts(state, ctx.now) === 0) return false;
  return [...state.openAttempts.values()].some(
    (attempt) =>
      attempt.outcome.status === "unknown" &&
      !isInFlight(state, attempt.attemptId, ctx.now) &&
      reconcileAt(state, attempt, ctx.now) <= ctx.now,
  );
}

/**
 * Replaces the held blocks with those just fetched. A block that was won a moment ago stays even if it is
 * missing, since the fetch may have raced the accept. Unknown attempts whose block is listed are won.
 */
export function replaceHeldBlocks(
  transition: Transition,
  { blocks, unreadable = [] }: Extract<BlocksOutcome, { kind: "blocks" }>,
): void {
  const { held, openAttempts } = transition.state;
  const { now } = transition.ctx;
  const fetchedIds = new Set(blocks.map(({ blockId }) => blockId));
  const missing = held.filter(({ blockId }) => !fetchedIds.has(blockId));
  const justWon = missing.filter(({ acceptedAt }) => now - acceptedAt < FETCH_RACE_MS);
  const next = [...blocks, ...justWon];
  if (JSON.stringify(next) !== JSON.stringify(held)) updateState(transition, { held: next });
  updateTransient(transition, { heldFetchedAt: now, unreadableHeld: unreadable });
  // A list that could not be read to the end doesn't tell what is missing from it.
  const vanished = unreadable.length > 0 ? [] : missing.filter((block) => !justWon.includes(block));
  recordGivenBack(transition, { listed: blocks, vanished });
  for (const attempt of openAttempts.values()) {
    const block = blocks.find(({ offerId }) => offerId === attempt.offer.offerId);
    if (block && attempt.outcome.status === "unknown") markWon(transition, attempt, block);
  }
}

/**
 * Repeats the unknown attempts that the driver still wants, each with its own idempotency key, after a fetch of
 * the blocks did not show them. An attempt that is no longer wanted is withdrawn instead, once no call for it
 * can still be in flight: repeating it could accept an offer that the driver has since ruled out.
 */
export function reconcileUnknown(transition: Transition): void {
  const { now } = transition.ctx;
  if (transition.state.transient.lastUnknownAt === null) updateTransient(transition, { lastUnknownAt: now });
  const unknown = [...transition.state.openAttempts.values()].filter(
    ({ attemptId, outcome }) => outcome.status === "unknown" && !isInFlight(transition.state, attemptId, now),
  );
  const wanted = unknown.filter((attempt) => isStillWanted(transition.state, attempt, now));
  if (hasCallSettled(transition.state, now)) {
    for (const attempt of unknown) if (!wanted.includes(attempt)) markLost(transition, attempt, "withdrawn");
  }
  if (wanted.length === 0) return;
  updateTransient(transition, { lastUnknownAt: now });
  sendAccepts(transition, wanted.slice(0, roomForAccepts(transition.state, now)));
}
