import { and, asc, eq, gt, inArray, isNull, sql, type SQL } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { plan } from "../../shapes/money/plans.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { nameOf } from "../../expressions.ts";
import { insertWhere } from "../../insert-where.ts";
import { discounts, plans } from "../../schema/payments.ts";
import { users } from "../../schema/drivers.ts";
import { citySpots, spots as spotRows } from "../../schema/spots.ts";

// Operators' acts on the whole deployment. Each statement does nothing unless `where` holds.

/** Sales in a currency that hold now or will, the first to end first. */
export function listSales(db: Db, { currency, now }: { currency: string; now: EpochMs }) {
  return db
    .select()
    .from(discounts)
    .where(
      and(
        gt(discounts.endsAt, now),
        isNull(discounts.driverId),
        eq(discounts.currency, currency),
        inArray(discounts.plan, plan.options),
      ),
    )
    .orderBy(asc(discounts.endsAt));
}

export function saleEffects(
  db: Db,
  where: SQL,
  sale: Pick<
    typeof discounts.$inferSelect,
    "id" | "plan" | "priceCents" | "currency" | "startsAt" | "endsAt"
  >,
) {
  const row = { ...sale, kind: "flash_sale", driverId: null } as const;
  return [insertWhere(db, discounts, row, where)];
}

/** A sale that holds now or will, as a condition. */
export function isSale(id: string, now: EpochMs): SQL {
  return sql`EXISTS (SELECT 1 FROM ${discounts}
    WHERE ${discounts.id} = ${id} AND ${discounts.driverId} IS NULL AND ${discounts.endsAt} > ${now})`;
}

export function endSaleEffects(db: Db, where: SQL, { id, now }: { id: string; now: EpochMs }) {
  return [
    db
      .update(discounts)
      .set({ endsAt: now })
      .where(and(eq(discounts.id, id), isNull(discounts.driverId), where)),
  ];
}

/** Adds a list price to a plan's history. */
export function listPriceEffects(db: Db, where: SQL, price: typeof plans.$inferSelect) {
  return [insertWhere(db, plans, price, where)];
}

/** How many spots a city has; null for no limit. */
export async function loadCitySpots(db: Db, city: string): Promise<number | null> {
  const [row] = await db.select({ spots: citySpots.spots }).from(citySpots).where(eq(citySpots.city, city));
  return row?.spots ?? null;
}

/** Whether a driver has, had or waits for a spot in a city. */
export async function hasDriversIn(db: Db, city: string): Promise<boolean> {
  const found = await db
    .select({ city: spotRows.city })
    .from(spotRows)
    .where(eq(spotRows.city, city))
    .limit(1);
  return found.length > 0;
}

/** That a city has as many spots as was read. */
export function hasCitySpots(city: string, spots: number | null): SQL {
  return sql`(SELECT ${citySpots.spots} FROM ${citySpots} WHERE ${citySpots.city} = ${city}) IS ${spots}`;
}

/** Limits a city to a number of spots, or (null) takes the limit away. */
export function citySpotsEffects(
  db: Db,
  where: SQL,
  { city, spots }: { city: string; spots: number | null },
) {
  if (spots === null) return [db.delete(citySpots).where(and(eq(citySpots.city, city), where))];
  return [
    insertWhere(db, citySpots, { city, spots }, where).onConflictDoUpdate({
      target: citySpots.city,
      set: { spots },
    }),
  ];
}

/** Each city that has drivers or a limit, with who is next in its line. */
export function listCityLines(db: Db) {
  type Line = {
    city: string;
    spots: number | null;
    taken: number;
    waiting: number;
    nextId: DriverId | null;
    nextName: string | null;
    nextSince: EpochMs | null;
  };
  const { city, status, since, driverId } = spotRows;
  // Both are read like tables of cities.
  const [lined, all] = [alias(citySpots, "lined"), alias(citySpots, "all_cities")];
  const ofCity = sql`FROM ${spotRows} WHERE ${city} = ${all.city}`;
  const next = (
    column: SQLiteColumn,
  ) => sql`(SELECT ${column} FROM ${spotRows} JOIN ${users} ON ${users.id} = ${driverId}
    WHERE ${city} = ${all.city} AND ${status} = 'waiting' ORDER BY ${since}, ${driverId} LIMIT 1)`;
  // From city to city in the index, whatever the number of drivers in each.
  return db.all<Line>(sql`WITH RECURSIVE ${lined}(${nameOf(lined.city)}) AS (
      SELECT min(${city}) FROM ${spotRows}
      UNION ALL SELECT (SELECT min(${city}) FROM ${spotRows} WHERE ${city} > ${lined.city}) FROM ${lined} WHERE ${lined.city} IS NOT NULL)
    SELECT ${all.city} AS ${nameOf(city)}, (SELECT ${citySpots.spots} FROM ${citySpots} WHERE ${citySpots.city} = ${all.city}) AS ${nameOf(citySpots.spots)},
      (SELECT count(*) ${ofCity} AND ${status} IN ('held', 'offered')) AS taken,
      (SELECT count(*) ${ofCity} AND ${status} = 'waiting') AS waiting,
      ${next(driverId)} AS nextId, ${next(users.name)} AS nextName, ${next(since)} AS nextSince
    FROM (SELECT ${citySpots.city} AS ${nameOf(citySpots.city)} FROM ${citySpots}
      UNION SELECT ${lined.city} FROM ${lined} WHERE ${lined.city} IS NOT NULL) AS ${all} ORDER BY ${all.city}`);
}
