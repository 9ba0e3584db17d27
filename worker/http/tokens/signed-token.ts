import { errors, jwtVerify, type JWTVerifyGetKey } from "jose";
import * as z from "zod";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { ApiError } from "../errors/api-error.ts";

const CLOCK_LEEWAY_SECONDS = 30;

/** That the keys can't be read says nothing about the token: who asks would be signed out by an outage of its issuer. */
const KEYS_AWAY: readonly string[] = [
  errors.JOSEError.code,
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
];

/** Whether an error says that a token's keys can't be read, and nothing about the token. */
export function areKeysAway(error: unknown): boolean {
  return !(error instanceof errors.JOSEError) || KEYS_AWAY.includes(error.code);
}

/** The required issuer and audience of a token, its keys, and its claims. */
export type SignedTokenRules<Claims extends z.ZodType> = {
  keys: JWTVerifyGetKey;
  issuer: string;
  audience: string;
  now: EpochMs;
  claims: Claims;
};

/**
 * Checks a token that somebody else signed: algorithm (RS256 only), issuer, audience, that it began and ends, and expiry.
 * @throws {ApiError} `unauthenticated`
 */
export async function verifySignedToken<Claims extends z.ZodType>(
  token: string,
  { keys, issuer, audience, now, claims }: SignedTokenRules<Claims>,
): Promise<z.output<Claims>> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ["RS256"],
      issuer,
      audience,
      clockTolerance: CLOCK_LEEWAY_SECONDS,
      currentDate: new Date(now),
      requiredClaims: ["exp", "iat"],
    });
    return claims.parse(payload);
  } catch (error) {
    if (!areKeysAway(error) || error instanceof z.ZodError) throw new ApiError("unauthenticated");
    throw error;
  }
}
