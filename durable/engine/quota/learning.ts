import { EXTRAPOLATION_SHARE, MIN_EXACT_LIMIT, usedOf, windowMsOf } from "./window.ts";
import type { LearnedQuota, Quota } from "./quota.ts";
import type { DurationMs, EpochMs } from "../../../db/shapes/units.ts";

/** A reset that is reported so much later than before has moved, whatever the rounding and the way took. */
const RESET_ROUNDING_MS: DurationMs = 2_000;
/** The longest reset fades, so that a window that became shorter is learned over some windows. */
const RESET_DECAY = 0.9;

/** A response's word about the quota, and our own polls up to its own, oldest first. */
export type QuotaReading = { quota: Quota; now: EpochMs; tookMs: DurationMs; polls: readonly EpochMs[] };

/**
 * Learns from an answer how long the platform's window is, whether it rolls, and how much others (the driver's own
 * app) use of it. Platforms count calls in windows that follow each other, or in the last so many seconds, and say by
 * `RateLimit-Reset` when the window ends, when the oldest call leaves it, or when all have. Nothing says which; it
 * shows in how the reset moves from answer to answer.
 */
export function learnQuota(known: LearnedQuota | null, answer: QuotaReading): LearnedQuota {
  const { quota, now, polls } = answer;
  const leftMs = Math.max(0, quota.resetAt - now);
  if (!known) {
    return {
      quota,
      longestResetMs: leftMs,
      isWindowKnown: false,
      shortestTurnMs: null,
      rolls: false,
      anchorAt: quota.resetAt,
      windowFrom: polls.at(-1) ?? now,
      othersPerWindow: 0,
      blockedUntil: 0,
    };
  }
  const hasPassed = isReached(known, answer);
  const rolls = learnRolling(known, answer);
  const fades = hasPassed && !rolls && quota.limit >= MIN_EXACT_LIMIT;
  const earlierMs = fades ? known.longestResetMs * RESET_DECAY : known.longestResetMs;
  const learned: LearnedQuota = {
    ...known,
    quota,
    rolls,
    longestResetMs: Math.max(leftMs, earlierMs),
    isWindowKnown: known.isWindowKnown || hasPassed || rolls,
    shortestTurnMs: hasPassed && !rolls ? shorterTurn(known, quota) : known.shortestTurnMs,
    // Rounded up each time, the earliest report of an instant is the best.
    anchorAt: hasPassed || rolls ? quota.resetAt : Math.min(known.anchorAt, quota.resetAt),
    windowFrom: hasPassed ? (polls.at(-1) ?? now) : known.windowFrom,
  };
  return {
    ...learned,
    othersPerWindow: hasPassed ? othersIn(known, polls) : extrapolateOthers(learned, answer),
    blockedUntil: Math.max(known.blockedUntil, blockedUntil(known, learned, answer)),
  };
}

function shorterTurn({ shortestTurnMs, anchorAt }: LearnedQuota, { resetAt }: Quota): DurationMs | null {
  const turnMs = resetAt - anchorAt;
  return turnMs > 0 ? Math.min(turnMs, shortestTurnMs ?? turnMs) : shortestTurnMs;
}

/**
 * Whether the reset that we knew had been reached when the platform counted the poll. Rounded up, it may have been
 * reported up to a second too late; a poll that was under way in that instant tells by what it reports.
 */
function isReached({ anchorAt }: LearnedQuota, { quota, now, tookMs }: QuotaReading): boolean {
  const hasMoved = quota.resetAt - anchorAt > RESET_ROUNDING_MS;
  return now - tookMs >= anchorAt || (hasMoved && now >= anchorAt - RESET_ROUNDING_MS / 2);
}

/** A reset that moves on before it was reached, or by less than a window when it was, belongs to a window that rolls. */
function learnRolling(known: LearnedQuota, answer: QuotaReading): boolean {
  const { quota, tookMs } = answer;
  const movedMs = quota.resetAt - known.anchorAt;
  if (!isReached(known, answer)) return known.rolls || movedMs > RESET_ROUNDING_MS + tookMs;
  const [usedBefore, used] = [usedOf(known.quota), usedOf(quota)];
  if (usedBefore <= 1 || quota.limit !== known.quota.limit) return known.rolls;
  if (2 * used <= usedBefore) return false;
  return known.rolls || 2 * movedMs < known.longestResetMs;
}

/** Calls of others in the present window. */
function othersIn({ quota, windowFrom }: LearnedQuota, polls: readonly EpochMs[]): number {
  return Math.max(0, usedOf(quota) - polls.filter((at) => at >= windowFrom).length);
}

/** Calls of others in a whole window: as many as in the last one, or more if this one has more already. */
function extrapolateOthers(learned: LearnedQuota, { quota, now, polls }: QuotaReading): number {
  const windowMs = windowMsOf(learned);
  const passedMs = Math.max(now - learned.windowFrom, windowMs - (quota.resetAt - now));
  if (passedMs < EXTRAPOLATION_SHARE * windowMs) return learned.othersPerWindow;
  const soFar = Math.max(0, othersIn(learned, polls) - 1);
  return Math.max(learned.othersPerWindow, (soFar * windowMs) / passedMs);
}

/** After a shrink of a rolling window it isn't known when the calls of others leave it: all have after one window. */
function blockedUntil(
  { quota: before }: LearnedQuota,
  learned: LearnedQuota,
  { quota, now, polls }: QuotaReading,
): EpochMs {
  const hasShrunk = quota.limit < before.limit && quota.remaining <= 0;
  if (!learned.rolls || !hasShrunk) return 0;
  const windowMs = windowMsOf(learned);
  const others = usedOf(before) - polls.filter((at) => at > now - windowMs).length;
  return others > 0 ? Math.ceil(now + windowMs) : 0;
}
