import {
  EXTRAPOLATION_SHARE,
  LONG_WAIT_MS,
  MIN_LOOSE_LIMIT,
  reserveOf,
  SECOND_MS,
  shareOf,
  steadyGapMs,
  usedOf,
  windowMsOf,
} from "./window.ts";
import { MAX_WAIT_MS, type LearnedQuota, type Quota } from "./quota.ts";
import { MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";

/** How soon the second poll shows whether a window longer than a minute rolls. */
const PROBE_MS: DurationMs = 4_000;
/** A window in which a reset in whole seconds is as long as the window. */
const SHORT_WINDOW_MS: DurationMs = 2 * SECOND_MS;
/** How much longer a call may take to arrive than a later one: a second, in a short window less. */
const MAX_ARRIVAL_MS: DurationMs = 1_000;
const ARRIVAL_SHARE = 0.05;

/** Our own calls, oldest first, and how many of them the latest poll took. */
type Used = { polls: readonly EpochMs[]; calls?: number | undefined };

/** How many calls one poll may take now, should the list be too long for one: what is left of our share. */
export function callsLeft(learned: LearnedQuota, polls: readonly EpochMs[], now: EpochMs): number {
  const { quota, anchorAt, rolls } = learned;
  const since = now - windowMsOf(learned);
  const ownLeft = Math.floor(shareOf(quota)) - polls.filter((at) => at > since).length;
  const isOver = !rolls && now >= anchorAt;
  return Math.max(1, isOver ? ownLeft : Math.min(ownLeft, quota.remaining));
}

/** How many calls the quota has room for in each poll, if polls come every `intervalMs`. */
export function steadyCalls(learned: LearnedQuota, intervalMs: DurationMs): number {
  return Math.max(1, Math.floor(intervalMs / steadyGapMs(learned)));
}

/**
 * When the quota allows the next poll: evenly spaced over the window, so that no stretch of its length has more than
 * our share, wherever the platform's own window begins; later, if others use the quota too; and not before some of it
 * is free again, if it is used up. After four hours one poll asks, whatever was stated.
 */
export function quotaAllowsAt(learned: LearnedQuota, used: Used): EpochMs {
  const known = allowedByPolls.get(used.polls);
  if (known?.learned === learned && known.calls === used.calls) return known.at;
  const at = computeAllowedAt(learned, used);
  allowedByPolls.set(used.polls, { learned, calls: used.calls, at });
  return at;
}

/** The latest results, of which a driver's object asks several times between two polls. Weakly keyed by the list of polls. */
const allowedByPolls = new WeakMap<
  readonly EpochMs[],
  { learned: LearnedQuota; calls: number | undefined; at: EpochMs }
>();

function computeAllowedAt(learned: LearnedQuota, { polls, calls = 1 }: Used): EpochMs {
  const { quota, longestResetMs, isWindowKnown, rolls, windowFrom } = learned;
  const last = polls.at(-1);
  if (last === undefined) return 0;
  const windowMs = windowMsOf(learned);
  const share = shareOf(quota);
  const isExhausting = Math.ceil(share) >= quota.limit;
  const leavesAt =
    (polls.at(-Math.ceil(share)) ?? -Infinity) + (isExhausting ? leftAfterMs(windowMs) : windowMs);
  const evenAt = Math.max(learned.blockedUntil, leavesAt, last + (calls * windowMs) / share);
  // Resets are stated in seconds, so they say nothing about a window that short: our own even pace keeps to it, unless others
  // use it too.
  const own = polls.filter((at) => at > last - windowMs).length;
  const isTold = !isWindowKnown || windowMs > SHORT_WINDOW_MS || usedOf(quota) - own > 1;
  const sharedAt = !isTold
    ? 0
    : rolls
      ? rollingAllowsAt(learned, { last, share, windowMs, polls, calls })
      : successiveAllowsAt(learned, { last, share, windowMs, calls });
  const allowedAt = Math.max(evenAt, sharedAt, unknownAllowsAt(learned, { polls, share }));
  // A window that is taken for an hour or a day may be much shorter, and so may one whose quota is full again in a few
  // seconds: once it has ended, the next answer tells. Whether
  // it rolls, the second tells, which comes soon where the limit has room for it.
  const isGuess = !isWindowKnown && (windowMs > MINUTE_MS || longestResetMs <= LONG_WAIT_MS);
  const isProbe = windowFrom === last && quota.limit >= MIN_LOOSE_LIMIT;
  // The one after the end may get no answer: then the next keeps to the length that was stated.
  const endAt = last < quota.resetAt ? quota.resetAt : last + longestResetMs / share;
  const tellsAt = isProbe ? last + PROBE_MS : endAt;
  const at = isGuess ? Math.min(allowedAt, Math.max(tellsAt, sharedAt)) : allowedAt;
  return Math.min(Math.ceil(at), last + MAX_WAIT_MS);
}

/**
 * In a window of unknown length the last place is kept for the poll after its reset, which tells the length: however
 * long the window is, no more than the limit fall in it.
 */
function unknownAllowsAt(
  { quota, isWindowKnown }: LearnedQuota,
  { polls, share }: { polls: readonly EpochMs[]; share: number },
): EpochMs {
  return !isWindowKnown && polls.length >= Math.ceil(share) - 1 ? quota.resetAt : 0;
}

/** How long after a call it has surely left a window that rolls: two calls don't take equally long to arrive. */
function leftAfterMs(windowMs: DurationMs): DurationMs {
  return windowMs + Math.min(MAX_ARRIVAL_MS, ARRIVAL_SHARE * windowMs);
}

type Pace = { last: EpochMs; share: number; windowMs: DurationMs; calls: number };

/** Leaves to others what they use, and lets our own calls leave the window while the reserve is touched. */
function rollingAllowsAt(
  { quota }: LearnedQuota,
  { last, share, windowMs, polls, calls }: Pace & { polls: readonly EpochMs[] },
): EpochMs {
  const own = polls.filter((at) => at > last - windowMs);
  const missing = reserveOf(quota) + 1 - quota.remaining;
  // The first place to be free may be taken by others, so we wait for as many of our own as the reserve lacks.
  const leaving = own[missing - 1];
  const freeAt = missing <= 0 ? 0 : leaving === undefined ? quota.resetAt : leaving + leftAfterMs(windowMs);
  const others = rollingOthers(quota, { own, windowMs, last });
  return Math.max(last + (calls * windowMs) / Math.max(1, share - others), freeAt);
}

/** Calls of others in the window. Before our own fill one, up to half of the limit is extrapolated. */
function rollingOthers(
  quota: Quota,
  { own, windowMs, last }: { own: readonly EpochMs[]; windowMs: DurationMs; last: EpochMs },
): number {
  const others = Math.max(0, usedOf(quota) - own.length);
  const passedMs = Math.max(EXTRAPOLATION_SHARE * windowMs, last - (own[0] ?? last));
  return Math.max(others, Math.min(quota.limit / 2, (others * windowMs) / passedMs));
}

/** Spreads what is left of the window's calls, less what others will use, over the time until it ends. */
function successiveAllowsAt(
  { quota, othersPerWindow, anchorAt }: LearnedQuota,
  { last, windowMs, calls }: Pace,
): EpochMs {
  const { remaining } = quota;
  // Rounded up, the latest report is no more than a second too late. An earlier one that says so was made by another clock.
  const isSameClock = anchorAt >= quota.resetAt - SECOND_MS;
  const resetAt = isSameClock ? Math.min(quota.resetAt, anchorAt) : quota.resetAt;
  const leftMs = Math.max(0, resetAt - last);
  const usable = Math.round(remaining - reserveOf(quota) - (othersPerWindow * leftMs) / windowMs);
  return usable > 0 ? Math.min(resetAt, last + (calls * leftMs) / (usable + 1)) : resetAt;
}

/**
 * The end of a wait that is long enough for the object to leave memory, which must therefore be stored and is shown to
 * the driver; null if the quota isn't used up.
 */
export function longQuotaWait(learned: LearnedQuota, used: Used, now: EpochMs): EpochMs | null {
  const allowedAt = quotaAllowsAt(learned, used);
  return allowedAt - now >= LONG_WAIT_MS ? allowedAt : null;
}
