import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { METHOD_NAME_ALL } from "hono/router";
import type { DriverId } from "../../../db/shapes/units.ts";
import type { AppEnv } from "../app-env.ts";

/** Reads what a call begins with, for a driver whose token is genuine and whose session may have ended. */
export type ReadAhead = (c: Context<AppEnv>, driverId: DriverId, sessionId: string | null) => void;

const aheads = new WeakMap<object, ReadAhead>();

/**
 * A handler for routes or routers whose calls begin with a read: it is made beside the look at the caller's session, so that
 * a caller far from the database doesn't wait for both. It changes nothing of a driver's but how often
 * they called, and nobody sees it before the session is known.
 */
export function readsAhead(read: ReadAhead): MiddlewareHandler<AppEnv> {
  const mark: MiddlewareHandler<AppEnv> = (_c, next) => next();
  return alsoReadsAhead(mark, read);
}

/** The same for a handler that does something itself. */
export function alsoReadsAhead<Handler extends object>(handler: Handler, read: ReadAhead): Handler {
  aheads.set(handler, read);
  return handler;
}

/** A read that is made ahead, and the way to its result, which the handler is the first to hear a failure of. */
export function ahead<Result>(
  read: (c: Context<AppEnv>, driverId: DriverId, sessionId: string | null) => Promise<Result>,
) {
  const results = new WeakMap<Context<AppEnv>, Promise<Result>>();
  const start: ReadAhead = (c, driverId, sessionId) => {
    const result = read(c, driverId, sessionId);
    result.catch(() => {});
    results.set(c, result);
  };
  return {
    start,
    of: (c: Context<AppEnv>): Promise<Result> =>
      results.get(c) ?? read(c, c.var.caller.driverId, c.var.caller.sessionId),
  };
}

/** The first reads of a call, each once. A later route that also matches doesn't respond, so it reads nothing. */
export function readsAheadOf(c: Context<AppEnv>): ReadonlySet<ReadAhead> {
  const matched = matchedRoutes(c);
  const responding = matched.find(({ method }) => method !== METHOD_NAME_ALL)?.path;
  const ofCall = matched.filter(({ method, path }) => method === METHOD_NAME_ALL || path === responding);
  return new Set(ofCall.flatMap(({ handler }) => aheads.get(handler) ?? []));
}
