import { loadDriver, type DriverRecord } from "../../db/queries/accounts/drivers.ts";
import type { Deps } from "../deps.ts";
import { errorName } from "../runtime/describe-error.ts";
import { driverOfObject } from "./object-name.ts";

/** The object can't respond to anything during this time. */
const TIMEOUT_MS = 5_000;

/** Loads the record of an object's driver from D1; null if there is none or D1 fails. Never throws. */
export async function fetchRecord(
  objectName: string | null,
  { db, log, sleep }: Pick<Deps, "db" | "log" | "sleep">,
): Promise<DriverRecord | null> {
  const driverId = objectName === null ? null : driverOfObject(objectName);
  if (!driverId) return null;
  try {
    return await Promise.race([loadDriver(db, driverId), sleep(TIMEOUT_MS).then(() => null)]);
  } catch (error) {
    log("warn", "driver.record.failed", { driverId, error: errorName(error) });
    return null;
  }
}
