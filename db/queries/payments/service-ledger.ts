import { asc, eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type DriverId, MINUTE_MS, type EpochMs } from "../../shapes/units.ts";
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

const known = alias(serviceCredits, "known");

/** The instant of a new entry: never before the driver's last one, so that the order survives differing clocks. */
export function atAfterLedger(driverId: SQL, now: EpochMs): SQL {
  return sql`max(${now}, coalesce((SELECT max(${known.at}) FROM ${serviceCredits} ${known}
    WHERE ${known.driverId} = ${driverId} AND ${known.at} < ${now + MINUTE_MS}), 0))`;
}
