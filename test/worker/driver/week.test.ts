import { beforeEach, describe, expect, it } from "vitest";
import { dateOfDay, dayOfDate } from "../../../db/shapes/work/local-date.ts";
import type { WeekResponse } from "../../../worker/contract/work/statistics.ts";
import {
  createActiveDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

const weekOf = (driver: TestDriver, query = "") =>
  driver.client.fetchJson<WeekResponse>("GET", `/flex/v1/week${query}`);

describe("a driver's week", () => {
  it("adds up their own captures, and is another driver's neither before nor after", async () => {
    const [driver, other] = [await createActiveDriver(), await createActiveDriver()];
    await publishOffer(driver.warehouseIds[0]!, { inMinutes: 600, minutes: 60, payCents: 4_200 });
    await runAlarm(driver);
    await expect.poll(async () => (await driverObject(driver).snapshot()).held.length).toBe(1);
    const nothing = {
      captured: { blocks: 0, payCents: 0 },
      worked: { blocks: 0, minutes: 0, payCents: 0 },
    };
    const { monday, knownFrom, ...week } = await weekOf(driver);
    // Nothing is known of the weeks before the first listing: the platform may have paid for blocks in them.
    expect(week).toEqual({
      currency: "USD",
      figures: { ...nothing, captured: { blocks: 1, payCents: 4_200 } },
      before: null,
      best: null,
      mondays: [monday],
    });
    expect(Date.now() - (knownFrom ?? 0)).toBeLessThan(60_000);
    expect((await weekOf(other)).figures).toEqual(nothing);
    const lastWeek = dateOfDay(dayOfDate(monday) - 7);
    expect((await weekOf(driver, `?date=${lastWeek}`)).figures).toEqual(nothing);
  });

  it("is not found where the log no longer has it", async () => {
    const driver = await createActiveDriver();
    expect((await driver.client.call("GET", "/flex/v1/week?date=2020-01-01")).status).toBe(404);
    expect((await driver.client.call("GET", "/flex/v1/week?date=yesterday")).status).toBe(400);
  });
});
