import { isIdleSession } from "../../../db/queries/identity/live-sessions.ts";
import { loadPoolSession, type PoolSession } from "../../../db/queries/identity/pool-sessions.ts";
import { type PoolUser } from "../../../db/queries/identity/pool-users.ts";
import { revokePoolSession, rotatePoolSession } from "../../../db/queries/identity/sessions.ts";
import { type PoolContext, noteEvent } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { sha256, toHex, utf8 } from "../bytes.ts";
import { requireClient, type ClientMetadata, type OperationInput } from "../protocol/requests.ts";
import { readingKeys } from "./signing-keys.ts";
import { announceChange } from "./sessions.ts";
import { openRefreshToken, sealRefreshToken, signTokens, type AuthenticationResult } from "./tokens.ts";

const RENEWAL_SECRET = /^[\w-]{22,64}$/;

/**
 * Issues new tokens for a refresh token, and another refresh token in its place, which keeps its expiry. The one before
 * stays good for a grace, for two tabs that renew at once, and for as long as its successor wasn't used to whoever repeats
 * the renewal with its secret: a phone that slept, or was in a tunnel, when the answer came. Any other later use means that
 * two parties hold the session, so it ends for both.
 * @param metadata `renewal` is a secret that the client makes for each renewal, and keeps until it has the answer
 * @param reused the error for such a token, by the operation
 */
export async function refreshTokens(
  pool: PoolContext,
  token: string,
  {
    metadata,
    reused = cognitoErrors.revokedRefreshToken,
  }: { metadata: ClientMetadata; reused?: () => Error },
): Promise<AuthenticationResult> {
  const opened = await openRefreshToken(pool, token);
  if (!opened) throw cognitoErrors.invalidRefreshToken();
  const { sub: userId, originJti, generation, authTime, expiresAt } = opened;
  const { session, user } = await loadPoolSession(pool.db, { originJti, userId });
  if (expiresAt <= pool.now()) throw cognitoErrors.expiredRefreshToken();
  if (!session || !user || session.revokedAt !== null) throw cognitoErrors.revokedRefreshToken();
  // Its time is up like that of a token.
  if (isIdleSession(session, pool.now())) throw cognitoErrors.expiredRefreshToken();
  if (!user.enabled) throw cognitoErrors.disabled();
  const next = await rotate(pool, session, {
    presented: generation,
    renewalHash: await hashRenewal(metadata?.["renewal"] ?? ""),
  });
  if (next === null) {
    await endReusedSession(pool, user, session);
    throw reused();
  }
  const [tokens, sealed] = await Promise.all([
    signTokens(pool, user, { originJti, authTime }),
    sealRefreshToken(pool, { sub: user.id, originJti, authTime, expiresAt, generation: next }),
  ]);
  return { ...tokens, RefreshToken: sealed };
}

async function hashRenewal(secret: string): Promise<string | null> {
  return RENEWAL_SECRET.test(secret) ? toHex(await sha256(utf8(secret))) : null;
}

/** The generation of the token that follows; null if the presented one was replaced too long ago. */
async function rotate(
  pool: PoolContext,
  session: PoolSession,
  { presented, renewalHash }: { presented: number; renewalHash: string | null },
): Promise<number | null> {
  const { originJti } = session;
  const now = pool.now();
  const use = { originJti, presented, now, keyId: pool.keys.currentId, renewalHash, device: pool.device };
  if (await rotatePoolSession(pool.db, use)) return presented + 1;
  // Another caller was first: a moment ago, or long before.
  const latest = (await loadPoolSession(pool.db, { originJti, userId: session.userId })).session;
  const isPrevious = latest !== null && latest.revokedAt === null && presented === latest.generation - 1;
  if (!isPrevious) return null;
  const isRepeated = renewalHash !== null && renewalHash === latest.renewalHash;
  return isRepeated || now - latest.rotatedAt <= pool.limits.refreshGraceMs ? latest.generation : null;
}

async function endReusedSession(
  pool: PoolContext,
  user: PoolUser,
  { originJti }: PoolSession,
): Promise<void> {
  await revokePoolSession(pool.db, { userId: user.id, originJti, now: pool.now() });
  pool.log("warn", "identity.refresh.reused", { driverId: user.id });
  await noteEvent(pool, "session_reused", user.id);
  await announceChange(pool, user.id);
}

/** GetTokensFromRefreshToken: the same as InitiateAuth with a refresh token, but for the error of a replaced one. */
export async function getTokensFromRefreshToken(
  input: OperationInput<"GetTokensFromRefreshToken">,
  pool: PoolContext,
): Promise<{ AuthenticationResult: AuthenticationResult }> {
  requireClient(pool, input);
  const { RefreshToken, ClientMetadata: metadata } = input;
  return {
    AuthenticationResult: await refreshTokens(readingKeys(pool), RefreshToken, {
      metadata,
      reused: cognitoErrors.reusedRefreshToken,
    }),
  };
}
