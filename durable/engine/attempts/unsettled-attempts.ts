import { isCallable, watchingProfile } from "../state/callable.ts";
import { retryWaitMs } from "../state/cadence.ts";
import { compiledFiltersOf } from "../verdicts/compiled-filters.ts";
import { areCountedRead, limitBookOf } from "../verdicts/counted-blocks.ts";
import { timesOutAt } from "./in-flight.ts";
import { judgeOffer } from "../verdicts/match.ts";
import { minimumPay } from "../verdicts/rule-checks.ts";
import { isAnsweredYes } from "../questions/question-list.ts";
import { wantedAction } from "../questions/question-reasons.ts";
import type { DriverState } from "../state/types.ts";
import type { Attempt } from "../../../db/shapes/log/attempt.ts";
import { HOUR_MS, MINUTE_MS, type AttemptId, type EpochMs } from "../../../db/shapes/units.ts";

/** How long a call that was cut off may still reach the platform. */
const CALL_SETTLE_MS = MINUTE_MS;
/** The object reads the blocks for a doubted attempt alone for this long, with at least this gap between two reads. */
const MAX_DOUBT_MS = HOUR_MS;
const DOUBT_GAP_MS = MINUTE_MS / 2;

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
 * Whether the driver's current switch, filters, limits and service still want the attempt's offer. With limits, false until all
 * blocks that count toward them were read.
 */
export function isStillWanted(state: DriverState, attempt: Attempt, now: EpochMs): boolean {
  const { offer, attemptId, payAtLeastCents } = attempt;
  const profile = watchingProfile(state, now);
  if (!profile || !areCountedRead(state, now)) return false;
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
  if (isAnsweredYes(state, attemptId)) return true;
  if (wantedAction(match).action !== "take") return false;
  // A key stands for one call, so a repeat can't ask for more than the first one did.
  return (minimumPay(filters, offer, now) ?? 0) <= payAtLeastCents;
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

/** From this instant on, a listing without a closed attempt's block shows that the attempt had no effect. */
export function isConclusiveFrom({ endedAt, createdAt }: Attempt): EpochMs {
  return (endedAt ?? createdAt) + CALL_SETTLE_MS;
}

/**
 * When to look a doubted attempt up among the blocks, if nothing else has them read by then. Null once that was
 * tried for an hour: polling reads them anyway, and a driver who is off is not worth a call for ever.
 */
export function doubtAt(attempt: Attempt, { transient, link }: DriverState, now: EpochMs): EpochMs | null {
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
