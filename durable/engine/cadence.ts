import type { Mode } from "../../db/shapes/filters.ts";
import type { Backoff, Quota, Throttle } from "./types.ts";
import { HOUR_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";

/** How often each mode looks, before jitter (DESIGN 5). */
export const MODE_INTERVAL_MS: Record<Mode, DurationMs> = { lucrative: 3000, secure: 8000, masacre: 1000 };

/** Of an interval, to either side. */
const JITTER = 0.15;
/** Of the platform's quota; the rest is left to accepts and to the driver's own app. */
const QUOTA_SHARE = 0.9;

const FIRST_THROTTLE_MS = 30_000;
const MAX_THROTTLE_MS = 4 * HOUR_MS;
/** The first step that waits the full four hours: 30 s · 2^9 is more. */
const MAX_THROTTLE_STEP = 10;

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

export const CLEAN_THROTTLE: Throttle = { step: 0, until: null, since: null };
export const NO_BACKOFF: Backoff = { failures: 0, retryAt: null };

/** What decides when the next poll is due; times as epoch ms, `roll` in [0, 1). */
export type PollPacing = {
  mode: Mode;
  lastPollAt: EpochMs | null;
  quota: Quota | null;
  /** The length of the quota's window, as far as it was seen. */
  quotaWindowMs: DurationMs | null;
  pollFloorMs: DurationMs;
};

/**
 * When the next poll is due, from start to start: the mode's interval ±15 %, never sooner than the
 * floor, and never faster than 90 % of the quota allows. With `roll` 0 it is the earliest instant
 * at which a poll may go out. May lie in the past.
 */
export function nextPollAt(pacing: PollPacing, roll: number): EpochMs {
  if (pacing.lastPollAt === null) return 0;
  const jittered = intervalOf(pacing) * (1 - JITTER + 2 * JITTER * roll);
  const interval = Math.max(pacing.pollFloorMs, Math.round(jittered));
  return Math.max(pacing.lastPollAt + interval, quotaAllowsAt(pacing, pacing.lastPollAt));
}

/** Turbo is as quick as the operator's floor lets it be. */
function intervalOf({ mode, pollFloorMs }: PollPacing): DurationMs {
  const interval = MODE_INTERVAL_MS[mode];
  return mode === "masacre" ? Math.min(interval, pollFloorMs) : interval;
}

/**
 * Spreads what is left of nine tenths over the time until the reset; where nothing is, the reset.
 * One call is set aside, so that a window that begins between two polls holds no more than its share.
 */
function quotaAllowsAt({ quota, quotaWindowMs }: PollPacing, lastPollAt: EpochMs): EpochMs {
  if (!quota) return lastPollAt;
  const share = Math.floor(quota.limit * QUOTA_SHARE);
  const usableCalls = quota.remaining - (quota.limit - share);
  const evenSpacingMs = quotaWindowMs === null ? 0 : Math.ceil(quotaWindowMs / Math.max(1, share - 1));
  if (usableCalls <= 0) return Math.max(quota.resetAt, lastPollAt + evenSpacingMs);
  return lastPollAt + Math.max(evenSpacingMs, Math.ceil((quota.resetAt - lastPollAt) / usableCalls));
}

/** The length of the quota's window: what is left of a new one when it is first seen. */
export function quotaWindowLength(
  known: { quota: Quota | null; quotaWindowMs: DurationMs | null },
  { quota, now }: { quota: Quota; now: EpochMs },
): DurationMs {
  const left = Math.max(0, quota.resetAt - now);
  const isNew = !known.quota || known.quota.limit !== quota.limit || known.quota.resetAt <= now;
  return isNew ? left : Math.max(left, known.quotaWindowMs ?? 0);
}

/** How long a step of the ladder waits: 30 s · 2^(n−1), at most 4 h, for good. */
export function throttleWaitMs(step: number): DurationMs {
  return step <= 0 ? 0 : Math.min(MAX_THROTTLE_MS, FIRST_THROTTLE_MS * 2 ** (step - 1));
}

/**
 * A refusal by rate. The first waits as long as the platform says, or the first step where it
 * says nothing; each further one climbs a step and waits for the longer of both. Refusals that
 * arrive while already waiting belong to the same burst and climb nothing.
 */
export function escalateThrottle(
  throttle: Throttle,
  { now, retryAt }: { now: EpochMs; retryAt: EpochMs | null },
): Throttle {
  const { step, until, since } = relaxThrottle(throttle, now);
  if (until !== null && until > now) {
    return retryAt !== null && retryAt > until ? { step, until: retryAt, since } : throttle;
  }
  const next = Math.min(step + 1, MAX_THROTTLE_STEP);
  const throttledUntil = now + throttleWaitMs(next);
  const isFirst = step === 0 && retryAt !== null;
  return {
    step: next,
    until: isFirst ? Math.max(now, retryAt) : Math.max(throttledUntil, retryAt ?? 0),
    since: now,
  };
}

/** One step down for each hour without a refusal, counted from the end of the wait. */
export function relaxThrottle(throttle: Throttle, now: EpochMs): Throttle {
  const { step, until, since } = throttle;
  const cleanSince = Math.max(since ?? 0, until ?? 0);
  const hours = Math.floor((now - cleanSince) / HOUR_MS);
  if (step === 0 || hours < 1) return throttle;
  if (hours >= step) return CLEAN_THROTTLE;
  return { step: step - hours, until, since: cleanSince + hours * HOUR_MS };
}

/** How long to wait after so many failures in a row: 1 s doubling to 60 s. */
export function retryWaitMs(failures: number): DurationMs {
  return failures <= 0 ? 0 : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
}

/** One more failure to reach or to read. Calls that fail together count once. */
export function increaseBackoff(backoff: Backoff, now: EpochMs): Backoff {
  if (backoff.retryAt !== null && backoff.retryAt > now) return backoff;
  const failures = backoff.failures + 1;
  return { failures, retryAt: now + retryWaitMs(failures) };
}
