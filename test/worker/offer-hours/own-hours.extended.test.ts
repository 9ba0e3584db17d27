import { runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { parseListingRow } from "../../../db/shapes/log/listing.ts";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { weekHourOf } from "../../../durable/engine/statistics/offer-hours.ts";
import { createZone } from "../../../durable/engine/schedule/zone.ts";
import type { OfferHoursResponse } from "../../../worker/contract/work/statistics.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../../support/sandbox-client.ts";
import {
  advanceClock,
  createActiveDriver,
  createDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  setSystemSwitch,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

/** More than the sandbox's quota asks for between two polls. */
const QUOTA_PACE_MS = 5_000;

const hoursOf = ({ client }: TestDriver, days = 28) =>
  client.fetchJson<OfferHoursResponse>("GET", `/flex/v1/offer-hours?days=${days}`);

const pollAgain = async (driver: TestDriver) => {
  advanceClock(QUOTA_PACE_MS);
  await runAlarm(driver);
};

/** A driver whose filters want offers of so much, and whose object looked once. */
async function watchingDriver(minPriceCents: number): Promise<TestDriver> {
  const driver = await createActiveDriver();
  await driver.client.saveFilters(
    permissiveFilters([permissiveWarehouseFilter(driver.warehouseIds[0]!, { minPriceCents })]),
  );
  await pollAgain(driver);
  await pollAgain(driver);
  return driver;
}

it("says which offers appeared in an hour, what they paid and how many were captured", async () => {
  const driver = await watchingDriver(9_000);
  const warehouseId = driver.warehouseIds[0]!;
  await publishOffer(warehouseId, { payCents: 9_000, inMinutes: 120, minutes: 180 });
  await publishOffer(warehouseId, { payCents: 6_000, inMinutes: 400, minutes: 180 });
  await pollAgain(driver);
  const polledAt = Date.now();
  await expect.poll(async () => (await driverObject(driver).snapshot()).held).toHaveLength(1);

  const response = await hoursOf(driver);
  const { timeZone } = (await driverObject(driver).snapshot()).warehouses.find(
    (known) => known.warehouseId === warehouseId,
  )!;
  expect(response).toMatchObject({
    days: 28,
    currency: "USD",
    warehouses: [
      {
        warehouseId,
        offers: 2,
        unplaced: 0,
        best: null,
        hours: [
          {
            hour: weekHourOf(createZone(timeZone), response.knownFrom ?? 0),
            offers: 2,
            medianHourlyCents: 3_000,
            bestHourlyCents: 3_000,
            captured: 1,
          },
        ],
      },
    ],
  });
  expect(response.knownFrom).toBeGreaterThan(polledAt - MINUTE_MS);
});

it("counts offers that the first look found in no hour", async () => {
  const driver = await createActiveDriver();
  expect(await hoursOf(driver)).toEqual({ days: 28, currency: "USD", knownFrom: null, warehouses: [] });
  await publishOffer(driver.warehouseIds[0]!, { payCents: 50 });
  await runAlarm(driver);
  expect((await hoursOf(driver)).warehouses).toMatchObject([{ offers: 1, unplaced: 1, hours: [] }]);
});

/** Makes the log older. */
const moveListings = (driver: TestDriver, byMs: number) =>
  runInDurableObject(driverObject(driver), (_object, { storage }) =>
    storage.sql.exec(
      `UPDATE listings SET at = at + ?1,
         value = (SELECT json_group_array(json_set(value, '$.at', value ->> '$.at' + ?1)) FROM json_each(listings.value))`,
      byMs,
    ),
  );

it("counts seven days, or four weeks", async () => {
  const driver = await watchingDriver(99_000);
  await publishOffer(driver.warehouseIds[0]!, { payCents: 50 });
  await pollAgain(driver);
  await pollAgain(driver);
  expect((await hoursOf(driver, 7)).warehouses).toHaveLength(1);
  await moveListings(driver, -8 * DAY_MS);
  expect((await hoursOf(driver, 7)).warehouses).toEqual([]);
  expect((await hoursOf(driver, 28)).warehouses).toHaveLength(1);
});

/** The changes that the log has, with a row of their own for each time that was not watched. */
const listingsOf = async (driver: TestDriver) =>
  (await driverObject(driver).listingPage({ after: 0, limit: 100 })).flatMap(parseListingRow);

it("knows the hours in which nobody watched, by one row for each pause and none for a poll", async () => {
  const driver = await watchingDriver(99_000);
  const offerId = await publishOffer(driver.warehouseIds[0]!, { payCents: 50, inMinutes: 1_200 });
  await pollAgain(driver);
  const known = (await listingsOf(driver)).length;
  await setSystemSwitch(driver, false);
  const offAt = Date.now();
  advanceClock(50 * MINUTE_MS);
  await setSystemSwitch(driver, true);
  for (let poll = 0; poll < 3; poll += 1) await pollAgain(driver);
  const added = (await listingsOf(driver)).slice(known);
  expect(added).toMatchObject([
    { isAfterPause: true, left: [offerId], pausedFrom: expect.any(Number) },
    { isAfterPause: true, seen: [{ offerId }], pausedFrom: expect.any(Number) },
  ]);
  for (const { pausedFrom = 0 } of added) expect(Math.abs(pausedFrom - offAt)).toBeLessThan(MINUTE_MS);
  const [week] = (await hoursOf(driver)).warehouses;
  const watched = week?.watchedMinutes ?? [];
  expect(watched).toHaveLength(168);
  // Seconds before and after the pause: the middle of a quarter of an hour at most.
  expect(watched.reduce((sum, minutes) => sum + minutes, 0)).toBeLessThanOrEqual(30);
});

it("shows nothing of another driver's log, and refuses other periods and more than twenty a minute", async () => {
  const driver = await watchingDriver(99_000);
  await publishOffer(driver.warehouseIds[0]!, { payCents: 50 });
  await pollAgain(driver);
  const other = await createDriver();
  expect((await hoursOf(other)).warehouses).toEqual([]);
  advanceClock(MINUTE_MS);
  const ask = async (days: string) =>
    (await driver.client.call("GET", `/flex/v1/offer-hours?days=${days}`)).status;
  expect(await ask("3")).toBe(400);
  const answers: number[] = [];
  for (let call = 0; call < 21; call += 1) answers.push(await ask("7"));
  expect(answers).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
});
