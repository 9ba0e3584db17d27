import type { LearnedQuota, Quota } from "./quota.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";

/** Fraction of the platform's quota used by polls; the rest is left for what we can't see coming. */
const QUOTA_SHARE = 0.9;
/** An idle object leaves memory after ten seconds. */
export const LONG_WAIT_MS: DurationMs = 10_000;
/** Until a window has ended once, it is taken for the next longer of these. */
const LIKELY_WINDOWS_MS: readonly DurationMs[] = [MINUTE_MS, HOUR_MS, DAY_MS];
/** From this limit on a poll falls so soon after a window begins that the rest of the window is its length. */
export const MIN_EXACT_LIMIT = 20;
/** From this limit on one poll more than the steady ones doesn't exceed it. */
export const MIN_LOOSE_LIMIT = 10;
/**
 * From this limit on ten polls more than the steady ones don't exceed it, one for each time that an object is lost in a
 * window.
 */
export const MIN_SPARE_LIMIT = 100;
/** The lengths that windows usually have, in seconds. */
const USUAL_WINDOWS_S = [
  1, 2, 5, 10, 15, 20, 30, 60, 90, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14_400, 86_400,
];
/** `RateLimit-Reset` is in whole seconds, rounded up: the same instant is reported up to one second apart. */
export const SECOND_MS: DurationMs = 1_000;
/** Two resets that are so many times what was left of the window apart are not taken for those of one window. */
const MAX_UNSEEN = 3;
/** How much of a window must have passed before the use of others is extrapolated from it. */
export const EXTRAPOLATION_SHARE = 0.25;
/** Own polls remembered at most. A longer list would only pace more exactly. */
const MAX_POLLS = 4_000;

/** Length of the window, as far as known: too long rather than too short. */
export function windowMsOf(learned: LearnedQuota): DurationMs {
  const { quota, longestResetMs, isWindowKnown, rolls, shortestTurnMs } = learned;
  if (!isWindowKnown)
    return LIKELY_WINDOWS_MS.find((likelyMs) => longestResetMs <= likelyMs) ?? longestResetMs;
  const usualS = USUAL_WINDOWS_S.find((seconds) => longestResetMs <= seconds * 1000);
  const isExact = quota.limit >= MIN_EXACT_LIMIT || usualS === undefined;
  const likelyMs = isExact ? longestResetMs : usualS * 1000;
  const turnMs = rolls ? null : shortestTurnMs;
  if (turnMs !== null && isSeenLate(learned, { turnMs, likelyMs })) return turnMs;
  return Math.max(1000, longestResetMs, isExact ? 0 : Math.min(likelyMs, turnMs ?? Infinity));
}

/**
 * Whether the window began more than a steady gap before our first poll in it, as after a pause: then what was left of it
 * is not its length, and two resets tell more, unless they are too far apart to be those of one window.
 */
function isSeenLate(
  { quota, longestResetMs }: LearnedQuota,
  { turnMs, likelyMs }: { turnMs: DurationMs; likelyMs: DurationMs },
): boolean {
  const unseenMs = turnMs - longestResetMs;
  // With one call a window we never see a window begin, so two resets are as far apart as we make them.
  if (quota.limit <= 1) return false;
  return unseenMs > likelyMs / shareOf(quota) + SECOND_MS && turnMs < MAX_UNSEEN * longestResetMs;
}

/** The time between two polls that are spread evenly over the window. */
export function steadyGapMs(learned: LearnedQuota): DurationMs {
  return windowMsOf(learned) / shareOf(learned.quota);
}

/**
 * Whether each single poll must be remembered: because one too many could exceed the limit, the object leaves memory
 * between two, others use the quota too, so that what is used doesn't tell our own part, or those that still count were
 * sent while the length of the window wasn't known.
 */
export function isTight(learned: LearnedQuota, polls: readonly EpochMs[]): boolean {
  const gapMs = steadyGapMs(learned);
  if (!learned.isWindowKnown || learned.quota.limit < MIN_LOOSE_LIMIT || gapMs >= LONG_WAIT_MS) return true;
  const recent = recentPolls(learned, polls);
  // A call that got no answer looks like one of another's, so one alone is none.
  const others = learned.rolls ? usedOf(learned.quota) - recent.length : learned.othersPerWindow;
  if (others > 1) return true;
  const spanMs = (recent.at(-1) ?? 0) - (recent[0] ?? 0);
  return recent.length > spanMs / gapMs + 2;
}

/** Our own polls that the window may still count: all, while its length is not known. */
export function recentPolls(learned: LearnedQuota, polls: readonly EpochMs[]): readonly EpochMs[] {
  if (!learned.isWindowKnown) return polls;
  const since = (polls.at(-1) ?? 0) - windowMsOf(learned);
  return polls.filter((at) => at > since);
}

/** The part of the limit that our polls may use. */
export function shareOf({ limit }: Quota): number {
  return QUOTA_SHARE * Math.max(1, limit);
}

/** The part of the limit that is left to others. */
export function reserveOf({ limit }: Quota): number {
  return Math.floor((1 - QUOTA_SHARE) * limit + 1e-9);
}

/** The calls that count now, whoever made them. */
export function usedOf({ limit, remaining }: Quota): number {
  return Math.max(0, limit - remaining);
}

/** Our own polls with one more, without those that no window can count any more. */
export function addPoll(
  polls: readonly EpochMs[],
  at: EpochMs,
  learned: LearnedQuota | null,
): readonly EpochMs[] {
  // A window that is taken for a minute may turn out to be longer.
  const since = at - 2 * (learned?.isWindowKnown ? windowMsOf(learned) : HOUR_MS);
  // Seldom more than the first has to go, so the rest isn't checked.
  const first = polls.findIndex((earlier) => earlier > since);
  const kept = first < 0 ? [] : polls.slice(Math.max(first, polls.length + 1 - MAX_POLLS));
  kept.push(at);
  return kept;
}
