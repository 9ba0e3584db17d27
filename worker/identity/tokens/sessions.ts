import {
  listLiveSessions,
  revokePoolSession,
  revokePoolSessions,
  touchPoolSession,
} from "../../../db/queries/identity/sessions.ts";
import { type DriverId, type EpochMs, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { Device } from "../device.ts";
import { type PoolContext, doLater } from "../pool-context.ts";
import { findLiveSession } from "../../../db/queries/identity/pool-sessions.ts";

/** A session as its owner sees it. */
export type SessionSummary = Device & {
  id: string;
  signedInAt: EpochMs;
  lastSeenAt: EpochMs;
  expiresAt: EpochMs;
};

/** The live sessions of an account, the one that was used last first. */
export async function listSessions(pool: PoolContext, userId: DriverId): Promise<SessionSummary[]> {
  const rows = await listLiveSessions(pool.db, userId, pool.now());
  return rows.map(({ originJti, createdAt, lastSeenAt, expiresAt, browser, system, country }) => ({
    id: originJti,
    browser,
    system,
    country,
    signedInAt: createdAt,
    lastSeenAt: Math.max(createdAt, lastSeenAt),
    expiresAt,
  }));
}

/** Ends one session of an account. @returns false if it has no such session, or no longer */
export async function endSession(
  pool: PoolContext,
  { originJti, userId }: { originJti: string; userId: DriverId },
): Promise<boolean> {
  const isEnded = await revokePoolSession(pool.db, { userId, originJti, now: pool.now() });
  if (isEnded) await announceChange(pool, userId);
  return isEnded;
}

/** Ends every session of an account but one. */
export async function endOtherSessions(pool: PoolContext, userId: DriverId, keep: string): Promise<void> {
  await revokePoolSessions(pool.db, { userId, now: pool.now(), keep });
  await announceChange(pool, userId);
}

/** How long a session counts as live without another look at the database. A revoked one is refused within a minute. */
const CACHE_TTL_MS = 30_000;
/** How exact it is when a session was last seen: a row written per step, not per call. */
const SEEN_STEP_MS = 15 * MINUTE_MS;
const MAX_CACHED_SESSIONS = 10_000;

/** The owner of each live session, and until when that counts. Lost on eviction, which only costs a query. */
const cachedSessions = new Map<string, { userId: DriverId; until: EpochMs }>();

/** Whether the session that a token's `origin_jti` identifies is live, and the account's that the token names. */
export async function isSessionLive(
  pool: PoolContext,
  { originJti, userId }: { originJti: string; userId: DriverId },
): Promise<boolean> {
  const now = pool.now();
  const cached = cachedSessions.get(originJti);
  const until = cached?.userId === userId ? cached.until : 0;
  if (until > now && until <= now + CACHE_TTL_MS) return true;
  const session = await findLiveSession(pool.db, { originJti, userId }, now);
  if (!session) {
    if (cached?.userId === userId) cachedSessions.delete(originJti);
    return false;
  }
  if (now - session.lastSeenAt >= SEEN_STEP_MS)
    await doLater(pool, () => touchPoolSession(pool.db, originJti, now));
  rememberSession({ originJti, userId }, now);
  return true;
}

/** Counts a session as live that was just found or made. */
function rememberSession({ originJti, userId }: { originJti: string; userId: DriverId }, now: EpochMs): void {
  if (cachedSessions.size >= MAX_CACHED_SESSIONS) cachedSessions.clear();
  cachedSessions.set(originJti, { userId, until: now + CACHE_TTL_MS });
}

/** Forgets which sessions were live. */
export function clearLivenessCache(): void {
  cachedSessions.clear();
}

/**
 * After a change that ended sessions or that others follow: here the cache forgets them, and the rest is told, without
 * the caller waiting.
 */
export async function announceChange(pool: PoolContext, userId: DriverId): Promise<void> {
  clearLivenessCache();
  const { onAccountChange } = pool;
  if (onAccountChange) await doLater(pool, () => onAccountChange(userId));
}
