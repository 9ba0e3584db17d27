import { createMiddleware } from "hono/factory";
import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import { ApiError } from "./errors/api-error.ts";
import type { AppEnv } from "./app-env.ts";

const MAX_KEYS = 10_000;

/** Limits the rate of calls. */
export type RateLimiter = {
  /** Counts a call under a name. @returns null if it is allowed, else when the next one is */
  count(name: string, now: EpochMs): EpochMs | null;
};

/**
 * Allows a number of calls per name and window, counted in memory per isolate: a cheap protection against loops,
 * not an exact limit.
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

/**
 * Counts a call under a name.
 * @throws {ApiError} `rate_limited`
 */
export function requireUnderLimit(limiter: RateLimiter, name: string, now: EpochMs): void {
  const nextAt = limiter.count(name, now);
  if (nextAt !== null) throw new ApiError("rate_limited", { retryAfter: Math.ceil((nextAt - now) / 1000) });
}

/** How long an address that is over its limit waits: the window of the runtime's counter. */
const WINDOW_SECONDS = 60;

/** Per address, by the runtime's own counters; a call without an address comes from inside. */
export const limitAddress = createMiddleware<AppEnv>(async (c, next) => {
  const address = c.req.header("cf-connecting-ip");
  const limit = c.env.PAYMENT_LIMIT;
  if (address && limit && !(await limit.limit({ key: address })).success) {
    throw new ApiError("rate_limited", { retryAfter: WINDOW_SECONDS });
  }
  await next();
});
