import type { Mode } from "../../../db/shapes/work/filters.ts";
import { MODE_RULES } from "../selection/modes.ts";
import { MAX_WAIT_MS, type LearnedQuota } from "../quota/quota.ts";
import { quotaAllowsAt } from "../quota/pace.ts";
import type { Backoff, Throttle } from "./types.ts";
import { HOUR_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";

/** Fraction of the interval, in both directions. */
const JITTER = 0.15;

const FIRST_THROTTLE_MS = 30_000;
/** The first step that waits the full four hours: 30 s · 2^9 exceeds them. */
const MAX_THROTTLE_STEP = 10;

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

export const CLEAN_THROTTLE: Throttle = { step: 0, until: null, since: null, isNotified: false };
export const NO_BACKOFF: Backoff = { failures: 0, retryAt: null };

/** The facts behind the time of the next poll. */
export type PollPacing = {
  mode: Mode;
  lastPollAt: EpochMs | null;
  /** The start of the interval: when the last poll was due, or when it was sent if it was much too late. */
  pacedFrom: EpochMs | null;
  /** Our own polls that the quota may count, oldest first. */
  polls: readonly EpochMs[];
  /** How many of them the latest poll took. */
  pollCalls?: number;
  quota: LearnedQuota | null;
  /** The operator's floor of the mean interval. */
  pollFloorMs: DurationMs;
};

/** The mean time between two polls, where the quota allows it. */
export function pollIntervalMs(mode: Mode, { pollFloorMs }: { pollFloorMs: DurationMs }): DurationMs {
  return Math.max(pollFloorMs, MODE_RULES[mode].intervalMs);
}

/**
 * When the next poll is due, measured from start to start: the mode's interval, but at least `pollFloorMs`, ±15 %, and never
 * sooner than the quota allows. The jitter lies evenly around the interval, so the mean of the gaps is the interval itself:
 * single gaps go down to 85 % of the operator's floor, but none below what the platform's own limit allows. A timer that fires
 * some milliseconds late doesn't change the mean. If the platform's limit is slower, polls are sent steadily at its pace.
 * `roll` in [0, 1) is the jitter. May be in the past.
 */
export function nextPollAt(
  { mode, lastPollAt: last, pacedFrom, polls, pollCalls, quota, pollFloorMs }: PollPacing,
  roll: number,
): EpochMs {
  if (last === null) return 0;
  const intervalMs = pollIntervalMs(mode, { pollFloorMs });
  const allowedAt = quota ? quotaAllowsAt(quota, { polls, calls: pollCalls }) : 0;
  const isPaced = allowedAt > last + intervalMs * (1 - JITTER);
  const jitter = isPaced ? 1 : 1 - JITTER + 2 * JITTER * roll;
  const soonestAt = last + Math.round(intervalMs * (1 - JITTER));
  return Math.max((pacedFrom ?? last) + Math.round(intervalMs * jitter), soonestAt, allowedAt);
}

/** The start of the next interval, for a poll that was due at `dueAt` and is sent now. */
export function paceFrom({
  dueAt,
  now,
  pollFloorMs,
}: {
  dueAt: EpochMs;
  now: EpochMs;
  pollFloorMs: DurationMs;
}): EpochMs {
  const lateMs = now - dueAt;
  return lateMs >= 0 && lateMs <= JITTER * pollFloorMs ? dueAt : now;
}

/** How long step n of the throttle waits: 30 s · 2^(n−1), capped at 4 h. */
export function throttleWaitMs(step: number): DurationMs {
  return step <= 0 ? 0 : Math.min(MAX_WAIT_MS, FIRST_THROTTLE_MS * 2 ** (step - 1));
}

/**
 * The throttle after a rate-limit refusal. It obeys a wait that the platform states, up to four hours. If the platform states
 * none, or if the last wait didn't help because no poll was answered since, the throttle climbs a step and waits for the longer
 * of the two. Refusals that arrive during a wait belong to the same burst and don't climb.
 */
export function escalateThrottle(
  throttle: Throttle,
  { now, retryAt }: { now: EpochMs; retryAt: EpochMs | null },
): Throttle {
  const { step, until, isNotified } = relaxThrottle(throttle, now);
  const isWaiting = until !== null && until > now;
  if (isWaiting && retryAt === null) return throttle;
  if (retryAt !== null && (isWaiting || until === null)) return stateWait(throttle, { now, until: retryAt });
  const next = Math.min(step + 1, MAX_THROTTLE_STEP);
  const statedMs = retryAt === null ? 0 : Math.min(retryAt - now, MAX_WAIT_MS);
  return { step: next, until: now + Math.max(throttleWaitMs(next), statedMs), since: now, isNotified };
}

/** The throttle after the platform stated a wait: up to four hours, and never shorter than the wait under way. */
export function stateWait(
  throttle: Throttle,
  { now, until: stated }: { now: EpochMs; until: EpochMs },
): Throttle {
  const { step, until, isNotified } = relaxThrottle(throttle, now);
  const statedUntil = Math.min(Math.max(now, stated), now + MAX_WAIT_MS);
  if ((until ?? 0) >= statedUntil) return throttle;
  return { step, until: statedUntil, since: now, isNotified };
}

/** The throttle after a poll was answered: a wait that has ended helped. */
export function settleThrottle(throttle: Throttle, now: EpochMs): Throttle {
  const relaxed = relaxThrottle(throttle, now);
  const { step, until } = relaxed;
  if (until === null || until > now) return relaxed;
  return step === 0 ? CLEAN_THROTTLE : { step, until: null, since: until, isNotified: false };
}

/** Descends one step for each hour without a refusal, counted from the end of the wait. */
export function relaxThrottle(throttle: Throttle, now: EpochMs): Throttle {
  const { step, until, since } = throttle;
  if (step === 0 && until === null) return throttle;
  const cleanSince = Math.max(since ?? 0, until ?? 0);
  const hours = Math.floor((now - cleanSince) / HOUR_MS);
  if (hours < 1) return throttle;
  if (hours >= step) return CLEAN_THROTTLE;
  return { step: step - hours, until: null, since: cleanSince + hours * HOUR_MS, isNotified: false };
}

/**
 * Shortens a stored wait to the longest that is obeyed: earlier releases had no limit, and the clock that it was
 * stored by may have been wrong.
 */
export function capStoredWait(throttle: Throttle, now: EpochMs): Throttle {
  const { until, since } = throttle;
  if (until === null || until <= now) return throttle;
  const latest = Math.min(since ?? now, now) + MAX_WAIT_MS;
  return until > latest ? { ...throttle, until: latest, since: Math.min(since ?? now, now) } : throttle;
}

/** While less than `beforeMs` have passed since the platform requested the verification, we ask about it every `everyMs`. */
const VERIFICATION_CHECKS: readonly { beforeMs: DurationMs; everyMs: DurationMs }[] = [
  { beforeMs: 2 * MINUTE_MS, everyMs: 5_000 },
  { beforeMs: 10 * MINUTE_MS, everyMs: 15_000 },
];
const LATE_VERIFICATION_CHECK_MS = MINUTE_MS;

/** How often we ask whether the driver must still verify themselves: more often in the first minutes. */
export function verificationIntervalMs(passedMs: DurationMs): DurationMs {
  const found = VERIFICATION_CHECKS.find(({ beforeMs }) => passedMs < beforeMs);
  return found?.everyMs ?? LATE_VERIFICATION_CHECK_MS;
}

/** Wait after `failures` consecutive failures: 1 s, doubling up to 60 s. */
export function retryWaitMs(failures: number): DurationMs {
  return failures <= 0 ? 0 : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
}

/** The backoff after one more failure. Calls that fail during a wait count once. */
export function increaseBackoff(backoff: Backoff, now: EpochMs): Backoff {
  if (backoff.retryAt !== null && backoff.retryAt > now) return backoff;
  const failures = backoff.failures + 1;
  return { failures, retryAt: now + retryWaitMs(failures) };
}
