import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./app-env.ts";

/**
 * The headers of every response, refusals included: no cache keeps it unless its route says so, no browser guesses its
 * type, and the next call comes by https. Files that the Worker never sees have theirs from `web/public/_headers`.
 */
export const setResponseHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.webSocket) return;
  if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
  c.header("x-content-type-options", "nosniff");
  c.header("strict-transport-security", "max-age=31536000");
});
