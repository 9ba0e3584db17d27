import { createLocalJWKSet, errors, jwtVerify } from "jose";
import * as z from "zod";
import { readPoolSession, type PoolUser } from "../../db/queries/identity.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";
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
 * @param gone what is said where the account was deleted
 * @throws {Fault} `NotAuthorizedException`
 */
export async function requireBearer(pool: Pool, token: string, gone = faults.unknownUser): Promise<Bearer> {
  const { sub, originJti } = await verifyAccessToken(pool, token);
  const { session, user } = await readPoolSession(pool.db, { originJti, userId: sub });
  if (!user) throw gone();
  if (!session || session.revokedAt !== null) throw faults.revokedAccessToken();
  if (!user.enabled) throw faults.disabled();
  return { user, originJti };
}

async function verifyAccessToken(pool: Pool, token: string): Promise<{ sub: string; originJti: string }> {
  const keys = createLocalJWKSet(await verificationKeySet(pool));
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ["RS256"],
      issuer: pool.issuer,
      currentDate: new Date(pool.now()),
      requiredClaims: ["exp", "iat", "sub"],
    });
    const parsed = claims.safeParse(payload);
    if (!parsed.success || parsed.data.client_id !== pool.clientId) throw faults.invalidAccessToken();
    return { sub: parsed.data.sub, originJti: parsed.data.origin_jti };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw faults.expiredAccessToken();
    if (error instanceof errors.JOSEError) throw faults.invalidAccessToken();
    throw error;
  }
}
