import type { LearnedQuota, Quota } from "./types.ts";
import { MAX_WAIT_MS } from "./max-wait.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";

/** Fraction of the platform's quota used by polls; the rest is left for what we can't see coming. */
const QUOTA_SHARE = 0.9;
/** An idle object leaves memory after ten seconds. */
const LONG_WAIT_MS: DurationMs = 10_000;
/** Until a window has ended once, it is taken for the next longer of these. */
const LIKELY_WINDOWS_MS: readonly DurationMs[] = [MINUTE_MS, HOUR_MS, DAY_MS];
/** From this limit on a poll falls so soon after a window begins that the rest of the window is its length. */
const MIN_EXACT_LIMIT = 20;
/** From this limit on one poll more than the steady ones doesn't exceed it. */
const MIN_LOOSE_LIMIT = 10;
/** How soon the second poll shows whether a window longer than a minute rolls. */
const PROBE_MS: DurationMs = 4_000;
/** The lengths that windows usually have, in seconds. */
const USUAL_WINDOWS_S = [
  1, 2, 5, 10, 15, 20, 30, 60, 90, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14_400, 86_400,
];
/** `RateLimit-Reset` is in whole seconds, rounded up: the same instant is reported up to one second apart. */
const SECOND_MS: DurationMs = 1_000;
/** A reset that is reported so much later than before has moved, whatever the rounding and the way took. */
const RESET_ROUNDING_MS: DurationMs = 2_000;
/** How much longer a call may take to arrive than a later one: a second, in a short window less. */
const MAX_ARRIVAL_MS: DurationMs = 1_000;
const ARRIVAL_SHARE = 0.05;
/** The longest reset fades, so that a window that became shorter is learned over some windows. */
const RESET_DECAY = 0.9;
/** Two resets that are so many times what was left of the window apart are not taken for those of one window. */
const MAX_UNSEEN = 3;
/** How much of a window must have passed before the use of others is extrapolated from it. */
const EXTRAPOLATION_SHARE = 0.25;
/** Own polls remembered at most. A longer list would only pace more exactly. */
const MAX_POLLS = 4_000;

/** What an answer said about the quota, and our own polls up to the one that it answers, oldest first. */
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
  // Of one call a window we see the first moments of none, so that two resets are as far apart as we make them.
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

function shareOf({ limit }: Quota): number {
  return QUOTA_SHARE * Math.max(1, limit);
}

/** How many calls one poll may take now, should the list be too long for one: what is left of our share. */
export function callsLeft(learned: LearnedQuota, polls: readonly EpochMs[], now: EpochMs): number {
  const { quota, anchorAt, rolls } = learned;
  const since = now - windowMsOf(learned);
  const ownLeft = Math.floor(shareOf(quota)) - polls.filter((at) => at > since).length;
  const isOver = !rolls && now >= anchorAt;
  return Math.max(1, isOver ? ownLeft : Math.min(ownLeft, quota.remaining));
}

/** The calls that count now, whoever made them. */
export function usedOf({ limit, remaining }: Quota): number {
  return Math.max(0, limit - remaining);
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
  const { quota, now, tookMs } = answer;
  const movedMs = quota.resetAt - known.anchorAt;
  if (!isReached(known, answer)) return known.rolls || movedMs > RESET_ROUNDING_MS + tookMs;
  const [usedBefore, used] = [usedOf(known.quota), usedOf(quota)];
  if (usedBefore <= 1 || quota.limit !== known.quota.limit) return known.rolls;
  if (2 * used <= usedBefore && 2 * movedMs >= quota.resetAt - now) return false;
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

/**
 * When the quota allows the next poll: evenly spaced over the window, so that no stretch of its length has more than
 * our share, wherever the platform's own window begins; later, if others use the quota too; and not before some of it
 * is free again, if it is used up. After four hours one poll asks, whatever was stated.
 */
export function quotaAllowsAt(learned: LearnedQuota, { polls, calls = 1 }: Used): EpochMs {
  const { quota, longestResetMs, isWindowKnown, rolls, windowFrom } = learned;
  const last = polls.at(-1);
  if (last === undefined) return 0;
  const windowMs = windowMsOf(learned);
  const share = shareOf(quota);
  const isExhausting = Math.ceil(share) >= quota.limit;
  const leavesAt =
    (polls.at(-Math.ceil(share)) ?? -Infinity) + (isExhausting ? leftAfterMs(windowMs) : windowMs);
  const evenAt = Math.max(learned.blockedUntil, leavesAt, last + (calls * windowMs) / share);
  const sharedAt = rolls
    ? rollingAllowsAt(learned, { last, share, windowMs, polls, calls })
    : successiveAllowsAt(learned, { last, share, windowMs, calls });
  const allowedAt = Math.max(evenAt, sharedAt, unknownAllowsAt(learned, { polls, share }));
  // A window that is taken for an hour or a day may be much shorter: once it has ended, the next answer tells. Whether
  // it rolls, the second tells, which comes soon where the limit has room for it.
  const isGuess = !isWindowKnown && windowMs > MINUTE_MS;
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

/** Our own calls, oldest first, and how many of them the latest poll took. */
type Used = { polls: readonly EpochMs[]; calls?: number | undefined };

type Pace = { last: EpochMs; share: number; windowMs: DurationMs; calls: number };

function reserveOf({ limit }: Quota): number {
  return Math.floor((1 - QUOTA_SHARE) * limit + 1e-9);
}

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
  // Earlier than the latest report by more than a second it can't be: then our clock was set ahead since.
  const resetAt = Math.max(quota.resetAt - SECOND_MS, Math.min(quota.resetAt, anchorAt));
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

/** Our own polls with one more, without those that no window can count any more. */
export function addPoll(
  polls: readonly EpochMs[],
  at: EpochMs,
  learned: LearnedQuota | null,
): readonly EpochMs[] {
  // A window that is taken for a minute may turn out to be longer.
  const since = at - 2 * (learned?.isWindowKnown ? windowMsOf(learned) : HOUR_MS);
  // Seldom more than the first has to go, so the rest is not looked at.
  const first = polls.findIndex((earlier) => earlier > since);
  const kept = first < 0 ? [] : polls.slice(Math.max(first, polls.length + 1 - MAX_POLLS));
  kept.push(at);
  return kept;
}
