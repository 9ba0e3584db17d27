import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env.ts";
import { createRateLimiter, requireUnderLimit } from "./rate-limiter.ts";

/** Opening the dashboard takes about ten calls. */
const MAX_CALLS = 120;
const WINDOW_MS = 10_000;

const callLimiter = createRateLimiter({ most: MAX_CALLS, windowMs: WINDOW_MS });

/** Stops a driver's page, or whoever holds their token, from calling in a loop. Counted per isolate. */
export const limitCalls = createMiddleware<AppEnv>(async (c, next) => {
  const { caller, deps } = c.var;
  requireUnderLimit(callLimiter, caller.driverId, deps.now());
  await next();
});
