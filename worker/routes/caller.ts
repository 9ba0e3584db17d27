import type { Context } from "hono";
import { loadDriver, type DriverRecord, toDriverOwner } from "../../db/queries/accounts/drivers.ts";
import { findFilterGaps, type FilterGaps } from "../../db/shapes/work/filter-completeness.ts";
import type { Filters } from "../../db/shapes/work/filters.ts";
import type { WarehouseId } from "../../db/shapes/units.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import type { AppEnv } from "../http/app-env.ts";
import { ApiError } from "../http/errors/api-error.ts";

/**
 * The caller's record.
 * @throws {ApiError} `not_found` if the caller has none yet
 */
export async function loadCallerRecord(c: Context<AppEnv>): Promise<DriverRecord> {
  const record = await loadDriver(c.var.db, c.var.caller.driverId);
  if (!record) throw new ApiError("not_found");
  return record;
}

/** The caller's object, near the platform. */
export function callerObject(c: Context<AppEnv>) {
  return c.var.deps.driver(c.var.caller.driverId);
}

/** Sends the caller's record to their object. If that fails, the object loads it itself later. */
export async function syncCallerObject(c: Context<AppEnv>): Promise<DriverRecord> {
  const record = await loadCallerRecord(c);
  try {
    await callerObject(c).configure(toDriverOwner(record), record.profile);
  } catch (error) {
    c.var.deps.log("warn", "driver.configure.failed", { driverId: record.row.id, ...describeError(error) });
  }
  return record;
}

/**
 * The reason that the caller's filters let no offer through, with the object's knowledge of their warehouses. An object
 * that doesn't answer says as little as one that has read none yet: what was saved is saved.
 */
export async function findCallerFilterGaps(c: Context<AppEnv>, filters: Filters): Promise<FilterGaps> {
  const known = await loadKnownWarehouses(c);
  return findFilterGaps(filters, known && new Set(known));
}

/** The warehouses that the platform lists for the caller; null if that can't be said now. */
export async function loadKnownWarehouses(c: Context<AppEnv>): Promise<WarehouseId[] | null> {
  try {
    return await callerObject(c).knownWarehouses();
  } catch (error) {
    const { caller, deps } = c.var;
    deps.log("warn", "driver.warehouses.unknown", { driverId: caller.driverId, ...describeError(error) });
    return null;
  }
}
