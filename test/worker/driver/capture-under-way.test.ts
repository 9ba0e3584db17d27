import { env, evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { BlocksResponse } from "../../../worker/contract/work/blocks.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../../support/sandbox-client.ts";
import {
  advanceClock,
  fetchAccepts,
  fetchPollCount,
  whileFirstHeld,
  publishOffer,
  apiTarget,
  platformWorld,
  injectFault,
  driverObject,
  resetPlatform,
  setSystemSwitch,
  runAlarm,
  createActiveDriver,
  createReadyDriver,
  type TestDriver,
} from "../harness.ts";

/** More than the sandbox's quota asks for between two polls, which a new object knows too. */
const QUOTA_PACE_MS = 5_000;

beforeEach(() => resetPlatform());

async function fetchTexts({ phoneNumber }: TestDriver): Promise<string[]> {
  const path = `/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`;
  const answer = await apiTarget.fetch(`${apiTarget.origin}${path}`);
  const { messages } = await answer.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

const list = (driver: TestDriver, type: string) =>
  driver.client.fetchJson<BlocksResponse>("GET", `/flex/v1/blocks?type=${type}`);

describe("while an accept is under way", () => {
  it("polls go on, and what they find is taken", async () => {
    const driver = await createReadyDriver();
    await driver.client.patchUser({ mode: "masacre" });
    await publishOffer(driver.warehouseIds[0]!);
    await whileFirstHeld("acceptOffer", driver, async () => {
      await publishOffer(driver.warehouseIds[0]!, { inMinutes: 600 });
      await expect.poll(() => fetchPollCount(driver), { timeout: 10_000 }).toBeGreaterThan(1);
      await expect.poll(fetchAccepts, { timeout: 10_000 }).toHaveLength(2);
    });
    await expect.poll(async () => (await driverObject(driver).snapshot()).held).toHaveLength(2);
    expect(await fetchAccepts()).toHaveLength(2);
    await setSystemSwitch(driver, false);
  });

  it("unlinking the account leaves its text with the hour and the name of the warehouse", async () => {
    const driver = await createReadyDriver();
    const { warehouses } = await platformWorld(apiTarget);
    const { name, timeZone } = warehouses.find(({ warehouseId }) => warehouseId === driver.warehouseIds[0])!;
    const startsAt = Math.ceil(Date.now() / 60_000) * 60_000 + 3 * 3_600_000;
    await publishOffer(driver.warehouseIds[0]!, { startsAt });
    await whileFirstHeld("acceptOffer", driver, async () => {
      await driver.client.call("DELETE", "/flex/v1/setup");
      expect(await driverObject(driver).knownWarehouses()).toBeNull();
    });
    const hour = new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", minute: "2-digit" })
      .format(startsAt)
      .replaceAll(/\s/g, " ");
    const captures = async () => (await fetchTexts(driver)).filter((body) => body.includes("captured"));
    await expect.poll(captures, { timeout: 10_000 }).toHaveLength(1);
    const [body] = await captures();
    expect(body?.replaceAll(/\s/g, " ")).toContain(hour);
    expect(body).toContain(name);
  });

  it("deleting the account leaves the text of what it takes", async () => {
    const driver = await createReadyDriver();
    await publishOffer(driver.warehouseIds[0]!);
    let left: Promise<Response> | null = null;
    await whileFirstHeld("acceptOffer", driver, async () => {
      left = driver.client.call("DELETE", "/flex/v1/user");
      await expect.poll(() => driverObject(driver).knownWarehouses()).toBeNull();
    });
    expect(await left).toMatchObject({ status: 204 });
    expect((await fetchTexts(driver)).filter((body) => body.includes("captured"))).toHaveLength(1);
  });

  it("a crash leaves it to be settled, and polls go on", async () => {
    const driver = await createActiveDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await injectFault({ operation: "acceptOffer", fault: "lost_answer", times: 2 });
    await runAlarm(driver);
    await evictDurableObject(driverObject(driver));
    advanceClock(QUOTA_PACE_MS);
    await runAlarm(driver);
    expect((await driverObject(driver).snapshot()).held.map((block) => block.offerId)).toEqual([offerId]);
    expect(await runAlarm(driver)).toBe(true);
    await setSystemSwitch(driver, false);
  });
});

describe("between a poll and its accept", () => {
  /** Makes a change while the response of a poll that found a matching offer is in flight. */
  const midPoll = async (driver: TestDriver, change: () => Promise<unknown>) => {
    await publishOffer(driver.warehouseIds[0]!);
    await whileFirstHeld("listOffers", driver, change);
  };

  it("switching off applies, and no poll follows", async () => {
    const driver = await createReadyDriver();
    await midPoll(driver, () => setSystemSwitch(driver, false));

    expect(await fetchAccepts()).toEqual([]);
    expect((await driverObject(driver).snapshot()).phase).toEqual({ kind: "off" });
    const before = await fetchPollCount(driver);
    advanceClock(60_000);
    await runAlarm(driver);
    expect(await fetchPollCount(driver)).toBe(before);
  });

  it("the offer is accepted if nothing changes", async () => {
    const driver = await createReadyDriver();
    await midPoll(driver, () => driverObject(driver).snapshot());

    await expect.poll(fetchAccepts).toHaveLength(1);
  });

  it("newly saved filters apply", async () => {
    const driver = await createReadyDriver();
    const stricter = permissiveFilters([
      permissiveWarehouseFilter(driver.warehouseIds[0]!, { minPriceCents: 50_000 }),
    ]);
    await midPoll(driver, () => driver.client.saveFilters(stricter));

    expect(await fetchAccepts()).toEqual([]);
    const reasons = async () =>
      (await list(driver, "disliked")).items.map((item) => item.type === "disliked" && item.reasons[0]?.code);
    await expect.poll(reasons).toEqual(["price_below_minimum"]);
    expect(await fetchAccepts()).toEqual([]);
  });

  it("the end of service applies", async () => {
    const driver = await createReadyDriver();
    await midPoll(driver, async () => {
      await env.DB.prepare(
        `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, ?, ?)`,
      )
        .bind(`refund:${driver.driverId}`, driver.driverId, -60 * 86_400_000, Date.now())
        .run();
      await driver.client.patchUser({ mode: "secure" });
    });

    expect(await fetchAccepts()).toEqual([]);
    expect((await driverObject(driver).snapshot()).phase.kind).toBe("no_service");
  });
});
