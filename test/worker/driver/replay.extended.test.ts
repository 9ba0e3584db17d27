import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { INITIAL_RULE } from "../../../db/shapes/work/filters.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { weekdayOf } from "../../../db/shapes/work/local-date.ts";
import { parseListingRow, type ListingChange } from "../../../db/shapes/log/listing.ts";
import type { ReplayResponse } from "../../../worker/contract/work/replay.ts";
import { makeExtraRule } from "../../engine/fixtures.ts";
import {
  linkPlatformAccount,
  permissiveFilters,
  permissiveWarehouseFilter,
} from "../../support/sandbox-client.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  createDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

/** More than the sandbox's quota asks for between two polls. */
const QUOTA_PACE_MS = 5_000;

const filtersFrom = ({ warehouseIds: [id] }: TestDriver, minPriceCents: number) =>
  permissiveFilters([permissiveWarehouseFilter(id!, { minPriceCents })]);

const replay = ({ client }: TestDriver, filters: object, fields = {}) =>
  client.fetchJson<ReplayResponse>("POST", "/flex/v1/filters/replay", {
    body: { days: 7, filters, ...fields },
  });

const pollAgain = async (driver: TestDriver) => {
  advanceClock(QUOTA_PACE_MS);
  await runAlarm(driver);
};

/** Noon of a day in the middle of a week, which is one week on every clock. */
const nextWednesday = () => {
  const today = Math.floor(Date.now() / DAY_MS);
  return (today + 10 - weekdayOf(today)) * DAY_MS + 12 * HOUR_MS;
};

/** The listings as the object kept them. */
async function listedChanges(driver: TestDriver) {
  const rows = await driverObject(driver).listingPage({ after: 0, limit: 100 });
  return rows.flatMap((row) =>
    parseListingRow(row).map(({ isAfterPause, seen, left }) => ({
      isAfterPause,
      seen: seen.map(({ offerId }) => offerId),
      left,
    })),
  );
}

it("says what edited filters would have taken and what not, beside the saved ones, and changes nothing", async () => {
  const driver = await createActiveDriver();
  await driver.client.saveFilters(filtersFrom(driver, 5_000));
  const captured = await publishOffer(driver.warehouseIds[0]!, { payCents: 9_000, inMinutes: 120 });
  const cheap = await publishOffer(driver.warehouseIds[0]!, { payCents: 4_000, inMinutes: 400 });
  await runAlarm(driver);
  await expect.poll(async () => (await driverObject(driver).snapshot()).held).toHaveLength(1);

  const looser = await replay(driver, filtersFrom(driver, 3_000));
  expect(looser).toMatchObject({
    days: 7,
    currency: "USD",
    offers: 2,
    saved: { blocks: 1, payCents: 9_000, minutes: 180, likelyCents: 9_000 },
    edited: { blocks: 2, payCents: 13_000, minutes: 360 },
    captured: { blocks: 1, payCents: 9_000 },
    gained: [
      { offer: { offerId: cheap }, reasons: [{ code: "price_below_minimum", rule: 5_000, offer: 4_000 }] },
    ],
    dropped: [],
    costliest: null,
    warning: null,
    unseen: [],
    odds: [{ warehouseId: driver.warehouseIds[0], tried: 1, won: 1 }],
  });
  // One try that won, and two more of which one wins: two thirds of the other one's pay.
  expect(looser.edited.likelyCents).toBe(Math.round(9_000 + (4_000 * 2) / 3));
  const stricter = await replay(driver, filtersFrom(driver, 10_000));
  expect(stricter).toMatchObject({
    edited: { blocks: 0, payCents: 0 },
    gained: [],
    dropped: [{ offer: { offerId: captured }, reasons: [{ code: "price_below_minimum" }] }],
    costliest: { code: "price_below_minimum", offers: 2, payCents: 13_000 },
  });
  const { filters } = await driver.client.fetchJson<{ filters: object }>("GET", "/flex/v1/filters");
  expect(filters).toMatchObject(filtersFrom(driver, 5_000));
});

