import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { matchedRoutes } from "hono/route";
import { METHOD_NAME_ALL } from "hono/router";
import type { AppEnv } from "../app-env.ts";
import { ApiError } from "../errors/api-error.ts";
import { openDbSession } from "../db-session.ts";
import { operatorByAccess } from "./operator.ts";

const MAX_BODY_BYTES = 64 * 1024;

const openToSupport = new WeakSet<object>();

/** The first handler of a route that support may call as well. */
export function forSupport(): MiddlewareHandler<AppEnv> {
  const mark: MiddlewareHandler<AppEnv> = (_c, next) => next();
  openToSupport.add(mark);
  return mark;
}

/** Lets in whom Cloudflare Access and our lists let in: owners everywhere, support where the route says so. */
const gate: MiddlewareHandler<AppEnv> = async (c, next) => {
  const operator = await operatorByAccess(c);
  const declared = matchedRoutes(c).find(({ method }) => method !== METHOD_NAME_ALL);
  if (operator.role !== "owner" && !(declared && openToSupport.has(declared.handler)))
    throw new ApiError("forbidden");
  c.set("operator", operator);
  await next();
};

/**
 * A closed router: each of its routes is for owners alone, unless its first handler opens it to support. An act wants the
 * header `Idempotency-Key`, which no form of another site can send, so that the cookie of Access alone moves nothing.
 */
export function operatorRouter() {
  return new Hono<AppEnv>().use(gate, limitBody, openDbSession);
}

const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new ApiError("too_large");
  },
});
