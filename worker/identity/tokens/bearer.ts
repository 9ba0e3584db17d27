import { createLocalJWKSet, decodeJwt, errors, jwtVerify } from "jose";
import * as z from "zod";
import { loadPoolSession } from "../../../db/queries/identity/pool-sessions.ts";
import { type PoolUser } from "../../../db/queries/identity/pool-users.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { FRESH_SIGN_IN_MS, type PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { verificationKeySet } from "./signing-keys.ts";

/** The scope of access tokens: to read and change the account of their own `sub`. */
export const OWN_ACCOUNT_SCOPE = "aws.cognito.signin.user.admin";

const claims = z.object({
  sub: z.string(),
  token_use: z.literal("access"),
  client_id: z.string(),
  scope: z.string().default(""),
  origin_jti: z.string(),
  auth_time: z.number(),
  iat: z.number(),
  exp: z.number(),
});

/** The account and the session that an access token belongs to. */
export type Bearer = { user: PoolUser; originJti: string; signedInAt: EpochMs };

/**
 * Verifies an access token: RS256 signature by a key for access tokens, issuer, client, `token_use`, scope, lifetime, expiry,
 * and that its session is the account's and wasn't revoked.
 * @param unknownUserError the error if the account was deleted
 * @throws {CognitoError} `NotAuthorizedException`
 */
export async function requireBearer(
  pool: PoolContext,
  token: string,
  unknownUserError = cognitoErrors.unknownUser,
): Promise<Bearer> {
  // Beside the keys, by what the token says of itself: nothing of it counts until it is verified.
  const named = namedSession(token);
  const ahead = named && loadPoolSession(pool.db, named);
  ahead?.catch(() => {});
  const { sub, originJti, signedInAt } = await verifyAccessToken(pool, token);
  const { session, user } = await (ahead ?? loadPoolSession(pool.db, { originJti, userId: sub }));
  if (!user) throw unknownUserError();
  if (!session || session.revokedAt !== null) throw cognitoErrors.revokedAccessToken();
  if (!user.enabled) throw cognitoErrors.disabled();
  return { user, originJti, signedInAt };
}

/** The session that a token names, verified or not; null if it can't be read. */
function namedSession(token: string): { originJti: string; userId: string } | null {
  try {
    const { data } = claims.safeParse(decodeJwt(token));
    return data ? { originJti: data.origin_jti, userId: data.sub } : null;
  } catch {
    return null;
  }
}

/**
 * Like `requireBearer`, for what takes an account over or ends it: a token alone doesn't do, its owner must have signed in
 * within the last minutes, with password or code. A refresh keeps the time of the sign-in.
 * @throws {CognitoError} `NotAuthorizedException`
 */
export async function requireFreshBearer(...given: Parameters<typeof requireBearer>): Promise<Bearer> {
  const [pool] = given;
  const bearer = await requireBearer(...given);
  requireFresh(pool, bearer);
  return bearer;
}

/** @throws {CognitoError} `NotAuthorizedException` unless the owner has signed in within the last minutes */
export function requireFresh(pool: PoolContext, { signedInAt }: Pick<Bearer, "signedInAt">): void {
  if (pool.now() - signedInAt > FRESH_SIGN_IN_MS) throw cognitoErrors.signInAgain();
}

async function verifyAccessToken(
  pool: PoolContext,
  token: string,
): Promise<{ sub: string; originJti: string; signedInAt: EpochMs }> {
  const keys = createLocalJWKSet(await verificationKeySet(pool, "access"));
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ["RS256"],
      issuer: pool.issuer,
      currentDate: new Date(pool.now()),
    });
    const parsed = claims.safeParse(payload);
    if (!parsed.success || parsed.data.client_id !== pool.clientId) throw cognitoErrors.invalidAccessToken();
    if (!parsed.data.scope.split(" ").includes(OWN_ACCOUNT_SCOPE)) throw cognitoErrors.missingScope();
    const { sub, origin_jti: originJti, auth_time, iat, exp } = parsed.data;
    if (exp - iat !== pool.limits.tokenLifetimeSeconds) throw cognitoErrors.invalidAccessToken();
    return { sub, originJti, signedInAt: auth_time * 1000 };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw cognitoErrors.expiredAccessToken();
    if (error instanceof errors.JOSEError) throw cognitoErrors.invalidAccessToken();
    throw error;
  }
}
