import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import { nextSpotCheckAt, SPOT_OFFER_MS } from "../../shapes/money/spots.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { undeliveredNews } from "../../schema/news.ts";
import { users } from "../../schema/drivers.ts";
import { citySpots, spots } from "../../schema/spots.ts";
import { serviceLedgerQuery } from "../payments/service-ledger.ts";
import { serviceUntilOf } from "../payments/service-time.ts";
import { spotFlagStatement } from "./spots.ts";

/** More than a city without a limit can have waiting. */
const NO_LIMIT = 1_000_000;

/** Drivers who let their time pass leave the line, and the spot is free for the next. @returns who */
export async function endPassedOffers(db: Db, now: EpochMs): Promise<DriverId[]> {
  const isOver = sql`status = 'offered' AND offer_ends_at <= ${now}`;
  const [, left] = await db.batch([
    db
      .insert(undeliveredNews)
      .select(
        sql`SELECT 'spot:' || driver_id || ':passed:' || offer_ends_at, driver_id, 'spot_passed', city, NULL, ${now}
          FROM spots WHERE ${isOver}`,
      )
      .onConflictDoNothing(),
    db
      .update(spots)
      .set({ status: "left", since: now, joinedPlace: null, offerEndsAt: null })
      .where(isOver)
      .returning({ driverId: spots.driverId }),
  ]);
  return left.map(({ driverId }) => driverId);
}

/** Spots in cities with a limit that are to be looked at, because they may have lapsed. */
export function listSpotsToCheck(db: Db, now: EpochMs, limit: number) {
  return db
    .select({
      driverId: spots.driverId,
      since: spots.since,
      checkAt: spots.checkAt,
      revision: users.revision,
    })
    .from(spots)
    .innerJoin(citySpots, eq(citySpots.city, spots.city))
    .innerJoin(users, eq(users.id, spots.driverId))
    .where(and(eq(spots.status, "held"), lte(spots.checkAt, now)))
    .orderBy(asc(spots.checkAt))
    .limit(limit);
}

type SpotToCheck = Awaited<ReturnType<typeof listSpotsToCheck>>[number];

/**
 * Frees a spot whose driver has had no service for a week, unless a payment is in progress or something has changed
 * since it was read; otherwise notes when to look again.
 * @returns whether it was freed
 */
export async function releaseIfLapsed(
  db: Db,
  { driverId, since, checkAt, revision }: SpotToCheck,
  now: EpochMs,
): Promise<boolean> {
  const serviceUntil = serviceUntilOf(await serviceLedgerQuery(db, driverId));
  const nextAt = nextSpotCheckAt({ since, serviceUntil }, now);
  const isUnchanged = and(eq(spots.driverId, driverId), eq(spots.status, "held"), eq(spots.checkAt, checkAt));
  if (nextAt !== null) {
    await db.update(spots).set({ checkAt: nextAt }).where(isUnchanged);
    return false;
  }
  const isReleased = sql`FROM spots WHERE driver_id = ${driverId} AND status = 'left' AND since = ${now}`;
  const [released] = await db.batch([
    db
      .update(spots)
      .set({ status: "left", since: now, joinedPlace: null })
      .where(
        and(
          isUnchanged,
          sql`EXISTS (SELECT 1 FROM users WHERE id = ${driverId} AND revision = ${revision})`,
          sql`NOT EXISTS (SELECT 1 FROM payments WHERE driver_id = ${driverId} AND status IN ('open', 'processing'))`,
        ),
      )
      .returning({ driverId: spots.driverId }),
    db
      .insert(undeliveredNews)
      .select(
        sql`SELECT 'spot:' || driver_id || ':released:' || since, driver_id, 'spot_released', city, NULL, ${now} ${isReleased}`,
      )
      .onConflictDoNothing(),
    spotFlagStatement(db, sql`${driverId}`),
  ]);
  return released.length === 1;
}

/** Cities in which somebody waits. */
export async function listCitiesWithLine(db: Db): Promise<string[]> {
  const rows = await db.selectDistinct({ city: spots.city }).from(spots).where(eq(spots.status, "waiting"));
  return rows.map(({ city }) => city);
}

/**
 * Keeps each free spot of a city for the next in line. One statement counts and offers, so that two runs at once offer no
 * spot twice.
 * @returns to whom
 */
export async function offerFreeSpots(db: Db, city: string, now: EpochMs): Promise<DriverId[]> {
  const endsAt = now + SPOT_OFFER_MS;
  const free = sql`max(0, coalesce((SELECT spots FROM city_spots WHERE city = ${city}), ${NO_LIMIT})
    - (SELECT count(*) FROM spots WHERE city = ${city} AND status IN ('held', 'offered')))`;
  const next = sql`(SELECT driver_id FROM spots WHERE city = ${city} AND status = 'waiting'
    ORDER BY since, driver_id LIMIT ${free})`;
  const [offered] = await db.batch([
    db
      .update(spots)
      .set({ status: "offered", offerEndsAt: endsAt })
      .where(inArray(spots.driverId, next))
      .returning({ driverId: spots.driverId }),
    db
      .insert(undeliveredNews)
      .select(
        sql`SELECT 'spot:' || driver_id || ':opened:' || offer_ends_at, driver_id, 'spot_opened', city, offer_ends_at, ${now}
          FROM spots WHERE city = ${city} AND status = 'offered' AND offer_ends_at = ${endsAt}`,
      )
      .onConflictDoNothing(),
  ]);
  return offered.map(({ driverId }) => driverId);
}
