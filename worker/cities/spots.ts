import { loadSpot, type SpotRow, type DriverSpot, listCitySpots } from "../../db/queries/spots/spots.ts";
import type { Db } from "../../db/client.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { perMinute } from "../../durable/per-minute.ts";
import {
  endPassedOffers,
  listCitiesWithLine,
  listSpotsToCheck,
  offerFreeSpots,
  releaseIfLapsed,
} from "../../db/queries/spots/turns.ts";
import type { Spot, SpotResponse, CitySpotsResponse } from "../contract/money/service.ts";
import { deliverNews } from "../texts/driver-news.ts";

/** Where a driver stands, for their screens. */
export async function describeSpot(db: Db, driverId: DriverId, now: EpochMs): Promise<SpotResponse> {
  return toSpotResponse(await loadSpot(db, driverId), now);
}

/** The same, by what was just read. */
export function toSpotResponse(
  { row, place, waiting, isAnyCityLimited }: DriverSpot,
  now: EpochMs,
): SpotResponse {
  return row
    ? { spot: toSpot(row, { place, waiting, now }), mustLink: false }
    : { spot: null, mustLink: isAnyCityLimited };
}

function toSpot(
  { city, status, joinedPlace, offerEndsAt }: SpotRow,
  { place, waiting, now }: { place: number; waiting: number; now: EpochMs },
): Spot {
  switch (status) {
    case "waiting":
      return { status, city, place, waiting, joinedPlace: joinedPlace ?? place };
    case "offered":
      // Until the next run of the cron it stands there, though its time is over.
      return offerEndsAt !== null && offerEndsAt > now
        ? { status, city, offerEndsAt }
        : { status: "left", city };
    case "held":
    case "left":
      return { status, city };
  }
}

/** The spots that are left in each city that has a limit. */
export async function loadPublicSpots({ db }: Deps): Promise<CitySpotsResponse> {
  const cities = await listCitySpots(db);
  return {
    cities: cities.map(({ city, spots, taken, waiting }) => ({
      city,
      spots,
      left: waiting > 0 ? 0 : Math.max(0, spots - taken),
      waiting,
    })),
  };
}

/** The same for the landing page; a minute old at most. Without the database there are none. */
export const listPublicSpots = perMinute<CitySpotsResponse>(loadPublicSpots, { cities: [] });

/** How many spots a minute checks, each with five statements at most. */
const BATCH_SIZE = 100;
/** How many drivers are told at once. Where a limit is lifted it may be thousands, whom the step of news tells. */
const TOLD_AT_ONCE = 20;

/**
 * Every minute: frees the spots of drivers who let theirs pass or have had no service for a week, and keeps each free
 * spot for the next in its city's line. Accounts that were deleted and a limit that was raised need no word: they leave
 * spots free.
 */
export async function moveLines(deps: Deps): Promise<void> {
  const { db, now, log } = deps;
  const passed = await endPassedOffers(db, now());
  const released: DriverId[] = [];
  for (const spot of await listSpotsToCheck(db, now(), BATCH_SIZE)) {
    if (await releaseIfLapsed(db, spot, now())) released.push(spot.driverId);
  }
  const offered: DriverId[] = [];
  for (const city of await listCitiesWithLine(db)) offered.push(...(await offerFreeSpots(db, city, now())));
  const moved = [...new Set([...passed, ...released, ...offered])];
  if (moved.length === 0) return;
  log("info", "spots.moved", {
    passed: passed.length,
    released: released.length,
    offered: offered.length,
  });
  await Promise.all(moved.slice(0, TOLD_AT_ONCE).map((driverId) => deliverNews(deps, driverId)));
}