it("says which of several rules the reasons of either side are by", async () => {
  const driver = await createActiveDriver();
  const filters = (minPriceCents: number, name: string) =>
    permissiveFilters([
      permissiveWarehouseFilter(driver.warehouseIds[0]!, {
        minPriceCents: 90_000,
        minHourlyCents: 90_000,
        extraRules: [makeExtraRule({ name, minPriceCents })],
      }),
    ]);
  await driver.client.saveFilters(filters(5_000, "Sundays"));
  const captured = await publishOffer(driver.warehouseIds[0]!, { payCents: 9_000, inMinutes: 120 });
  const cheap = await publishOffer(driver.warehouseIds[0]!, { payCents: 4_000, inMinutes: 400 });
  await runAlarm(driver);
  await expect.poll(async () => (await driverObject(driver).snapshot()).held).toHaveLength(1);
  expect((await replay(driver, filters(3_000, "Mondays"))).gained).toMatchObject([
    { offer: { offerId: cheap }, rule: { name: "Sundays", number: 2 } },
  ]);
  expect((await replay(driver, filters(10_000, "Mondays"))).dropped).toMatchObject([
    { offer: { offerId: captured }, rule: { name: "Mondays", number: 2 } },
  ]);
  const [dropped] = (await replay(driver, filtersFrom(driver, 10_000))).dropped;
  expect(dropped).not.toHaveProperty("rule");
});

it("takes no more of a week than the platform gives", async () => {
  await resetPlatform({ weeklyLimitMinutes: 300 });
  const driver = await createActiveDriver();
  await driver.client.saveFilters(filtersFrom(driver, 5_000));
  const publish = (payCents: number, hours: number) =>
    publishOffer(driver.warehouseIds[0]!, { payCents, startsAt: nextWednesday() + hours * HOUR_MS });
  await publish(9_000, 0);
  await publish(8_000, 4);
  await runAlarm(driver);
  await expect.poll(async () => (await driverObject(driver).snapshot()).held).toHaveLength(1);
  await publish(7_000, 8);
  await pollAgain(driver);
  const { saved, edited } = await replay(driver, filtersFrom(driver, 1_000));
  expect([saved.blocks, edited.blocks]).toEqual([1, 1]);
});

it("replays another mode, and a day that knows nothing says so", async () => {
  const driver = await createActiveDriver();
  const filters = filtersFrom(driver, 1);
  expect(await replay(driver, filters, { days: 1 })).toMatchObject({
    days: 1,
    offers: 0,
    since: null,
    staysFrom: null,
    unseen: [driver.warehouseIds[0]],
  });
  await publishOffer(driver.warehouseIds[0]!, { payCents: 6_000, inMinutes: 120 });
  const better = await publishOffer(driver.warehouseIds[0]!, { payCents: 9_000, inMinutes: 150 });
  await driver.client.saveFilters(filtersFrom(driver, 99_000));
  await runAlarm(driver);
  const blocksOf = async (mode: string) => (await replay(driver, filters, { mode })).gained;
  expect(await blocksOf("secure")).toMatchObject([{ offer: { payCents: 6_000 } }]);
  expect(await blocksOf("masacre")).toMatchObject([{ offer: { offerId: better } }]);
});

it("keeps when an offer came and left, in one row for some minutes, and none for polls that bring nothing", async () => {
  const driver = await createActiveDriver();
  await driver.client.saveFilters(filtersFrom(driver, 99_000));
  const offerId = await publishOffer(driver.warehouseIds[0]!, { inMinutes: 60 });
  await pollAgain(driver);
  for (let poll = 0; poll < 3; poll += 1) await pollAgain(driver);
  await evictDurableObject(driverObject(driver));
  for (let poll = 0; poll < 3; poll += 1) await pollAgain(driver);
  expect(await listedChanges(driver)).toEqual([{ isAfterPause: true, seen: [offerId], left: [] }]);
  // A captured offer leaves the list.
  await driver.client.saveFilters(filtersFrom(driver, 1));
  await expect
    .poll(async () => {
      await pollAgain(driver);
      return (await listedChanges(driver)).flatMap(({ left }) => left);
    })
    .toEqual([offerId]);
});

