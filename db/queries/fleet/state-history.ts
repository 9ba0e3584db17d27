import { and, asc, count, eq, gte, lt, lte, sql } from "drizzle-orm";
import type { FleetState } from "../../shapes/fleet.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertFrom } from "../../insert-where.ts";
import { heartbeats } from "../../schema/drivers.ts";
import { isAwake } from "./figures.ts";
import { driverStates, fleetStateCounts } from "../../schema/fleet.ts";

const QUARTER_MS = 15 * MINUTE_MS;
const QUARTERS_AN_HOUR = HOUR_MS / QUARTER_MS;

/**
 * Counts the drivers in each state, once in a quarter of an hour: the first call of each counts, and the others read
 * one row. Without those whose objects had to wake before `staleAt` and did not.
 */
export async function sampleFleetStates(
  db: Db,
  { now, staleAt }: { now: EpochMs; staleAt: EpochMs },
): Promise<void> {
  const quarter = Math.floor(now / QUARTER_MS);
  const [sampled] = await db
    .select({ quarter: fleetStateCounts.quarter })
    .from(fleetStateCounts)
    .where(eq(fleetStateCounts.quarter, quarter))
    .limit(1);
  if (sampled) return;
  const isSampled = sql`EXISTS (SELECT 1 FROM ${fleetStateCounts} WHERE ${fleetStateCounts.quarter} = ${quarter})`;
  await insertFrom(
    db,
    fleetStateCounts,
    { quarter, state: sql`${driverStates.state}`, drivers: count() },
    sql`FROM ${driverStates} LEFT JOIN ${heartbeats} ON ${heartbeats.driverId} = ${driverStates.driverId}
      WHERE NOT ${isSampled} AND ${isAwake(staleAt)} GROUP BY ${driverStates.state}`,
  );
}

/** The counts of a span: of each quarter of an hour, or of the first one of each hour. */
export async function listFleetStates(
  db: Db,
  { from, to, isHourly }: { from: EpochMs; to: EpochMs; isHourly: boolean },
): Promise<{ at: EpochMs; state: FleetState; drivers: number }[]> {
  const { quarter } = fleetStateCounts;
  const rows = await db
    .select()
    .from(fleetStateCounts)
    .where(
      and(
        gte(quarter, Math.floor(from / QUARTER_MS)),
        lte(quarter, Math.floor(to / QUARTER_MS)),
        isHourly ? sql`${quarter} % ${QUARTERS_AN_HOUR} = 0` : undefined,
      ),
    )
    .orderBy(asc(quarter));
  return rows.map((row) => ({ at: row.quarter * QUARTER_MS, state: row.state, drivers: row.drivers }));
}

/** Deletes what was counted before an instant. */
export async function deleteOldFleetStates(db: Db, before: EpochMs): Promise<void> {
  await db.delete(fleetStateCounts).where(lt(fleetStateCounts.quarter, Math.floor(before / QUARTER_MS)));
}
