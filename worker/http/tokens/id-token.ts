import type { Context } from "hono";
import * as z from "zod";
import { driverId } from "../../../db/shapes/units.ts";
import type { AppEnv, Caller } from "../app-env.ts";
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
 * @throws {ApiError} `unauthenticated`
 */
export async function callerByIdToken(c: Context<AppEnv>): Promise<Caller> {
  const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
  if (!token || scheme?.toLowerCase() !== "bearer") throw new ApiError("unauthenticated");
  return verifyIdToken(token, c);
}

/** Checks algorithm (RS256 only), issuer, audience, `token_use` and expiry, and with our own pool the lifetime and that the session is this account's and wasn't revoked. */
async function verifyIdToken(token: string, c: Context<AppEnv>): Promise<Caller> {
  const { deps, userPool, tokenKeys } = c.var;
  const { issuer, clientId } = deps.config.identity;
  const verified = await verifySignedToken(token, {
    keys: tokenKeys,
    issuer,
    audience: clientId,
    now: deps.now(),
    claims,
  });
  const facts = {
    originJti: verified.origin_jti ?? "",
    userId: verified.sub,
    lifetimeSeconds: verified.exp - verified.iat,
  };
  if (userPool && !(await userPool.isTokenLive(facts))) throw new ApiError("unauthenticated");
  return {
    driverId: verified.sub,
    phoneNumber: verified.phone_number ?? null,
    sessionId: userPool ? facts.originJti : null,
    signedInAt: verified.auth_time === undefined ? null : verified.auth_time * 1000,
  };
}
