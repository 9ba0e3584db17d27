import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import type { OtherOffersResponse } from "../../../db/shapes/work/other-offers.ts";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  takeByHand,
  type TestDriver,
} from "../harness.ts";
import { arrivals, eventually, listen, untilSent } from "../push-harness.ts";

beforeEach(() => resetPlatform());

const MINUTE_MS = 60_000;
const REMINDERS = "/flex/v1/user/reminders";
const OFF = { text: false, push: false };

/** Lets the object wake after so long, and waits until nothing is left to be sent. */
async function wakeAfter(driver: TestDriver, minutes: number): Promise<void> {
  advanceClock(minutes * MINUTE_MS);
  await runAlarm(driver);
  await untilSent(driver);
}

/** A driver who holds a block that starts in 100 minutes, taken by hand, and whose phone takes push messages. */
async function holdBlock() {
  const driver = await createActiveDriver();
  const phone = await listen(driver);
  await takeByHand(driver, { inMinutes: 100 });
  await runAlarm(driver);
  const [held] = (await driverObject(driver).snapshot()).held;
  if (!held) throw new Error("the block was not read");
  const { blockId } = held;
  const messages = async () =>
    Promise.all(
      (await arrivals(phone)).map(async ({ body, ttl }) => ({ ttl, ...Object(await phone.open(body)) })),
    );
  return { driver, blockId, messages };
}

const giveBackByHand = (blockId: string) =>
  apiTarget.fetch(`${apiTarget.origin}/sandbox/platform/blocks/${blockId}`, { method: "DELETE" });

describe("a held block", () => {
  it("is told of 90 and 60 minutes before its start, once each whatever restarts, with other offers", async () => {
    const { driver, blockId, messages } = await holdBlock();
    await wakeAfter(driver, 9);
    expect(await messages()).toEqual([]);
    await publishOffer(driver.warehouseIds[0]!, { inMinutes: 95, minutes: 60 });
    await wakeAfter(driver, 0.5);
    await wakeAfter(driver, 0.6);
    const [first] = await eventually(1, messages);
    expect(first).toEqual({
      event: "give_back_90",
      title: "You can still forfeit this block",
      body: expect.stringMatching(/: penalty-free until .*\. Other offers at that time: 1\.$/),
      url: "/flex/dashboard",
      tag: `give_back:${blockId}`,
      ttl: expect.any(Number),
    });
    expect(first?.ttl).toBeGreaterThan(44 * 60);
    expect(first?.ttl).toBeLessThanOrEqual(45 * 60);

    await evictDurableObject(driverObject(driver));
    await wakeAfter(driver, 1);
    expect(await messages()).toHaveLength(1);
    await wakeAfter(driver, 29);
    await wakeAfter(driver, 1);
    expect((await eventually(2, messages)).map(({ event }) => event).toSorted()).toEqual([
      "give_back_60",
      "give_back_90",
    ]);
  });

  it("is not told of once the driver has given it back on the platform", async () => {
    const { driver, blockId, messages } = await holdBlock();
    await giveBackByHand(blockId);
    await wakeAfter(driver, 11);
    await wakeAfter(driver, 30);
    expect(await messages()).toEqual([]);
  });

  it.each<[string, string, object, string[]]>([
    ["is turned off", REMINDERS, { ...DEFAULT_REMINDER_PREFERENCES, give_back_90: OFF }, ["give_back_60"]],
    [
      "falls in quiet hours",
      "/flex/v1/user/notifications",
      { ...DEFAULT_NOTIFICATION_PREFERENCES, quietHours: { fromMinute: 0, toMinute: 0 } },
      [],
    ],
  ])("is told of by no reminder that %s", async (_case, path, body, told) => {
    const { driver, messages } = await holdBlock();
    expect((await driver.client.call("PUT", path, { body })).status).toBe(200);
    await wakeAfter(driver, 11);
    await wakeAfter(driver, 30);
    expect((await messages()).map(({ event }) => event)).toEqual(told);
  });
});

it("the reminders are saved for one driver, and are in their export", async () => {
  const [driver, other] = [await createActiveDriver(), await createActiveDriver()];
  const chosen = { ...DEFAULT_REMINDER_PREFERENCES, give_back_60: OFF };
  await driver.client.call("PUT", REMINDERS, { body: chosen });
  expect(await driver.client.fetchJson("GET", REMINDERS)).toEqual(chosen);
  expect(await other.client.fetchJson("GET", REMINDERS)).toEqual(DEFAULT_REMINDER_PREFERENCES);
  const { reminders } = await driver.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
  expect(reminders).toEqual(chosen);
  // A page that doesn't know the others leaves them as they are.
  await driver.client.call("PUT", REMINDERS, { body: { give_back_90: OFF } });
  expect(await driver.client.fetchJson("GET", REMINDERS)).toEqual({ ...chosen, give_back_90: OFF });
  const refused = await driver.client.call("PUT", REMINDERS, { body: { give_back_90: "off" } });
  expect(refused.status).toBe(400);
});

describe("the other offers at a block's time", () => {
  const others = (driver: TestDriver, blockId: string) =>
    driver.client.call("GET", `/flex/v1/blocks/${blockId}/other-offers`);

  it("are those that are listed now and fit", async () => {
    const { driver, blockId } = await holdBlock();
    const offerId = await publishOffer(driver.warehouseIds[0]!, { inMinutes: 110, minutes: 60 });
    await wakeAfter(driver, 0.2);
    const answer = await others(driver, blockId);
    const { offers } = await answer.json<OtherOffersResponse>();
    expect([answer.status, offers?.map((offer) => offer.offerId)]).toEqual([200, [offerId]]);
  });

  it("are not found for a block of another driver", async () => {
    const { blockId } = await holdBlock();
    const other = await createActiveDriver();
    expect((await others(other, blockId)).status).toBe(404);
  });
});
