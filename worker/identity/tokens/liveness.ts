import { isPoolSessionLive } from "../../../db/queries/identity.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { PoolContext } from "../pool-context.ts";

/** How long a session counts as live without another look at the database. A revoked one is refused within a minute. */
const CACHE_TTL_MS = 30_000;
const MAX_CACHED_SESSIONS = 10_000;

/** When the cached result of each session expires. Lost on eviction, which only costs a query. */
const cachedUntil = new Map<string, EpochMs>();

/** Whether the session that a token's `origin_jti` identifies is live. */
export async function isSessionLive(pool: PoolContext, originJti: string): Promise<boolean> {
  const now = pool.now();
  const until = cachedUntil.get(originJti) ?? 0;
  if (until > now && until <= now + CACHE_TTL_MS) return true;
  if (!(await isPoolSessionLive(pool.db, originJti, now))) {
    cachedUntil.delete(originJti);
    return false;
  }
  if (cachedUntil.size >= MAX_CACHED_SESSIONS) cachedUntil.clear();
  cachedUntil.set(originJti, now + CACHE_TTL_MS);
  return true;
}

/** Forgets a session that was just revoked, or all of them. */
export function clearLivenessCache(originJti?: string): void {
  if (originJti === undefined) cachedUntil.clear();
  else cachedUntil.delete(originJti);
}