it("takes the offers of a log from before listings were kept, each in the moment of its verdict", async () => {
  const driver = await createActiveDriver();
  await driver.client.saveFilters(filtersFrom(driver, 99_000));
  await publishOffer(driver.warehouseIds[0]!, { payCents: 7_000 });
  await runAlarm(driver);
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    storage.sql.exec(`DELETE FROM listings`);
    storage.sql.exec(`DELETE FROM state WHERE key = 'listedOffers'`);
  });
  await evictDurableObject(driverObject(driver));
  expect(await replay(driver, filtersFrom(driver, 1))).toMatchObject({
    staysFrom: null,
    offers: 1,
    gained: [{ offer: { payCents: 7_000 }, reasons: [{ code: "price_below_minimum" }] }],
  });
});

it("refuses what are no filters, and more than forty a minute", async () => {
  const driver = await createActiveDriver();
  const ask = (body: object) => driver.client.call("POST", "/flex/v1/filters/replay", { body });
  const filters = { ...filtersFrom(driver, 1), minHourlyCents: INITIAL_RULE.minHourlyCents };
  expect((await ask({ days: 3, filters })).status).toBe(400);
  expect((await ask({ days: 7 })).status).toBe(400);
  const answers: number[] = [];
  for (let call = 0; call < 41; call += 1) answers.push((await ask({ days: 1, filters })).status);
  expect(answers.toSorted()).toEqual([...Array.from({ length: 40 }, () => 200), 429]);
});

it("keeps its listings for the driver's export, and for nobody else's", async () => {
  const driver = await createActiveDriver();
  const offerId = await publishOffer(driver.warehouseIds[0]!, { payCents: 50 });
  await pollAgain(driver);
  type Export = { listings: { seen: { offerId: string }[] }[] };
  const exported = async ({ client }: TestDriver) =>
    (await client.fetchJson<Export>("GET", "/flex/v1/user/export")).listings.flatMap(({ seen }) =>
      seen.map((offer) => offer.offerId),
    );
  expect(await exported(driver)).toEqual([offerId]);
  const other = await createDriver();
  expect(await exported(other)).toEqual([]);
});

/** The blocks of the driver's log of listings. */
async function loggedBlocks(driver: TestDriver): Promise<Pick<ListingChange, "held" | "freed">[]> {
  const rows = await driverObject(driver).listingPage({ after: 0, limit: 100 });
  return rows.flatMap(parseListingRow).filter(({ held, freed }) => held.length + freed.length > 0);
}

it("takes no block for given back while the account is linked anew", async () => {
  const driver = await createActiveDriver();
  await publishOffer(driver.warehouseIds[0]!, { payCents: 9_000, inMinutes: 120 });
  await runAlarm(driver);
  await expect.poll(async () => (await driverObject(driver).snapshot()).held).toHaveLength(1);
  const account = { ...apiTarget, client: driver.client };
  await linkPlatformAccount(account, driver.email);
  // The log doesn't depend on the object's memory.
  await evictDurableObject(driverObject(driver));
  const heldAgain = async () => {
    await pollAgain(driver);
    return (await driverObject(driver).snapshot()).held.length;
  };
  await expect.poll(heldAgain).toBe(1);
  const [taken, ...more] = await loggedBlocks(driver);
  expect([taken?.held.length, more]).toEqual([1, []]);

  await linkPlatformAccount(account, `other-${driver.email}`);
  await evictDurableObject(driverObject(driver));
  const freed = async () => {
    await pollAgain(driver);
    return (await loggedBlocks(driver)).flatMap((change) => change.freed);
  };
  await expect.poll(freed).toEqual(taken?.held.map(({ blockId }) => blockId));
});
