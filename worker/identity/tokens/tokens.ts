import { SignJWT } from "jose";
import * as z from "zod";
import { addPoolSession } from "../../../db/queries/identity/pool-sessions.ts";
import { type PoolUser } from "../../../db/queries/identity/pool-users.ts";
import type { OneTimeProof } from "../../../db/queries/identity/one-time-proofs.ts";
import { revokePoolSession, revokePoolSessions } from "../../../db/queries/identity/sessions.ts";
import { driverId, type EpochMs } from "../../../db/shapes/units.ts";
import { toUuid } from "../bytes.ts";
import { type PoolContext, noteEvent } from "../pool-context.ts";
import { cognitoErrors, type CognitoError } from "../protocol/errors.ts";
import { requireClient, type OperationInput } from "../protocol/requests.ts";
import { OWN_ACCOUNT_SCOPE, requireBearer } from "./bearer.ts";
import { announceChange } from "./sessions.ts";
import { loadOrCreateSigningKeys, type SigningKey } from "./signing-keys.ts";

const REFRESH_CONTEXT = "refresh token";
/** The three base64url parts of a JWT: what an id or access token looks like. */
const JWT = /^ey[\w-]+\.ey[\w-]+\.[\w-]+$/;

const refreshToken = z.object({
  sub: z.string(),
  originJti: z.string(),
  authTime: z.number(),
  expiresAt: z.number(),
  /** How many refresh tokens the session had before it. */
  generation: z.number().default(0),
});
type RefreshToken = z.output<typeof refreshToken>;

/** The tokens that a sign-in or a refresh returns. */
export type AuthenticationResult = {
  AccessToken: string;
  IdToken: string;
  RefreshToken?: string;
  ExpiresIn: number;
  TokenType: "Bearer";
};

/** The proofs that a sign-in uses up, and the error if somebody did so before. */
export type SessionProofs = { proofs?: readonly OneTimeProof[]; refused?: () => CognitoError };

/**
 * Starts a session, which is a row that can be revoked, and issues its first tokens.
 * @param more.passkeyId the passkey that signed it in, if one did
 * @param more.needsNoPasskey for a sign-in that is too weak for an account with passkeys
 * @param more.isOfPassword for a sign-in that stands for the account's password
 * @throws {CognitoError} `NotAuthorizedException` if the account was taken back or disabled in the meantime, or such a password
 * was set anew
 */
export async function issueSession(
  pool: PoolContext,
  user: PoolUser,
  {
    proofs = [],
    refused = cognitoErrors.wrongPassword,
    passkeyId = null,
    needsNoPasskey = false,
    isOfPassword = false,
  }: SessionProofs & {
    passkeyId?: string | null | undefined;
    needsNoPasskey?: boolean;
    isOfPassword?: boolean;
  } = {},
): Promise<AuthenticationResult> {
  const now = pool.now();
  const expiresAt = now + pool.limits.refreshLifetimeMs;
  const originJti = toUuid(pool.randomBytes(16));
  const keyId = pool.keys.currentId;
  const session = {
    originJti,
    userId: user.id,
    createdAt: now,
    expiresAt,
    revokedAt: null,
    keyId,
    generation: 0,
    rotatedAt: now,
    renewalHash: null,
    lastSeenAt: now,
    ...pool.device,
    passkeyId,
  };
  const [{ isAdded, isProven }, tokens, sealed] = await Promise.all([
    addPoolSession(pool.db, session, user, { proofs, needsNoPasskey, isOfPassword }),
    signTokens(pool, user, { originJti, authTime: now }),
    sealRefreshToken(pool, { sub: user.id, originJti, authTime: now, expiresAt, generation: 0 }),
  ]);
  if (!isProven) throw refused();
  if (!isAdded) throw cognitoErrors.wrongPassword();
  return { ...tokens, RefreshToken: sealed };
}

/**
 * @param session.originJti identifies the session: in all of its tokens, also refreshed ones
 * @param session.authTime when the user signed in: stays the same on refresh
 */
export async function signTokens(
  pool: PoolContext,
  user: PoolUser,
  session: { originJti: string; authTime: EpochMs },
): Promise<AuthenticationResult> {
  const { id, access } = await loadOrCreateSigningKeys(pool);
  const issuedAt = Math.floor(pool.now() / 1000);
  const lifetime = pool.limits.tokenLifetimeSeconds;
  const common = {
    sub: user.id,
    iss: pool.issuer,
    origin_jti: session.originJti,
    event_id: toUuid(pool.randomBytes(16)),
    auth_time: Math.floor(session.authTime / 1000),
    iat: issuedAt,
    exp: issuedAt + lifetime,
  };
  const [IdToken, AccessToken] = await Promise.all([
    sign(id, {
      ...user.attributes,
      ...(user.attributes["email"] === undefined ? {} : { email_verified: false }),
      phone_number: user.phoneNumber,
      phone_number_verified: user.phoneVerified,
      ...common,
      jti: toUuid(pool.randomBytes(16)),
      aud: pool.clientId,
      token_use: "id",
      // The phone number is only an alias: the user name is the sub.
      "cognito:username": user.id,
    }),
    sign(access, {
      ...common,
      jti: toUuid(pool.randomBytes(16)),
      // Cognito's access tokens have a client_id and no aud.
      client_id: pool.clientId,
      token_use: "access",
      scope: OWN_ACCOUNT_SCOPE,
      username: user.id,
    }),
  ]);
  return { AccessToken, IdToken, ExpiresIn: lifetime, TokenType: "Bearer" };
}

function sign({ kid, key }: SigningKey, claims: Record<string, string | number | boolean>): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ kid, alg: "RS256" }).sign(key);
}

/** Seals a refresh token, which clients can't read. */
export function sealRefreshToken(pool: PoolContext, token: RefreshToken): Promise<string> {
  return pool.keys.seal("refresh", { plain: JSON.stringify(token), context: REFRESH_CONTEXT });
}

/** Opens a refresh token; null if it isn't one of ours. */
export async function openRefreshToken(pool: PoolContext, sealed: string): Promise<RefreshToken | null> {
  const plain = await pool.keys.open("refresh", { sealed, context: REFRESH_CONTEXT });
  return plain === null ? null : refreshToken.parse(JSON.parse(plain));
}

/** RevokeToken: ends the session of a refresh token. An unknown token is not an error. */
export async function revokeToken(input: OperationInput<"RevokeToken">, pool: PoolContext): Promise<object> {
  requireClient(pool, input);
  const opened = await openRefreshToken(pool, input.Token);
  if (opened) {
    const userId = driverId.parse(opened.sub);
    await revokePoolSession(pool.db, { userId, originJti: opened.originJti, now: pool.now() });
    await noteEvent(pool, "signed_out", userId);
    await announceChange(pool, userId);
  } else if (JWT.test(input.Token)) {
    throw cognitoErrors.notARefreshToken();
  }
  return {};
}

/** GlobalSignOut: ends every session of the account, including the caller's. */
export async function globalSignOut(
  input: OperationInput<"GlobalSignOut">,
  pool: PoolContext,
): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken, cognitoErrors.revokedAccessToken);
  await revokePoolSessions(pool.db, { userId: user.id, now: pool.now() });
  await noteEvent(pool, "signed_out_everywhere", user.id);
  await announceChange(pool, user.id);
  return {};
}
