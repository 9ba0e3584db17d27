import { BOOKMARK_HEADER } from "../contract/headers.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import { contextStorage, tryGetContext } from "hono/context-storage";
import { createMiddleware } from "hono/factory";
import type { Afterwards } from "../../durable/runtime/afterwards.ts";
import { log, type Log } from "../../durable/runtime/log.ts";
import { openDb } from "../../db/client.ts";
import type { AppEnv } from "./app-env.ts";

/** Gives the log and the database, which all requests of an isolate share, access to the current request. */
export const openRequestScope = contextStorage();

const counters = new AsyncLocalStorage<{ statements: number }>();

/** Runs work outside of requests, whose D1 statements are counted into `usage`. */
export function countingStatements<Result>(usage: { statements: number }, work: () => Result): Result {
  return counters.run(usage, work);
}

/** Counts a D1 statement for the request, or the work outside of one, that runs it. */
export function countStatement(): void {
  const usage = tryGetContext<AppEnv>()?.get("usage") ?? counters.getStore();
  if (usage) usage.statements += 1;
}

/** The log, which adds the id of the current request. */
export const requestLog: Log = (level, event, facts) => {
  const requestId = tryGetContext<AppEnv>()?.get("requestId");
  log(level, event, requestId === undefined ? facts : { requestId, ...facts });
};

/** Lets the rest of a request wait for its response. */
export const announceResponse = createMiddleware<AppEnv>(async (c, next) => {
  let announce = () => {};
  c.set("responded", new Promise((resolve) => (announce = resolve)));
  try {
    await next();
  } finally {
    announce();
  }
});

/** Does what the caller of a request needn't wait for after the response. */
export const afterResponse: Afterwards = async (work) => {
  const c = tryGetContext<AppEnv>();
  const responded = c?.get("responded");
  if (!c || !responded) return work();
  c.executionCtx.waitUntil(responded.then(work));
};

/** Lets work of a request come to its end even if the caller hangs up; one who waits hears of its failure. */
export function outliveCaller<Result>(work: Promise<Result>): Promise<Result> {
  tryGetContext<AppEnv>()?.executionCtx.waitUntil(work.catch(() => {}));
  return work;
}

/**
 * Opens a D1 session with the caller's bookmark, so that drivers read from the nearest replica and still see their own writes.
 * A caller who has written nothing yet is content with any replica, unless the call writes.
 */
export const openDbSession = createMiddleware<AppEnv>(async (c, next) => {
  const isRead = c.req.method === "GET";
  const start = c.req.header(BOOKMARK_HEADER) ?? (isRead ? "first-unconstrained" : "first-primary");
  const session = c.env.DB.withSession(start);
  c.set("db", openDb(session, countStatement));
  await next();
  const bookmark = session.getBookmark();
  if (bookmark && c.res.status !== 101) c.header(BOOKMARK_HEADER, bookmark);
});

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
