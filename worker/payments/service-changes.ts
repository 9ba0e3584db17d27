import { loadDrivers, toDriverOwner } from "../../db/queries/accounts/drivers.ts";
import {
  deleteServiceChanges,
  listDriversWithServiceChanges,
  loadChangedDriver,
  loadServiceChangesOf,
} from "../../db/queries/payments/service-changes.ts";
import { MINUTE_MS, type DriverId } from "../../db/shapes/units.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { CONSENT_SOURCE } from "../../db/shapes/money/renewal.ts";
import type { ServiceChange } from "../../db/shapes/profile.ts";
import type { CheckoutContext } from "./checkout.ts";
import { makeRenewalLink } from "./owner-link.ts";

/** How many drivers are retried in one minute, each with seven statements. */
const BATCH_SIZE = 60;

/** Sends a driver's object the new end of service and why it changed, then deletes what was delivered. Never throws. */
export async function deliverServiceChanges(
  { deps, db }: CheckoutContext,
  driverId: DriverId,
): Promise<void> {
  try {
    const { record, serviceChanges: stored } = await loadChangedDriver(db, driverId);
    const serviceChanges = await withLinks(deps, stored);
    if (record) {
      const object = deps.driver(driverId);
      await object.configure(toDriverOwner(record), record.profile, serviceChanges);
    }
    await deleteServiceChanges(
      db,
      serviceChanges.map(({ source }) => source),
    );
  } catch (error) {
    deps.log("warn", "payments.deliver.failed", { driverId, ...describeError(error) });
  }
}

/**
 * The same for several drivers, in a few statements for all of them. Never throws; an object that can't be reached is
 * told later.
 */
export async function deliverServiceChangesTo(
  { deps, db }: CheckoutContext,
  driverIds: readonly DriverId[],
): Promise<void> {
  if (driverIds.length === 0) return;
  try {
    const changes = await loadServiceChangesOf(db, driverIds);
    const drivers = await loadDrivers(db, driverIds);
    const delivered = await Promise.all(
      driverIds.map(async (driverId) => {
        try {
          const own = await withLinks(deps, changes.get(driverId) ?? []);
          const record = drivers.get(driverId);
          if (record) await deps.driver(driverId).configure(toDriverOwner(record), record.profile, own);
          return own.map(({ source }) => source);
        } catch (error) {
          deps.log("warn", "payments.deliver.failed", { driverId, ...describeError(error) });
          return [];
        }
      }),
    );
    await deleteServiceChanges(db, delivered.flat());
  } catch (error) {
    deps.log("warn", "payments.deliver.failed", { drivers: driverIds.length, ...describeError(error) });
  }
}

/** The news of a consent carries the link that ends it: the driver's object has no part in making it. */
function withLinks(
  deps: CheckoutContext["deps"],
  changes: readonly ServiceChange[],
): Promise<ServiceChange[]> {
  return Promise.all(
    changes.map(async (change) => {
      if (change.kind !== "renewal_on") return change;
      const link = await makeRenewalLink({ deps }, change.source.slice(CONSENT_SOURCE.length));
      return link === null ? change : { ...change, link };
    }),
  );
}

/** Retries the changes that could not be delivered when they happened. */
export async function deliverPendingChanges(checkout: CheckoutContext): Promise<void> {
  const before = checkout.deps.now() - MINUTE_MS;
  const drivers = await listDriversWithServiceChanges(checkout.db, { before, limit: BATCH_SIZE });
  await Promise.all(drivers.map((driverId) => deliverServiceChanges(checkout, driverId)));
}
