import * as z from "zod/mini";
import { untriedMatches, rejudge, busySpans } from "./judge.ts";
import { minimumPay } from "./match.ts";
import { isPendingTimedOut, isStillWanted, reconcileAt, hasCallSettled, capturingProfile } from "./phase.ts";
import { compiledFiltersOf } from "./compiled-filters.ts";
import { selectOffers } from "./select.ts";
import { updateState, updateTransient, applyFailure, type Transition } from "./transition.ts";
import type { AcceptOutcome } from "./types.ts";
import type { Attempt, LostReason } from "../../db/shapes/attempt.ts";
import type { Block, Offer } from "../../db/shapes/offer.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { attemptId, type AttemptId, type DurationMs } from "../../db/shapes/units.ts";

/** How many accepts a mode has under way at once. */
const MAX_CONCURRENT_ACCEPTS: Record<Profile["mode"], number> = { lucrative: 1, secure: 1, masacre: 4 };
/** An older answer says nothing of what is open now. */
const LISTING_MAX_AGE_MS: DurationMs = 30_000;
/** A reading of the blocks that is older than an accept may arrive after its answer. */
const FETCH_RACE_MS: DurationMs = 60_000;
/** These say nothing of the offer: once they are over, it can be tried again. */
const RETRYABLE_REASONS: ReadonlySet<LostReason> = new Set([
  "rate_limited",
  "signed_out",
  "verification_required",
]);

/**
 * Starts the attempts that the mode selects among the matches, where the driver's switch, rules
 * and service allow it now. `heldIsFresh`: the blocks held were read just now, which secure mode
 * asks for before each accept. Answers `blocks_first` where they have to be read before.
 */
export function acceptMatches(
  transition: Transition,
  { heldIsFresh }: { heldIsFresh: boolean },
): "done" | "blocks_first" {
  const { now } = transition.ctx;
  const { lastPollAt } = transition.state.transient;
  if (lastPollAt === null || now - lastPollAt > LISTING_MAX_AGE_MS) return "done";
  rejudge(transition);
  const profile = capturingProfile(transition.state, now);
  if (!profile) return "done";
  const pending = [...transition.state.openAttempts.values()].filter(
    ({ outcome }) => outcome.status === "pending",
  );
  const room = MAX_CONCURRENT_ACCEPTS[profile.mode] - pending.length;
  const matches = untriedMatches(transition.state, now);
  const busy = busySpans(transition.state, "pending");
  const chosen = selectOffers(profile.mode, { matches, taken: busy }).slice(0, Math.max(0, room));
  if (chosen.length === 0) return "done";
  if (profile.mode === "secure" && !heldIsFresh) return "blocks_first";
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
  transition.calls.push({ kind: "accept", attempts });
}

/**
 * Applies the answer to an accept. An attempt that is settled already is left alone.
 * Answers `blocks_first` where the block has to be looked for.
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
      applyFailure(transition, outcome);
      markUnknown(transition, attempt);
      return "done";
    case "refused":
      markLost(transition, attempt, "refused");
      return "done";
    case "rate_limited":
    case "signed_out":
    case "verification_required":
      applyFailure(transition, outcome);
      // Of a first call that was cut off, a refused repeat says nothing.
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

/** Ends an attempt without a block. */
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
  const next: Attempt = { ...attempt, outcome: { status: "unknown", tries } };
  updateState(transition, {
    openAttempts: new Map([...transition.state.openAttempts, [attempt.attemptId, next]]),
  });
  updateTransient(transition, { lastUnknownAt: transition.ctx.now });
}

/** Attempts that no answer can reach any more become unknown. */
export function timeOutPending(transition: Transition): void {
  for (const attempt of transition.state.openAttempts.values()) {
    if (isPendingTimedOut(attempt, transition.ctx.now)) markUnknown(transition, attempt);
  }
}

/** Whether an unknown attempt is to be looked after now. */
export function isReconcileDue({ state, ctx }: Transition): boolean {
  return [...state.openAttempts.values()].some(
    (attempt) => attempt.outcome.status === "unknown" && reconcileAt(state, attempt, ctx.now) <= ctx.now,
  );
}

/**
 * Takes the driver's blocks in place of those known. One that was won a moment ago may be missing
 * where the reading crossed the accept: it stays. Unknown attempts found among them are won.
 */
export function replaceHeldBlocks(transition: Transition, blocks: readonly Block[]): void {
  const { held, openAttempts } = transition.state;
  const { now } = transition.ctx;
  const fetchedIds = new Set(blocks.map(({ blockId }) => blockId));
  const justWon = held.filter(
    ({ blockId, acceptedAt }) => !fetchedIds.has(blockId) && now - acceptedAt < FETCH_RACE_MS,
  );
  const next = [...blocks, ...justWon];
  if (JSON.stringify(next) !== JSON.stringify(held)) updateState(transition, { held: next });
  updateTransient(transition, { heldFetchedAt: now });
  for (const attempt of openAttempts.values()) {
    const block = blocks.find(({ offerId }) => offerId === attempt.offer.offerId);
    if (block && attempt.outcome.status === "unknown") markWon(transition, attempt, block);
  }
}

/**
 * Repeats, each under its own key, the unknown attempts that are due and still wanted, though the
 * blocks that were just read do not show them. One that is wanted no more is withdrawn when no
 * call for it can be on its way: a repeat could take what the driver has turned down since.
 */
export function reconcileUnknown(transition: Transition): void {
  const { now } = transition.ctx;
  if (transition.state.transient.lastUnknownAt === null) updateTransient(transition, { lastUnknownAt: now });
  const unknown = [...transition.state.openAttempts.values()].filter(
    ({ outcome }) => outcome.status === "unknown",
  );
  const wanted = unknown.filter((attempt) => isStillWanted(transition.state, attempt, now));
  if (hasCallSettled(transition.state, now)) {
    for (const attempt of unknown) if (!wanted.includes(attempt)) markLost(transition, attempt, "withdrawn");
  }
  if (wanted.length === 0) return;
  updateTransient(transition, { lastUnknownAt: now });
  transition.calls.push({ kind: "accept", attempts: wanted });
}
