import { SignJWT } from "jose";
import * as z from "zod";
import {
  addPoolSession,
  readPoolSession,
  revokePoolSession,
  type PoolSession,
  type PoolUser,
} from "../../db/queries/identity.ts";
import type { EpochMs } from "../../durable/engine/units.ts";
import { requireClient } from "./accounts.ts";
import { toUuid } from "./bytes.ts";
import { accessClaims, idClaims, type TokenFacts } from "./claims.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";
import type { Input } from "./requests.ts";
import { signingKeys, type SigningKey } from "./signing-keys.ts";
import { forgetLiveness } from "./liveness.ts";

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
  NewDeviceMetadata?: { DeviceKey: string; DeviceGroupKey: string };
};

/** Begins a session: a row that can be revoked, and the tokens of a fresh sign-in. */
export async function startSession(
  pool: Pool,
  user: PoolUser,
  deviceKey: string | null,
): Promise<AuthenticationResult> {
  const now = pool.now();
  const expiresAt = now + pool.limits.refreshLifeMs;
  const originJti = toUuid(pool.randomBytes(16));
  await addPoolSession(pool.db, {
    originJti,
    userId: user.id,
    deviceKey,
    createdAt: now,
    expiresAt,
    revokedAt: null,
  });
  const plain: RefreshToken = { sub: user.id, originJti, authTime: now, expiresAt };
  const [tokens, sealed] = await Promise.all([
    signTokens(pool, user, { originJti, authTime: now, deviceKey }),
    pool.keys.seal("refresh", { plain: JSON.stringify(plain), context: REFRESH_CONTEXT }),
  ]);
  return { ...tokens, RefreshToken: sealed };
}

async function signTokens(
  pool: Pool,
  user: PoolUser,
  signIn: { originJti: string; authTime: EpochMs; deviceKey: string | null },
): Promise<AuthenticationResult> {
  const uuid = () => toUuid(pool.randomBytes(16));
  const keys = await signingKeys(pool);
  const facts: Omit<TokenFacts, "jti"> = {
    issuer: pool.issuer,
    clientId: pool.clientId,
    sub: user.id,
    originJti: signIn.originJti,
    authTime: signIn.authTime,
    eventId: uuid(),
    issuedAt: pool.now(),
    lifeSeconds: pool.limits.tokenLifeSeconds,
  };
  const attributes = {
    phoneNumber: user.phoneNumber,
    phoneVerified: user.phoneVerified,
    others: user.attributes,
  };
  const [IdToken, AccessToken] = await Promise.all([
    sign(keys.id, idClaims({ ...facts, jti: uuid() }, attributes)),
    sign(keys.access, accessClaims({ ...facts, jti: uuid() }, signIn.deviceKey)),
  ]);
  return { AccessToken, IdToken, ExpiresIn: pool.limits.tokenLifeSeconds, TokenType: "Bearer" };
}

function sign({ kid, key }: SigningKey, claims: Record<string, string | number | boolean>): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ kid, alg: "RS256" }).sign(key);
}

/** InitiateAuth with a refresh token: new tokens, the same refresh token, the same end. */
export async function refresh(
  pool: Pool,
  { token, deviceKey }: { token: string; deviceKey: string | null },
): Promise<AuthenticationResult> {
  const { session, user, authTime } = await readRefreshToken(pool, token);
  // A session that began on a confirmed device goes on there only.
  if (session.deviceKey !== null && session.deviceKey !== deviceKey) throw faults.invalidRefreshToken();
  return signTokens(pool, user, { originJti: session.originJti, authTime, deviceKey: session.deviceKey });
}

async function readRefreshToken(
  pool: Pool,
  token: string,
): Promise<{ session: PoolSession; user: PoolUser; authTime: EpochMs }> {
  const opened = await openRefreshToken(pool, token);
  if (!opened) throw faults.invalidRefreshToken();
  const { session, user } = await readPoolSession(pool.db, {
    originJti: opened.originJti,
    userId: opened.sub,
  });
  if (opened.expiresAt <= pool.now()) throw faults.expiredRefreshToken();
  if (!session || !user || session.revokedAt !== null) throw faults.revokedRefreshToken();
  if (!user.enabled) throw faults.disabled();
  return { session, user, authTime: opened.authTime };
}

async function openRefreshToken(pool: Pool, sealed: string): Promise<RefreshToken | null> {
  const plain = await pool.keys.open("refresh", { sealed, context: REFRESH_CONTEXT });
  return plain === null ? null : refreshToken.parse(JSON.parse(plain));
}

/** GetTokensFromRefreshToken: as the refresh flow, without rotation. */
export async function getTokensFromRefreshToken(
  input: Input<"GetTokensFromRefreshToken">,
  pool: Pool,
): Promise<{ AuthenticationResult: AuthenticationResult }> {
  requireClient(pool, input.ClientId);
  return {
    AuthenticationResult: await refresh(pool, {
      token: input.RefreshToken,
      deviceKey: input.DeviceKey ?? null,
    }),
  };
}

/** RevokeToken: ends the sign-in that the refresh token is of; an unknown token is no fault. */
export async function revokeToken(input: Input<"RevokeToken">, pool: Pool): Promise<object> {
  requireClient(pool, input.ClientId);
  const opened = await openRefreshToken(pool, input.Token);
  if (opened) {
    await revokePoolSession(pool.db, opened.originJti, pool.now());
    forgetLiveness(opened.originJti);
  } else if (/^ey[\w-]+\.ey[\w-]+\.[\w-]+$/.test(input.Token)) {
    throw faults.notARefreshToken();
  }
  return {};
}
