import { eq, lt, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { CITY_FIELDS, CITY_INSTANTS } from "../../shapes/city-counts.ts";
import { OTHER_CITY } from "../../shapes/money/spots.ts";
import { emptyTally, shardOf, TALLY_FIELDS, type FleetReport } from "../../shapes/fleet.ts";
import { HOUR_MS, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded, jsonRows } from "../../expressions.ts";
import { insertFrom, insertRows } from "../../insert-where.ts";
import { users } from "../../schema/drivers.ts";
import { cityHours, driverStates, fleetHours } from "../../schema/fleet.ts";

/**
 * Adds what objects counted to the hours, and stores what they do, in one transaction of three statements. The city is that of
 * the driver's region as D1 knows it. A driver who is gone by then is counted, with no city.
 */
export async function saveFleetReports(db: Db, reports: readonly FleetReport[]): Promise<void> {
  await db.batch([fleetStatement(db, reports), cityStatement(db, reports), stateStatement(db, reports)]);
}

function fleetStatement(db: Db, reports: readonly FleetReport[]) {
  const rows = new Map<string, typeof fleetHours.$inferInsert>();
  for (const { driverId, tallies } of reports) {
    const shard = shardOf(driverId);
    for (const { hour, tally } of tallies) {
      const row = rows.get(`${hour}:${shard}`) ?? { hour, shard, ...emptyTally() };
      rows.set(`${hour}:${shard}`, row);
      for (const field of TALLY_FIELDS) row[field] = (row[field] ?? 0) + tally[field];
    }
  }
  return insertRows(db, fleetHours, [...rows.values()], sql`true`).onConflictDoUpdate({
    target: [fleetHours.hour, fleetHours.shard],
    set: Object.fromEntries(TALLY_FIELDS.map((field) => [field, added(fleetHours[field])])),
  });
}

function cityStatement(db: Db, reports: readonly FleetReport[]) {
  const rows = reports.flatMap(({ driverId, tallies }) =>
    tallies.map(({ hour, city }) => ({ driverId, hour, ...city })),
  );
  const { source, field } = jsonRows<(typeof rows)[number]>(rows);
  const row = {
    hour: field("hour"),
    city: sql`coalesce(${users.humanRegion}, ${OTHER_CITY})`,
    ...Object.fromEntries([
      ...CITY_FIELDS.map((name) => [name, sql`sum(${field(name)})`]),
      ...CITY_INSTANTS.map((name) => [name, sql`max(${field(name)})`]),
    ]),
  };
  // The first two columns are hour and city.
  const query = sql`FROM ${source} LEFT JOIN ${users} ON ${users.id} = ${field("driverId")} WHERE true GROUP BY 1, 2`;
  return insertFrom(db, cityHours, row, query).onConflictDoUpdate({
    target: [cityHours.hour, cityHours.city],
    set: Object.fromEntries([
      ...CITY_FIELDS.map((name) => [name, added(cityHours[name])]),
      ...CITY_INSTANTS.map((name) => [name, later(cityHours[name])]),
    ]),
  });
}

function later(column: SQLiteColumn) {
  return sql`max(${column}, ${excluded(column)})`;
}

function added(column: SQLiteColumn) {
  return sql`${column} + ${excluded(column)}`;
}

/** Of each driver the last state. An object that says within the hour what it said before writes no row. */
function stateStatement(db: Db, reports: readonly FleetReport[]) {
  const { state: known, since: knownSince, reportedAt } = driverStates;
  const last = new Map(
    reports.flatMap(({ driverId, state }) => (state ? [[driverId, { driverId, ...state }]] : [])),
  );
  const { source, field } = jsonRows([...last.values()]);
  const isKnown = sql`exists (select 1 from ${users} where ${users.id} = ${field("driverId")})`;
  return insertFrom(
    db,
    driverStates,
    {
      driverId: field("driverId"),
      state: field("state"),
      since: field("since"),
      reportedAt: field("at"),
    },
    sql`FROM ${source} WHERE ${isKnown}`,
  ).onConflictDoUpdate({
    target: driverStates.driverId,
    set: {
      state: excluded(known),
      since: sql`CASE WHEN ${known} = ${excluded(known)} THEN ${knownSince} ELSE ${excluded(knownSince)} END`,
      reportedAt: excluded(reportedAt),
    },
    setWhere: sql`${known} <> ${excluded(known)} OR ${reportedAt} <= ${excluded(reportedAt)} - ${HOUR_MS}`,
  });
}

/** Deletes what was counted before an instant. */
export async function deleteOldFleetHours(db: Db, before: EpochMs): Promise<void> {
  const hour = Math.floor(before / HOUR_MS);
  await db.batch([
    db.delete(fleetHours).where(lt(fleetHours.hour, hour)),
    db.delete(cityHours).where(lt(cityHours.hour, hour)),
  ]);
}

/** The statement that forgets a driver; what the hours hold says nothing of anybody. */
export function driverStateOf(db: Db, driverId: DriverId) {
  return db.delete(driverStates).where(eq(driverStates.driverId, driverId));
}
