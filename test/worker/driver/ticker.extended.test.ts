import { env, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterAll, beforeEach, expect, it } from "vitest";
import { objectName } from "../../../durable/driver/object-name.ts";
import { driverId } from "../../../db/shapes/units.ts";
import { tickersOf } from "../../../durable/watch/watchers.ts";
import {
  createActiveDriver,
  driverObject,
  fetchPollCount,
  resetPlatform,
  setSystemSwitch,
  type TestDriver,
} from "../harness.ts";

beforeEach(async () => {
  // Before the objects are made, which read it once.
  Object.assign(env, { TICKERS: "1" });
  await resetPlatform();
});
afterAll(() => void Object.assign(env, { TICKERS: "0" }));

const nameOf = (driver: TestDriver) => objectName("enam", driverId.parse(driver.driverId));
/** The name of the ticker that the settings give to a driver. */
const tickerName = (driver: TestDriver) =>
  tickersOf(env, { tickers: 1, platform: { region: "enam" } })(driverId.parse(driver.driverId))?.name ?? "";

function openTicker(name: string) {
  const ticker = env.TICK?.getByName(name);
  if (!ticker) throw new Error("no ticker is bound");
  return ticker;
}

const ticked = (ticker: ReturnType<typeof openTicker>) =>
  runInDurableObject(ticker, (_object, { storage }) =>
    storage.sql.exec(`SELECT object_name FROM ticked`).toArray(),
  );

const alarmOf = (driver: TestDriver) =>
  runInDurableObject(driverObject(driver), (_object, state) => state.storage.getAlarm());

it("polls when the ticker calls, and ends when nothing is due", async () => {
  const driver = await createActiveDriver();
  const ticker = openTicker(tickerName(driver));
  expect(await ticker.due({ objectName: nameOf(driver), at: Date.now() })).toBe(true);
  expect(await ticked(ticker)).toEqual([{ object_name: nameOf(driver) }]);
  const before = await fetchPollCount(driver);
  const window = runDurableObjectAlarm(ticker);
  await expect.poll(() => fetchPollCount(driver)).toBeGreaterThan(before + 1);
  await setSystemSwitch(driver, false);
  await window;
  await expect.poll(() => ticked(ticker)).toEqual([]);
});

it("has the object's alarm behind the next call, and an exact one after a call of nobody's", async () => {
  const driver = await createActiveDriver();
  const next = await driverObject(driver).tick(tickerName(driver));
  expect(next).not.toBeNull();
  expect(await alarmOf(driver)).toBe((next ?? 0) + 60_000);
  await runDurableObjectAlarm(driverObject(driver));
  expect((await alarmOf(driver)) ?? 0).toBeLessThan(Date.now() + 30_000);
});

it("has an exact alarm where a push that was due has left, and nothing else is due soon", async () => {
  const driver = await createActiveDriver();
  const until = Date.now() + 30_000;
  const throttle = { step: 0, until, since: Date.now(), isNotified: false };
  const push = { kind: "push", endpoint: "https://push.test/1" };
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    const message = {
      data: { title: "t", body: "b", url: "/", tag: "work", event: "needs_you" },
      ttlSeconds: 60,
      urgency: "high",
    };
    storage.sql.exec(
      `INSERT OR REPLACE INTO state (key, value, version) VALUES ('throttle', ?, 2)`,
      JSON.stringify(throttle),
    );
    storage.sql.exec(`DELETE FROM outbox`);
    storage.sql.exec(
      `INSERT INTO outbox (value, due_at, tries, version) VALUES (?, 0, 0, 5)`,
      JSON.stringify({ ...push, message }),
    );
  });
  await evictDurableObject(driverObject(driver));
  expect(await driverObject(driver).tick(tickerName(driver))).toBeNull();
  expect((await alarmOf(driver)) ?? 0).toBeLessThanOrEqual(until);
});

it("ends at a ticker that the settings do not name, with an exact alarm", async () => {
  const driver = await createActiveDriver();
  await driverObject(driver).tick(tickerName(driver));
  const ticker = openTicker("tick:enam:7");
  await ticker.due({ objectName: nameOf(driver), at: Date.now() });
  await runDurableObjectAlarm(ticker);
  await expect.poll(() => ticked(ticker)).toEqual([]);
  expect((await alarmOf(driver)) ?? 0).toBeLessThan(Date.now() + 30_000);
});

it("drops drivers who are gone, and calls nobody for them", async () => {
  const gone = driverId.parse(crypto.randomUUID());
  const left = await createActiveDriver();
  const ticker = openTicker("tick:enam:0");
  await ticker.due({ objectName: objectName("enam", gone), at: Date.now() });
  await ticker.due({ objectName: nameOf(left), at: Date.now() });
  await left.client.call("DELETE", "/flex/v1/user");
  await runDurableObjectAlarm(ticker);
  await expect.poll(() => ticked(ticker)).toEqual([]);
  expect(await fetchPollCount(left)).toBe(0);
});
