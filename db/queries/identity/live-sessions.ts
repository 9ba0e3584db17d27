import { and, eq, exists, gt, inArray, isNull, lt, lte, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../client.ts";
import { insertFrom } from "../../insert-where.ts";
import { accountChanges, poolSessions } from "../../schema/identity.ts";
import { DAY_MS, type DriverId, type DurationMs, type EpochMs } from "../../shapes/units.ts";

/** A session that nobody uses for this long ends. */
export const SESSION_IDLE_MS: DurationMs = 14 * DAY_MS;

const lastUsedAt = sql<number>`max(${poolSessions.lastSeenAt}, ${poolSessions.createdAt})`;

/** Whether a session is neither revoked nor expired, and in use. */
export function isLiveSession(now: EpochMs) {
  return and(
    isNull(poolSessions.revokedAt),
    gt(poolSessions.expiresAt, now),
    gt(lastUsedAt, now - SESSION_IDLE_MS),
  );
}

/**
 * That a session was not ended, as a condition of what is counted before its call is let in; true of one that the embedded pool
 * doesn't know.
 */
export function isNotEnded(sessionId: string | null): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${poolSessions}
    WHERE ${poolSessions.originJti} = ${sessionId} AND ${poolSessions.revokedAt} IS NOT NULL)`;
}

/** Holds while a session of an account has not ended: a batch checks it again, since it was read before. */
export function isUnrevoked(db: Db, { originJti, userId }: { originJti: string; userId: DriverId }): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(poolSessions)
      .where(
        and(
          eq(poolSessions.originJti, originJti),
          eq(poolSessions.userId, userId),
          isNull(poolSessions.revokedAt),
        ),
      ),
  );
}

/** Whether nobody has used a session for so long that it has ended. */
export function isIdleSession(session: { lastSeenAt: EpochMs; createdAt: EpochMs }, now: EpochMs): boolean {
  return Math.max(session.lastSeenAt, session.createdAt) <= now - SESSION_IDLE_MS;
}

/**
 * Revokes sessions that ended by themselves, so that what they made is ended by the follower of their accounts.
 * @returns how many
 */
export async function revokeIdleSessions(db: Db, now: EpochMs, limit: number): Promise<number> {
  const idle = db
    .select({ originJti: poolSessions.originJti })
    .from(poolSessions)
    .where(
      and(
        isNull(poolSessions.revokedAt),
        gt(poolSessions.expiresAt, now),
        lte(lastUsedAt, now - SESSION_IDLE_MS),
      ),
    )
    .orderBy(poolSessions.expiresAt)
    .limit(limit);
  const [, revoked] = await db.batch([
    changesOfSessions(db, inArray(poolSessions.originJti, idle), now),
    db
      .update(poolSessions)
      .set({ revokedAt: now })
      .where(inArray(poolSessions.originJti, idle))
      .returning({ originJti: poolSessions.originJti }),
  ]);
  return revoked.length;
}

/** The statement before some sessions end, after which their accounts are followed: what a session made ends with it. */
export function changesOfSessions(db: Db, which: SQL, now: EpochMs) {
  return insertFrom(
    db,
    accountChanges,
    { userId: sql`${poolSessions.userId}`, revision: 1, isDeleted: false, changedAt: now },
    sql`FROM ${poolSessions} WHERE ${which} GROUP BY ${poolSessions.userId}`,
  ).onConflictDoUpdate({
    target: accountChanges.userId,
    set: { revision: sql`${accountChanges.revision} + 1` },
  });
}

/** Deletes the sessions that expired longest ago, before an instant: nothing that they issued is good any more. */
export async function deleteExpiredSessions(db: Db, before: EpochMs, limit: number): Promise<void> {
  const expired = db
    .select({ originJti: poolSessions.originJti })
    .from(poolSessions)
    .where(lt(poolSessions.expiresAt, before))
    .orderBy(poolSessions.expiresAt)
    .limit(limit);
  await db.delete(poolSessions).where(inArray(poolSessions.originJti, expired));
}
