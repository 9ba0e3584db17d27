import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertFrom } from "../../insert-where.ts";
import { users } from "../../schema/drivers.ts";
import {
  accountChanges,
  poolPasskeys,
  poolSessions,
  poolSigningKeys,
  poolUsers,
} from "../../schema/identity.ts";
import { jsonRows } from "../../expressions.ts";
import { renewalConsents, renewals } from "../../schema/renewal.ts";
import { changesOfSessions } from "../identity/live-sessions.ts";

/** Higher than any count of changes since the copy was made: the objects reject a record older than theirs. */
const REVISION_STEP = 1_000_000;

/**
 * The ids that a restored database has again, of accounts that were deleted since. One that came back under its id by
 * then, as in a pool that keeps its accounts, stays.
 */
export async function listReturned(
  db: Db,
  erased: readonly { id: DriverId; at: EpochMs }[],
): Promise<DriverId[]> {
  if (erased.length === 0) return [];
  const { source, field } = jsonRows(erased);
  const isErased = ({ id, createdAt }: typeof users | typeof poolUsers) =>
    sql`EXISTS (SELECT 1 FROM ${source} WHERE ${field("id")} = ${id} AND ${field("at")} > ${createdAt})`;
  const [records, accounts] = await db.batch([
    db.select({ id: users.id }).from(users).where(isErased(users)),
    db.select({ id: poolUsers.id }).from(poolUsers).where(isErased(poolUsers)),
  ]);
  return [...new Set([...records, ...accounts].map(({ id }) => id as DriverId))];
}

/**
 * The drivers whose renewal a restored database has on again, of those that were turned off since. One that was agreed
 * to later stays on.
 */
export async function listRenewedAgain(
  db: Db,
  turnedOff: readonly { id: DriverId; at: EpochMs }[],
): Promise<DriverId[]> {
  if (turnedOff.length === 0) return [];
  const { source, field } = jsonRows(turnedOff);
  const rows = await db
    .select({ driverId: renewals.driverId })
    .from(renewals)
    .innerJoin(renewalConsents, eq(renewalConsents.id, renewals.consentId))
    .where(
      and(
        eq(renewals.status, "on"),
        sql`EXISTS (SELECT 1 FROM ${source} WHERE ${field("id")} = ${renewals.driverId} AND ${field("at")} >= ${renewalConsents.at})`,
      ),
    );
  return rows.map(({ driverId }) => driverId);
}

/**
 * The drivers that the database does not know.
 * @param watched those whose objects one watcher looks after: D1 takes 2 MB of text, some 50,000 ids
 */
export async function listStrangers(db: Db, watched: readonly DriverId[]): Promise<DriverId[]> {
  const rows = await db
    .select({ id: sql<DriverId>`value` })
    .from(sql`json_each(${JSON.stringify(watched)})`)
    .where(sql`not exists (select 1 from ${users} where ${users.id} = value)`);
  return rows.map(({ id }) => id);
}

export async function countDrivers(db: Db): Promise<number> {
  return db.$count(users);
}

/** The statements that let the objects follow a restored database, and delete again who was deleted since. */
export function afterRestoreEffects(
  db: Db,
  where: SQL,
  {
    strangers,
    returned,
    renewedAgain,
  }: {
    strangers: readonly DriverId[];
    returned: readonly DriverId[];
    renewedAgain: readonly DriverId[];
  },
) {
  return [
    db
      .update(users)
      .set({ revision: sql`${users.revision} + ${REVISION_STEP}` })
      .where(where),
    insertFrom(
      db,
      accountChanges,
      { userId: sql`value`, revision: 1, isDeleted: true, changedAt: 0 },
      sql`FROM json_each(${JSON.stringify(strangers)}) WHERE ${where}`,
    ).onConflictDoNothing(),
    insertFrom(
      db,
      accountChanges,
      { userId: sql`value`, revision: 1, isDeleted: true, changedAt: 0 },
      sql`FROM json_each(${JSON.stringify(returned)}) WHERE ${where}`,
    ).onConflictDoUpdate({ target: accountChanges.userId, set: { isDeleted: true, changedAt: 0 } }),
    db.delete(poolUsers).where(and(inList(poolUsers.id, returned), where)),
    db.delete(poolSessions).where(and(inList(poolSessions.userId, returned), where)),
    db.delete(poolPasskeys).where(and(inList(poolPasskeys.userId, returned), where)),
    db.delete(users).where(and(inList(users.id, returned), where)),
    db
      .update(renewals)
      .set({ status: "off", dueAt: null, revision: sql`${renewals.revision} + 1` })
      .where(and(inList(renewals.driverId, renewedAgain), where)),
  ];
}

/** The statement that revokes all signing keys: pages renew their tokens by themselves. */
export function revokeKeysEffects(db: Db, where: SQL, now: EpochMs) {
  return [
    db
      .update(poolSigningKeys)
      .set({ revokedAt: now })
      .where(and(isNull(poolSigningKeys.revokedAt), where)),
  ];
}

/** The statements that sign everybody out, and let what their sessions made follow. */
export function endSessionsEffects(db: Db, where: SQL, now: EpochMs) {
  return [
    changesOfSessions(db, sql`${poolSessions.revokedAt} IS NULL AND ${where}`, now),
    db
      .update(poolSessions)
      .set({ revokedAt: now })
      .where(and(isNull(poolSessions.revokedAt), where)),
  ];
}

/** The statement that lets the next signing keys be made within the hour. They sign a day later, and no token ends. */
export function rotateKeysEffects(db: Db, where: SQL) {
  return [
    db
      .update(poolSigningKeys)
      .set({ rotatesAt: 0 })
      .where(and(isNull(poolSigningKeys.revokedAt), where)),
  ];
}

export async function countSigningKeys(db: Db): Promise<number> {
  return db.$count(poolSigningKeys, isNull(poolSigningKeys.revokedAt));
}

export async function countSessions(db: Db): Promise<number> {
  return db.$count(poolSessions, isNull(poolSessions.revokedAt));
}

function inList(column: SQLiteColumn, ids: readonly DriverId[]) {
  return sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`;
}
