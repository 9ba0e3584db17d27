import type { Context } from "hono";
import type { JWTVerifyGetKey } from "jose";
import * as z from "zod";
import { driverId, type DriverId } from "../../../db/shapes/units.ts";
import type { TokenFacts } from "../../identity/user-pool.ts";
import type { AppEnv, Caller } from "../app-env.ts";
import { isKnownToObject } from "../gate/known-sessions.ts";
import { ApiError } from "../errors/api-error.ts";
import { verifySignedToken } from "./signed-token.ts";

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
export async function callerByIdToken(
  c: Context<AppEnv>,
  onGenuine: (driverId: DriverId, sessionId: string | null) => void,
): Promise<Caller> {
  const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
  if (!token || scheme?.toLowerCase() !== "bearer") throw new ApiError("unauthenticated");
  return verifyIdToken(token, c, onGenuine);
}

/** Checks algorithm (RS256 only), issuer, audience, `token_use` and expiry, and with our own pool the lifetime and that the session is this account's and wasn't revoked. */
function factsOf({ sub, origin_jti, exp, iat }: z.output<typeof claims>): TokenFacts {
  return { originJti: origin_jti ?? "", userId: sub, lifetimeSeconds: exp - iat };
}

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
