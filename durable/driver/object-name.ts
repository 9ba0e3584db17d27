import type { DriverId } from "../../db/shapes/units.ts";

/** An object never moves, so its name carries the region: in another region it is made anew. */
export function objectName(region: string, driverId: DriverId): string {
  return `${region}:${driverId}`;
}
