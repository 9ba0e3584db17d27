import { and, asc, count, eq, gt, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { cityOf, SPOT_LAPSE_MS } from "../../shapes/money/spots.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded, qualified } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { payments } from "../../schema/payments.ts";
import { users } from "../../schema/drivers.ts";
import { citySpots, spots } from "../../schema/spots.ts";
import { serviceUntilOf } from "../payments/service-time.ts";
import { driverQueries, readDriver, type DriverRecord } from "../accounts/drivers.ts";
import { anyWaitedDaysStatements, loadWait, waitedDaysStatements, type Wait } from "./waited-days.ts";

const own = alias(spots, "own");

/** Where a driver stands in their city; they have no row before their first linking. */
export type SpotRow = typeof spots.$inferSelect;

/** Spots that nobody else can have: taken, or kept for somebody. */
const TAKEN = sql`${spots.status} IN ('held', 'offered')`;
const WAITING = sql`${spots.status} = 'waiting'`;

/** The record says whether the driver may capture and pay. For the batch that changes the spot. */
export function spotFlagStatement(db: Db, driver: SQL) {
  const waits = sql`(SELECT ${spots.status} <> 'held' FROM ${spots} WHERE ${spots.driverId} = ${users.id})`;
  return db
    .update(users)
    .set({ waitingForSpot: waits, revision: sql`${users.revision} + 1` })
    .where(sql`${users.id} IN (${driver}) AND ${users.waitingForSpot} <> ${waits}`);
}

/**
 * Gives a driver a spot in the city of their region, or a place at the end of its line: a spot that is free goes to
 * nobody while others wait for one. Their spot in this city stays as it is, so it can be repeated; one whose time to be
 * taken is over is as good as left before the cron says so. Drivers with paid days left, or a payment that their bank has,
 * never wait: the city then has one spot more. A payment that is open counts for nothing: it may never be paid.
 *
 * One statement decides, so that of two who come at once for the last spot one gets it.
 */
export async function claimSpot(
  db: Db,
  { driverId, region, now }: { driverId: DriverId; region: string | null; now: EpochMs },
): Promise<void> {
  const city = cityOf(region);
  const wait = await loadWait(db, driverId);
  const hasService = (serviceUntilOf(wait.entries) ?? 0) > now;
  // A payment that settles after the ledger was read counts as one in progress.
  const hasPaid = sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.driverId} = ${driverId}
    AND (${payments.status} = 'processing' OR ${payments.settledAt} >= ${hasService ? 0 : now}))`;
  const isLimited = sql`FROM ${citySpots} WHERE ${citySpots.city} = ${city}`;
  const ofCity = sql`FROM ${spots} WHERE ${spots.city} = ${city}`;
  const hasRoom = sql`NOT EXISTS (SELECT 1 ${isLimited})
    OR (NOT EXISTS (SELECT 1 ${ofCity} AND ${WAITING})
      AND (SELECT count(*) ${ofCity} AND ${TAKEN} AND ${spots.driverId} <> ${driverId})
        < (SELECT ${citySpots.spots} ${isLimited}))`;
  await db.batch([
    insertFrom(
      db,
      spots,
      {
        driverId,
        city,
        status: sql`CASE WHEN gets THEN 'held' ELSE 'waiting' END`,
        since: now,
        joinedPlace: sql`CASE WHEN gets THEN NULL ELSE next_place END`,
        checkAt: now + SPOT_LAPSE_MS,
      },
      sql`FROM (SELECT ${hasPaid} OR ${hasRoom} AS gets, (SELECT count(*) + 1 ${ofCity} AND ${WAITING}) AS next_place
        FROM ${users} WHERE ${users.id} = ${driverId}) WHERE 1`,
    ).onConflictDoUpdate({
      target: spots.driverId,
      set: {
        city: excluded(spots.city),
        status: excluded(spots.status),
        since: excluded(spots.since),
        joinedPlace: excluded(spots.joinedPlace),
        offerEndsAt: null,
        checkAt: excluded(spots.checkAt),
      },
      setWhere: sql`${spots.city} <> ${excluded(spots.city)} OR ${spots.status} = 'left'
        OR (${spots.status} = 'offered' AND ${spots.offerEndsAt} <= ${now})`,
    }),
    ...waitedDaysStatements(db, driverId, { wait, now }),
    spotFlagStatement(db, sql`${driverId}`),
  ]);
}

/**
 * Gives a driver whose payment went through a spot, for the batch that credits the days: a form that was opened before
 * they waited can still be paid, and no paid day passes in line.
 */
export async function payerSpotStatements(
  db: Db,
  driverId: DriverId,
  { now, where }: { now: EpochMs; where: SQL },
) {
  const wait = await loadWait(db, driverId);
  return [
    db
      .update(spots)
      .set({ status: "held", since: now, joinedPlace: null, offerEndsAt: null, checkAt: now + SPOT_LAPSE_MS })
      .where(and(eq(spots.driverId, driverId), sql`${spots.status} <> 'held'`, where)),
    ...waitedDaysStatements(db, driverId, { wait, now }),
    spotFlagStatement(db, sql`${driverId}`),
  ];
}

/**
 * Takes the spot that is kept for a driver.
 * @param wait what the days that they waited are computed from
 * @returns whether one was kept, by now; and where the driver stands after that, with their record
 */
export async function takeFreeSpot(
  db: Db,
  driverId: DriverId,
  { wait, now }: { wait: Wait; now: EpochMs },
): Promise<{ isTaken: boolean; standing: DriverSpot; driver: DriverRecord | null }> {
  const [taken, , , , spot, line, limited, ...driver] = await db.batch([
    db
      .update(spots)
      .set({ status: "held", since: now, offerEndsAt: null, checkAt: now + SPOT_LAPSE_MS })
      .where(and(eq(spots.driverId, driverId), eq(spots.status, "offered"), gt(spots.offerEndsAt, now)))
      .returning({ driverId: spots.driverId }),
    ...anyWaitedDaysStatements(db, driverId, { wait, now }),
    spotFlagStatement(db, sql`${driverId}`),
    ...spotQueries(db, driverId),
    ...driverQueries(db, driverId),
  ]);
  const standing = readSpot([spot, line, limited]);
  return { isTaken: taken.length === 1, standing, driver: readDriver(driver) };
}

/** A driver's spot, with their place in line and its length. */
export type DriverSpot = {
  row: SpotRow | null;
  place: number;
  waiting: number;
  isAnyCityLimited: boolean;
};

/** Where a driver stands. */
export async function loadSpot(db: Db, driverId: DriverId): Promise<DriverSpot> {
  return readSpot(await runSpotQueries(db, driverId));
}

function runSpotQueries(db: Db, driverId: DriverId) {
  return db.batch(spotQueries(db, driverId));
}

function spotQueries(db: Db, driverId: DriverId) {
  const city = sql`(SELECT ${own.city} FROM ${spots} ${own} WHERE ${own.driverId} = ${driverId})`;
  return [
    db.select().from(spots).where(eq(spots.driverId, driverId)),
    db
      .select({
        waiting: count(),
        ahead: qualified(
          sql<number>`coalesce(sum((${spots.since}, ${spots.driverId}) <
            (SELECT ${own.since}, ${own.driverId} FROM ${spots} ${own} WHERE ${own.driverId} = ${driverId})), 0)`,
        ),
      })
      .from(spots)
      .where(and(sql`${spots.city} = ${city}`, eq(spots.status, "waiting"))),
    db.select({ city: citySpots.city }).from(citySpots).limit(1),
  ] as const;
}

function readSpot([[row], [line], limited]: Readonly<
  Awaited<ReturnType<typeof runSpotQueries>>
>): DriverSpot {
  return {
    row: row ?? null,
    place: (line?.ahead ?? 0) + 1,
    waiting: line?.waiting ?? 0,
    isAnyCityLimited: limited.length > 0,
  };
}

/** Each city with a limit: its spots, how many are taken and how many drivers wait. */
export async function listCitySpots(db: Db) {
  const ofCity = sql`FROM ${spots} WHERE ${spots.city} = ${citySpots.city}`;
  return db
    .select({
      city: citySpots.city,
      spots: citySpots.spots,
      taken: sql<number>`(SELECT count(*) ${ofCity} AND ${TAKEN})`,
      waiting: sql<number>`(SELECT count(*) ${ofCity} AND ${WAITING})`,
    })
    .from(citySpots)
    .orderBy(asc(citySpots.city));
}

/** Whether a driver may pay: who has a spot may, and before the first linking who lives where no city has a limit. */
export function mayPayCondition(driverId: DriverId): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId} AND ${users.waitingForSpot} = 0)
    AND (EXISTS (SELECT 1 FROM ${spots} WHERE ${spots.driverId} = ${driverId}) OR NOT EXISTS (SELECT 1 FROM ${citySpots}))`;
}
