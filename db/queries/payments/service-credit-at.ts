import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { serviceCredits } from "../../schema/drivers.ts";
import { MINUTE_MS, type EpochMs } from "../../shapes/units.ts";

const known = alias(serviceCredits, "known");

/** The instant of a new entry: never before the driver's last one, so that clocks that differ keep the order. */
export function atAfterLedger(driverId: SQL, now: EpochMs): SQL {
  return sql`max(${now}, coalesce((SELECT max(${known.at}) FROM ${serviceCredits} ${known}
    WHERE ${known.driverId} = ${driverId} AND ${known.at} < ${now + MINUTE_MS}), 0))`;
}
