import { createLocalJWKSet, errors, jwtVerify } from "jose";
import * as z from "zod";
import { loadPoolSession, type PoolUser } from "../../../db/queries/identity.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { verificationKeySet } from "./signing-keys.ts";

const claims = z.object({
  sub: z.string(),
  token_use: z.literal("access"),
  client_id: z.string(),
  origin_jti: z.string(),
});

/** Whose access token it is, and of which sign-in. */
export type Bearer = { user: PoolUser; originJti: string };

/**
 * Checks an access token: signature, RS256, issuer, client, use, expiry, and that its sign-in still stands.
 * @param unknownUserError what is said where the account was deleted
 * @throws {Fault} `NotAuthorizedException`
 */
export async function requireBearer(
  pool: PoolContext,
  token: string,
  unknownUserError = cognitoErrors.unknownUser,
): Promise<Bearer> {
  const { sub, originJti } = await verifyAccessToken(pool, token);
  const { session, user } = await loadPoolSession(pool.db, { originJti, userId: sub });
  if (!user) throw unknownUserError();
  if (!session || session.revokedAt !== null) throw cognitoErrors.revokedAccessToken();
  if (!user.enabled) throw cognitoErrors.disabled();
  return { user, originJti };
}

async function verifyAccessToken(
  pool: PoolContext,
  token: string,
): Promise<{ sub: string; originJti: string }> {
  const keys = createLocalJWKSet(await verificationKeySet(pool));
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ["RS256"],
      issuer: pool.issuer,
      currentDate: new Date(pool.now()),
      requiredClaims: ["exp", "iat", "sub"],
    });
    const parsed = claims.safeParse(payload);
    if (!parsed.success || parsed.data.client_id !== pool.clientId) throw cognitoErrors.invalidAccessToken();
    return { sub: parsed.data.sub, originJti: parsed.data.origin_jti };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw cognitoErrors.expiredAccessToken();
    if (error instanceof errors.JOSEError) throw cognitoErrors.invalidAccessToken();
    throw error;
  }
}
