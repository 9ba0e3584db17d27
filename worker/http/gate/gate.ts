import { Hono, type Context, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { matchedRoutes } from "hono/route";
import { METHOD_NAME_ALL } from "hono/router";
import type { JWTVerifyGetKey } from "jose";
import * as z from "zod";
import { type DriverId, driverId, type EpochMs } from "../../../db/shapes/units.ts";
import { describeError } from "../../../durable/runtime/describe-error.ts";
import type { TokenFacts } from "../../identity/user-pool.ts";
import type { AppEnv, Caller } from "../app-env.ts";
import { ApiError } from "../errors/api-error.ts";
import { openDbSession } from "../request-scope.ts";
import { verifySignedToken } from "../tokens/signed-token.ts";
import { createRateLimiter, requireUnderLimit } from "../rate-limiter.ts";
import { readsAheadOf } from "./read-ahead.ts";

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

const claims = z.object({
  sub: driverId,
  token_use: z.literal("id"),
  phone_number: z.string().optional(),
  origin_jti: z.string().optional(),
  auth_time: z.number().optional(),
  iat: z.number(),
  exp: z.number(),
});

/**
 * The caller, by the id token in `Authorization: Bearer`.
 * @param onGenuine called once the token is known to be genuine, beside the look at its session
 * @throws {ApiError} `unauthenticated`
 */
async function callerByIdToken(
  c: Context<AppEnv>,
  onGenuine: (driverId: DriverId, sessionId: string | null) => void,
): Promise<Caller> {
  const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
  if (!token || scheme?.toLowerCase() !== "bearer") throw new ApiError("unauthenticated");
  return verifyIdToken(token, c, onGenuine);
}

/**
 * Checks algorithm (RS256 only), issuer, audience, `token_use` and expiry, and with our own pool the lifetime and that
 * the session is this account's and wasn't revoked.
 */
async function verifyIdToken(
  token: string,
  c: Context<AppEnv>,
  onGenuine: (driverId: DriverId, sessionId: string | null) => void,
): Promise<Caller> {
  const { deps, userPool, tokenKeys } = c.var;
  // An outage, not a refusal: pages don't sign their driver out for it.
  deps.config.requirePart("sign_in");
  const { issuer, clientId } = deps.config.identity;
  const verify = (keys: JWTVerifyGetKey) =>
    verifySignedToken(token, { keys, issuer, audience: clientId, now: deps.now(), claims });
  const begin = (named: z.output<typeof claims>) => {
    const session = factsOf(named);
    onGenuine(named.sub, userPool ? session.originJti : null);
    const live = userPool
      ? userPool.isTokenLive(session, () => isKnownToObject(c, session))
      : Promise.resolve(true);
    live.catch(() => {});
    return live;
  };
  // By the keys of a while ago, while those of now are read, which decide.
  const outdated = tokenKeys.outdated?.() ?? null;
  const early = outdated && (await verify(outdated).catch(() => null));
  const earlyLive = early && begin(early);
  const verified = await verify(tokenKeys);
  const facts = factsOf(verified);
  if (!(await (earlyLive ?? begin(verified)))) throw new ApiError("unauthenticated");
  return {
    driverId: verified.sub,
    phoneNumber: verified.phone_number ?? null,
    sessionId: userPool ? facts.originJti : null,
    signedInAt: verified.auth_time === undefined ? null : verified.auth_time * 1000,
  };
}

function factsOf({ sub, origin_jti, exp, iat }: z.output<typeof claims>): TokenFacts {
  return { originJti: origin_jti ?? "", userId: sub, lifetimeSeconds: exp - iat };
}

/**
 * The first handler of a route for which the driver's object may say that the caller's session is live, in place of the
 * database.
 */
export const asksObject: MiddlewareHandler<AppEnv> = (_c, next) => next();

/**
 * Whether the driver's object knows the session of a call to such a route. It hears of a session's end as its sockets
 * do; where it can't be asked, or knows nothing, the database decides.
 */
async function isKnownToObject(
  c: Context<AppEnv>,
  { userId, originJti }: { userId: DriverId; originJti: string },
): Promise<boolean> {
  if (!matchedRoutes(c).some(({ handler }) => handler === asksObject)) return false;
  const { deps } = c.var;
  try {
    return (await deps.driver(userId).knowsSession(originJti)).known;
  } catch (error) {
    deps.log("warn", "live.session.unasked", { driverId: userId, ...describeError(error) });
    return false;
  }
}

/** Opening the dashboard takes about ten calls. */
const MAX_CALLS = 120;
const WINDOW_MS = 10_000;

const callLimiter = createRateLimiter({ most: MAX_CALLS, windowMs: WINDOW_MS });

/**
 * Stops a driver's page, or whoever holds their token, from calling in a loop. Counted per isolate.
 * @throws {ApiError} `rate_limited`
 */
export function limitCalls(driverId: DriverId, now: EpochMs): void {
  requireUnderLimit(callLimiter, driverId, now);
}
