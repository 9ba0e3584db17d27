import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { mondayAt, weekOf } from "../../../durable/engine/statistics/week.ts";
import { permissiveFilters, permissiveWarehouseFilter, postJson } from "../../support/sandbox-client.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  setSystemSwitch,
  type TestDriver,
} from "../harness.ts";
import { eventually, listen, openedBy, QUOTA_PACE_MS, textsWith, wakeObject } from "../push-harness.ts";

/**
 * Where what is captured now is worked by Sunday evening: in New York, and once it is Sunday morning there, where Monday has
 * begun.
 */
function zoneOfWeek(): string {
  const isSunday =
    Date.now() > weekOf(mondayAt(Date.now(), "America/New_York"), "America/New_York").to - 14 * HOUR_MS;
  return isSunday ? "Pacific/Kiritimati" : "America/New_York";
}

beforeEach(() => resetPlatform());

async function createDriverInZone(): Promise<TestDriver> {
  const driver = await createActiveDriver();
  const answer = await driver.client.call("PUT", `/flex/v1/user/${encodeURIComponent(driver.phoneNumber)}`, {
    body: { name: "Ana", humanTimezone: zoneOfWeek(), humanRegion: null, preferredPhoneNumber: null },
  });
  expect(answer.status).toBe(200);
  return driver;
}

/** A driver who captured a block this week, and whose minimum turned two down. */
async function driverWithWeek(): Promise<TestDriver> {
  const driver = await createDriverInZone();
  const [id] = driver.warehouseIds;
  if (id === undefined) throw new Error("no warehouse");
  const rule = permissiveWarehouseFilter(id, { minPriceCents: 9_000 });
  await driver.client.saveFilters(permissiveFilters([rule]));
  await publishOffer(id, { inMinutes: 240, minutes: 60, payCents: 9_500 });
  for (const inMinutes of [480, 720]) await publishOffer(id, { inMinutes, minutes: 60, payCents: 8_000 });
  advanceClock(QUOTA_PACE_MS);
  await runAlarm(driver);
  const seen = async () => (await driverObject(driver).list("disliked", { cursor: 1e9, limit: 10 })).slice();
  expect(await eventually(2, seen)).toHaveLength(2);
  expect((await driverObject(driver).snapshot()).held).toHaveLength(1);
  await setSystemSwitch(driver, false);
  return driver;
}

/** The driver goes on using the app until Sunday, so that the browser's sign-in lasts. */
async function staySignedIn(driver: TestDriver): Promise<void> {
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    storage.sql.exec(
      `UPDATE push_subscriptions SET value = json_set(value, '$.session.expiresAt', ?)`,
      Date.now() + 7 * DAY_MS,
    );
  });
}

/** Lets it become Sunday evening for the driver, and late enough for everyone there to be told. */
async function wakeOnSunday(driver: TestDriver): Promise<string> {
  const zone = zoneOfWeek();
  const { monday, to } = weekOf(mondayAt(Date.now(), zone), zone);
  advanceClock(to - 6 * HOUR_MS + 31 * MINUTE_MS - Date.now());
  await postJson(apiTarget, "/sandbox/world", { now: Date.now() });
  await wakeObject(driver);
  return monday;
}

const textsTo = (driver: TestDriver) => textsWith("this week", driver);

describe("on Sunday evening", () => {
  it("one text has the week's figures and the one change that would have brought most, once whatever restarts", async () => {
    const driver = await driverWithWeek();
    await wakeObject(driver);
    expect(await textsTo(driver)).toEqual([]);
    const monday = await wakeOnSunday(driver);
    expect(await eventually(1, () => textsTo(driver))).toEqual([
      expect.stringMatching(
        new RegExp(`^Jornada: this week: 1 captured, .*\\$95.* http.*/flex/week\\?try=${monday}$`),
      ),
    ]);
    await evictDurableObject(driverObject(driver));
    await wakeObject(driver);
    advanceClock(HOUR_MS);
    await wakeObject(driver);
    expect(await textsTo(driver)).toHaveLength(1);
  });

  it("a push says it in place of a text, and opens the change in the filters", async () => {
    const driver = await driverWithWeek();
    const phone = await listen(driver);
    await staySignedIn(driver);
    await wakeOnSunday(driver);
    const pushed = async () => (await openedBy(phone)).filter(({ tag }) => tag === "week");
    const change = { kind: "min_price", warehouseId: driver.warehouseIds[0], cents: 8_000 };
    expect(await eventually(1, pushed)).toEqual([
      {
        event: "week",
        title: "This week in numbers",
        body: "1 captured, 1 worked in 1 hr: $95, $95/hr. Lower Bethpage (DNY4) to $80: up to 2 more, $160.",
        url: `/flex/filters?change=${encodeURIComponent(JSON.stringify(change))}`,
        tag: "week",
      },
    ]);
    expect(await textsTo(driver)).toEqual([]);
  });

  it("nothing is sent to a driver who turned it off, nor for a week with nothing to say", async () => {
    const off = await driverWithWeek();
    const week = { text: false, push: false };
    expect((await off.client.call("PUT", "/flex/v1/user/reminders", { body: { week } })).status).toBe(200);
    const idle = await createDriverInZone();
    await setSystemSwitch(idle, false);
    const monday = await wakeOnSunday(off);
    await wakeObject(idle);
    for (const driver of [off, idle])
      await expect.poll(async () => (await driverObject(driver).keptChecks()).weekTold).toBe(monday);
    expect([await textsTo(off), await textsTo(idle)]).toEqual([[], []]);
  });
});
