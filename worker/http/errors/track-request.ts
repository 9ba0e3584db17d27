import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes, routePath } from "hono/route";
import { METHOD_NAME_ALL } from "hono/router";
import { REQUEST_ID_HEADER } from "../../contract/headers.ts";
import type { AppEnv } from "../app-env.ts";
import { requestLog } from "../request-scope.ts";

const PAGE_ROUTE = "/*";
/** Requests that are too frequent or too uninteresting for a log line each. */
const UNLOGGED_ROUTES: ReadonlySet<string> = new Set([
  PAGE_ROUTE,
  "/manifest.webmanifest",
  "/status/health",
  "/sandbox",
  "/sandbox/*",
  "/selfie",
]);
const RAY = /^[0-9a-f]{16}(?:-[A-Z]{3})?$/;

/** Gives the request its id, and logs one line about it. */
export const trackRequest = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now();
  const requestId = createRequestId();
  c.set("requestId", requestId);
  c.set("usage", { statements: 0 });
  await next();
  c.header(REQUEST_ID_HEADER, requestId);
  if (UNLOGGED_ROUTES.has(routePattern(c))) return;
  const code = c.get("errorCode");
  requestLog("info", "request.handled", {
    ...requestFacts(c),
    status: c.res.status,
    ...(code === undefined ? {} : { code }),
    ms: Date.now() - startedAt,
    statements: c.get("usage").statements,
  });
});

/** The fields of every log line about a request, beside its id. No path: it may contain a phone number. */
export function requestFacts(c: Context<AppEnv>) {
  const ray = c.req.header("cf-ray");
  const operator = c.get("operatorMark");
  return {
    method: c.req.method,
    route: routePattern(c),
    driverId: c.get("caller")?.driverId ?? null,
    ...(operator !== undefined && { operator }),
    ...(ray !== undefined && RAY.test(ray) ? { ray } : {}),
  };
}

/** The pattern of the route that responded, or, for a call that was rejected earlier, of the route that it was for. */
function routePattern(c: Context<AppEnv>): string {
  const ahead = matchedRoutes(c).slice(c.req.routeIndex);
  const declared = ahead.find(({ method, path }) => method !== METHOD_NAME_ALL && path !== PAGE_ROUTE);
  // Without the regular expressions of parameters.
  return (declared?.path ?? routePath(c)).replaceAll(/\{[^/]*\}/g, "");
}

/** Crockford's Base32, whose characters aren't confused when read out on the phone. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 10;

/**
 * A request's id in its response, on the page and in the log. Short enough to be read out, and one word, so that a tap
 * selects all of it; 50 random bits, so that no two requests of a week share one.
 */
export function createRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => ALPHABET[byte % 32]).join("");
}
