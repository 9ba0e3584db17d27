import {
  countCityStates,
  listCityDays,
  saveCityDays,
  type CityDay,
  type CityStateCount,
} from "../../db/queries/fleet/cities.ts";
import { OTHER_CITY } from "../../db/shapes/money/spots.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { SHARED_STATES, type CityHealth } from "../../db/shapes/city-health.ts";
import type { FleetState } from "../../db/shapes/fleet.ts";
import { STALE_MS } from "../console/fleet-problems.ts";
import { cityDayAt, countCityDay, type FoundHealth } from "./count-city-days.ts";

/** A state that passes within this time is no outage. */
const LASTING_MS = MINUTE_MS;
/** Drivers who have to act, and don't, say nothing of the platform after this. */
const RECENT_MS = 2 * HOUR_MS;

/** The states of drivers at work: the others say nothing of the platform. */
export const AT_WORK: readonly FleetState[] = ["polling", ...SHARED_STATES];

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

/** Of fewer drivers at work nothing is said: what one of them did would speak for a city. */
const LEAST_DRIVERS = 3;
/** From that share on, the platform answers hardly anybody. */
const DOWN_SHARE = 0.8;
/** From that share on it is slow for a city, and a state is shared by most. */
const SLOW_SHARE = 0.4;
const SHARED_SHARE = 0.5;

/** Drivers are in these until they act themselves: only those who came into one lately say something of the platform. */
const UNTIL_THE_DRIVER_ACTS: ReadonlySet<FleetState> = new Set(["signed_out", "verification_required"]);
/** In these the platform gives no answer that a driver can work with. */
const WITHOUT_ANSWER: ReadonlySet<FleetState> = new Set(["unreachable", "unreadable", "signed_out"]);
/** In these it answers late, or not all. A quota that is used up is the driver's own. */
const HELD_UP: ReadonlySet<FleetState> = new Set([
  ...WITHOUT_ANSWER,
  "throttled",
  "blocks_unreadable",
  "verification_required",
]);

/**
 * Judges the platform by the states of a city's drivers, and says since when. It counts drivers, not calls, as the
 * operators' alert does; drivers who sleep, are off or have no service say nothing.
 */
export function judgeCity(counts: readonly CityStateCount[]): CityHealth & { since: EpochMs | null } {
  const atWork = counts.filter(({ state }) => AT_WORK.includes(state));
  const inState = (state: FleetState) =>
    atWork
      .filter((counted) => counted.state === state)
      .reduce((sum, { lasting, recent }) => sum + (UNTIL_THE_DRIVER_ACTS.has(state) ? recent : lasting), 0);
  const held = (states: Iterable<FleetState>) => [...states].reduce((sum, state) => sum + inState(state), 0);
  const overdue = atWork.reduce((sum, counted) => sum + counted.overdue, 0);
  const drivers = atWork.reduce(
    (sum, { state, recent, ...counted }) =>
      sum + (UNTIL_THE_DRIVER_ACTS.has(state) ? recent + counted.overdue : counted.drivers),
    0,
  );
  if (drivers < LEAST_DRIVERS) return { state: "unknown", isOurs: false, shared: [], since: null };
  const isMost = (count: number, share: number) => count >= LEAST_DRIVERS && count >= drivers * share;
  const shared = SHARED_STATES.filter((state) => isMost(inState(state), SHARED_SHARE));
  const bad = held(HELD_UP) + overdue;
  const isOurs = overdue > bad / 2;
  const begins = atWork
    .filter(({ state }) => HELD_UP.has(state))
    .flatMap(({ recentSince }) => recentSince ?? []);
  const since = begins.length > 0 ? Math.min(...begins) : null;
  if (isMost(held(WITHOUT_ANSWER) + overdue, DOWN_SHARE)) return { state: "down", isOurs, shared, since };
  if (isMost(bad, SLOW_SHARE)) return { state: "slow", isOurs, shared, since };
  return { state: "working", isOurs: false, shared, since: null };
}
