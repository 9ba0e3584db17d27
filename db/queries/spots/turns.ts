import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import { nextSpotCheckAt, SPOT_OFFER_MS } from "../../shapes/money/spots.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertFrom } from "../../insert-where.ts";
import { payments } from "../../schema/payments.ts";
import { undeliveredNews } from "../../schema/voice.ts";
import { users } from "../../schema/drivers.ts";
import { poolUsers } from "../../schema/identity.ts";
import { citySpots, spots } from "../../schema/spots.ts";
import { serviceLedgerQuery, serviceUntilOf } from "../payments/service-time.ts";
import { spotFlagStatement } from "./spots.ts";

/** More than a city without a limit can have waiting. */
const NO_LIMIT = 1_000_000;

/** Drivers who let their time pass leave the line, and the spot is free for the next. @returns who */
export async function endPassedOffers(db: Db, now: EpochMs): Promise<DriverId[]> {
  const isOver = sql`${spots.status} = 'offered' AND ${spots.offerEndsAt} <= ${now}`;
  const [, left] = await db.batch([
    insertFrom(
      db,
      undeliveredNews,
      {
        source: sql`'spot:' || ${spots.driverId} || ':passed:' || ${spots.offerEndsAt}`,
        driverId: sql`${spots.driverId}`,
        kind: "spot_passed",
        subject: sql`${spots.city}`,
        at: now,
      },
      sql`FROM ${spots} WHERE ${isOver}`,
    ).onConflictDoNothing(),
    db
      .update(spots)
      .set({ status: "left", since: now, joinedPlace: null, offerEndsAt: null })
      .where(isOver)
      .returning({ driverId: spots.driverId }),
  ]);
  return left.map(({ driverId }) => driverId);
}

/** Spots in cities with a limit that are due for a check, because they may have lapsed. */
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
 * Frees a spot whose driver has had no service for a week, unless their bank has a payment or something has changed
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
  const isAsRead = and(
    isUnchanged,
    sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId} AND ${users.revision} = ${revision})`,
  );
  const [released] = await db.batch([
    db
      .update(spots)
      .set({ status: "left", since: now, joinedPlace: null })
      .where(
        and(
          isAsRead,
          sql`NOT EXISTS (SELECT 1 FROM ${payments}
            WHERE ${payments.driverId} = ${driverId} AND ${payments.status} = 'processing')`,
        ),
      )
      .returning({ driverId: spots.driverId }),
    insertFrom(
      db,
      undeliveredNews,
      {
        source: sql`'spot:' || ${spots.driverId} || ':released:' || ${spots.since}`,
        driverId,
        kind: "spot_released",
        subject: sql`${spots.city}`,
        at: now,
      },
      sql`FROM ${spots} WHERE ${spots.driverId} = ${driverId} AND ${spots.status} = 'left' AND ${spots.since} = ${now}`,
    ).onConflictDoNothing(),
    spotFlagStatement(db, sql`${driverId}`),
    // While the bank has a payment, the spot is due behind all others: a hundred such spots must not stop the lines.
    db.update(spots).set({ checkAt: now }).where(isAsRead),
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
  const ofCity = sql`FROM ${spots} WHERE ${spots.city} = ${city}`;
  const free = sql`max(0, coalesce((SELECT ${citySpots.spots} FROM ${citySpots} WHERE ${citySpots.city} = ${city}), ${NO_LIMIT})
    - (SELECT count(*) ${ofCity} AND ${spots.status} IN ('held', 'offered')))`;
  // Disabled drivers keep their place: nobody waits 48 hours for who can't take a spot.
  const next = sql`(SELECT ${spots.driverId} ${ofCity} AND ${spots.status} = 'waiting'
    AND NOT EXISTS (SELECT 1 FROM ${poolUsers} WHERE ${poolUsers.id} = ${spots.driverId} AND ${poolUsers.enabled} = 0)
    ORDER BY ${spots.since}, ${spots.driverId} LIMIT ${free})`;
  const [offered] = await db.batch([
    db
      .update(spots)
      .set({ status: "offered", offerEndsAt: endsAt })
      .where(inArray(spots.driverId, next))
      .returning({ driverId: spots.driverId }),
    insertFrom(
      db,
      undeliveredNews,
      {
        source: sql`'spot:' || ${spots.driverId} || ':opened:' || ${spots.offerEndsAt}`,
        driverId: sql`${spots.driverId}`,
        kind: "spot_opened",
        subject: city,
        until: endsAt,
        at: now,
      },
      sql`${ofCity} AND ${spots.status} = 'offered' AND ${spots.offerEndsAt} = ${endsAt}`,
    ).onConflictDoNothing(),
  ]);
  return offered.map(({ driverId }) => driverId);
}
