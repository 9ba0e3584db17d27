import { Hono, type Context, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { matchedRoutes } from "hono/route";
import { METHOD_NAME_ALL } from "hono/router";
import type { DriverId } from "../../../db/shapes/units.ts";
import type { AppEnv, Caller } from "../app-env.ts";
import { ApiError } from "../errors/api-error.ts";
import { readsAheadOf } from "./read-ahead.ts";
import { openDbSession } from "../db-session.ts";
import { callerByIdToken } from "../tokens/id-token.ts";
import { limitCalls } from "../limits/limit-calls.ts";

const MAX_BODY_BYTES = 256 * 1024;

/**
 * Authenticates a call by something other than an id token; null if the call has no such credential, so that its id
 * token decides.
 * @throws {ApiError} if the credential is invalid, or if it is missing and an id token would not do
 */
export type Opening = (c: Context<AppEnv>) => Promise<Caller | null>;

const openings = new WeakMap<object, Opening>();

/** The first handler of a route that also accepts another credential than an id token. */
export function opens(opening: Opening): MiddlewareHandler<AppEnv> {
  const mark: MiddlewareHandler<AppEnv> = (_c, next) => next();
  openings.set(mark, opening);
  return mark;
}

/** Rejects unauthenticated calls. The first reads of a call are made beside that, so its body is limited first. */
export const gate: MiddlewareHandler<AppEnv> = (c, next) =>
  limitBody(c, async () => {
    await openDbSession(c, async () => {
      await admit(c, next);
    });
  });

const admit: MiddlewareHandler<AppEnv> = async (c, next) => {
  const opening = openingOf(c);
  const reads = readsAheadOf(c);
  const now = c.var.deps.now();
  const readAll = (driverId: DriverId, sessionId: string | null) => {
    limitCalls(driverId, now);
    for (const read of reads) read(c, driverId, sessionId);
  };
  const opened = await opening?.(c);
  if (opened) limitCalls(opened.driverId, now);
  c.set("caller", opened ?? (await callerByIdToken(c, readAll)));
  await next();
};

/** A closed router: each of its routes needs an id token, unless its first handler accepts another credential. */
export function gatedRouter() {
  return new Hono<AppEnv>().use(gate);
}

/** The first matching route responds, so only its own first handler counts, and no middleware of several routes. */
function openingOf(c: Context<AppEnv>): Opening | undefined {
  const declared = matchedRoutes(c).find(({ method }) => method !== METHOD_NAME_ALL);
  return declared && openings.get(declared.handler);
}

const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new ApiError("too_large");
  },
});
