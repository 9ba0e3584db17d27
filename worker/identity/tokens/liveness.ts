import { isPoolSessionLive } from "../../../db/queries/identity.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { PoolContext } from "../pool-context.ts";

/** How long a session that was found alive is taken for alive: a revoked one is refused well within a minute. */
const CACHE_TTL_MS = 30_000;
const MAX_CACHED_SESSIONS = 10_000;

/** Until when each session need not be looked up again, for as long as the isolate lives. */
const cachedUntil = new Map<string, EpochMs>();

/** Whether the sign-in that a token's `origin_jti` names still stands. */
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

/** A session was revoked here: look it up the next time. Without a name, all of them. */
export function clearLivenessCache(originJti?: string): void {
  if (originJti === undefined) cachedUntil.clear();
  else cachedUntil.delete(originJti);
}
