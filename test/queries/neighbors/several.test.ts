import { describe, it } from "vitest";
import type { Db } from "../../../db/client.ts";
import { loadDrivers } from "../../../db/queries/accounts/drivers.ts";
import { loadDiscountsOf } from "../../../db/queries/payments/discounts.ts";
import { loadServiceLedgers } from "../../../db/queries/payments/owed-service.ts";
import { loadCustomerIds } from "../../../db/queries/payments/payments.ts";
import { claimLeasedRenewals, leaseDueRenewals } from "../../../db/queries/payments/renewals.ts";
import { loadServiceChangesOf } from "../../../db/queries/payments/service-changes.ts";
import { serviceLedgersQuery } from "../../../db/queries/payments/service-time.ts";
import { loadSpendablePointsOf } from "../../../db/queries/rewards/points.ts";
import { offerFreeSpots } from "../../../db/queries/spots/turns.ts";
import { filtersQueries } from "../../../db/queries/work/filters.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { expectOwnChange, expectOwnRead, NEIGHBOR, NOW, only, OWNER, type Furnish } from "./house.ts";

const waiting: Furnish = ({ run }, id) => {
  run(`INSERT INTO city_spots (city, spots) VALUES ('city', 1) ON CONFLICT DO NOTHING`);
  run(
    `UPDATE spots SET status = 'waiting', city = ? WHERE driver_id = ?`,
    id === OWNER ? "city" : "other",
    id,
  );
};
const notDue = only(NEIGHBOR, ({ run }) =>
  run(`UPDATE renewals SET due_at = ? WHERE driver_id = ?`, NOW + 1, NEIGHBOR),
);

const claim = { now: NOW, until: NOW + HOUR_MS, leasedUntil: NOW + 1 };

describe("a query for several drivers", () => {
  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    ["their records", (db) => loadDrivers(db, [OWNER])],
    ["their filters", (db) => db.batch(filtersQueries(db, [OWNER]))],
    ["their service ledgers", (db) => serviceLedgersQuery(db, [OWNER])],
    ["their service ledgers before an instant", (db) => loadServiceLedgers(db, [OWNER], NOW)],
    ["the changes of their service", (db) => loadServiceChangesOf(db, [OWNER])],
    ["their customers at Stripe", (db) => loadCustomerIds(db, [OWNER])],
    ["their prices", (db) => loadDiscountsOf(db, { driverIds: [OWNER], currency: "USD", now: NOW })],
    ["their points, less those that are held", (db) => loadSpendablePointsOf(db, [OWNER])],
  ])("reads %s, and no neighbor's", async (_, read, furnish) => {
    await expectOwnRead(read, furnish);
  });

  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    ["offers a free spot to those who wait for it", (db) => offerFreeSpots(db, "city", NOW), waiting],
    [
      "leases the renewals that are due",
      (db) => leaseDueRenewals(db, { now: NOW, until: NOW + HOUR_MS, limit: 9 }),
      notDue,
    ],
    [
      "claims the renewals of a lease",
      (db) => claimLeasedRenewals(db, [{ driverId: OWNER, revision: 1 }], claim),
    ],
  ])("%s, and changes no neighbor's", async (_, act, furnish) => {
    await expectOwnChange(act, furnish);
  });
});
