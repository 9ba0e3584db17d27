import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { DEFAULT_NOTIFICATION_PREFERENCES } from "../../../db/shapes/notifications.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { daytimeAfter } from "../../../durable/driver/services/lost-day-message.ts";
import type { LostDaysResponse } from "../../../worker/contract/money/service.ts";
import {
  advanceClock,
  createActiveDriver,
  driverObject,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";
import { eventually, listen, openedBy, textsWith } from "../push-harness.ts";

beforeEach(() => resetPlatform());

const LOST_DAY = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10);

/** As an object that lost two hours the day before yesterday has stored it. */
async function loseTwoHours(driver: TestDriver): Promise<void> {
  await env.DB.prepare(`UPDATE service_credits SET at = at - ?, duration_ms = duration_ms + ?`)
    .bind(5 * DAY_MS, 5 * DAY_MS)
    .run();
  const value = JSON.stringify({
    countedTo: Date.now() - 1_000,
    wakesAt: null,
    days: { [LOST_DAY]: 2 * HOUR_MS },
  });
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    storage.sql.exec(
      `INSERT INTO state (key, value, version) VALUES ('lostTime', ?1, 1) ON CONFLICT (key) DO UPDATE SET value = ?1`,
      value,
    );
  });
}
const lostDays = async (driver: TestDriver) =>
  (await driver.client.fetchJson<LostDaysResponse>("GET", "/flex/v1/lost-days")).days;

it("comes back once from the object's own count, reaches the object and nobody else, and goes with the account", async () => {
  const [driver, other] = [await createActiveDriver(), await createActiveDriver()];
  await loseTwoHours(driver);
  const until = async () => (await driverObject(driver).snapshot()).serviceUntil ?? 0;
  await evictDurableObject(driverObject(driver));
  await driverObject(driver).wake();
  await expect.poll(() => lostDays(driver)).toHaveLength(1);
  await runAlarm(driver);
  await driverObject(driver).wake();
  expect(await lostDays(driver)).toEqual([{ date: LOST_DAY, lostMs: 2 * HOUR_MS, givenMs: 2 * HOUR_MS }]);
  expect(await lostDays(other)).toEqual([]);
  const [entry] = (
    await env.DB.prepare(`SELECT duration_ms FROM service_credits WHERE source LIKE '%:outage:%'`).all()
  ).results;
  expect(entry).toEqual({ duration_ms: 2 * HOUR_MS });
  const row = await env.DB.prepare(`SELECT ends_at FROM service_ends WHERE driver_id = ?`)
    .bind(driver.driverId)
    .first<{ ends_at: number }>();
  await expect.poll(until).toBe(row?.ends_at);
  expect((await driver.client.call("DELETE", "/flex/v1/user")).status).toBe(204);
  expect((await env.DB.prepare(`SELECT count(*) AS n FROM lost_days`).first())?.["n"]).toBe(0);
});

it("comes back to a driver in no city, and stands in the export with its reason", async () => {
  const driver = await createActiveDriver();
  await env.DB.prepare(`DELETE FROM spots WHERE driver_id = ?`).bind(driver.driverId).run();
  await env.DB.prepare(`UPDATE users SET human_region = NULL WHERE id = ?`).bind(driver.driverId).run();
  await loseTwoHours(driver);
  await evictDurableObject(driverObject(driver));
  await driverObject(driver).wake();
  await expect
    .poll(() => lostDays(driver))
    .toEqual([{ date: LOST_DAY, lostMs: 2 * HOUR_MS, givenMs: 2 * HOUR_MS }]);
  const file = await driver.client.fetchJson<object>("GET", "/flex/v1/user/export");
  expect(file).toMatchObject({
    lostDays: [{ date: LOST_DAY, lostMs: 2 * HOUR_MS }],
    service: expect.arrayContaining([
      expect.objectContaining({ source: expect.stringContaining(`:outage:${LOST_DAY}`) }),
    ]),
  });
});

/** Lets the object settle what it lost, and live on until the driver can be told. */
async function settleAndWait(driver: TestDriver): Promise<void> {
  await evictDurableObject(driverObject(driver));
  await driverObject(driver).wake();
  await expect.poll(() => lostDays(driver)).toHaveLength(1);
  await runAlarm(driver);
  const now = Date.now();
  advanceClock(daytimeAfter(now, { timeZone: "America/New_York", quietHours: null }) - now + MINUTE_MS);
  await driverObject(driver).wake();
}
/** Of that day: what passes until the driver can be told is lost as well, on a day that may be over then. */
const textsTo = (driver: TestDriver) => {
  const format = { weekday: "short", month: "short", day: "numeric", timeZone: "UTC" } as const;
  const day = new Date(LOST_DAY).toLocaleDateString("en-US", format);
  return textsWith(`couldn't check offers for 2 hr on ${day}`, driver);
};

it("is told once, by a push where one can arrive", async () => {
  const driver = await createActiveDriver();
  const phone = await listen(driver);
  await loseTwoHours(driver);
  await settleAndWait(driver);
  const tag = `lost_day:${LOST_DAY}`;
  const pushed = async () => (await openedBy(phone)).filter((push) => push.tag === tag);
  expect(await eventually(1, pushed)).toEqual([
    {
      event: "service",
      title: "We gave you time back",
      body: expect.stringMatching(
        /^We couldn't check offers for 2 hr on .*\. We added 2 hr to your service\.$/,
      ),
      url: "/flex/payments",
      tag,
    },
  ]);
  await evictDurableObject(driverObject(driver));
  await driverObject(driver).wake();
  await runAlarm(driver);
  expect([(await pushed()).length, await textsTo(driver)]).toEqual([1, []]);
});

it.each([
  ["by a text where no browser listens", true, 1],
  ["in no way to a driver who wants no texts of service", false, 0],
])("is told %s", async (_case, text, count) => {
  const driver = await createActiveDriver();
  const { question: _question, ...preferences } = DEFAULT_NOTIFICATION_PREFERENCES;
  const body = { ...preferences, service: { text, push: true } };
  const answer = await driver.client.call("PUT", "/flex/v1/user/notifications", { body });
  expect(answer.status).toBe(200);
  await loseTwoHours(driver);
  await settleAndWait(driver);
  await expect.poll(async () => (await textsTo(driver)).length).toBe(count);
  await driverObject(driver).wake();
  await runAlarm(driver);
  expect(await textsTo(driver)).toHaveLength(count);
});
