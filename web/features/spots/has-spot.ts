import type { SpotResponse } from "../../../worker/contract/money/spots.ts";

/** Whether the driver can pay: with a spot, or in a city that needs none. Who waits in line can't. */
export function hasSpotToPayFor({ spot, mustLink }: SpotResponse): boolean {
  return spot === null ? !mustLink : spot.status === "held";
}
