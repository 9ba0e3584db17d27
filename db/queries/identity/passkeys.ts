import { and, asc, eq, exists, gt, isNotNull, isNull, lt, lte, ne, sql, type SQL } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { poolNotices, poolPasskeys, poolSessions } from "../../schema/identity.ts";
import { noteAccountChange } from "../accounts/account-changes.ts";
import { noteAccountNotice, UNDO_MS, type AccountNotice } from "../accounts/account-notices.ts";
import { isUnrevoked } from "./live-sessions.ts";
import { hasNumber, type PoolUser } from "./pool-users.ts";

/** A passkey row. */
export type Passkey = typeof poolPasskeys.$inferSelect;

/** The account of a change, as it was when the change was checked, and the session that asks. */
type PasskeyChange = { user: Pick<PoolUser, "id" | "phoneNumber">; originJti: string; now: EpochMs };

/** The passkeys of an account that open it, the oldest first. */
export function listPasskeys(db: Db, userId: DriverId): Promise<Passkey[]> {
  return db
    .select()
    .from(poolPasskeys)
    .where(and(eq(poolPasskeys.userId, userId), isNull(poolPasskeys.removedAt)))
    .orderBy(asc(poolPasskeys.createdAt), asc(poolPasskeys.id));
}

/** Finds a passkey by its authenticator's name for it, also one whose removal can still be undone. */
export async function findPasskey(db: Db, credentialId: string): Promise<Passkey | null> {
  const [passkey] = await db.select().from(poolPasskeys).where(eq(poolPasskeys.credentialId, credentialId));
  return passkey ?? null;
}

/** The passkey of a session; null if another way signed it in, or if the passkey was removed. */
export async function findSessionPasskey(
  db: Db,
  { originJti, userId }: { originJti: string; userId: DriverId },
): Promise<Passkey | null> {
  const [found] = await db
    .select({ passkey: poolPasskeys })
    .from(poolPasskeys)
    .innerJoin(poolSessions, eq(poolSessions.passkeyId, poolPasskeys.id))
    .where(
      and(
        eq(poolSessions.originJti, originJti),
        eq(poolPasskeys.userId, userId),
        isNull(poolPasskeys.removedAt),
      ),
    );
  return found?.passkey ?? null;
}

/**
 * Adds a passkey and has the account's number told, if the session still stands, the account has no more than so many, and
 * nobody has registered this one.
 */
export async function addPasskey(
  db: Db,
  passkey: Passkey,
  { user, originJti, now, limit }: PasskeyChange & { limit: number },
): Promise<boolean> {
  const isMade = and(
    hasNumber(db, user),
    isUnrevoked(db, { originJti, userId: user.id }),
    lt(db.$count(poolPasskeys, and(eq(poolPasskeys.userId, user.id), isNull(poolPasskeys.removedAt))), limit),
    sql`not exists (select 1 from ${poolPasskeys} where ${poolPasskeys.credentialId} = ${passkey.credentialId})`,
  ) as SQL;
  const results = await db.batch([
    forgetRemoved(db, now),
    ...noteAccountNotice(db, {
      userId: user.id,
      kind: "passkeys",
      phoneNumber: user.phoneNumber,
      now,
      isMade,
    }),
    insertWhere(db, poolPasskeys, passkey, isMade).returning({ id: poolPasskeys.id }),
    noteAccountChange(db, { userId: user.id, now }),
  ]);
  return results[3].length === 1;
}

/**
 * Removes a passkey, ends the sessions that it signed in but for the one that asks, and has the account's number told.
 * @returns false if the account has no such passkey, or the session has ended
 */
