import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import type { PauseResponse } from "../../../db/shapes/money/pause.ts";
import { resetPlatform, type TestDriver } from "../harness.ts";
import { clearFaults, followPayments } from "../payments-harness.ts";
import {
  comeToCharge,
  createRenewing,
  passTime,
  paymentsOf,
  PAID_BY_HAND,
  RENEWED,
  renewalOf,
  serviceEndOf,
} from "../renewal-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(clearFaults);

/** A renewal is charged this long before service ends. */
const AHEAD_MS = 25 * HOUR_MS;

async function pauseFor({ client }: TestDriver, days: number): Promise<PauseResponse> {
  const answer = await client.call("POST", "/flex/v1/pause", { body: { days } });
  expect(answer.status).toBe(200);
  return answer.json<PauseResponse>();
}
const chargeOf = async (driver: TestDriver) => (await renewalOf(driver))?.chargeAt ?? 0;

describe("a pause of a driver who renews", () => {
  it("moves the charge along by exactly its length, and it comes then, once", async () => {
    const driver = await createRenewing();
    await followPayments();
    const [end, chargeAt] = [await serviceEndOf(driver), await chargeOf(driver)];
    expect(chargeAt).toBe(end - AHEAD_MS);
    await pauseFor(driver, 3);
    await followPayments();
    expect([(await serviceEndOf(driver)) - end, (await chargeOf(driver)) - chargeAt]).toEqual([
      3 * DAY_MS,
      3 * DAY_MS,
    ]);
    // The day on which it would have been charged without a pause.
    await passTime(driver, chargeAt - Date.now() + HOUR_MS);
    await followPayments();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    await comeToCharge(driver);
    await followPayments();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
  });

  it("counts once where it is begun in two tabs, and the charge follows its early end", async () => {
    const driver = await createRenewing();
    await followPayments();
    const [end, chargeAt] = [await serviceEndOf(driver), await chargeOf(driver)];
    const begunAt = Date.now();
    await Promise.all([pauseFor(driver, 2), pauseFor(driver, 2)]);
    await followPayments();
    expect([(await serviceEndOf(driver)) - end, (await chargeOf(driver)) - chargeAt]).toEqual([
      2 * DAY_MS,
      2 * DAY_MS,
    ]);
    await passTime(driver, 5 * HOUR_MS);
    await Promise.all([
      driver.client.call("DELETE", "/flex/v1/pause"),
      driver.client.call("DELETE", "/flex/v1/pause"),
    ]);
    await followPayments();
    const [ended, charged] = [await serviceEndOf(driver), await chargeOf(driver)];
    // All times lie five hours back, for which the pause lasted, and the moments that these calls took.
    expect(ended - end).toBeGreaterThanOrEqual(0);
    expect(ended - end).toBeLessThanOrEqual(Date.now() - begunAt);
    expect(charged).toBe(ended - AHEAD_MS);
  });
});
