import { markLost, markWon, sendAccepts } from "./attempts.ts";
import { isInFlight, roomForRepeats } from "./in-flight.ts";
import { overlaps } from "../verdicts/match.ts";
import { hasCallSettled, isConclusiveFrom, isStillWanted, reconcileAt } from "./unsettled-attempts.ts";
import type { BlockListing } from "../complete-blocks.ts";
import { updateState, type Transition } from "../state/transition.ts";
import type { DriverState } from "../state/types.ts";
import type { Attempt } from "../../../db/shapes/log/attempt.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { AttemptId, EpochMs } from "../../../db/shapes/units.ts";

/** Whether an unknown attempt must be reconciled now. */
export function isReconcileDue({ state, ctx }: Transition): boolean {
  return roomForRepeats(state, ctx.now) > 0 && dueAttempts(state, ctx.now).length > 0;
}

/** Unknown attempts that must be reconciled now, those first that were tried longest ago. */
function dueAttempts(state: DriverState, now: EpochMs): Attempt[] {
  return [...state.openAttempts.values()]
    .filter(
      (attempt) =>
        attempt.outcome.status === "unknown" &&
        !isInFlight(state, attempt.attemptId, now) &&
        reconcileAt(state, attempt, now) <= now,
    )
    .toSorted((one, other) => reconcileAt(state, one, now) - reconcileAt(state, other, now));
}

/**
 * Repeats the unknown attempts that are due and that the driver still wants, each with its own idempotency key, after
 * a fetch of the blocks did not show them. An attempt that is no longer wanted is withdrawn instead, once no call for
 * it can still be in flight: repeating it could accept an offer that the driver has since ruled out.
 */
export function reconcileUnknown(transition: Transition, { heldIsFresh }: { heldIsFresh: boolean }): void {
  const { now } = transition.ctx;
  const due = dueAttempts(transition.state, now);
  const { heldFetchedAt } = transition.state.transient;
  const wanted = due.filter((attempt) => isStillWanted(transition.state, attempt, now));
  for (const attempt of due) {
    if (!heldIsFresh || wanted.includes(attempt)) continue;
    if (heldFetchedAt !== null && hasCallSettled(attempt, heldFetchedAt))
      markLost(transition, attempt, { reason: "withdrawn", isDoubted: false });
  }
  const repeats = wanted.slice(0, roomForRepeats(transition.state, now));
  if (repeats.length > 0) sendAccepts(transition, repeats);
}

/**
 * A started block is no longer worth a question: an unknown attempt ends as `no_answer` when its block starts, and a
 * doubted one is forgotten when it ends.
 */
export function dropStarted(transition: Transition): void {
  const { now } = transition.ctx;
  for (const attempt of transition.state.openAttempts.values()) {
    const isDropped = attempt.outcome.status === "unknown" && attempt.offer.startsAt <= now;
    if (isDropped && !isInFlight(transition.state, attempt.attemptId, now))
      markLost(transition, attempt, { reason: "no_answer", isDoubted: true });
  }
  forgetDoubts(transition, ({ offer }) => offer.endsAt <= now);
}

/**
 * Settles attempts by a listing of the driver's blocks that was requested at `sentAt`. An unknown or doubted attempt
 * whose block is listed is won, whatever the platform answered; a doubted one that a late enough listing lacks had no
 * effect.
 */
export function settleByListing(
  transition: Transition,
  { blocks, unreadable, probable }: BlockListing,
  sentAt: EpochMs,
): void {
  const { openAttempts, doubtedAttempts } = transition.state;
  // If there are several attempts at one offer, one took it: the open ones come first.
  for (const attempt of [...openAttempts.values(), ...doubtedAttempts.values()]) {
    const block = blocks.find((listed) => listed.offerId === attempt.offer.offerId);
    if (block && isNews(transition.state, attempt, block)) markWon(transition, attempt, block);
  }
  for (const { attemptId } of probable) {
    const attempt = transition.state.openAttempts.get(attemptId);
    if (attempt) markProbable(transition, attempt);
  }
  forgetDoubts(
    transition,
    (attempt) =>
      isConclusiveFrom(attempt) <= sentAt && !unreadable.some((span) => overlaps(span, attempt.offer)),
  );
}

/** The platform doesn't say that the block is what this attempt took, but it can hardly be another: the driver looks there. */
function markProbable(transition: Transition, attempt: Attempt): void {
  markLost(transition, attempt, { reason: "probably_yours", isDoubted: true });
  transition.notifications.push({ kind: "probably_captured", offer: attempt.offer, place: attempt.place });
}

/**
 * Whether a listed block can be what this attempt took: the attempt is not settled yet, no attempt at the offer is
 * about to be answered, and the block is not one that was given back before.
 */
function isNews(state: DriverState, { attemptId, offer }: Attempt, block: Block): boolean {
  const { openAttempts, doubtedAttempts, held, givenBack } = state;
  if (!openAttempts.has(attemptId) && !doubtedAttempts.has(attemptId)) return false;
  const isAnswerDue = [...openAttempts.values()].some(
    (other) => other.outcome.status === "pending" && other.offer.offerId === offer.offerId,
  );
  const isKnown = [...held, ...givenBack].some(({ blockId }) => blockId === block.blockId);
  return !isAnswerDue && !(block.status === "forfeited" && isKnown);
}

function forgetDoubts(transition: Transition, isOver: (attempt: Attempt) => boolean): void {
  const { doubtedAttempts } = transition.state;
  const rest = [...doubtedAttempts].filter(([, attempt]) => !isOver(attempt));
  if (rest.length === doubtedAttempts.size) return;
  updateState(transition, { doubtedAttempts: new Map<AttemptId, Attempt>(rest) });
}
