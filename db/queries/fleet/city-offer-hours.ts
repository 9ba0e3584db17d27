import { and, gte, inArray, lt, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertRows } from "../../insert-where.ts";
import { warehouseWeeks } from "../../schema/fleet.ts";
import { MIN_CITY_DRIVERS, type CityHoursShare } from "../../shapes/work/city-hours.ts";
import type { WarehouseId } from "../../shapes/units.ts";

/** A week of a warehouse as it may be shown. */
export type WarehouseWeek = Pick<
  typeof warehouseWeeks.$inferSelect,
  "warehouseId" | "hours" | "pays" | "hourPays"
>;

/** Adds a driver's shares to their weeks: one statement, a row for each warehouse. */
export async function addCityShares(db: Db, shares: readonly CityHoursShare[]): Promise<void> {
  if (shares.length === 0) return;
  const { week, warehouseId, drivers, offers, hours, pays, hourPays } = warehouseWeeks;
  await insertRows(db, warehouseWeeks, shares, sql`true`).onConflictDoUpdate({
    target: [week, warehouseId],
    set: {
      drivers: sql`${drivers} + ${excluded(drivers)}`,
      offers: sql`${offers} + ${excluded(offers)}`,
      hours: mergedCounts(hours),
      pays: mergedCounts(pays),
      hourPays: mergedCounts(hourPays),
    },
  });
}

/** Two lists of counts as one: where both have a bucket, the sum. */
function mergedCounts(column: SQLiteColumn) {
  const pairsOf = (counts: SQL | SQLiteColumn) =>
    sql`SELECT value ->> 0 AS bucket, value ->> 1 AS counted FROM json_each(${counts})`;
  const both = sql`${pairsOf(column)} UNION ALL ${pairsOf(excluded(column))}`;
  const sums = sql`SELECT bucket, sum(counted) AS summed FROM (${both}) GROUP BY bucket`;
  return sql`(SELECT json_group_array(json_array(bucket, summed)) FROM (${sums}))`;
}

/** The weeks of warehouses since one, of those in which enough drivers were counted. */
export async function listCityWeeks(
  db: Db,
  { warehouseIds, from, to }: { warehouseIds: readonly WarehouseId[]; from: number; to: number },
): Promise<WarehouseWeek[]> {
  const weeks = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return db
    .select({
      warehouseId: warehouseWeeks.warehouseId,
      hours: warehouseWeeks.hours,
      pays: warehouseWeeks.pays,
      hourPays: warehouseWeeks.hourPays,
    })
    .from(warehouseWeeks)
    .where(
      and(
        inArray(warehouseWeeks.week, weeks),
        sql`${warehouseWeeks.warehouseId} IN (SELECT value FROM json_each(${JSON.stringify(warehouseIds)}))`,
        gte(warehouseWeeks.drivers, MIN_CITY_DRIVERS),
      ),
    );
}

/** Deletes the weeks before one. */
export async function deleteOldCityWeeks(db: Db, before: number): Promise<void> {
  await db.delete(warehouseWeeks).where(lt(warehouseWeeks.week, before));
}
