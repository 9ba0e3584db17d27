import { SignJWT } from "jose";
import * as z from "zod";
import {
  addPoolSession,
  loadPoolSession,
  revokePoolSession,
  type PoolSession,
  type PoolUser,
} from "../../../db/queries/identity.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { requireClient } from "../accounts/accounts.ts";
import { toUuid } from "../bytes.ts";
import { accessClaims, idClaims, type TokenContext } from "./claims.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import type { OperationInput } from "../protocol/requests.ts";
import { loadOrCreateSigningKeys, type SigningKey } from "./signing-keys.ts";
import { clearLivenessCache } from "./liveness.ts";

const REFRESH_CONTEXT = "refresh token";

const refreshToken = z.object({
  sub: z.string(),
  originJti: z.string(),
  authTime: z.number(),
  expiresAt: z.number(),
});
type RefreshToken = z.output<typeof refreshToken>;

/** What a sign-in ends with. */
export type AuthenticationResult = {
  AccessToken: string;
  IdToken: string;
  RefreshToken?: string;
  ExpiresIn: number;
  TokenType: "Bearer";
};

/** Begins a session: a row that can be revoked, and the tokens of a fresh sign-in. */
export async function issueSession(pool: PoolContext, user: PoolUser): Promise<AuthenticationResult> {
  const now = pool.now();
  const expiresAt = now + pool.limits.refreshLifetimeMs;
  const originJti = toUuid(pool.randomBytes(16));
  await addPoolSession(pool.db, {
    originJti,
    userId: user.id,
    createdAt: now,
    expiresAt,
    revokedAt: null,
  });
  const plain: RefreshToken = { sub: user.id, originJti, authTime: now, expiresAt };
  const [tokens, sealed] = await Promise.all([
    signTokens(pool, user, { originJti, authTime: now }),
    pool.keys.seal("refresh", { plain: JSON.stringify(plain), context: REFRESH_CONTEXT }),
  ]);
  return { ...tokens, RefreshToken: sealed };
}

async function signTokens(
  pool: PoolContext,
  user: PoolUser,
  signIn: { originJti: string; authTime: EpochMs },
): Promise<AuthenticationResult> {
  const uuid = () => toUuid(pool.randomBytes(16));
  const keys = await loadOrCreateSigningKeys(pool);
  const facts: Omit<TokenContext, "jti"> = {
    issuer: pool.issuer,
    clientId: pool.clientId,
    sub: user.id,
    originJti: signIn.originJti,
    authTime: signIn.authTime,
    eventId: uuid(),
    issuedAt: pool.now(),
    lifetimeSeconds: pool.limits.tokenLifetimeSeconds,
  };
  const attributes = {
    phoneNumber: user.phoneNumber,
    phoneVerified: user.phoneVerified,
    others: user.attributes,
  };
  const [IdToken, AccessToken] = await Promise.all([
    sign(keys.id, idClaims({ ...facts, jti: uuid() }, attributes)),
    sign(keys.access, accessClaims({ ...facts, jti: uuid() })),
  ]);
  return { AccessToken, IdToken, ExpiresIn: pool.limits.tokenLifetimeSeconds, TokenType: "Bearer" };
}

function sign({ kid, key }: SigningKey, claims: Record<string, string | number | boolean>): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ kid, alg: "RS256" }).sign(key);
}

/** InitiateAuth with a refresh token: new tokens, the same refresh token, the same end. */
export async function refreshTokens(pool: PoolContext, token: string): Promise<AuthenticationResult> {
  const { session, user, authTime } = await loadRefreshSession(pool, token);
  return signTokens(pool, user, { originJti: session.originJti, authTime });
}

async function loadRefreshSession(
  pool: PoolContext,
  token: string,
): Promise<{ session: PoolSession; user: PoolUser; authTime: EpochMs }> {
  const opened = await openRefreshToken(pool, token);
  if (!opened) throw cognitoErrors.invalidRefreshToken();
  const { session, user } = await loadPoolSession(pool.db, {
    originJti: opened.originJti,
    userId: opened.sub,
  });
  if (opened.expiresAt <= pool.now()) throw cognitoErrors.expiredRefreshToken();
  if (!session || !user || session.revokedAt !== null) throw cognitoErrors.revokedRefreshToken();
  if (!user.enabled) throw cognitoErrors.disabled();
  return { session, user, authTime: opened.authTime };
}

async function openRefreshToken(pool: PoolContext, sealed: string): Promise<RefreshToken | null> {
  const plain = await pool.keys.open("refresh", { sealed, context: REFRESH_CONTEXT });
  return plain === null ? null : refreshToken.parse(JSON.parse(plain));
}

/** GetTokensFromRefreshToken: as the refresh flow, without rotation. */
export async function getTokensFromRefreshToken(
  input: OperationInput<"GetTokensFromRefreshToken">,
  pool: PoolContext,
): Promise<{ AuthenticationResult: AuthenticationResult }> {
  requireClient(pool, input.ClientId);
  return { AuthenticationResult: await refreshTokens(pool, input.RefreshToken) };
}

/** RevokeToken: ends the sign-in that the refresh token is of; an unknown token is no fault. */
export async function revokeToken(input: OperationInput<"RevokeToken">, pool: PoolContext): Promise<object> {
  requireClient(pool, input.ClientId);
  const opened = await openRefreshToken(pool, input.Token);
  if (opened) {
    await revokePoolSession(pool.db, opened.originJti, pool.now());
    clearLivenessCache(opened.originJti);
  } else if (/^ey[\w-]+\.ey[\w-]+\.[\w-]+$/.test(input.Token)) {
    throw cognitoErrors.notARefreshToken();
  }
  return {};
}
