import { eq, lt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { shardOf, TALLY_FIELDS, type FleetState, type Tally } from "../../shapes/fleet.ts";
import { HOUR_MS, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { driverStates, fleetHours } from "../../schema/fleet.ts";

/** The counts of a driver's object by hour, and its present state; null if it reported within the hour. */
export type FleetReport = {
  tallies: readonly { hour: number; tally: Tally }[];
  state: { state: FleetState; since: EpochMs; at: EpochMs } | null;
};

/** Adds what an object counted to the hours, and stores what it does, in one transaction. */
export async function saveFleetReport(
  db: Db,
  driverId: DriverId,
  { tallies, state }: FleetReport,
): Promise<void> {
  const shard = shardOf(driverId);
  const statements: BatchItem<"sqlite">[] = tallies.map(({ hour, tally }) =>
    db
      .insert(fleetHours)
      .values({ hour, shard, ...tally })
      .onConflictDoUpdate({
        target: [fleetHours.hour, fleetHours.shard],
        set: Object.fromEntries(TALLY_FIELDS.map((field) => [field, added(fleetHours[field])])),
      }),
  );
  if (state) statements.push(stateStatement(db, driverId, state));
  const [first, ...others] = statements;
  if (first) await db.batch([first, ...others]);
}

function added(column: SQLiteColumn) {
  return sql`${column} + ${excluded(column)}`;
}

/** An object that says within the hour what it said before writes no row. */
function stateStatement(
  db: Db,
  driverId: DriverId,
  { state, since, at }: NonNullable<FleetReport["state"]>,
): BatchItem<"sqlite"> {
  const { state: known, since: knownSince, reportedAt } = driverStates;
  return db
    .insert(driverStates)
    .values({ driverId, state, since, reportedAt: at })
    .onConflictDoUpdate({
      target: driverStates.driverId,
      set: {
        state,
        since: sql`CASE WHEN ${known} = ${excluded(known)} THEN ${knownSince} ELSE ${excluded(knownSince)} END`,
        reportedAt: at,
      },
      setWhere: sql`${known} <> ${excluded(known)} OR ${reportedAt} <= ${excluded(reportedAt)} - ${HOUR_MS}`,
    });
}

/** Deletes what was counted before an instant. */
export async function deleteOldFleetHours(db: Db, before: EpochMs): Promise<void> {
  await db.delete(fleetHours).where(lt(fleetHours.hour, Math.floor(before / HOUR_MS)));
}

/** The statement that forgets a driver; what the hours hold says nothing of anybody. */
export function driverStateOf(db: Db, driverId: DriverId) {
  return db.delete(driverStates).where(eq(driverStates.driverId, driverId));
}
