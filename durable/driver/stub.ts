import type { Env } from "../runtime/env.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import type { DriverRpc } from "../runtime/driver-rpc.ts";
import { objectName } from "./object-name.ts";

/** A stub of the driver's object. The object is placed near the platform, where latency decides who gets an offer. */
export function driverStub(
  env: Pick<Env, "DRIVER">,
  region: DurableObjectLocationHint,
  driverId: DriverId,
): DurableObjectStub<DriverRpc> {
  return env.DRIVER.getByName(objectName(region, driverId), { locationHint: region });
}

/** The stub of an object of a former region, which stands where it was made. */
export function formerStub(env: Pick<Env, "DRIVER">, name: string): DurableObjectStub<DriverRpc> {
  return env.DRIVER.getByName(name);
}
