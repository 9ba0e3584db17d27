import { asc, eq, lt } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { heartbeats } from "../../schema/drivers.ts";

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

/** Drivers whose objects are overdue, the most overdue first. */
export function listOverdueDrivers(db: Db, now: EpochMs, limit: number) {
  return db
    .select({ driverId: heartbeats.driverId, objectName: heartbeats.objectName })
    .from(heartbeats)
    .where(lt(heartbeats.dueAt, now))
    .orderBy(asc(heartbeats.dueAt))
    .limit(limit);
}
