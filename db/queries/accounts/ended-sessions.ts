import { and, eq, sql, type SQL } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { isAmong } from "../../expressions.ts";
import { driverObjects, heartbeats, platformAccounts, users } from "../../schema/drivers.ts";
import { accountChanges, poolNotices, poolSessions, poolUsers } from "../../schema/identity.ts";
import { isLiveSession } from "../identity/live-sessions.ts";

type AccountChange = typeof accountChanges.$inferSelect;

/** That nothing but sessions is to be followed: the account is there, its number is the record's, and no text waits. */
export const concernsSessionsAlone: SQL = sql`(${accountChanges.isDeleted} = 0
  AND NOT EXISTS (SELECT 1 FROM ${poolNotices}
    WHERE ${poolNotices.userId} = ${accountChanges.userId} AND ${poolNotices.toldAt} IS NULL)
  AND EXISTS (SELECT 1 FROM ${poolUsers} WHERE ${poolUsers.id} = ${accountChanges.userId}
    AND NOT EXISTS (SELECT 1 FROM ${users}
      WHERE ${users.id} = ${poolUsers.id} AND ${users.phoneNumber} <> ${poolUsers.phoneNumber})
    AND NOT EXISTS (SELECT 1 FROM ${users}
      WHERE ${users.phoneNumber} = ${poolUsers.phoneNumber} AND ${users.id} <> ${poolUsers.id})))`;

/** The changes of these accounts that still concern sessions alone. */
export async function loadEndedSessions(db: Db, ids: readonly DriverId[]): Promise<AccountChange[]> {
  return db
    .select()
    .from(accountChanges)
    .where(and(isAmong(accountChanges.userId, ids), concernsSessionsAlone));
}

/** The sessions of accounts that are live now, none where the account is disabled, and the names of all their objects. */
export async function loadSessionsAndObjects(
  db: Db,
  ids: readonly DriverId[],
  now: EpochMs,
): Promise<{
  live: ReadonlyMap<DriverId, readonly string[]>;
  objectNames: ReadonlyMap<DriverId, readonly string[]>;
}> {
  const [sessions, ...objects] = await db.batch([
    db
      .select({ id: poolSessions.userId, name: poolSessions.originJti })
      .from(poolSessions)
      .innerJoin(poolUsers, eq(poolUsers.id, poolSessions.userId))
      .where(and(isAmong(poolSessions.userId, ids), eq(poolUsers.enabled, true), isLiveSession(now))),
    db
      .select({ id: driverObjects.driverId, name: driverObjects.objectName })
      .from(driverObjects)
      .where(isAmong(driverObjects.driverId, ids)),
    db
      .select({ id: platformAccounts.driverId, name: platformAccounts.objectName })
      .from(platformAccounts)
      .where(isAmong(platformAccounts.driverId, ids)),
    db
      .select({ id: heartbeats.driverId, name: heartbeats.objectName })
      .from(heartbeats)
      .where(isAmong(heartbeats.driverId, ids)),
  ]);
  return { live: namesOf(sessions), objectNames: namesOf(objects.flat()) };
}

function namesOf(rows: readonly { id: DriverId; name: string }[]): ReadonlyMap<DriverId, readonly string[]> {
  const grouped = Map.groupBy(rows, ({ id }) => id);
  return new Map([...grouped].map(([id, own]) => [id, own.map(({ name }) => name)]));
}
