import { sql, gte, lt } from "drizzle-orm";
import type { Db } from "../../client.ts";
import { cityHours, metricHours } from "../../schema/fleet.ts";
import { CITY_FIELDS, type CityField } from "../../shapes/city-counts.ts";
import { recordOf } from "../../shapes/record-of.ts";
import { excluded } from "../../expressions.ts";

export type CityHourRow = typeof cityHours.$inferSelect;

/** All cities' counts in some hours: a row for each city in which somebody looked then. */
export async function listCityHours(db: Db, hours: readonly number[]): Promise<CityHourRow[]> {
  return db
    .select()
    .from(cityHours)
    .where(sql`${cityHours.hour} in (select value from json_each(${JSON.stringify(hours)}))`);
}

/** A city's counts that no metric point said yet. */
type CityIncrease = { city: string; counts: Record<CityField, number> };

/** D1 takes 100 parameters in a statement. */
const ROWS_PER_STATEMENT = 9;

/**
 * Takes what cities counted since the last call, of hours from one on, and stores that it is taken. Where they are more than
 * the limit, those with the most to say come first: what the others counted waits, and grows until it is their turn.
 */
export async function takeCityIncreases(db: Db, fromHour: number, limit: number): Promise<CityIncrease[]> {
  const [rows, told] = await db.batch([
    db.select().from(cityHours).where(gte(cityHours.hour, fromHour)),
    db.select().from(metricHours).where(gte(metricHours.hour, fromHour)),
  ]);
  const toldOf = new Map(told.map((row) => [`${row.hour} ${row.city}`, row]));
  const increases = [...Map.groupBy(rows, ({ city }) => city)]
    .map(([city, own]) => {
      const increase = (field: CityField) =>
        own.reduce((sum, row) => sum + row[field] - (toldOf.get(`${row.hour} ${city}`)?.[field] ?? 0), 0);
      const counts = recordOf(CITY_FIELDS, increase);
      return { city, counts, weight: CITY_FIELDS.reduce((sum, field) => sum + counts[field], 0) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight || (one.city < other.city ? -1 : 1))
    .slice(0, limit);
  const takenCities = new Set(increases.map(({ city }) => city));
  const taken = rows.filter(({ city }) => takenCities.has(city));
  for (let from = 0; from < taken.length; from += ROWS_PER_STATEMENT) {
    const marks = taken
      .slice(from, from + ROWS_PER_STATEMENT)
      .map((row) => ({ hour: row.hour, city: row.city, ...recordOf(CITY_FIELDS, (field) => row[field]) }));
    await db
      .insert(metricHours)
      .values(marks)
      .onConflictDoUpdate({
        target: [metricHours.hour, metricHours.city],
        set: recordOf(CITY_FIELDS, (field) => excluded(metricHours[field])),
      });
  }
  await db.delete(metricHours).where(lt(metricHours.hour, fromHour));
  return increases.map(({ city, counts }) => ({ city, counts }));
}
