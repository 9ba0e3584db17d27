import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import type { LostDaysResponse } from "../../../worker/contract/money/lost-days.ts";
import { createActiveDriver, driverObject, resetPlatform, runAlarm, type TestDriver } from "../harness.ts";

beforeEach(() => resetPlatform());

const yesterday = () => new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10);

/** As an object that lost two hours the day before yesterday has stored it. */
async function loseTwoHours(driver: TestDriver): Promise<void> {
  await env.DB.prepare(`UPDATE service_credits SET at = at - ?, duration_ms = duration_ms + ?`)
    .bind(5 * DAY_MS, 5 * DAY_MS)
    .run();
  const value = JSON.stringify({
    countedTo: Date.now() - 1_000,
    wakesAt: null,
    days: { [yesterday()]: 2 * HOUR_MS },
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
  expect(await lostDays(driver)).toEqual([{ date: yesterday(), lostMs: 2 * HOUR_MS, givenMs: 2 * HOUR_MS }]);
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