export async function removePasskey(
  db: Db,
  id: string,
  { user, originJti, now }: PasskeyChange,
): Promise<boolean> {
  const userId = user.id;
  const isPresent = and(
    eq(poolPasskeys.id, id),
    eq(poolPasskeys.userId, userId),
    isNull(poolPasskeys.removedAt),
    isUnrevoked(db, { originJti, userId }),
    hasNumber(db, user),
  );
  const present = db
    .select({ one: sql`1` })
    .from(poolPasskeys)
    .where(isPresent);
  const results = await db.batch([
    forgetRemoved(db, now),
    ...noteAccountNotice(db, {
      userId,
      kind: "passkeys",
      phoneNumber: user.phoneNumber,
      now,
      isMade: exists(present),
    }),
    db
      .update(poolSessions)
      .set({ revokedAt: now })
      .where(
        and(
          eq(poolSessions.passkeyId, id),
          eq(poolSessions.userId, userId),
          ne(poolSessions.originJti, originJti),
          isNull(poolSessions.revokedAt),
          exists(present),
        ),
      ),
    db.update(poolPasskeys).set({ removedAt: now }).where(isPresent).returning({ id: poolPasskeys.id }),
    noteAccountChange(db, { userId, now }),
  ]);
  return results[4].length === 1;
}

/** @returns false if the account has no such passkey */
export async function renamePasskey(
  db: Db,
  { id, userId, name }: { id: string; userId: DriverId; name: string },
): Promise<boolean> {
  const renamed = await db
    .update(poolPasskeys)
    .set({ name })
    .where(and(eq(poolPasskeys.id, id), eq(poolPasskeys.userId, userId), isNull(poolPasskeys.removedAt)))
    .returning({ id: poolPasskeys.id });
  return renamed.length === 1;
}

/**
 * Notes a sign-in by a passkey.
 * @param use.counter the authenticator's count, which rises with each signature, or stays 0
 * @returns false if a later count is known, so that there is a copy of it, or if it was removed
 */
export async function usePasskey(
  db: Db,
  { id, counter, now }: { id: string; counter: number; now: EpochMs },
): Promise<boolean> {
  const isNext = counter === 0 ? eq(poolPasskeys.counter, 0) : lt(poolPasskeys.counter, counter);
  const used = await db
    .update(poolPasskeys)
    .set({ counter, lastUsedAt: now })
    .where(and(eq(poolPasskeys.id, id), isNull(poolPasskeys.removedAt), isNext))
    .returning({ id: poolPasskeys.id });
  return used.length === 1;
}

/** The passwords that a texted code set and that can still be undone, the oldest first. */
export function listRecoveries(db: Db, userId: DriverId, now: EpochMs): Promise<AccountNotice[]> {
  return db
    .select()
    .from(poolNotices)
    .where(
      and(eq(poolNotices.userId, userId), eq(poolNotices.kind, "recovery"), gt(poolNotices.expiresAt, now)),
    )
    .orderBy(asc(poolNotices.changedAt));
}

/** The sessions of an account that passkeys signed in and that time hasn't ended, revoked ones included. */
export async function listPasskeySessions(db: Db, userId: DriverId, now: EpochMs): Promise<string[]> {
  const rows = await db
    .select({ originJti: poolSessions.originJti })
    .from(poolSessions)
    .where(
      and(
        eq(poolSessions.userId, userId),
        isNotNull(poolSessions.passkeyId),
        gt(poolSessions.expiresAt, now),
      ),
    );
  return rows.map(({ originJti }) => originJti);
}

/** The statements that bring an account's passkeys back to those of an instant. For the batch that undoes a change. */
export function passkeysAsOf(
  db: Db,
  { userId, at, isMade }: { userId: DriverId; at: EpochMs | SQL; isMade: SQL | undefined },
) {
  return [
    db
      .delete(poolPasskeys)
      .where(and(eq(poolPasskeys.userId, userId), sql`${poolPasskeys.createdAt} >= ${at}`, isMade)),
    db
      .update(poolPasskeys)
      .set({ removedAt: null })
      .where(and(eq(poolPasskeys.userId, userId), sql`${poolPasskeys.removedAt} >= ${at}`, isMade)),
  ] as const;
}

/** The statement that deletes passkeys whose removal can't be undone any more. */
function forgetRemoved(db: Db, now: EpochMs) {
  return db.delete(poolPasskeys).where(lte(poolPasskeys.removedAt, now - UNDO_MS));
}
