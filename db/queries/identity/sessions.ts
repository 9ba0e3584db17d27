import { and, desc, eq, isNull, lte, ne, sql, type SQL } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolSessions, poolUsers } from "../../schema/identity.ts";
import { noteAccountChange } from "../accounts/account-changes.ts";
import { noteAccountNotice } from "../accounts/account-notices.ts";
import { forgetGuessesStatement } from "./guesses.ts";
import { clearTriesStatement } from "./locks.ts";
import type { OneTimeProof } from "./one-time-proofs.ts";
import { isLiveSession, isUnrevoked } from "./live-sessions.ts";
import { type PoolSession } from "./pool-sessions.ts";
import { hasNumber, type PoolUser } from "./pool-users.ts";

/** The account, when, and the session that is kept, if any. */
type SessionEnd = { userId: DriverId; now: EpochMs; keep?: string };

/** The statement that revokes an account's sessions. For the batch that gives the reason. */
export function revokeSessions(db: Db, { userId, now, keep }: SessionEnd, isMade?: SQL) {
  return db
    .update(poolSessions)
    .set({ revokedAt: now })
    .where(
      and(
        eq(poolSessions.userId, userId),
        isNull(poolSessions.revokedAt),
        keep === undefined ? undefined : ne(poolSessions.originJti, keep),
        isMade,
      ),
    );
}

/** Revokes one session of an account. @returns false if it had ended already, or is another's */
export async function revokePoolSession(
  db: Db,
  { userId, originJti, now }: { userId: DriverId; originJti: string; now: EpochMs },
): Promise<boolean> {
  const isOwn = and(eq(poolSessions.originJti, originJti), eq(poolSessions.userId, userId));
  const [revoked] = await db.batch([
    db
      .update(poolSessions)
      .set({ revokedAt: now })
      .where(and(isOwn, isNull(poolSessions.revokedAt)))
      .returning({ originJti: poolSessions.originJti }),
    noteAccountChange(db, { userId, now }),
  ]);
  return revoked.length === 1;
}

/**
 * Counts a refresh token as replaced.
 * @returns false if it already was, or if the session has ended
 */
export async function rotatePoolSession(
  db: Db,
  use: {
    originJti: string;
    presented: number;
    now: EpochMs;
    keyId: string;
    renewalHash: string | null;
    device: Pick<PoolSession, "browser" | "system" | "country">;
  },
): Promise<boolean> {
  const { originJti, presented, now, keyId, renewalHash, device } = use;
  const rotated = await db
    .update(poolSessions)
    .set({ generation: presented + 1, rotatedAt: now, renewalHash, lastSeenAt: now, keyId, ...device })
    .where(
      and(
        eq(poolSessions.originJti, originJti),
        // A database that was restored may know an earlier one.
        lte(poolSessions.generation, presented),
        isNull(poolSessions.revokedAt),
      ),
    )
    .returning({ originJti: poolSessions.originJti });
  return rotated.length === 1;
}

/** Revokes every session of an account, or every other one. */
export async function revokePoolSessions(db: Db, end: SessionEnd): Promise<void> {
  await db.batch([revokeSessions(db, end), noteAccountChange(db, end)]);
}

/**
 * Sets a password, ends every session but the one that is kept, and has the account's number told.
 * @param end.kind `recovery` where a texted code set it
 * @param more.proof what proves that the caller may, used up by it
 * @param more.unlock whose wrong guesses are over with the password that they were at
 * @returns false if the account has another number by now, which an owner may have taken back, if the session that is kept was
 * ended, or if the proof was used before
 */
export async function replacePassword(
  db: Db,
  change: Partial<Pick<PoolUser, "status">> & Pick<PoolUser, "password">,
  end: SessionEnd & Pick<PoolUser, "phoneNumber"> & { kind?: "password" | "recovery" },
  { proof, unlock = [] }: { proof?: OneTimeProof; unlock?: readonly string[] } = {},
): Promise<boolean> {
  const { userId, phoneNumber, now, keep, kind = "password" } = end;
  const isAllowed = and(
    keep === undefined ? undefined : isUnrevoked(db, { originJti: keep, userId }),
    proof?.isUnused,
  );
  const isMade = hasNumber(db, { id: userId, phoneNumber }, isAllowed);
  const [, , updated] = await db.batch([
    ...noteAccountNotice(db, { userId, kind, phoneNumber, now, isMade }),
    db
      .update(poolUsers)
      .set(change)
      .where(and(eq(poolUsers.id, userId), eq(poolUsers.phoneNumber, phoneNumber), isAllowed))
      .returning({ id: poolUsers.id }),
    revokeSessions(db, end, isMade),
    noteAccountChange(db, end),
    ...(unlock.length === 0
      ? []
      : [clearTriesStatement(db, unlock, isMade), forgetGuessesStatement(db, unlock, isMade)]),
    ...(proof ? [proof.use] : []),
  ]);
  return updated.length === 1;
}

/** The live sessions of an account, the one that was used last first. */
export function listLiveSessions(db: Db, userId: DriverId, now: EpochMs): Promise<PoolSession[]> {
  return db
    .select()
    .from(poolSessions)
    .where(and(eq(poolSessions.userId, userId), isLiveSession(now)))
    .orderBy(desc(sql`max(${poolSessions.lastSeenAt}, ${poolSessions.createdAt})`));
}

/** Notes that a session is in use. */
export async function touchPoolSession(db: Db, originJti: string, now: EpochMs): Promise<void> {
  await db.update(poolSessions).set({ lastSeenAt: now }).where(eq(poolSessions.originJti, originJti));
}
