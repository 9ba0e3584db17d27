import { Hono, type Context, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { matchedRoutes } from "hono/route";
import { METHOD_NAME_ALL } from "hono/router";
import type { AppEnv, Caller } from "./app-env.ts";
import { ApiError } from "./api-error.ts";
import { openDbSession } from "./db-session.ts";
import { callerByIdToken } from "./id-token.ts";
import { limitCalls } from "./limit-calls.ts";

const MAX_BODY_BYTES = 256 * 1024;

/**
 * Who calls, by something else than an id token; null where the call shows nothing of the kind, so that its id token
 * decides.
 * @throws {ApiError} where what it shows is not good, or where nothing else would do
 */
export type Opening = (c: Context<AppEnv>) => Promise<Caller | null>;

const openings = new WeakMap<object, Opening>();

/** Stands first among a route's handlers: this route, and no other, is open to something else than an id token too. */
export function opens(opening: Opening): MiddlewareHandler<AppEnv> {
  const mark: MiddlewareHandler<AppEnv> = (_c, next) => next();
  openings.set(mark, opening);
  return mark;
}

/** Lets nobody through who does not say who they are. */
export const gate: MiddlewareHandler<AppEnv> = async (c, next) => {
  const opening = openingOf(c);
  c.set("caller", (await opening?.(c)) ?? (await callerByIdToken(c)));
  await next();
};

/** A router that is closed: whatever route stands in it needs an id token, unless it says what else opens it. */
export function gatedRouter() {
  return new Hono<AppEnv>().use(gate, limitCalls, limitBody, openDbSession);
}

/** Of all routes that match, the first answers: only its own word counts, and none that stands at many routes. */
function openingOf(c: Context<AppEnv>): Opening | undefined {
  const declared = matchedRoutes(c).filter(({ method }) => method !== METHOD_NAME_ALL);
  const answering = declared.filter(({ path }) => path === declared[0]?.path);
  return answering.map(({ handler }) => openings.get(handler)).find((opening) => opening !== undefined);
}

const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new ApiError("too_large");
  },
});
