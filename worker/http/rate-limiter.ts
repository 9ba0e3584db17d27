import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";

const MAX_KEYS = 10_000;

/** Says of each call whether it is one too many. */
export type RateLimiter = {
  /** Counts a call of a name. @returns when the next one is allowed, or null where this one is */
  count(name: string, now: EpochMs): EpochMs | null;
};

/**
 * So many calls of a name in a window, counted in memory for as long as the isolate lives: a shield
 * against loops that costs nothing, not an account. Another isolate counts for itself.
 */
export function createRateLimiter({
  most: maxCalls,
  windowMs,
}: {
  most: number;
  windowMs: DurationMs;
}): RateLimiter {
  const windows = new Map<string, { endsAt: EpochMs; calls: number }>();
  return {
    count(name, now) {
      const known = windows.get(name);
      if (known && known.endsAt > now) {
        known.calls += 1;
        return known.calls > maxCalls ? known.endsAt : null;
      }
      if (windows.size >= MAX_KEYS) windows.clear();
      windows.set(name, { endsAt: now + windowMs, calls: 1 });
      return null;
    },
  };
}
