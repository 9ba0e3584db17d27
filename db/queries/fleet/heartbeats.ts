import { asc, eq, lt, sql } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { driverStates } from "../../schema/fleet.ts";
import { heartbeats, users } from "../../schema/drivers.ts";

/** Stores the deadline by which the driver's object will have woken again. */
export async function saveHeartbeat(
  db: Db,
  driverId: DriverId,
  { objectName, dueAt }: { objectName: string; dueAt: EpochMs },
): Promise<void> {
  await db
    .insert(heartbeats)
    .values({ driverId, objectName, dueAt })
    .onConflictDoUpdate({ target: heartbeats.driverId, set: { objectName, dueAt } });
}

/** Ends the watch over an object that has no alarm to wait for. */
export async function deleteHeartbeat(db: Db, driverId: DriverId): Promise<void> {
  await db.delete(heartbeats).where(eq(heartbeats.driverId, driverId));
}

/**
 * Drivers whose objects are overdue, those first whose last try is longest ago, then the most overdue: objects that can't be woken
 * hold up no others. `isOwned`: whether there still is a driver.
 */
export function listOverdueDrivers(db: Db, now: EpochMs, limit: number) {
  return db
    .select({
      driverId: heartbeats.driverId,
      objectName: heartbeats.objectName,
      isOwned: sql<number>`${users.id} is not null`,
    })
    .from(heartbeats)
    .leftJoin(users, eq(users.id, heartbeats.driverId))
    .where(lt(heartbeats.dueAt, now))
    .orderBy(sql`coalesce(${heartbeats.wokenAt}, 0)`, asc(heartbeats.dueAt))
    .limit(limit);
}

/** Stores that the watchdog tries to wake some objects. */
export async function noteWoken(db: Db, driverIds: readonly DriverId[], at: EpochMs): Promise<void> {
  if (driverIds.length === 0) return;
  await db
    .update(heartbeats)
    .set({ wokenAt: at })
    .where(sql`${heartbeats.driverId} in (select value from json_each(${JSON.stringify(driverIds)}))`);
}

/** Ends the watch over objects of which no driver is left, and forgets what they last reported. */
export async function forgetOrphans(db: Db, driverIds: readonly DriverId[]): Promise<void> {
  if (driverIds.length === 0) return;
  const ids = JSON.stringify(driverIds);
  const isLeft = (column: typeof heartbeats.driverId | typeof driverStates.driverId) =>
    sql`${column} in (select value from json_each(${ids}))
      and not exists (select 1 from ${users} where ${users.id} = ${column})`;
  await db.batch([
    db.delete(heartbeats).where(isLeft(heartbeats.driverId)),
    db.delete(driverStates).where(isLeft(driverStates.driverId)),
  ]);
}
