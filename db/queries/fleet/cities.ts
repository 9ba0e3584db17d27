import { sql } from "drizzle-orm";
import type { Db } from "../../client.ts";
import { cityHours } from "../../schema/fleet.ts";

export type CityHourRow = typeof cityHours.$inferSelect;

/** All cities' counts in some hours: a row for each city in which somebody looked then. */
export async function listCityHours(db: Db, hours: readonly number[]): Promise<CityHourRow[]> {
  return db
    .select()
    .from(cityHours)
    .where(sql`${cityHours.hour} in (select value from json_each(${JSON.stringify(hours)}))`);
}
