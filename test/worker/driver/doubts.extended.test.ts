import { beforeEach, describe, expect, it } from "vitest";
import type { BlocksResponse } from "../../../worker/contract/work/blocks.ts";
import { linkPlatformAccount } from "../../support/sandbox-client.ts";
import {
  countWonDays,
  advanceClock,
  apiTarget,
  createActiveDriver,
  createReadyDriver,
  driverObject,
  fetchAccepts,
  injectFault,
  publishOffer,
  resetPlatform,
  runAlarm,
  setSystemSwitch,
  whileFirstHeld,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

const MINUTE_MS = 60_000;

async function list({ client }: TestDriver, type: string) {
  return (await client.fetchJson<BlocksResponse>("GET", `/flex/v1/blocks?type=${type}`)).items;
}

async function captureTexts({ phoneNumber }: TestDriver) {
  const path = `/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`;
  const response = await apiTarget.fetch(`${apiTarget.origin}${path}`);
  const { messages } = await response.json<{ messages: { body: string }[] }>();
  return messages.filter(({ body }) => /, \$90\.( http|$)/.test(body));
}

/** Expects one capture and everything that follows from it. */
async function expectCapture(driver: TestDriver): Promise<void> {
  await expect.poll(async () => (await runAlarm(driver), countWonDays(driver))).toBe(1);
  await expect.poll(() => captureTexts(driver)).toHaveLength(1);
  expect([(await list(driver, "won")).length, (await list(driver, "lost")).length]).toEqual([1, 0]);
  expect((await driverObject(driver).snapshot()).today).toMatchObject({ captured: 1, gone: 0 });
}

describe("an accept that took the block, whatever the platform answered", () => {
  it.each([404, 429])("becomes a capture after %i", async (status) => {
    const driver = await createActiveDriver();
    await publishOffer(driver.warehouseIds[0]!);
    await injectFault({
      operation: "acceptOffer",
      fault: "gateway_after_effect",
      status,
      body: "",
      times: 1,
    });
    await runAlarm(driver);
    expect((await list(driver, "lost")).length).toBe(1);
    await setSystemSwitch(driver, false);
    advanceClock(3 * MINUTE_MS);
    await runAlarm(driver);

    await expectCapture(driver);
  });

  it("becomes a capture although the account was unlinked in the meantime", async () => {
    const driver = await createReadyDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await whileFirstHeld("acceptOffer", driver, () => driverObject(driver).unlink());

    await expectCapture(driver);
    expect((await fetchAccepts()).map((accept) => accept.offerId)).toEqual([offerId]);
    expect((await driverObject(driver).snapshot()).held).toEqual([]);
  });
});

describe("an account linked anew", () => {
  it("is not given the offers that a poll in flight brings for the one before", async () => {
    const driver = await createReadyDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await whileFirstHeld("listOffers", driver, async () => {
      // Only the response that is on its way still has it.
      await apiTarget.fetch(`${apiTarget.origin}/sandbox/platform/offers/${offerId}`, { method: "DELETE" });
      await driverObject(driver).unlink();
      await linkPlatformAccount({ ...apiTarget, client: driver.client }, `other-${driver.email}`);
    });
    expect(await fetchAccepts()).toEqual([]);
  });
});
