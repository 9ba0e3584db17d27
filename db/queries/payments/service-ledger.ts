import { asc, eq, sql, type SQL } from "drizzle-orm";
import type { DriverId } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { isAmong } from "../../expressions.ts";
import { serviceCredits } from "../../schema/drivers.ts";

/** A driver's service ledger as it was written: entries of one instant in the order in which they were inserted. */
export function serviceLedgerQuery(db: Db, driverId: DriverId | SQL) {
  return db
    .select()
    .from(serviceCredits)
    .where(eq(serviceCredits.driverId, driverId))
    .orderBy(asc(serviceCredits.at), sql`${serviceCredits}.rowid`);
}

/** The ledgers of several drivers, each in its order. */
export function serviceLedgersQuery(db: Db, driverIds: readonly DriverId[]) {
  return db
    .select()
    .from(serviceCredits)
    .where(isAmong(serviceCredits.driverId, driverIds))
    .orderBy(asc(serviceCredits.at), sql`${serviceCredits}.rowid`);
}
