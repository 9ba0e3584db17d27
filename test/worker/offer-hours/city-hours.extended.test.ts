import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { addCityShares } from "../../../db/queries/fleet/city-offer-hours.ts";
import { CITY_WEEKS, cityWeekOf, hourPayOf, readCounts } from "../../../db/shapes/work/city-hours.ts";
import { DAY_MS, HOUR_MS, type WarehouseId } from "../../../db/shapes/units.ts";
import { Store } from "../../../durable/driver/storage/store.ts";
import { weekHourOf } from "../../../durable/engine/statistics/offer-hours.ts";
import { createZone } from "../../../durable/engine/schedule/zone.ts";
import type { CityOfferHoursResponse } from "../../../worker/contract/work/statistics.ts";
import { runHourly } from "../../../worker/cron/hourly-cron.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../../support/sandbox-client.ts";
import {
  advanceClock,
  createActiveDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";

beforeEach(async () => {
  await resetPlatform();
  await env.DB.prepare(`DELETE FROM warehouse_weeks`).run();
});

/** More than the sandbox's quota asks for between two polls. */
const QUOTA_PACE_MS = 5_000;

const pollAgain = async (driver: TestDriver) => {
  advanceClock(QUOTA_PACE_MS);
  await runAlarm(driver);
};

type Row = {
  week: number;
  warehouse_id: string;
  drivers: number;
  offers: number;
  hours: string;
  pays: string;
};
const rows = async () => (await env.DB.prepare(`SELECT * FROM warehouse_weeks`).all<Row>()).results;

/** A driver whose object has looked twice, and began to count a day ago. */
async function watchingDriver(): Promise<TestDriver> {
  const driver = await createActiveDriver();
  await driver.client.saveFilters(
    permissiveFilters([permissiveWarehouseFilter(driver.warehouseIds[0]!, { minPriceCents: 99_000 })]),
  );
  await pollAgain(driver);
  await pollAgain(driver);
  return driver;
}

/** Lets the object's next run add what is due, as after a day. */
async function addAsAfterADay(driver: TestDriver): Promise<void> {
  // Stores what the object noted of its listings.
  await driverObject(driver).listingPage({ after: 0, limit: 1 });
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    const { state } = new Store(storage, { log: () => undefined, now: Date.now, objectName: null });
    const last = state.cityShares();
    state.write("cityShares", {
      countedTo: Math.min(last?.countedTo ?? Infinity, Date.now()) - DAY_MS,
      counted: last?.counted ?? [],
    });
    const intervals = state.intervals();
    if (intervals) state.write("intervals", { ...intervals, prunedAt: Date.now() - HOUR_MS });
  });
  await evictDurableObject(driverObject(driver));
  await driverObject(driver).wake();
  const countedTo = async () => {
    // The clock was moved forward: by itself the alarm rings only once time has come so far.
    await runAlarm(driver);
    return (await sharesOf(driver))?.countedTo ?? 0;
  };
  await expect.poll(countedTo).toBeGreaterThan(Date.now() - HOUR_MS);
}

const sharesOf = (driver: TestDriver) =>
  runInDurableObject(driverObject(driver), (_object, { storage }) =>
    new Store(storage, { log: () => undefined, now: Date.now, objectName: null }).state.cityShares(),
  );

it("adds a driver's offers by week, hour and pay, in a row for each warehouse, and counts the driver once a week", async () => {
  const driver = await watchingDriver();
  const [warehouseId] = driver.warehouseIds;
  await publishOffer(warehouseId!, { payCents: 7_350, inMinutes: 120, minutes: 180 });
  await publishOffer(warehouseId!, { payCents: 6_000, inMinutes: 400, minutes: 180 });
  await pollAgain(driver);
  await addAsAfterADay(driver);
  await expect.poll(async () => (await rows()).length).toBe(1);
  const [row] = await rows();
  const { timeZone } = (await driverObject(driver).snapshot()).warehouses.find(
    (known) => known.warehouseId === warehouseId,
  )!;
  const hours = readCounts(JSON.parse(row!.hours));
  expect(hours.map(([, offers]) => offers)).toEqual([2]);
  const now = weekHourOf(createZone(timeZone), Date.now());
  expect([now, (now + 167) % 168]).toContain(hours[0]?.[0]);
  expect({
    ...row,
    pays: readCounts(JSON.parse(row!.pays)).toSorted(([one], [other]) => one - other),
  }).toMatchObject({
    warehouse_id: warehouseId,
    drivers: 1,
    offers: 2,
    pays: [
      [20, 1],
      [24, 1],
    ],
  });
});

