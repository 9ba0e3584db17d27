import {
  listLiveSessions,
  revokePoolSession,
  revokePoolSessions,
} from "../../../db/queries/identity/sessions.ts";
import type { DriverId, EpochMs } from "../../../db/shapes/units.ts";
import type { Device } from "../device.ts";
import type { PoolContext } from "../pool-context.ts";
import { announceChange } from "./liveness.ts";

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
