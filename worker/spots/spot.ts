import { loadSpot, type SpotRow, type DriverSpot } from "../../db/queries/spots/spots.ts";
import type { Db } from "../../db/client.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import type { Spot, SpotResponse } from "../contract/money/service.ts";

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
