import { and, asc, count, eq, sql, type SQL } from "drizzle-orm";
import { cityOf, SPOT_LAPSE_MS } from "../../shapes/money/spots.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { users } from "../../schema/drivers.ts";
import { citySpots, spots } from "../../schema/spots.ts";
import { serviceLedgerQuery } from "../payments/service-ledger.ts";
import { serviceUntilOf } from "../payments/service-time.ts";

/** Where a driver stands in their city; they have no row before their first linking. */
export type SpotRow = typeof spots.$inferSelect;

/** Spots that nobody else can have: taken, or kept for somebody. */
const TAKEN = sql`status IN ('held', 'offered')`;

/** The record says whether the driver may capture and pay. For the batch that changes the spot. */
export function spotFlagStatement(db: Db, driver: SQL) {
  const waits = sql`(SELECT status <> 'held' FROM spots WHERE driver_id = ${users.id})`;
  return db
    .update(users)
    .set({ waitingForSpot: waits, revision: sql`${users.revision} + 1` })
    .where(sql`${users.id} IN (${driver}) AND ${users.waitingForSpot} <> ${waits}`);
}

/**
 * Gives a driver a spot in the city of their region, or a place at the end of its line: a spot that is free goes to
 * nobody while others wait for one. What they have in this city already stays as it is, so it can be repeated. Who has
 * paid for days that are left, or has a payment in progress, never waits: the city has one spot more then.
 *
 * One statement decides, so that of two who come at once for the last spot one gets it.
 */
export async function claimSpot(
  db: Db,
  { driverId, region, now }: { driverId: DriverId; region: string | null; now: EpochMs },
): Promise<void> {
  const city = cityOf(region);
  const hasService = (serviceUntilOf(await serviceLedgerQuery(db, driverId)) ?? 0) > now;
  // A payment that settles after the ledger was read counts as one in progress.
  const hasPaid = sql`EXISTS (SELECT 1 FROM payments WHERE driver_id = ${driverId}
    AND (status IN ('open', 'processing') OR settled_at >= ${hasService ? 0 : now}))`;
  const hasRoom = sql`NOT EXISTS (SELECT 1 FROM city_spots WHERE city = ${city})
    OR (NOT EXISTS (SELECT 1 FROM spots WHERE city = ${city} AND status = 'waiting')
      AND (SELECT count(*) FROM spots WHERE city = ${city} AND ${TAKEN}) < (SELECT spots FROM city_spots WHERE city = ${city}))`;
  await db.batch([
    db
      .insert(spots)
      .select(
        sql`SELECT id, ${city}, CASE WHEN gets THEN 'held' ELSE 'waiting' END, ${now},
            CASE WHEN gets THEN NULL ELSE place END, NULL, ${now + SPOT_LAPSE_MS}
          FROM (SELECT id, ${hasPaid} OR ${hasRoom} AS gets,
            (SELECT count(*) + 1 FROM spots WHERE city = ${city} AND status = 'waiting') AS place
            FROM users WHERE id = ${driverId}) WHERE 1`,
      )
      .onConflictDoUpdate({
        target: spots.driverId,
        set: {
          city: sql`excluded.city`,
          status: sql`excluded.status`,
          since: sql`excluded.since`,
          joinedPlace: sql`excluded.joined_place`,
          offerEndsAt: sql`NULL`,
          checkAt: sql`excluded.check_at`,
        },
        setWhere: sql`spots.city <> excluded.city OR spots.status = 'left'`,
      }),
    spotFlagStatement(db, sql`${driverId}`),
  ]);
}

/** Takes the spot that is kept for a driver. @returns false if none is, by now */
export async function takeFreeSpot(db: Db, driverId: DriverId, now: EpochMs): Promise<boolean> {
  const [taken] = await db.batch([
    db
      .update(spots)
      .set({ status: "held", since: now, offerEndsAt: null, checkAt: now + SPOT_LAPSE_MS })
      .where(and(eq(spots.driverId, driverId), eq(spots.status, "offered"), sql`offer_ends_at > ${now}`))
      .returning({ driverId: spots.driverId }),
    spotFlagStatement(db, sql`${driverId}`),
  ]);
  return taken.length === 1;
}

/** A driver's spot, with their place in line and its length. */
export async function loadSpot(
  db: Db,
  driverId: DriverId,
): Promise<{ row: SpotRow | null; place: number; waiting: number; isAnyCityLimited: boolean }> {
  const own = sql`(SELECT city FROM spots WHERE driver_id = ${driverId})`;
  const [[row], [line], limited] = await db.batch([
    db.select().from(spots).where(eq(spots.driverId, driverId)),
    db
      .select({
        waiting: count(),
        ahead: sql<number>`coalesce(sum((since, driver_id) < (SELECT since, driver_id FROM spots WHERE driver_id = ${driverId})), 0)`,
      })
      .from(spots)
      .where(and(sql`${spots.city} = ${own}`, eq(spots.status, "waiting"))),
    db.select({ city: citySpots.city }).from(citySpots).limit(1),
  ]);
  return {
    row: row ?? null,
    place: (line?.ahead ?? 0) + 1,
    waiting: line?.waiting ?? 0,
    isAnyCityLimited: limited.length > 0,
  };
}

/** Each city with a limit: its spots, how many are taken and how many drivers wait. */
export async function listCitySpots(db: Db) {
  return db
    .select({
      city: citySpots.city,
      spots: citySpots.spots,
      taken: sql<number>`(SELECT count(*) FROM spots WHERE spots.city = city_spots.city AND ${TAKEN})`,
      waiting: sql<number>`(SELECT count(*) FROM spots WHERE spots.city = city_spots.city AND status = 'waiting')`,
    })
    .from(citySpots)
    .orderBy(asc(citySpots.city));
}

/** Whether a driver may pay: who has a spot may, and before the first linking who lives where no city has a limit. */
export function mayPayCondition(driverId: DriverId): SQL {
  return sql`EXISTS (SELECT 1 FROM users WHERE id = ${driverId} AND waiting_for_spot = 0)
    AND (EXISTS (SELECT 1 FROM spots WHERE driver_id = ${driverId}) OR NOT EXISTS (SELECT 1 FROM city_spots))`;
}
