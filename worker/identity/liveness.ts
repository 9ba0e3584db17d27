import { isPoolSessionLive } from "../../db/queries/identity.ts";
import type { EpochMs } from "../../durable/engine/units.ts";
import type { Pool } from "./context.ts";

/** How long a session that was found alive is taken for alive: a revoked one is refused well within a minute. */
const TRUSTED_MS = 30_000;
const MOST_TRUSTED = 10_000;

/** Until when each session need not be looked up again, for as long as the isolate lives. */
const trustedUntil = new Map<string, EpochMs>();

/** Whether the sign-in that a token's `origin_jti` names still stands. */
export async function isLive(pool: Pool, originJti: string): Promise<boolean> {
  const now = pool.now();
  const until = trustedUntil.get(originJti) ?? 0;
  if (until > now && until <= now + TRUSTED_MS) return true;
  if (!(await isPoolSessionLive(pool.db, originJti, now))) {
    trustedUntil.delete(originJti);
    return false;
  }
  if (trustedUntil.size >= MOST_TRUSTED) trustedUntil.clear();
  trustedUntil.set(originJti, now + TRUSTED_MS);
  return true;
}

/** A session was revoked here: look it up the next time. Without a name, all of them. */
export function forgetLiveness(originJti?: string): void {
  if (originJti === undefined) trustedUntil.clear();
  else trustedUntil.delete(originJti);
}
