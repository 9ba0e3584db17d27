import { sql, type SQL } from "drizzle-orm";
import type { DriverId } from "../../shapes/units.ts";
import { users } from "../../schema/drivers.ts";

/** That a driver has a record. */
export function hasRecord(driverId: DriverId): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId})`;
}
