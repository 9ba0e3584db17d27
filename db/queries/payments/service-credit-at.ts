import { sql, type SQL } from "drizzle-orm";
import { MINUTE_MS, type EpochMs } from "../../shapes/units.ts";

/** The instant of a new entry: never before the driver's last one, so that clocks that differ keep the order. */
export function atAfterLedger(driverId: SQL, now: EpochMs): SQL {
  return sql`max(${now}, coalesce((SELECT max(known.at) FROM service_credits known
    WHERE known.driver_id = ${driverId} AND known.at < ${now + MINUTE_MS}), 0))`;
}
