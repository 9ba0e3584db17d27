import type { Deps } from "../../durable/deps.ts";
import {
  endPassedOffers,
  listCitiesWithLine,
  listSpotsToCheck,
  offerFreeSpots,
  releaseIfLapsed,
} from "../../db/queries/spots/turns.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import { deliverNews } from "../announcements/driver-news.ts";

/** How many spots a minute checks, each with four statements at most. */
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
