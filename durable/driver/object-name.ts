import * as z from "zod/mini";
import { driverId, type DriverId } from "../../db/shapes/units.ts";

/** The name includes the region, because an object never moves: another region gets a new object. */
export function objectName(region: string, driverId: DriverId): string {
  return `${region}:${driverId}`;
}

/** The driver in an object's name; null if the name is not one of ours. */
export function driverOfObject(name: string): DriverId | null {
  return z.safeParse(driverId, name.slice(name.indexOf(":") + 1)).data ?? null;
}
