import { sql, gte, lt, and, asc, count, eq, exists, inArray } from "drizzle-orm";
import type { Db } from "../../client.ts";
import { cityHours, metricHours, cityDays, driverStates } from "../../schema/fleet.ts";
import { CITY_FIELDS, type CityField } from "../../shapes/city-counts.ts";
import { recordOf } from "../../shapes/record-of.ts";
import { excluded } from "../../expressions.ts";
import type { FleetState } from "../../shapes/fleet.ts";
import { DAY_MS, type EpochMs } from "../../shapes/units.ts";
import { insertRows } from "../../insert-where.ts";
import { heartbeats, users } from "../../schema/drivers.ts";
import { spots } from "../../schema/spots.ts";

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

/** A day of a city. */
export type CityDay = typeof cityDays.$inferSelect;

/** How many drivers of a city, with a time zone of their own, are in a state. */
export type CityStateCount = {
  /** The platform's name of their region. */
  city: string;
  timeZone: string;
  state: FleetState;
  drivers: number;
  /** Those of them who were in it before an instant already. */
  lasting: number;
  /** Those of these who came into it lately. */
  recent: number;
  /** Those whose objects are overdue, who do nothing of what they last reported. */
  overdue: number;
  /** The first of those who came into it lately. */
  recentSince: EpochMs | null;
};

/**
 * The drivers in some states by city: by the index of states, so that those who are off or asleep aren't read each
 * minute. The city is that of their spot, which linking took from the platform: the region of their profile is their
 * own words, which nobody else may read.
 */
export async function countCityStates(
  db: Db,
  {
    states,
    before,
    recently,
    staleAt,
  }: { states: readonly FleetState[]; before: EpochMs; recently: EpochMs; staleAt: EpochMs },
): Promise<CityStateCount[]> {
  const { since, state } = driverStates;
  const isOverdue = sql`coalesce(${heartbeats.dueAt} < ${staleAt}, 0)`;
  const isRecent = sql`not ${isOverdue} and ${since} <= ${before} and ${since} >= ${recently}`;
  return (
    db
      .select({
        city: spots.city,
        timeZone: users.humanTimezone,
        state,
        drivers: count(),
        lasting: sql<number>`sum(not ${isOverdue} and ${since} <= ${before})`,
        recent: sql<number>`sum(${isRecent})`,
        overdue: sql<number>`sum(${isOverdue})`,
        recentSince: sql<number | null>`min(case when ${isRecent} then ${since} end)`,
      })
      .from(driverStates)
      .innerJoin(spots, eq(spots.driverId, driverStates.driverId))
      .innerJoin(users, eq(users.id, driverStates.driverId))
      .leftJoin(heartbeats, eq(heartbeats.driverId, driverStates.driverId))
      .where(inArray(state, [...states]))
      // Not by the index of cities, which has everybody.
      .groupBy(sql`+${spots.city}`, users.humanTimezone, state)
  );
}

/**
 * All cities' days that may be later than an instant, a city's first day first. A city in which nobody ever linked an
 * account is no city of the platform's.
 */
export async function listCityDays(db: Db, from: EpochMs): Promise<CityDay[]> {
  return (
    db
      .select()
      .from(cityDays)
      // Calendars are a day apart at most.
      .where(
        and(
          gte(cityDays.day, Math.floor(from / DAY_MS) - 1),
          exists(db.select({ city: spots.city }).from(spots).where(eq(spots.city, cityDays.city))),
        ),
      )
      .orderBy(asc(cityDays.day), asc(cityDays.city))
  );
}

/** Stores days in place of what they were before: one statement. */
export async function saveCityDays(db: Db, days: readonly CityDay[]): Promise<void> {
  if (days.length === 0) return;
  await insertRows(db, cityDays, days, sql`true`).onConflictDoUpdate({
    target: [cityDays.day, cityDays.city],
    set: {
      timeZone: excluded(cityDays.timeZone),
      state: excluded(cityDays.state),
      since: excluded(cityDays.since),
      isOurs: excluded(cityDays.isOurs),
      shared: excluded(cityDays.shared),
      countedAt: excluded(cityDays.countedAt),
      workingMs: excluded(cityDays.workingMs),
      slowMs: excluded(cityDays.slowMs),
      downMs: excluded(cityDays.downMs),
    },
  });
}

/** Deletes the days that ended before an instant. */
export async function deleteOldCityDays(db: Db, before: EpochMs): Promise<void> {
  await db.delete(cityDays).where(lt(cityDays.day, Math.floor(before / DAY_MS) - 1));
}
