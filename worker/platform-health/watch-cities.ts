import {
  countCityStates,
  listCityDays,
  saveCityDays,
  type CityDay,
  type CityStateCount,
} from "../../db/queries/fleet/city-health.ts";
import { OTHER_CITY } from "../../db/shapes/money/spots.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { STALE_MS } from "../console/fleet-problems.ts";
import { cityDayAt, countCityDay, type FoundHealth } from "./count-city-days.ts";
import { AT_WORK, judgeCity } from "./judge-city.ts";

/** A state that passes within this time is no outage. */
const LASTING_MS = MINUTE_MS;
/** Drivers who have to act, and don't, say nothing of the platform after this. */
const RECENT_MS = 2 * HOUR_MS;

/** Every minute: notes how the platform treats the drivers of each city. */
export async function watchCities({ db, now }: Pick<Deps, "db" | "now">): Promise<void> {
  const at = now();
  const [counts, days] = await Promise.all([
    countCityStates(db, {
      states: AT_WORK,
      before: at - LASTING_MS,
      recently: at - RECENT_MS,
      staleAt: at - STALE_MS,
    }),
    listCityDays(db, at - DAY_MS),
  ]);
  await saveCityDays(db, nextCityDays(counts, days, at));
}

function isTimeZone(zone: string): boolean {
  try {
    cityDayAt(0, zone);
    return true;
  } catch {
    return false;
  }
}

/** The zone that most of a city's drivers at work have. Each can store any zone, also one that this runtime doesn't know. */
function mostCommonZone(counts: readonly CityStateCount[]): string | undefined {
  const drivers = new Map<string, number>();
  for (const counted of counts)
    drivers.set(counted.timeZone, (drivers.get(counted.timeZone) ?? 0) + counted.drivers);
  return [...drivers]
    .toSorted(([zone, count], [other, otherCount]) => otherCount - count || (zone < other ? -1 : 1))
    .map(([zone]) => zone)
    .find(isTimeZone);
}

/** The days to write. A city of which no driver is left goes on as unknown. */
export function nextCityDays(
  counts: readonly CityStateCount[],
  days: readonly CityDay[],
  now: number,
): CityDay[] {
  const last = new Map(days.map((day) => [day.city, day]));
  const byCity = Map.groupBy(
    counts.filter(({ city }) => city !== OTHER_CITY),
    ({ city }) => city,
  );
  const found = [...new Set([...byCity.keys(), ...last.keys()])].map((city): FoundHealth => {
    const own = byCity.get(city) ?? [];
    return { city, timeZone: mostCommonZone(own) ?? last.get(city)?.timeZone ?? "UTC", ...judgeCity(own) };
  });
  return found
    .filter(({ city, state }) => last.has(city) || state !== "unknown")
    .flatMap((health) => countCityDay(last.get(health.city) ?? null, health, now));
}
