import { and, eq, sql } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { driverObjects, heartbeats, platformAccounts, users } from "../../schema/drivers.ts";

type DriverObject = { driverId: DriverId; objectName: string };

/**
 * Stores that an object belongs to a driver, who may have others: an object never moves, so each region has its own.
 * @returns the revision of the driver's record; null, and nothing is stored, if there is none
 */
export async function claimDriverObject(
  db: Db,
  { driverId, objectName, since }: DriverObject & { since: EpochMs },
): Promise<number | null> {
  const isKnown = sql`exists (select 1 from ${users} where ${users.id} = ${driverId})`;
  const [, [row]] = await db.batch([
    insertWhere(db, driverObjects, { driverId, objectName, since }, isKnown).onConflictDoNothing(),
    db.select({ revision: users.revision }).from(users).where(eq(users.id, driverId)),
  ]);
  return row?.revision ?? null;
}

/** Forgets an object that has erased itself. */
export async function forgetDriverObject(db: Db, { driverId, objectName }: DriverObject): Promise<void> {
  await db.batch([
    db
      .delete(driverObjects)
      .where(and(eq(driverObjects.driverId, driverId), eq(driverObjects.objectName, objectName))),
    db
      .delete(heartbeats)
      .where(and(eq(heartbeats.driverId, driverId), eq(heartbeats.objectName, objectName))),
  ]);
}

/** The names of all objects that a driver ever had; those from before names were stored, as far as others hold them. */
export async function listDriverObjects(db: Db, driverId: DriverId): Promise<string[]> {
  const lists = await db.batch([
    db
      .select({ objectName: driverObjects.objectName })
      .from(driverObjects)
      .where(eq(driverObjects.driverId, driverId)),
    db
      .select({ objectName: platformAccounts.objectName })
      .from(platformAccounts)
      .where(eq(platformAccounts.driverId, driverId)),
    db
      .select({ objectName: heartbeats.objectName })
      .from(heartbeats)
      .where(eq(heartbeats.driverId, driverId)),
  ]);
  return [...new Set(lists.flat().map(({ objectName }) => objectName))];
}

/** The statement that forgets a driver's objects. */
export function driverObjectsOf(db: Db, driverId: DriverId) {
  return db.delete(driverObjects).where(eq(driverObjects.driverId, driverId));
}
