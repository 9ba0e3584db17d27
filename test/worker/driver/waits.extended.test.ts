import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  driverObject,
  fetchAccepts,
  fetchPollCount,
  injectFault,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";

const HOUR_MS = 3_600_000;

beforeEach(() => resetPlatform());

async function texts(driver: TestDriver): Promise<string[]> {
  const to = encodeURIComponent(driver.phoneNumber);
  const answer = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms?to=${to}`);
  const { messages } = await answer.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

const phaseOf = async (driver: TestDriver) => (await driverObject(driver).snapshot()).phase;
const alarmOf = (driver: TestDriver) =>
  runInDurableObject(driverObject(driver), (_object, { storage }) => storage.getAlarm());

/** An active driver in turbo mode who has polled once. */
async function createPollingDriver(): Promise<TestDriver> {
  const driver = await createActiveDriver();
  await driver.client.patchUser({ mode: "masacre" });
  await runAlarm(driver);
  advanceClock(1_200);
  return driver;
}

/** Runs the alarm this much later. */
async function runAlarmIn(driver: TestDriver, lengthMs: number): Promise<void> {
  advanceClock(lengthMs);
  await runAlarm(driver);
}

describe("a gateway that answers 401 with a page", () => {
  it("is waited out, with the link intact", async () => {
    const driver = await createPollingDriver();
    await injectFault({ operation: "listOffers", fault: "gateway", status: 401, times: 4 });
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);
    expect((await phaseOf(driver)).kind).toBe("unreachable");
    await runAlarmIn(driver, 1_100);
    expect((await phaseOf(driver)).kind).toBe("unreachable");
    await runAlarmIn(driver, 2_100);
    expect((await phaseOf(driver)).kind).toBe("polling");
    expect((await fetchAccepts()).map((accept) => accept.offerId)).toEqual([offerId]);
    expect((await texts(driver)).filter((body) => body.includes("linked anymore"))).toEqual([]);
  });
});

describe("a refresh that fails while an offer is at hand", () => {
  it.each([
    ["with 400", { fault: "gateway", status: 400 }],
    ["with 503", { fault: "503" }],
  ])("%s costs no offer: it is taken with the next refresh", async (_, fault) => {
    const driver = await createPollingDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await injectFault({ operation: "acceptOffer", fault: "gateway", status: 401, times: 1 });
    await injectFault({ operation: "refreshTokens", ...fault, times: 3 });
    await runAlarm(driver);
    for (let count = 0; count < 3; count += 1) await runAlarmIn(driver, 5_000);
    expect((await driverObject(driver).snapshot()).held.map((block) => block.offerId)).toEqual([offerId]);
    expect(new Set((await fetchAccepts()).map(({ key }) => key)).size).toBe(1);
  });
});

describe("a wait that the platform states", () => {
  it("with 503 is obeyed, and no alarm comes before its end", async () => {
    const driver = await createPollingDriver();
    await injectFault({ operation: "listOffers", fault: "503", times: 1, retryAfter: 600 });
    await runAlarm(driver);
    const before = await fetchPollCount(driver);
    const { phase } = await driverObject(driver).snapshot();
    expect(phase.kind).toBe("throttled");
    expect(await alarmOf(driver)).toBe(phase.kind === "throttled" ? phase.until : null);
    // The clock runs on meanwhile, on a busy machine for seconds.
    await runAlarmIn(driver, 540_000);
    expect(await fetchPollCount(driver)).toBe(before);
    await runAlarmIn(driver, 60_100);
    // The next ones may have come by themselves by then.
    expect(await fetchPollCount(driver)).toBeGreaterThan(before);
    expect(await phaseOf(driver)).toEqual({ kind: "polling" });
  });

  it("with 429 and RateLimit-Reset alone is as long as that", async () => {
    const driver = await createPollingDriver();
    const headers = { "ratelimit-reset": "3" };
    await injectFault({ operation: "listOffers", fault: "gateway", status: 429, headers, times: 1 });
    await runAlarm(driver);
    const before = await fetchPollCount(driver);
    await runAlarmIn(driver, 3_100);
    // The next ones may have come by themselves by then.
    expect(await fetchPollCount(driver)).toBeGreaterThan(before);
  });

  it("of ten years is obeyed for four hours, and the driver gets one text", async () => {
    const driver = await createPollingDriver();
    await injectFault({ operation: "listOffers", fault: "429", times: 2, retryAfter: 315_360_000 });
    const startedAt = Date.now();
    await runAlarm(driver);
    const minutesToAlarm = async () => Math.round((((await alarmOf(driver)) ?? 0) - startedAt) / 60_000);
    // The driver's text leaves first.
    await expect.poll(minutesToAlarm).toBe(240);
    await runAlarmIn(driver, 4 * HOUR_MS);
    await runAlarm(driver);
    const longTexts = async () => (await texts(driver)).filter((body) => body.includes("asked us to wait"));
    await expect.poll(longTexts).toHaveLength(1);
    expect((await phaseOf(driver)).kind).toBe("throttled");
    await runAlarmIn(driver, 4 * HOUR_MS);
    expect((await phaseOf(driver)).kind).toBe("polling");
    expect(await longTexts()).toHaveLength(1);
  });

  it("that an earlier release stored for ten years ends in four hours, with an alarm", async () => {
    const driver = await createPollingDriver();
    const now = Date.now();
    await runInDurableObject(driverObject(driver), async (_object, { storage }) => {
      const until = now + 10 * 365 * 24 * HOUR_MS;
      const value = JSON.stringify({ step: 1, until, since: now - HOUR_MS });
      storage.sql.exec(`INSERT OR REPLACE INTO state (key, value, version) VALUES ('throttle', ?, 1)`, value);
      await storage.setAlarm(until);
    });
    await evictDurableObject(driverObject(driver));
    await driverObject(driver).snapshot();
    expect(await alarmOf(driver)).toBe(now + 3 * HOUR_MS);
  });
});
