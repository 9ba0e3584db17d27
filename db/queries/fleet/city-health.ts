import { and, asc, count, eq, exists, gte, inArray, lt, sql } from "drizzle-orm";
import type { FleetState } from "../../shapes/fleet.ts";
import { DAY_MS, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertRows } from "../../insert-where.ts";
import { heartbeats, users } from "../../schema/drivers.ts";
import { cityDays, driverStates } from "../../schema/fleet.ts";
import { spots } from "../../schema/spots.ts";

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
