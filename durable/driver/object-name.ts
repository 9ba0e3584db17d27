import * as z from "zod/mini";
import { driverId, type DriverId } from "../../db/shapes/units.ts";

/** An object never moves, so its name carries the region: in another region it is made anew. */
export function objectName(region: string, driverId: DriverId): string {
  return `${region}:${driverId}`;
}

/** Whose object a name names; null where it is none of ours. */
export function driverOfObject(name: string): DriverId | null {
  return z.safeParse(driverId, name.slice(name.indexOf(":") + 1)).data ?? null;
}
