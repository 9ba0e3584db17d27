import { listCityDays, type CityDay } from "../../db/queries/fleet/cities.ts";
import type { CityState } from "../../db/shapes/city-health.ts";
import { DAY_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import { dateOfDay } from "../../db/shapes/work/local-date.ts";
import type { Deps } from "../../durable/deps.ts";
import { perMinute } from "../../durable/per-minute.ts";
import {
  SHOWN_DAYS,
  type CityDayHealth,
  type CityHealthNow,
  type PlatformHealthResponse,
} from "../contract/platform-health.ts";
import { cityDayAt, LONGEST_GAP_MS } from "./count-city-days.ts";

/** A day of which less is known says nothing. */
const LEAST_KNOWN_MS = 30 * MINUTE_MS;
/** Shorter trouble does not colour a day. */
const LEAST_TROUBLE_MS = 5 * MINUTE_MS;

/** The counts of each city by day; a minute old at most. Null if the database was never reached. */
const loadDays = perMinute<readonly CityDay[] | null>(
  ({ db, now }) => listCityDays(db, now() - SHOWN_DAYS * DAY_MS),
  null,
);

/** The platform's health in each city; null where nothing can be read. */
export async function loadPlatformHealth(deps: Deps): Promise<PlatformHealthResponse | null> {
  const days = await loadDays(deps);
  return days && describeCities(days, deps.now());
}

/** The cities with their last 30 days, by name. One of which nothing is known in all of them is left out. */
export function describeCities(rows: readonly CityDay[], now: EpochMs): PlatformHealthResponse {
  const cities = [...Map.groupBy(rows, ({ city }) => city)]
    .map(([city, days]) => describeCity(city, days, now))
    .filter(({ state, days }) => state !== "unknown" || days.some((day) => day.state !== "unknown"))
    .toSorted((one, other) => (one.city < other.city ? -1 : 1));
  return { cities };
}

function describeCity(city: string, rows: readonly CityDay[], now: EpochMs): CityHealthNow {
  const last = rows.at(-1);
  const timeZone = last?.timeZone ?? "UTC";
  const today = cityDayAt(now, timeZone).day;
  const known = new Map(rows.map((row) => [row.day, row]));
  const days = Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const day = today - SHOWN_DAYS + 1 + index;
    return describeDay(day, known.get(day));
  });
  // Nobody has looked since: what was known is over.
  if (!last || now - last.countedAt > LONGEST_GAP_MS)
    return {
      city,
      timeZone,
      state: "unknown",
      since: last?.countedAt ?? now,
      isOurs: false,
      shared: [],
      days,
    };
  const { state, since, isOurs, shared } = last;
  return { city, timeZone, state, since, isOurs, shared, days };
}

function describeDay(day: number, row: CityDay | undefined): CityDayHealth {
  const { workingMs, slowMs, downMs } = row ?? { workingMs: 0, slowMs: 0, downMs: 0 };
  const minutes = (ms: number) => Math.round(ms / MINUTE_MS);
  return {
    date: dateOfDay(day),
    state: dayState(workingMs + slowMs + downMs, { slowMs, downMs }),
    slowMinutes: minutes(slowMs),
    downMinutes: minutes(downMs),
  };
}

function dayState(knownMs: number, { slowMs, downMs }: { slowMs: number; downMs: number }): CityState {
  if (downMs >= LEAST_TROUBLE_MS) return "down";
  if (slowMs + downMs >= LEAST_TROUBLE_MS) return "slow";
  return knownMs >= LEAST_KNOWN_MS ? "working" : "unknown";
}
