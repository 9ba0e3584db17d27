import { beforeEach, expect, it } from "vitest";
import { loadWait } from "../../db/queries/spots/waited-days.ts";
import { takeFreeSpot } from "../../db/queries/spots/spots.ts";
import { DAY_MS, DRIVER, NOW, openCheckout, type Checkout } from "./checkout-harness.ts";

let at: Checkout;
beforeEach(() => {
  at = openCheckout();
  at.addDriver(DRIVER);
});

const credit = (source: string, days: number, daysAgo: number) =>
  at.run(
    `INSERT INTO service_credits (driver_id, source, duration_ms, at) VALUES (?, ?, ?, ?)`,
    DRIVER,
    source,
    days * DAY_MS,
    NOW - daysAgo * DAY_MS,
  );

/** A driver who has waited for these days takes the spot that is kept for them. @returns the days given back */
async function takeSpot(daysAgo: number) {
  at.run(
    `INSERT INTO spots (driver_id, city, status, since, offer_ends_at, check_at) VALUES (?, 'a', 'offered', ?, ?, ?)`,
    DRIVER,
    NOW - daysAgo * DAY_MS,
    NOW + 1,
    NOW,
  );
  const { db } = at.checkout;
  const { isTaken } = await takeFreeSpot(db, DRIVER, { wait: await loadWait(db, DRIVER), now: NOW });
  const given = at.rows(
    `SELECT source, duration_ms / ${DAY_MS}.0 AS days FROM service_credits WHERE source LIKE '%:waited:%' ORDER BY source`,
  );
  return { isTaken, given };
}

it("gives back the days that ran while a driver waited, of each grant its own", async () => {
  credit("payment:a", 7, 10);
  credit("invitation:b", 30, 9);
  expect(await takeSpot(5)).toEqual({
    isTaken: true,
    given: [
      { source: `invitation:b:waited:${NOW - 5 * DAY_MS}`, days: 3 },
      { source: `payment:a:waited:${NOW - 5 * DAY_MS}`, days: 2 },
    ],
  });
});

it("gives back no day of a pause, in which no paid day ran", async () => {
  credit("payment:a", 30, 10);
  credit("pause:a:1", 3, 4);
  const { given } = await takeSpot(5);
  expect(given).toEqual([{ source: `payment:a:waited:${NOW - 5 * DAY_MS}`, days: 2 }]);
});
