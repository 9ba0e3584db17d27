import { and, asc, eq, lte, ne, not, sql, type SQL } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded, jsonRows } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { accountChanges, poolUsers } from "../../schema/identity.ts";
import { users } from "../../schema/drivers.ts";
import { noteAccountNotice } from "./account-notices.ts";
import { concernsSessionsAlone } from "./ended-sessions.ts";
import { poolRowsOf } from "../identity/pool-users.ts";
import { textRowsOf } from "../texts/delivery.ts";

/** A change of an account that something may not have followed yet. */
export type AccountChange = typeof accountChanges.$inferSelect;

/** The statement that leaves a change to be followed. For the batch that makes the change. */
export function noteAccountChange(
  db: Db,
  { userId, now, isDeleted = false }: { userId: DriverId; now: EpochMs; isDeleted?: boolean },
) {
  return db
    .insert(accountChanges)
    .values({ userId, revision: 1, isDeleted, changedAt: now })
    .onConflictDoUpdate({
      target: accountChanges.userId,
      set: {
        revision: sql`${accountChanges.revision} + 1`,
        isDeleted: sql`max(${accountChanges.isDeleted}, ${excluded(accountChanges.isDeleted)})`,
        changedAt: now,
      },
    });
}

/**
 * Deletes an account with its sessions, and the record, so that the number is free and nobody can act in its name; the
 * rest is left to the follower, like the text to its owner, unless it had no confirmed number. Safe to repeat.
 * @returns the change that is to be followed
 */
export async function deleteAccount(
  db: Db,
  userId: DriverId,
  now: EpochMs,
): Promise<Pick<AccountChange, "userId" | "revision">> {
  const phoneNumber = sql`coalesce(
    (select ${poolUsers.phoneNumber} from ${poolUsers} where ${poolUsers.id} = ${userId} and ${poolUsers.phoneVerified} = 1),
    (select ${users.phoneNumber} from ${users} where ${users.id} = ${userId}))`;
  const [[change]] = await db.batch([
    noteAccountChange(db, { userId, now, isDeleted: true }).returning({ revision: accountChanges.revision }),
    ...noteAccountNotice(db, { userId, kind: "deleted", phoneNumber, now }),
    ...textRowsOf(db, userId),
    db.delete(users).where(eq(users.id, userId)),
    ...poolRowsOf(db, userId),
  ]);
  return { userId, revision: change?.revision ?? 0 };
}

/** The change of an account that is still to be followed; null if there is none. */
export async function loadAccountChange(db: Db, userId: DriverId): Promise<AccountChange | null> {
  const [change] = await db.select().from(accountChanges).where(eq(accountChanges.userId, userId));
  return change ?? null;
}

type Due = { before: EpochMs; triedBefore: EpochMs; limit: number };

/**
 * Changes from before an instant that are still to be followed, the oldest first, and those that failed after all others: not
 * again before `triedBefore`. Without those that concern sessions alone, which are followed many at a time.
 */
export function listAccountChanges(db: Db, due: Due): Promise<AccountChange[]> {
  return listDue(db, due, not(concernsSessionsAlone));
}

/** The same, of those that concern sessions alone. */
export function listEndedSessions(db: Db, due: Due): Promise<AccountChange[]> {
  return listDue(db, due, concernsSessionsAlone);
}

async function listDue(db: Db, { before, triedBefore, limit }: Due, which: SQL): Promise<AccountChange[]> {
  return db
    .select()
    .from(accountChanges)
    .where(and(lte(accountChanges.triedAt, triedBefore), lte(accountChanges.changedAt, before), which))
    .orderBy(asc(accountChanges.triedAt), asc(accountChanges.changedAt))
    .limit(limit);
}

type KnownChange = Pick<AccountChange, "userId" | "revision">;

/** No other change of the account has come since. */
function isUnchanged({ userId, revision }: KnownChange) {
  return and(eq(accountChanges.userId, userId), eq(accountChanges.revision, revision));
}

/** The same of some accounts, in one statement. */
function areUnchanged(changes: readonly KnownChange[]): SQL {
  const { source, field } = jsonRows(changes.map(({ userId, revision }) => ({ userId, revision })));
  return sql`(${accountChanges.userId}, ${accountChanges.revision}) IN
    (SELECT ${field("userId")}, ${field("revision")} FROM ${source})`;
}

/** Everything has followed a change. It stays if another one came in the meantime. */
export async function finishAccountChange(db: Db, change: KnownChange): Promise<void> {
  await finishAccountChanges(db, [change]);
}

export async function finishAccountChanges(db: Db, changes: readonly KnownChange[]): Promise<void> {
  if (changes.length === 0) return;
  await db.delete(accountChanges).where(areUnchanged(changes));
}

/** Changes that were followed in vain wait behind those that were not, and those that others follow until `triedAt`. */
export async function noteTriedChanges(
  db: Db,
  changes: readonly KnownChange[],
  triedAt: EpochMs,
): Promise<void> {
  if (changes.length === 0) return;
  await db.update(accountChanges).set({ triedAt }).where(areUnchanged(changes));
}

/**
 * A change whose text could not be sent yet: those that wait longer come first next time. A deleted
 * driver is erased before that, and may have registered again since. It is left anew where another change was followed to its
 * end meanwhile, which found the text being sent.
 */
export async function postponeAccountChange(db: Db, change: KnownChange, now: EpochMs): Promise<void> {
  const { userId, revision } = change;
  await db
    .insert(accountChanges)
    .values({ userId, revision: revision + 1, isDeleted: false, changedAt: now })
    .onConflictDoUpdate({
      target: accountChanges.userId,
      set: { changedAt: now, isDeleted: false },
      setWhere: isUnchanged(change),
    });
}

/**
 * Gives a number to the record of the account that has it. Another record that still has it is left without one, and to
 * follow its own account.
 * @returns the drivers who lost it
 */
export async function claimNumber(
  db: Db,
  { userId, phoneNumber, now }: { userId: DriverId; phoneNumber: string; now: EpochMs },
): Promise<DriverId[]> {
  const isFormer = and(eq(users.phoneNumber, phoneNumber), ne(users.id, userId));
  const [, former] = await db.batch([
    insertFrom(
      db,
      accountChanges,
      { userId: sql`${users.id}`, revision: 1, isDeleted: false, changedAt: now },
      sql`FROM ${users} WHERE ${isFormer}`,
    ).onConflictDoUpdate({
      target: accountChanges.userId,
      set: { revision: sql`${accountChanges.revision} + 1`, changedAt: now },
    }),
    db
      .update(users)
      .set({ phoneNumber: sql`'released ' || ${users.id}`, revision: sql`${users.revision} + 1` })
      .where(isFormer)
      .returning({ id: users.id }),
    db
      .update(users)
      .set({ phoneNumber, revision: sql`${users.revision} + 1` })
      .where(and(eq(users.id, userId), ne(users.phoneNumber, phoneNumber))),
  ]);
  return former.map(({ id }) => id);
}
