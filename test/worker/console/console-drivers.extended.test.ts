import { env, runInDurableObject } from "cloudflare:test";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { updateDriver } from "../../../db/queries/accounts/drivers.ts";
import type {
  DriverLiveResponse,
  DriverSearchResponse,
} from "../../../worker/contract/console/operator-drivers.ts";
import { parseResponse } from "../../support/driver-client.ts";
import { type OperatorClient, owner, support } from "../console-harness.ts";
import {
  driverObject,
  createActiveDriver,
  createDriver,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";
import { createSettled } from "../payments-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(() => resetPlatform());

async function search(client: OperatorClient, typed: string): Promise<DriverSearchResponse> {
  return parseResponse(await client.call("GET", `/drivers?q=${encodeURIComponent(typed)}`), "search");
}

async function named(name: string, phoneNumber: string, email: string | null = null): Promise<TestDriver> {
  const driver = await createDriver();
  await updateDriver(openDb(env.DB), driver.driverId, { name });
  await env.DB.prepare(`UPDATE users SET phone_number = ?, flex_email = ? WHERE id = ?`)
    .bind(phoneNumber, email, driver.driverId)
    .run();
  return { ...driver, phoneNumber };
}

it("finds a driver by their number in any form, its end, their name or their platform e-mail", async () => {
  const driver = await named("Zulmira Prado", "+15554827719", "Zulmira@Example.com");
  const found = async (typed: string) => (await search(owner, typed)).drivers.map(({ id }) => id);
  for (const typed of [
    "+15554827719",
    "15554827719",
    "5554827719",
    "(555) 482-7719",
    "+1 (555) 482-7719",
    "7719",
    "482-7719",
    "zulm",
    "ZULMIRA PRADO",
    "prádo",
    "prado zul",
    "zulmira@",
    "zulmira@example.com",
  ])
    expect([typed, await found(typed)]).toEqual([typed, [driver.driverId]]);
  for (const typed of ["4827710", "5554827718", "719", "ulmira", "prado@example.com"])
    expect([typed, (await found(typed)).includes(driver.driverId)]).toEqual([typed, false]);
});

it("finds a driver by a new name, and no longer by the old one", async () => {
  const driver = await named("Ofelia Bravo", "+15554827733");
  await updateDriver(openDb(env.DB), driver.driverId, { name: "Ofelia Núñez" });
  expect((await search(owner, "nunez")).drivers).toMatchObject([{ id: driver.driverId }]);
  expect((await search(owner, "bravo")).drivers).toEqual([]);
});

it("finds a driver by the number that they want texts at", async () => {
  const driver = await createDriver();
  await env.DB.prepare(`UPDATE users SET preferred_phone_number = '+15554443322' WHERE id = ?`)
    .bind(driver.driverId)
    .run();
  expect((await search(owner, "(555) 444-3322")).drivers).toMatchObject([{ id: driver.driverId }]);
});

it("shows support the ends of numbers, and says where there are more than it lists", async () => {
  for (let count = 10; count < 32; count += 1) await named("Quiteria Um", `+155577${count}0042`);
  const { drivers, hasMore } = await search(support, "quiteria");
  expect([drivers.length, hasMore]).toEqual([20, true]);
  expect(new Set(drivers.map(({ phone }) => phone))).toEqual(new Set(["••• 0042"]));
  expect((await search(owner, "+1 555 771-00042")).drivers).toMatchObject([{ phone: "+155577100042" }]);
});

it("shows what a driver has: service, points, payments, texts and what operators did", async () => {
  const { driver, paymentId } = await createSettled();
  await owner.do(driver, { act: "days", days: 2, reason: "a gift" });
  const page = await owner.page(driver);
  expect(page).toMatchObject({
    driver: { id: driver.driverId, phone: driver.phoneNumber, isMasked: false, isEnabled: null },
    service: {
      lines: [
        { source: "operator", appliedMs: 2 * DAY_MS },
        { source: "payment", appliedMs: 7 * DAY_MS },
        { source: "test", appliedMs: 0 },
      ],
    },
    points: { balance: 70, lines: [{ kind: "earned", points: 70 }] },
    payments: [
      { id: paymentId, status: "settled", totalCents: 5022, refundableCents: 5022, orderedCents: 0 },
    ],
    filters: { version: 0, isComplete: false },
    acts: [{ act: "days", reason: "a gift" }],
  });
  expect(page.service.unusedMs).toBeGreaterThan(8.9 * DAY_MS);
});

it("shows what the driver's dashboard shows, with the reasons for each offer that was passed over", async () => {
  const driver = await createActiveDriver({ minHourlyCents: 9000 });
  await publishOffer(driver.warehouseIds[0]!, { payCents: 6000 });
  await runAlarm(driver);
  const { snapshot } = await parseResponse<DriverLiveResponse>(
    await support.call("GET", `/drivers/${driver.driverId}/live`),
    "live",
  );
  expect(snapshot?.phase).toEqual({ kind: "polling" });
  expect(snapshot?.feed[0]?.event).toMatchObject({
    kind: "offer_judged",
    reasons: [{ code: "rate_below_minimum" }],
  });
});

it("says why there is nothing to see where the driver's object throws, and shows the rest of the page", async () => {
  const driver = await createActiveDriver();
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'`,
      )
      .toArray();
    for (const { name } of tables) storage.sql.exec(`DROP TABLE "${name}"`);
  });
  const response = await support.call("GET", `/drivers/${driver.driverId}/live`);
  const { snapshot, failure } = await parseResponse<DriverLiveResponse>(response, "live");
  expect(snapshot).toBeNull();
  expect(failure?.errors.length).toBeGreaterThan(0);
  expect(JSON.stringify(failure)).not.toContain("no such table");
  expect((await support.page(driver)).driver.id).toBe(driver.driverId);
});
