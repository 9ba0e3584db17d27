import { env, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { accepts, drop, objectOf, quietPlatform, wake, working, type TestDriver } from "./harness.ts";
import { DAY_MS, deliver, paidEvent, pay, prepared, stripe, eventsOf, textsTo } from "./payments-stage.ts";

beforeAll(() => quietPlatform());
afterEach(() => void vi.useRealTimers());

const phaseOf = async (driver: TestDriver) => (await objectOf(driver).snapshot()).phase.kind;

/** Takes a driver's time away, as D1 and the object know it. */
async function endService(driver: TestDriver, leftMs = 0): Promise<void> {
  const now = Date.now();
  await env.DB.prepare(`UPDATE service_credits SET duration_ms = ?, at = ? WHERE driver_id = ?`)
    .bind(leftMs, now, driver.driverId)
    .run();
  const answer = await driver.client.patchUser({ language: "en", updateLanguage: true });
  expect(answer.status).toBe(200);
}

describe("a driver whose time has run out", () => {
  it("captures again from the moment of payment, without a tap, and is told once", async () => {
    const driver = await working();
    await endService(driver);
    expect(await phaseOf(driver)).toBe("no_service");
    const offerId = await drop(driver.warehouseIds[0] ?? fail());
    await wake(driver);
    expect(await accepts()).toEqual([]);

    const { intentId } = await prepared(driver, { plan: "7days" });
    await pay(intentId);
    await deliver(await paidEvent(intentId));
    const { phase, serviceUntil } = await objectOf(driver).snapshot();
    expect([phase.kind, Number(serviceUntil) > Date.now() + 6 * DAY_MS]).toEqual(["polling", true]);
    await wake(driver);
    expect((await accepts()).map((accept) => accept.offerId)).toEqual([offerId]);
    const texts = (await textsTo(driver)).filter((text) => text.includes("we got your payment"));
    expect(texts).toHaveLength(1);

    await stripe(`intents/${intentId}/refund`, {});
    for (const event of await eventsOf(intentId)) await deliver(event);
    expect(await phaseOf(driver)).toBe("no_service");
    expect((await textsTo(driver)).filter((text) => text.includes("refunded"))).toHaveLength(1);
  });
});

describe("a driver whose time runs out soon", () => {
  it("is told a day and an hour before, and stops at the instant itself", async () => {
    const driver = await working();
    await endService(driver, 2 * DAY_MS);
    const { serviceUntil } = await objectOf(driver).snapshot();
    const endsAt = Number(serviceUntil);
    const logged = () =>
      runInDurableObject(objectOf(driver), (_object, state) =>
        state.storage.sql
          .exec<{ value: string }>(`SELECT value FROM events ORDER BY seq`)
          .toArray()
          .map(({ value }) => JSON.parse(value) as { kind: string })
          .filter(({ kind }) => kind === "service_ending"),
      );

    vi.useFakeTimers({ toFake: ["Date"], now: endsAt - DAY_MS });
    await wake(driver);
    await wake(driver);
    expect(await logged()).toEqual([{ kind: "service_ending", at: endsAt - DAY_MS, endsAt }]);
    vi.setSystemTime(endsAt - 3_600_000);
    await wake(driver);
    await wake(driver);
    expect(await logged()).toHaveLength(2);
    vi.setSystemTime(endsAt);
    await wake(driver);
    expect(await phaseOf(driver)).toBe("no_service");
    const texts = await textsTo(driver);
    expect(texts.filter((text) => text.includes("your service ends"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("less than an hour"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("has ended"))).toHaveLength(1);
  });
});

function fail(): never {
  throw new Error("the driver has no warehouse");
}
