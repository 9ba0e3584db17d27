import { type DurationMs, type EpochMs, HOUR_MS } from "../../../db/shapes/units.ts";

/** The quota that `RateLimit-*` reports: `remaining` of `limit` calls until `resetAt`. */
export type Quota = { limit: number; remaining: number; resetAt: EpochMs };

/** The quota as last reported, and what its earlier reports have taught about it. */
export type LearnedQuota = {
  quota: Quota;
  /** The longest time until a reset that was reported lately: the window's length, once one has been seen from its start. */
  longestResetMs: DurationMs;
  /** Whether a reset has been reached, or a rolling window recognized. */
  isWindowKnown: boolean;
  /** The shortest time between the resets of two windows, which no window exceeds; null before there were two. */
  shortestTurnMs: DurationMs | null;
  /** The reset that later reports are compared with. */
  anchorAt: EpochMs;
  /** Our first poll of the present window. */
  windowFrom: EpochMs;
  /** Whether the window is always the last `windowMs`; else windows follow each other, and the reset is the end of one. */
  rolls: boolean;
  /** Calls of others, such as the driver's own app, in a window that doesn't roll. */
  othersPerWindow: number;
  /** Until when a quota that has shrunk may still be exceeded; 0 if it is not. */
  blockedUntil: EpochMs;
};

/** The part of a quota that outlives the object's memory. */
export type QuotaMemory = { learned: LearnedQuota; polls: readonly EpochMs[] };

/** The longest wait that is obeyed. After it, one call asks again. */
export const MAX_WAIT_MS: DurationMs = 4 * HOUR_MS;
