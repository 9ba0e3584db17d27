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

/** Takes what cities counted since the last call, of hours from one on, and stores that it is taken. */
export async function takeCityIncreases(db: Db, fromHour: number, limit: number): Promise<CityIncrease[]> {
  const [rows, told] = await db.batch([
    db.select().from(cityHours).where(gte(cityHours.hour, fromHour)),
    db.select().from(metricHours).where(gte(metricHours.hour, fromHour)),
  ]);
  const toldOf = new Map(told.map((row) => [`${row.hour} ${row.city}`, row]));
  const cities = [...new Set(rows.map(({ city }) => city))].toSorted().slice(0, limit);
  const taken = rows.filter(({ city }) => cities.includes(city));
  const increases = cities.map((city): CityIncrease => {
    const own = taken.filter((row) => row.city === city);
    const increase = (field: CityField) =>
      own.reduce((sum, row) => sum + row[field] - (toldOf.get(`${row.hour} ${city}`)?.[field] ?? 0), 0);
    return { city, counts: recordOf(CITY_FIELDS, increase) };
  });
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
  return increases;
}
