import { beforeEach, describe, expect, it } from "vitest";
import { acceptOnPlatform } from "../../support/sandbox-client.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  driverObject,
  fetchAccepts,
  publishOffer,
  resetPlatform,
  runAlarm,
} from "../harness.ts";

beforeEach(() => resetPlatform());

const snapshot = (driver: Parameters<typeof driverObject>[0]) => driverObject(driver).snapshot();

describe("a block taken by hand", () => {
  it("keeps all but one offer of its span from being tried, even if it was not known yet", async () => {
    const driver = await createActiveDriver();
    await runAlarm(driver);
    await acceptOnPlatform(apiTarget, driver.email, { warehouseId: driver.warehouseIds[1]!, inMinutes: 120 });
    for (const payCents of [9000, 9100, 9200]) await publishOffer(driver.warehouseIds[0]!, { payCents });
    for (let polls = 0; polls < 4; polls += 1) {
      advanceClock(4_000);
      await runAlarm(driver);
    }
    expect((await fetchAccepts()).length).toBeLessThanOrEqual(1);
    expect((await snapshot(driver)).held).toHaveLength(1);
  });
});

describe("the platform's weekly limit", () => {
  it("is met with one refused accept, shown, and told", async () => {
    await resetPlatform({ weeklyLimitMinutes: 60 });
    const driver = await createActiveDriver();
    for (const inMinutes of [120, 125, 130]) {
      await publishOffer(driver.warehouseIds[0]!, { inMinutes });
      await runAlarm(driver);
      advanceClock(4_000);
    }
    await runAlarm(driver);
    expect((await fetchAccepts()).map(({ status }) => status)).toEqual([409]);
    expect((await snapshot(driver)).phase.kind).toBe("weekly_limit");
  });
});

describe("the 200 offers that the platform lists at once", () => {
  it("hide no others: those are seen from the next poll on", async () => {
    const driver = await createActiveDriver();
    await runAlarm(driver);
    const [first, second] = driver.warehouseIds;
    for (let count = 0; count < 200; count += 1) await publishOffer(first!, { payCents: 0, minutes: 15 });
    const offerId = await publishOffer(second!);
    for (let polls = 0; polls < 4; polls += 1) {
      advanceClock(4_000);
      await runAlarm(driver);
    }
    expect((await snapshot(driver)).held).toMatchObject([{ offerId }]);
  });
});
