import { OTHER_CITY } from "../../../db/shapes/money/spots.ts";
import { m } from "../../messages/messages.js";
import type { SpotResponse } from "../../../worker/contract/money/service.ts";

/** A city's name as the platform has it; where it has none, words for it. */
export function cityLabel(city: string): string {
  return city === OTHER_CITY ? m.city_other() : city;
}

/** Whether the driver can pay: with a spot, or in a city that needs none. Drivers in line can't. */
export function hasSpotToPayFor({ spot, mustLink }: SpotResponse): boolean {
  return spot === null ? !mustLink : spot.status === "held";
}
