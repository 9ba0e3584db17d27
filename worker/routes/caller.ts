import type { Context } from "hono";
import {
  changeDriver,
  loadDriver,
  toDriverOwner,
  type DriverRecord,
} from "../../db/queries/accounts/drivers.ts";
import { findFilterGaps, type FilterGaps } from "../../db/shapes/work/filter-completeness.ts";
import type { Filters } from "../../db/shapes/work/filters.ts";
import type { DriverId, WarehouseId } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { objectName } from "../../durable/driver/object-name.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import type { AppEnv } from "../http/app-env.ts";
import { readsAhead } from "../http/gate/read-ahead.ts";
import { ApiError } from "../http/errors/api-error.ts";

/** For routers whose calls begin with the caller's record. */
export const recordAhead = readsAhead((c, driverId) => {
  const record = loadDriver(c.var.db, driverId);
  // The handler hears of a failure.
  record.catch(() => {});
  c.set("recordAhead", record);
});

/**
 * The caller's record.
 * @throws {ApiError} `not_found` if the caller has none yet
 */
export async function loadCallerRecord(c: Context<AppEnv>): Promise<DriverRecord> {
  const ahead = c.get("recordAhead");
  // Once: it may be another after what the call does.
  c.set("recordAhead", null);
  const record = await (ahead ?? loadDriver(c.var.db, c.var.caller.driverId));
  if (!record) throw new ApiError("not_found");
  return record;
}

/** The caller's object, near the platform. */
export function callerObject(c: Context<AppEnv>) {
  return c.var.deps.driver(c.var.caller.driverId);
}

/** Sends the caller's record to their object. If that fails, its watcher lets it ask for the record within a minute. */
export async function syncCallerObject(c: Context<AppEnv>): Promise<DriverRecord> {
  return syncObject(c, await loadCallerRecord(c));
}

/** Changes the caller's record, and sends it to their object. @throws {ApiError} `not_found` if there is none */
export async function saveCaller(
  c: Context<AppEnv>,
  change: Parameters<typeof changeDriver>[2],
): Promise<DriverRecord> {
  const record = await changeDriver(c.var.db, c.var.caller.driverId, change);
  if (!record) throw new ApiError("not_found");
  return syncObject(c, record);
}

/** Sends a record of the caller that was just read to their object. */
export async function syncObject(c: Context<AppEnv>, record: DriverRecord): Promise<DriverRecord> {
  try {
    await callerObject(c).configure(toDriverOwner(record), record.profile);
  } catch (error) {
    c.var.deps.log("warn", "driver.configure.failed", { driverId: record.row.id, ...describeError(error) });
    await wakeSoon(c.var.deps, c.var.caller.driverId);
  }
  return record;
}

/** Without its watcher, too, the object asks within an hour. */
async function wakeSoon({ watchers, config, now, log }: Deps, driverId: DriverId): Promise<void> {
  try {
    const name = objectName(config.platform.region, driverId);
    await watchers.of(driverId)?.beat({ driverId, objectName: name, dueAt: now() });
  } catch (error) {
    log("warn", "driver.wake.failed", { driverId, ...describeError(error) });
  }
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
