import { and, eq, exists, isNull, lt, notExists, sql, type SQL } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { poolNonces, poolPasskeys, poolSessions, poolUsers } from "../../schema/identity.ts";
import { isLiveSession } from "./live-sessions.ts";
import { wasUsed, type OneTimeProof } from "./one-time-proofs.ts";
import { hasNumber, type PoolUser } from "./pool-users.ts";

/** A session row. */
export type PoolSession = typeof poolSessions.$inferSelect;

/**
 * Inserts a session, and deletes the account's expired ones and what no challenge needs any more.
 * @param user the account as it was when the sign-in was checked
 * @param more.proofs what the session is for, used up by it
 * @param more.needsNoPasskey for a sign-in that is too weak for an account with passkeys
 * @param more.isOfPassword for a sign-in that stands for the password: one that was set since ended every session
 * @returns not added if the account has another number or status by now, or such a password, is disabled, if the passkey was
 * removed, if there is one where there must be none, or if a proof was used before
 */
export async function addPoolSession(
  db: Db,
  session: PoolSession,
  user: PoolUser,
  {
    proofs = [],
    needsNoPasskey = false,
    isOfPassword = false,
  }: { proofs?: readonly OneTimeProof[]; needsNoPasskey?: boolean; isOfPassword?: boolean } = {},
): Promise<{ isAdded: boolean; isProven: boolean }> {
  const isSame = and(
    eq(poolUsers.status, user.status),
    eq(poolUsers.enabled, true),
    isOfPassword ? eq(poolUsers.password, user.password) : undefined,
  );
  const passkeyThat = (condition: SQL) =>
    db
      .select({ one: sql`1` })
      .from(poolPasskeys)
      .where(and(condition, isNull(poolPasskeys.removedAt)));
  const isAllowed = and(
    hasNumber(db, user, isSame),
    session.passkeyId === null ? undefined : exists(passkeyThat(eq(poolPasskeys.id, session.passkeyId))),
    needsNoPasskey ? notExists(passkeyThat(eq(poolPasskeys.userId, session.userId))) : undefined,
    ...proofs.map(({ isUnused }) => isUnused),
  );
  const [added, , , ...used] = await db.batch([
    insertWhere(db, poolSessions, session, sql`${isAllowed}`).returning({
      originJti: poolSessions.originJti,
    }),
    db
      .delete(poolSessions)
      .where(and(eq(poolSessions.userId, session.userId), lt(poolSessions.expiresAt, session.createdAt))),
    db.delete(poolNonces).where(lt(poolNonces.expiresAt, session.createdAt)),
    ...proofs.map(({ use }) => use),
  ]);
  return { isAdded: added.length === 1, isProven: used.every(wasUsed) };
}

/** Loads an account and its session, each null if it doesn't exist. */
export async function loadPoolSession(
  db: Db,
  { originJti, userId }: { originJti: string; userId: string },
): Promise<{ session: PoolSession | null; user: PoolUser | null }> {
  const [[session], [user]] = await db.batch([
    db
      .select()
      .from(poolSessions)
      .where(and(eq(poolSessions.originJti, originJti), eq(sql`${poolSessions.userId}`, userId))),
    db
      .select()
      .from(poolUsers)
      .where(eq(sql`${poolUsers.id}`, userId)),
  ]);
  return { session: session ?? null, user: user ?? null };
}

/**
 * A session that is this account's, and neither revoked nor expired; null if there is none, or if an operator disabled the
 * account. Deleting an account deletes its sessions.
 */
export async function findLiveSession(
  db: Db,
  { originJti, userId }: { originJti: string; userId: DriverId },
  now: EpochMs,
): Promise<Pick<PoolSession, "lastSeenAt" | "createdAt" | "expiresAt"> | null> {
  const [session] = await db
    .select({
      lastSeenAt: poolSessions.lastSeenAt,
      createdAt: poolSessions.createdAt,
      expiresAt: poolSessions.expiresAt,
    })
    .from(poolSessions)
    .innerJoin(poolUsers, eq(poolUsers.id, poolSessions.userId))
    .where(
      and(
        eq(poolUsers.enabled, true),
        eq(poolSessions.originJti, originJti),
        eq(poolSessions.userId, userId),
        isLiveSession(now),
      ),
    );
  return session ?? null;
}
