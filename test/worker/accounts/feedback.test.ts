import { DAY_MS } from "../../../db/shapes/units.ts";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import type { FeedbackResponse } from "../../../worker/contract/voice.ts";
import { skipTimers } from "../../support/skip-timers.ts";
import { createDriver, resetPlatform, type TestDriver } from "../harness.ts";
import { rows } from "../payments-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(skipTimers);

async function createVeteran(captures: number): Promise<TestDriver> {
  const driver = await createDriver();
  // The last one waits for the object, as one of a former release does.
  await rows(
    `INSERT INTO won_days (driver_id, day, currency, blocks, pay_cents, minutes) VALUES (?, 20000, 'USD', ?, 9000, 180)`,
    driver.driverId,
    captures - 1,
  );
  await rows(
    `INSERT INTO blocks_won (driver_id, block_id, offer_id, attempt_id, warehouse_id, service_type, starts_at, ends_at, pay_cents, currency, captured_at)
     VALUES (?, 'b', 'o', 'a', 'w', 'standard', 1, 2, 9000, 'USD', 1)`,
    driver.driverId,
  );
  return driver;
}

const isDue = async ({ client }: TestDriver) =>
  (await client.fetchJson<FeedbackResponse>("GET", "/flex/v1/feedback")).isDue;
const send = async ({ client }: TestDriver, body: unknown) =>
  (await client.call("POST", "/flex/v1/feedback", { body })).status;
const stored = ({ driverId }: TestDriver) =>
  rows(`SELECT score, comment FROM feedback WHERE driver_id = ? ORDER BY at`, driverId);

it("asks after the third capture, and again 60 days after an answer", async () => {
  expect(await isDue(await createVeteran(2))).toBe(false);
  const driver = await createVeteran(3);
  expect(await isDue(driver)).toBe(true);
  expect(await send(driver, { score: 9, comment: "  Good.  " })).toBe(204);
  expect(await isDue(driver)).toBe(false);
  const age = (ms: number) =>
    rows(`UPDATE feedback SET at = ? WHERE driver_id = ?`, Date.now() - ms, driver.driverId);
  await age(60 * DAY_MS - 60_000);
  expect(await isDue(driver)).toBe(false);
  await age(60 * DAY_MS);
  expect(await isDue(driver)).toBe(true);
  expect(await stored(driver)).toEqual([{ score: 9, comment: "Good." }]);
});

it("does not ask again after it was skipped, and stores one answer of two tabs", async () => {
  const driver = await createVeteran(3);
  expect(await Promise.all([send(driver, { score: null }), send(driver, { score: 3 })])).toEqual([204, 204]);
  expect(await isDue(driver)).toBe(false);
  expect(await stored(driver)).toHaveLength(1);
});

it("needs a whole score from 1 to 10, or none", async () => {
  const driver = await createVeteran(3);
  const wrong = [{}, { score: 0 }, { score: 11 }, { score: 5.5 }, { score: 5, comment: "x".repeat(1001) }];
  for (const body of wrong) expect(await send(driver, body)).toBe(400);
  expect(await stored(driver)).toEqual([]);
});

it("is in the export and gone with the account", async () => {
  const driver = await createVeteran(3);
  await send(driver, { score: 10 });
  const file = await driver.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
  expect(file.feedback).toMatchObject([{ score: 10, comment: null }]);
  expect(file).toMatchObject({ invitations: [], inviteCode: null, redemptions: [] });
  await driver.client.call("DELETE", "/flex/v1/user");
  expect(await stored(driver)).toEqual([]);
});
