import { Hono, type MiddlewareHandler, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { matchedRoutes } from "hono/route";
import { METHOD_NAME_ALL } from "hono/router";
import { getCookie } from "hono/cookie";
import type { JWTVerifyGetKey } from "jose";
import * as z from "zod";
import { createMiddleware } from "hono/factory";
import type { Deps } from "../../../durable/deps.ts";
import type { Operator } from "../../contract/console/operators.ts";
import { operatorMark } from "../../console/operator-mark.ts";
import type { AppEnv } from "../app-env.ts";
import { ApiError } from "../errors/api-error.ts";
import { openDbSession } from "../request-scope.ts";
import { createIssuerKeys } from "../tokens/issuer-keys.ts";
import { verifySignedToken } from "../tokens/signed-token.ts";

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
  c.set("operatorMark", await operatorMark(operator));
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

/** Access sends its token with every request that it lets through; a browser has it as a cookie as well. */
const ACCESS_HEADER = "cf-access-jwt-assertion";
const ACCESS_COOKIE = "CF_Authorization";

/** A person has an e-mail address; a service token has its client id as `common_name` and an empty subject. */
const claims = z.union([
  z.object({ type: z.literal("app"), email: z.string().includes("@") }),
  z.object({ type: z.literal("app"), common_name: z.string().endsWith(".access") }),
]);

/** The keys that Cloudflare Access signs with; null if there is no console. */
export function createOperatorKeys(deps: Deps): JWTVerifyGetKey | null {
  const { operators } = deps.config;
  return operators && createIssuerKeys(new URL(`${operators.issuer}/cdn-cgi/access/certs`), deps);
}

/**
 * The operator, by the token of Cloudflare Access.
 * @throws {ApiError} `not_found` where there is no console, or not at this host, `unauthenticated`, and `forbidden` for
 *   who is on neither list
 */
export async function operatorByAccess(c: Context<AppEnv>): Promise<Operator> {
  const { deps, operatorKeys } = c.var;
  const { operators } = deps.config;
  if (!operators || !operatorKeys) throw new ApiError("not_found");
  // On its own host the console takes only what Access adds, and elsewhere there is none.
  if (operators.host !== null && new URL(c.req.url).host !== operators.host) throw new ApiError("not_found");
  const cookie = operators.host === null ? getCookie(c, ACCESS_COOKIE) : undefined;
  const token = c.req.header(ACCESS_HEADER) ?? cookie;
  if (!token) throw new ApiError("unauthenticated");
  const known = await verifySignedToken(token, {
    keys: operatorKeys,
    issuer: operators.issuer,
    audience: operators.audience,
    now: deps.now(),
    claims,
  });
  const name = ("email" in known ? known.email : known.common_name).toLowerCase();
  if (operators.owners.includes(name)) return { name, role: "owner" };
  if (operators.support.includes(name)) return { name, role: "support" };
  throw new ApiError("forbidden");
}

/** On the console's own host there is nothing but the console: no page that loads scripts of others shares its origin. */
export const separateConsoleHost = createMiddleware<AppEnv>(async (c, next) => {
  const { operators } = c.var.deps.config;
  const { host, pathname } = new URL(c.req.url);
  const isOfConsole = /^\/ops(?:[./]|$)/.test(pathname);
  if (operators?.host === host && !isOfConsole) throw new ApiError("not_found");
  await next();
});
