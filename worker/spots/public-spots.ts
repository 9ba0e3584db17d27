import { listCitySpots } from "../../db/queries/spots/spots.ts";
import type { Deps } from "../../durable/deps.ts";
import type { CitySpotsResponse } from "../contract/money/service.ts";
import { perMinute } from "../../durable/per-minute.ts";

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
