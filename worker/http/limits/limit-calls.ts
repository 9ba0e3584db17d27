import type { DriverId, EpochMs } from "../../../db/shapes/units.ts";
import { createRateLimiter, requireUnderLimit } from "./rate-limiter.ts";

/** Opening the dashboard takes about ten calls. */
const MAX_CALLS = 120;
const WINDOW_MS = 10_000;

const callLimiter = createRateLimiter({ most: MAX_CALLS, windowMs: WINDOW_MS });

/**
 * Stops a driver's page, or whoever holds their token, from calling in a loop. Counted per isolate.
 * @throws {ApiError} `rate_limited`
 */
export function limitCalls(driverId: DriverId, now: EpochMs): void {
  requireUnderLimit(callLimiter, driverId, now);
}
