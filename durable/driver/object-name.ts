import * as z from "zod/mini";
import { driverId, type DriverId } from "../../db/shapes/units.ts";
import type { Env } from "../runtime/env.ts";
import type { DriverRpc } from "../runtime/driver-rpc.ts";

/** The name includes the region, because an object never moves: another region gets a new object. */
export function objectName(region: string, driverId: DriverId): string {
  return `${region}:${driverId}`;
}

/** The driver in an object's name; null if the name is not one of ours. */
export function driverOfObject(name: string): DriverId | null {
  return z.safeParse(driverId, name.slice(name.indexOf(":") + 1)).data ?? null;
}

/** A stub of the driver's object. The object is placed near the platform, where latency decides who gets an offer. */
export function driverStub(
  env: Pick<Env, "DRIVER">,
  region: DurableObjectLocationHint,
  driverId: DriverId,
): DurableObjectStub<DriverRpc> {
  return env.DRIVER.getByName(objectName(region, driverId), { locationHint: region });
}

/** The stub of an object of a former region, which stays where it was created. */
export function formerStub(env: Pick<Env, "DRIVER">, name: string): DurableObjectStub<DriverRpc> {
  return env.DRIVER.getByName(name);
}
