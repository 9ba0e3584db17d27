import { env, runInDurableObject } from "cloudflare:test";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  fetchAccepts,
  publishOffer,
  driverObject,
  resetPlatform,
  runAlarm,
  createActiveDriver,
  type TestDriver,
} from "../harness.ts";
import {
  deliverWebhook,
  fetchPaidEvent,
  payIntent,
  createPreparedPayment,
  callStripeSandbox,
  fetchEvents,
  fetchTexts,
} from "../payments-harness.ts";

beforeAll(() => resetPlatform());
afterEach(() => void vi.useRealTimers());

const phaseOf = async (driver: TestDriver) => (await driverObject(driver).snapshot()).phase.kind;

/** Ends a driver's service in D1 and in the object. */
async function endService(driver: TestDriver, leftMs = 0): Promise<void> {
  const now = Date.now();
  await env.DB.prepare(`UPDATE service_credits SET duration_ms = ?, at = ? WHERE driver_id = ?`)
    .bind(leftMs, now, driver.driverId)
    .run();
  const answer = await driver.client.patchUser({ language: "en", updateLanguage: true });
  expect(answer.status).toBe(200);
}

describe("a driver without service", () => {
  it("resumes capturing as soon as they pay, and is notified once", async () => {
    const driver = await createActiveDriver();
    await endService(driver);
    expect(await phaseOf(driver)).toBe("no_service");
    const offerId = await publishOffer(driver.warehouseIds[0] ?? fail());
    await runAlarm(driver);
    expect(await fetchAccepts()).toEqual([]);

    const { intentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId);
    await deliverWebhook(await fetchPaidEvent(intentId));
    const { phase, serviceUntil } = await driverObject(driver).snapshot();
    expect([phase.kind, Number(serviceUntil) > Date.now() + 6 * DAY_MS]).toEqual(["polling", true]);
    await runAlarm(driver);
    expect((await fetchAccepts()).map((accept) => accept.offerId)).toEqual([offerId]);
    const texts = (await fetchTexts(driver)).filter((text) => text.includes("We got your payment"));
    expect(texts).toHaveLength(1);

    await callStripeSandbox(`intents/${intentId}/refund`, {});
    for (const event of await fetchEvents(intentId)) await deliverWebhook(event);
    expect(await phaseOf(driver)).toBe("no_service");
    expect((await fetchTexts(driver)).filter((text) => text.includes("refunded"))).toHaveLength(1);
  });
});

describe("a driver whose service ends soon", () => {
  it("is notified a day and an hour before, and stops when it ends", async () => {
    // On vacation while days pass in an instant: a driver at work would get the time back in which nobody looked.
    const dateIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
    const driver = await createActiveDriver({ dates: [{ kind: "off", from: dateIn(-1), to: dateIn(14) }] });
    expect(await phaseOf(driver)).toBe("asleep");
    await endService(driver, 2 * DAY_MS);
    const { serviceUntil } = await driverObject(driver).snapshot();
    const endsAt = Number(serviceUntil);
    const logged = () =>
      runInDurableObject(driverObject(driver), (_object, state) =>
        state.storage.sql
          .exec<{ value: string }>(`SELECT value FROM events ORDER BY seq`)
          .toArray()
          .map(({ value }) => JSON.parse(value) as { kind: string })
          .filter(({ kind }) => kind === "service_ending"),
      );

    vi.useFakeTimers({ toFake: ["Date"], now: endsAt - DAY_MS });
    await runAlarm(driver);
    await runAlarm(driver);
    expect(await logged()).toEqual([{ kind: "service_ending", at: endsAt - DAY_MS, endsAt }]);
    vi.setSystemTime(endsAt - 3_600_000);
    await runAlarm(driver);
    await runAlarm(driver);
    expect(await logged()).toHaveLength(2);
    vi.setSystemTime(endsAt);
    await runAlarm(driver);
    expect(await phaseOf(driver)).toBe("no_service");
    const textsAbout = async (words: string) =>
      (await fetchTexts(driver)).filter((text) => text.includes(words));
    await expect.poll(() => textsAbout("has ended")).toHaveLength(1);
    expect(await textsAbout("your service lasts until")).toHaveLength(1);
    expect(await textsAbout("less than an hour")).toHaveLength(1);
  });
});

function fail(): never {
  throw new Error("the driver has no warehouse");
}
