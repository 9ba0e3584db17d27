import { evictDurableObject, runInDurableObject, SELF } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";

const HOUR_MS = 3_600_000;

beforeEach(() => resetPlatform());

async function inbox({ phoneNumber }: TestDriver): Promise<string[]> {
  const answer = await SELF.fetch(`${apiTarget.origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`);
  const { messages } = await answer.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

/** As if the driver had had so many texts since the last evening. */
async function setSent(driver: TestDriver, sent: number): Promise<void> {
  const day = { endsAt: Date.now() + HOUR_MS, sent, held: 0 };
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    storage.sql.exec(
      `INSERT OR REPLACE INTO state (key, value, version) VALUES ('textDay', ?, 1)`,
      JSON.stringify(day),
    );
  });
}

const dayOf = (driver: TestDriver) =>
  runInDurableObject(driverObject(driver), (_object, { storage }) =>
    storage.sql
      .exec<{ value: string }>(`SELECT value FROM state WHERE key = 'textDay'`)
      .toArray()
      .map(({ value }): unknown => JSON.parse(value)),
  );

async function capture(driver: TestDriver): Promise<void> {
  const { held } = await driverObject(driver).snapshot();
  await evictDurableObject(driverObject(driver));
  advanceClock(5_000);
  await publishOffer(driver.warehouseIds[0]!, { inMinutes: 240 + held.length * 120, minutes: 60 });
  await runAlarm(driver);
  expect((await driverObject(driver).snapshot()).held).toHaveLength(held.length + 1);
}

it("holds texts back above the day's limit, and tells of them in one text in the evening", async () => {
  const driver = await createActiveDriver();
  await setSent(driver, 19);
  await capture(driver);
  await expect.poll(() => inbox(driver)).toHaveLength(1);
  await capture(driver);
  await capture(driver);
  expect(await dayOf(driver)).toMatchObject([{ sent: 20, held: 2 }]);
  // The dashboard has them at once.
  expect((await driverObject(driver).snapshot()).held).toHaveLength(3);
  expect(await inbox(driver)).toHaveLength(1);
  await driver.client.patchUser({ phoneNumber: driver.phoneNumber, userDisabled: 1 });
  advanceClock(HOUR_MS);
  await runAlarm(driver);
  await expect.poll(() => inbox(driver)).toHaveLength(2);
  expect((await inbox(driver))[0]).toBe(
    `Jornada: you reached today's text limit. 2 more updates: ${apiTarget.origin}/flex/dashboard`,
  );
  expect(await dayOf(driver)).toEqual([]);
});

it("sends what needs the driver above the limit, too", async () => {
  const driver = await createActiveDriver();
  await setSent(driver, 20);
  await evictDurableObject(driverObject(driver));
  const answer = await SELF.fetch(`${apiTarget.origin}/sandbox/platform/world`);
  const { drivers } = await answer.json<{ drivers: { driverId: string; email: string }[] }>();
  const platformId = drivers.find(({ email }) => email === driver.email)?.driverId;
  await SELF.fetch(`${apiTarget.origin}/sandbox/platform/drivers/${platformId}/sign-out`, { method: "POST" });
  advanceClock(5_000);
  await runAlarm(driver);
  await expect.poll(() => inbox(driver)).toHaveLength(1);
});
