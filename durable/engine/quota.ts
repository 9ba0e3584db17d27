import type { LearnedQuota, Quota } from "./types.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";

/** Fraction of the platform's quota used by polls; the rest is left for what we can't see coming. */
const QUOTA_SHARE = 0.9;
/** Windows that platforms count in. An unknown one is taken for the next longer of these until it has ended once. */
const USUAL_WINDOWS_MS: readonly DurationMs[] = [MINUTE_MS, HOUR_MS, DAY_MS];
/** `RateLimit-Reset` is in whole seconds, so the same instant is reported up to one second apart. */
const RESET_ROUNDING_MS: DurationMs = 2_000;
/** How much of a window must have passed before the use of others is extrapolated from it. */
const EXTRAPOLATION_SHARE = 0.25;
/** Own polls remembered at most. A longer list would only pace more exactly. */
const MAX_POLLS = 4_000;

/** What an answer said about the quota, and our own polls up to the one that it answers, oldest first. */
export type QuotaAnswer = { quota: Quota; now: EpochMs; tookMs: DurationMs; polls: readonly EpochMs[] };

/**
 * Learns from an answer how long the platform's window is, whether it rolls, and how much others (the driver's own
 * app) use of it. Platforms count calls in windows that follow each other, or in the last so many seconds, and say by
 * `RateLimit-Reset` when the window ends, when the oldest call leaves it, or when all have. Nothing says which; it
 * shows in how the reset moves from answer to answer.
 */
export function learnQuota(known: LearnedQuota | null, answer: QuotaAnswer): LearnedQuota {
  const { quota, now } = answer;
  const leftMs = Math.max(0, quota.resetAt - now);
  if (!known) {
    return {
      quota,
      windowMs: usualWindowMs(leftMs),
      anchorAt: quota.resetAt,
      rolls: false,
      othersPerWindow: 0,
      blockedUntil: 0,
    };
  }
  const hasPassed = now >= known.anchorAt;
  const rolls = learnRolling(known, answer);
  const windowMs = learnWindow(known, { ...answer, rolls });
  return {
    quota,
    rolls,
    windowMs,
    anchorAt: hasPassed || rolls ? quota.resetAt : known.anchorAt,
    othersPerWindow: learnOthers({ ...known, windowMs, rolls }, answer),
    blockedUntil: Math.max(known.blockedUntil, blockedUntil(known, { ...answer, rolls })),
  };
}

/** The calls that count now, whoever made them. */
function usedOf({ limit, remaining }: Quota): number {
  return Math.max(0, limit - remaining);
}

/** A reset that moves on before it was reached, or by less than a window when it was, belongs to a window that rolls. */
function learnRolling(known: LearnedQuota, { quota, now, tookMs }: QuotaAnswer): boolean {
  const movedMs = quota.resetAt - known.anchorAt;
  if (now < known.anchorAt) return known.rolls || movedMs > RESET_ROUNDING_MS + tookMs;
  const [usedBefore, used] = [usedOf(known.quota), usedOf(quota)];
  if (usedBefore <= 1) return known.rolls;
  if (2 * used <= usedBefore && 2 * movedMs >= quota.resetAt - now) return false;
  return known.rolls || 2 * movedMs < known.windowMs;
}

function learnWindow(known: LearnedQuota, answer: QuotaAnswer & { rolls: boolean }): DurationMs {
  const { quota, now, polls, rolls } = answer;
  const leftMs = Math.max(0, quota.resetAt - now);
  if (rolls) {
    // Of our own polls as many count as are used; the one before those has left, so the window is not longer.
    const left = polls.at(-1 - usedOf(quota));
    const atMostMs = left === undefined ? Infinity : now - left;
    return Math.max(leftMs, Math.min(Math.max(known.windowMs, leftMs), atMostMs));
  }
  // A new window begins with its whole length.
  const hasBegun = now >= known.anchorAt && 2 * usedOf(quota) <= usedOf(known.quota);
  return hasBegun && usedOf(quota) <= 2 ? Math.max(1000, leftMs) : Math.max(known.windowMs, leftMs);
}

/** Calls of others in a window: those of the last one, or of this one if they are more already. */
function learnOthers(known: LearnedQuota, { quota, now, polls }: QuotaAnswer): number {
  const { windowMs, rolls } = known;
  const others = (current: Quota) =>
    Math.max(
      0,
      usedOf(current) - polls.filter((at) => at > current.resetAt - windowMs && at < current.resetAt).length - 1,
    );
  if (rolls) return 0;
  if (now >= known.anchorAt) return others(known.quota);
  const passedMs = windowMs - (quota.resetAt - now);
  const soFar = passedMs >= EXTRAPOLATION_SHARE * windowMs ? (others(quota) * windowMs) / passedMs : 0;
  return Math.max(known.othersPerWindow, soFar);
}

/** After a shrink of a rolling window it isn't known when the calls of others leave it: all have after one window. */
function blockedUntil(
  { quota: before, windowMs }: LearnedQuota,
  { quota, now, polls, rolls }: QuotaAnswer & { rolls: boolean },
): EpochMs {
  const hasShrunk = quota.limit < before.limit && quota.remaining <= 0;
  const others = usedOf(before) - polls.filter((at) => at > now - windowMs).length;
  return rolls && hasShrunk && others > 0 ? now + windowMs : 0;
}

/**
 * When the quota allows the next poll: evenly spaced over the window, so that no stretch of its length has more than
 * our share, wherever the platform's own window begins; later, if others use the quota too; and not before some of it
 * is free again, if it is used up.
 */
export function quotaAllowsAt(learned: LearnedQuota, polls: readonly EpochMs[]): EpochMs {
  const { quota, windowMs, rolls, othersPerWindow, blockedUntil } = learned;
  const { limit, remaining, resetAt } = quota;
  const last = polls.at(-1);
  if (last === undefined) return 0;
  const share = Math.max(QUOTA_SHARE, QUOTA_SHARE * limit);
  const leavesAt = (polls.at(-Math.ceil(share)) ?? -Infinity) + windowMs;
  const evenAt = Math.ceil(Math.max(blockedUntil, leavesAt, last + windowMs / share));
  if (rolls) {
    const own = polls.filter((at) => at > last - windowMs);
    const others = Math.max(0, usedOf(quota) - own.length);
    const sharedAt = Math.ceil(last + windowMs / Math.max(1, share - others));
    // Some places of our own, since the driver's app may take the first that is free.
    const freed = own[Math.ceil((1 - QUOTA_SHARE) * limit) - 1];
    const freeAt = remaining > 0 ? 0 : Math.min(resetAt, freed === undefined ? Infinity : freed + windowMs);
    return Math.max(evenAt, sharedAt, freeAt);
  }
  const leftMs = Math.max(0, resetAt - last);
  const usable = remaining - (limit - share) - (othersPerWindow * leftMs) / windowMs;
  const spreadAt = usable > 0 ? Math.min(resetAt, Math.ceil(last + leftMs / usable)) : resetAt;
  return Math.max(evenAt, spreadAt);
}

/** Our own polls with one more, without those that no window can count any more. */
export function addPoll(
  polls: readonly EpochMs[],
  at: EpochMs,
  windowMs: DurationMs | null,
): readonly EpochMs[] {
  const since = at - 2 * (windowMs ?? HOUR_MS);
  return [...polls.filter((earlier) => earlier > since), at].slice(-MAX_POLLS);
}

function usualWindowMs(leftMs: DurationMs): DurationMs {
  return USUAL_WINDOWS_MS.find((windowMs) => leftMs <= windowMs) ?? leftMs;
}
