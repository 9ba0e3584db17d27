import { and, asc, eq, gt, inArray, isNull, sql, type SQL } from "drizzle-orm";
import { plan, type PlanForSale } from "../../shapes/money/plans.ts";
import type { Cents, DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { discounts, plans } from "../../schema/payments.ts";
import { citySpots } from "../../schema/spots.ts";

// What operators do to the whole deployment. Each statement does nothing unless `where` holds.

/** Sales that hold now or will, the first to end first. */
export function listSales(db: Db, now: EpochMs) {
  return db
    .select()
    .from(discounts)
    .where(and(gt(discounts.endsAt, now), isNull(discounts.driverId), inArray(discounts.plan, plan.options)))
    .orderBy(asc(discounts.endsAt));
}

export function saleEffects(
  db: Db,
  where: SQL,
  sale: { id: string; plan: PlanForSale; priceCents: Cents; startsAt: EpochMs; endsAt: EpochMs },
) {
  const { id, plan: sold, priceCents, startsAt, endsAt } = sale;
  return [
    db
      .insert(discounts)
      .select(
        sql`SELECT ${id}, 'flash_sale', ${sold}, ${priceCents}, NULL, ${startsAt}, ${endsAt} WHERE ${where}`,
      ),
  ];
}

/** A sale that holds now or will, as a condition. */
export function isSale(id: string, now: EpochMs): SQL {
  return sql`EXISTS (SELECT 1 FROM price_cuts WHERE id = ${id} AND driver_id IS NULL AND ends_at > ${now})`;
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
export function listPriceEffects(
  db: Db,
  where: SQL,
  price: { id: string; plan: PlanForSale; priceCents: Cents; startsAt: EpochMs },
) {
  const { id, plan: sold, priceCents, startsAt } = price;
  return [db.insert(plans).select(sql`SELECT ${id}, ${sold}, ${priceCents}, ${startsAt} WHERE ${where}`)];
}

/** How many spots a city has; null for no limit. */
export async function loadCitySpots(db: Db, city: string): Promise<number | null> {
  const [row] = await db.select({ spots: citySpots.spots }).from(citySpots).where(eq(citySpots.city, city));
  return row?.spots ?? null;
}

/** That a city has as many spots as was read. */
export function hasCitySpots(city: string, spots: number | null): SQL {
  return sql`(SELECT spots FROM city_spots WHERE city = ${city}) IS ${spots}`;
}

/** Limits a city to a number of spots, or (null) takes the limit away. */
export function citySpotsEffects(
  db: Db,
  where: SQL,
  { city, spots }: { city: string; spots: number | null },
) {
  if (spots === null) return [db.delete(citySpots).where(and(eq(citySpots.city, city), where))];
  return [
    db
      .insert(citySpots)
      .select(sql`SELECT ${city}, ${spots} WHERE ${where}`)
      .onConflictDoUpdate({ target: citySpots.city, set: { spots } }),
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
  const next = (
    column: string,
  ) => sql`(SELECT ${sql.raw(column)} FROM spots s JOIN users u ON u.id = s.driver_id
    WHERE s.city = all_cities.city AND s.status = 'waiting' ORDER BY s.since, s.driver_id LIMIT 1)`;
  // From city to city in the index, whatever the number of drivers in each.
  return db.all<Line>(sql`WITH RECURSIVE lined(city) AS (
      SELECT min(city) FROM spots
      UNION ALL SELECT (SELECT min(s.city) FROM spots s WHERE s.city > lined.city) FROM lined WHERE lined.city IS NOT NULL)
    SELECT city, (SELECT spots FROM city_spots c WHERE c.city = all_cities.city) AS spots,
      (SELECT count(*) FROM spots s WHERE s.city = all_cities.city AND s.status IN ('held', 'offered')) AS taken,
      (SELECT count(*) FROM spots s WHERE s.city = all_cities.city AND s.status = 'waiting') AS waiting,
      ${next("s.driver_id")} AS nextId, ${next("u.name")} AS nextName, ${next("s.since")} AS nextSince
    FROM (SELECT city FROM city_spots UNION SELECT city FROM lined WHERE city IS NOT NULL) AS all_cities ORDER BY city`);
}
