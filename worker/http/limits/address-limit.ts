import { createMiddleware } from "hono/factory";
import { ApiError } from "../errors/api-error.ts";
import type { AppEnv } from "../app-env.ts";

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
