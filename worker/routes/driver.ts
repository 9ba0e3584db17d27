import type { Context } from "hono";
import { readDriver, type DriverRecord } from "../../db/queries/drivers.ts";
import { driverStub } from "../../durable/driver/stub.ts";
import { identityOf } from "../../durable/driver/stored.ts";
import type { App } from "../http/context.ts";
import { Failure } from "../http/failure.ts";

/**
 * The caller's record.
 * @throws {Failure} `not_found` where the caller has none yet
 */
export async function callersRecord(c: Context<App>): Promise<DriverRecord> {
  const record = await readDriver(c.var.db, c.var.caller.driverId);
  if (!record) throw new Failure("not_found");
  return record;
}

/** The caller's object, near the platform. */
export function callersObject(c: Context<App>) {
  return driverStub(c.env, c.var.deps.config.platform.region, c.var.caller.driverId);
}

export { identityOf };

/** Hands D1's newest word to the caller's object. What is lost on the way, the object fetches itself. */
export async function tellObject(c: Context<App>): Promise<DriverRecord> {
  const record = await callersRecord(c);
  try {
    await callersObject(c).configure(identityOf(record), record.profile);
  } catch {
    c.var.deps.log("warn", "driver.configure.failed", { driverId: record.row.id });
  }
  return record;
}
