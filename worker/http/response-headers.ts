import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./app-env.ts";

/**
 * The headers of every response, refusals included: no cache keeps it unless its route says so, no browser guesses its
 * type, and the next call comes by https. Files that the Worker never sees have theirs from `web/public/_headers`, without
 * the last, since a browser follows the latest that it got.
 */
export const setResponseHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.webSocket) return;
  if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
  c.header("x-content-type-options", "nosniff");
  c.header("strict-transport-security", HSTS[c.get("deps")?.config.hsts ?? "host"]);
});

const YEAR_S = 31_536_000;
/** By the setting: hstspreload.org asks for a year, subdomains and the word. */
const HSTS = {
  host: `max-age=${YEAR_S}`,
  subdomains: `max-age=${YEAR_S}; includeSubDomains`,
  preload: `max-age=${YEAR_S}; includeSubDomains; preload`,
} as const;
