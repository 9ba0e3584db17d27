import type { DriverId } from "../../db/shapes/units.ts";

/** The name includes the region, because an object never moves: another region gets a new object. */
export function objectName(region: string, driverId: DriverId): string {
  return `${region}:${driverId}`;
}
