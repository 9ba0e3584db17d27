import { eq, sql } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { driverDevices } from "../../schema/rewards.ts";

/** More browsers than anybody pays with. */
const DEVICE_LIMIT = 20;

/** Notes a browser that a driver registered or paid with, by its hash; the first ones only. */
export async function noteDevice(
  db: Db,
  { driverId, deviceHash, now }: { driverId: DriverId; deviceHash: string; now: EpochMs },
): Promise<void> {
  const isOwn = eq(driverDevices.driverId, driverId);
  await insertWhere(
    db,
    driverDevices,
    { driverId, deviceHash, at: now },
    sql`(SELECT count(*) FROM ${driverDevices} WHERE ${isOwn}) < ${DEVICE_LIMIT}`,
  ).onConflictDoNothing();
}

/** The statement that forgets a driver's browsers. */
export function devicesOf(db: Db, driverId: DriverId) {
  return db.delete(driverDevices).where(eq(driverDevices.driverId, driverId));
}