it("adds nothing twice, and the driver no second time in a week", async () => {
  const driver = await watchingDriver();
  const [warehouseId] = driver.warehouseIds;
  await publishOffer(warehouseId!, { payCents: 50 });
  await pollAgain(driver);
  await addAsAfterADay(driver);
  await expect.poll(async () => (await rows())[0]?.offers).toBe(1);
  // A crash before the object knew of the answer: what it stored before says that it was added.
  await evictDurableObject(driverObject(driver));
  await driverObject(driver).wake();
  await publishOffer(warehouseId!, { payCents: 60 });
  await pollAgain(driver);
  await addAsAfterADay(driver);
  await expect.poll(async () => (await rows())[0]?.offers).toBeGreaterThan(1);
  expect((await rows()).map(({ drivers }) => drivers)).toEqual([1]);
});

const cityOf = ({ client }: TestDriver) =>
  client.fetchJson<CityOfferHoursResponse>("GET", "/flex/v1/offer-hours/city");

const share = (warehouseId: WarehouseId, week: number, drivers = 1) => ({
  week,
  warehouseId,
  drivers,
  offers: 3,
  hours: [
    [164, 2],
    [20, 1],
  ] as const,
  pays: [
    [18, 1],
    [24, 2],
  ] as const,
  hourPays: [
    [hourPayOf(164, 24), 2],
    [hourPayOf(20, 18), 1],
  ] as const,
});

it("shows a warehouse's weeks from five drivers on, and no others", async () => {
  const driver = await createActiveDriver();
  const [one, other] = driver.warehouseIds;
  const week = cityWeekOf(Date.now());
  const db = openDb(env.DB);
  for (let count = 0; count < 4; count += 1)
    await addCityShares(db, [share(one!, week), share(one!, week - 1, 0), share(other!, week)]);
  expect(await cityOf(driver)).toEqual({ currency: "USD", warehouses: [] });
  await addCityShares(db, [share(one!, week)]);
  expect(await cityOf(driver)).toEqual({
    currency: "USD",
    warehouses: [
      {
        warehouseId: one,
        hours: [
          { hour: 20, offers: 5, medianHourlyCents: 1_800 },
          { hour: 164, offers: 10, medianHourlyCents: 2_400 },
        ],
        medianHourlyCents: 2_400,
      },
    ],
  });
});

it("adds any number of warehouses by one statement, a row each", async () => {
  const ids = (await createActiveDriver()).warehouseIds;
  let statements = 0;
  const db = openDb(env.DB, () => {
    statements += 1;
  });
  const week = cityWeekOf(Date.now());
  for (let day = 0; day < 7; day += 1)
    await addCityShares(
      db,
      ids.map((id) => share(id, week)),
    );
  expect([statements, (await rows()).length]).toEqual([7, ids.length]);
  expect(ids.length).toBeGreaterThan(2);
});

it("keeps eight weeks", async () => {
  const driver = await createActiveDriver();
  const [id] = driver.warehouseIds;
  const week = cityWeekOf(Date.now());
  const weeks = [0, 1, CITY_WEEKS - 1, CITY_WEEKS, CITY_WEEKS + 1];
  await addCityShares(
    openDb(env.DB),
    weeks.map((ago) => share(id!, week - ago, 5)),
  );
  const shown = (await cityOf(driver)).warehouses[0]?.hours.find(({ hour }) => hour === 20);
  expect(shown?.offers).toBe(3);
  await runHourly(env);
  expect((await rows()).map((row) => week - row.week).toSorted((a, b) => a - b)).toEqual([
    0,
    1,
    CITY_WEEKS - 1,
  ]);
});
