import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { BlocksResponse } from "../../../worker/contract/work/blocks.ts";
import { permissiveFilters, permissiveWarehouseFilter, postJson } from "../../support/sandbox-client.ts";
import {
  countWonDays,
  advanceClock,
  fetchAccepts,
  fetchPollCount,
  publishOffer,
  injectFault,
  driverObject,
  apiTarget,
  resetPlatform,
  runAlarm,
  createActiveDriver,
  type TestDriver,
} from "../harness.ts";

/** More than the sandbox's quota asks for between two polls, which a new object knows too. */
const QUOTA_PACE_MS = 5_000;

beforeEach(() => resetPlatform());

const list = (driver: TestDriver, type: string) =>
  driver.client.fetchJson<BlocksResponse>("GET", `/flex/v1/blocks?type=${type}`);

/** Waits for the sums in D1, which maintenance writes in the background. */
async function copied(
  driver: TestDriver,
  blocks: number,
): Promise<{ block_id: string; attempt_id: string }[]> {
  await expect.poll(async () => (await runAlarm(driver), countWonDays(driver))).toBe(blocks);
  return runInDurableObject(driverObject(driver), (_object, { storage }) =>
    storage.sql
      .exec<{ block_id: string; attempt_id: string }>(
        `SELECT block_id, value ->> '$.attemptId' AS attempt_id FROM won_blocks`,
      )
      .toArray(),
  );
}

describe("a driver who is on", () => {
  it("captures an offer: on the platform, in the object, in D1, in the list and with one text", async () => {
    const driver = await createActiveDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);

    const [copy] = await copied(driver, 1);
    const { held, today } = await driverObject(driver).snapshot();
    const { items } = await list(driver, "won");
    expect(held.map((block) => block.offerId)).toEqual([offerId]);
    expect(today).toEqual({ captured: 1, passedOver: 0, gone: 0, capturedCents: 9000 });
    expect(items.map((item) => item.type === "won" && item.block.blockId)).toEqual([copy?.block_id]);
    expect((await fetchAccepts()).map(({ offerId: id, key, status }) => ({ id, key, status }))).toEqual([
      { id: offerId, key: copy?.attempt_id, status: 200 },
    ]);
    const texts = await apiTarget.fetch(
      `${apiTarget.origin}/sandbox/sms?to=${encodeURIComponent(driver.phoneNumber)}`,
    );
    const { messages } = await texts.json<{ messages: { body: string }[] }>();
    expect(messages.filter(({ body }) => /, \$90\.( http|$)/.test(body))).toHaveLength(1);
  });

  it("logs one line per capture: whose, which offer and attempt, and how long it took", async () => {
    const info = vi.spyOn(console, "info");
    const driver = await createActiveDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);
    const [copy] = await copied(driver, 1);
    const lines = info.mock.calls
      .map(([line]) => JSON.parse(String(line)) as { event: string; driverId: string })
      .filter(({ event, driverId }) => event.startsWith("capture.") && driverId === driver.driverId);
    expect(lines).toEqual([
      {
        event: "capture.won",
        driverId: driver.driverId,
        offerId,
        attemptId: copy?.attempt_id,
        ms: expect.any(Number),
        acceptMs: expect.any(Number),
      },
    ]);
    info.mockRestore();
  });

  it("rejects an offer with reasons that have the required and the actual value", async () => {
    const driver = await createActiveDriver();
    await driver.client.saveFilters(
      permissiveFilters([permissiveWarehouseFilter(driver.warehouseIds[0]!, { minPriceCents: 10_000 })]),
    );
    await publishOffer(driver.warehouseIds[0]!, { payCents: 8200 });
    await runAlarm(driver);

    const { items } = await list(driver, "disliked");
    expect(items.map((item) => item.type === "disliked" && item.reasons)).toEqual([
      [{ code: "price_below_minimum", rule: 10_000, offer: 8200 }],
    ]);
    expect(await fetchAccepts()).toEqual([]);
  });

  it("says what one change of the filters would have let through, beside the block that was captured", async () => {
    const driver = await createActiveDriver();
    const id = driver.warehouseIds[0]!;
    const strict = permissiveFilters([permissiveWarehouseFilter(id, { minPriceCents: 5_000 })]);
    const { version } = await driver.client.saveFilters(strict);
    await publishOffer(id, { payCents: 4_600, inMinutes: 120 });
    await publishOffer(id, { payCents: 4_500, inMinutes: 180 });
    await publishOffer(id, { payCents: 4_400, inMinutes: 400 });
    await publishOffer(id, { payCents: 9_000, inMinutes: 600 });
    await runAlarm(driver);

    await expect.poll(async () => (await list(driver, "won")).items).toHaveLength(1);
    const { items } = await list(driver, "disliked");
    const summary = await driver.client.fetchJson("GET", "/flex/v1/blocks/passed-over");
    expect(summary).toEqual({
      filtersVersion: version,
      currency: "USD",
      since: items.at(-1)?.at,
      groups: [
        {
          code: "price_below_minimum",
          offers: 3,
          workable: 2,
          payCents: 9_000,
          proposal: {
            change: { kind: "min_price", warehouseId: id, cents: 4_500 },
            offers: 1,
            payCents: 4_600,
          },
        },
      ],
    });
  });

  it("judges a rejected offer again when the filters are loosened", async () => {
    const driver = await createActiveDriver();
    await driver.client.saveFilters(
      permissiveFilters([permissiveWarehouseFilter(driver.warehouseIds[0]!, { minPriceCents: 10_000 })]),
    );
    const offerId = await publishOffer(driver.warehouseIds[0]!, { payCents: 8200 });
    await runAlarm(driver);
    await driver.client.saveFilters(
      permissiveFilters([permissiveWarehouseFilter(driver.warehouseIds[0]!, { minPriceCents: 8000 })]),
    );
    await runAlarm(driver);

    expect((await driverObject(driver).snapshot()).held.map((block) => block.offerId)).toEqual([offerId]);
  });

  it("takes an offer that is at the end of a list of 10,000", async () => {
    const driver = await createActiveDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await injectFault({ operation: "listOffers", fault: "long_list" });
    await runAlarm(driver);

    expect((await fetchAccepts()).map((accept) => accept.offerId)).toEqual([offerId]);
  });

  it("accepts only one of two overlapping offers", async () => {
    const driver = await createActiveDriver();
    await publishOffer(driver.warehouseIds[0]!, { inMinutes: 120, payCents: 9000 });
    const better = await publishOffer(driver.warehouseIds[1]!, { inMinutes: 180, payCents: 9900 });
    await runAlarm(driver);

    expect((await driverObject(driver).snapshot()).held.map((block) => block.offerId)).toEqual([better]);
    expect(await fetchAccepts()).toHaveLength(1);
  });

  it("accepts nothing that overlaps a block accepted by hand", async () => {
    const driver = await createActiveDriver();
    await runAlarm(driver);
    const worlds = await apiTarget.fetch(`${apiTarget.origin}/sandbox/platform/world`);
    const { drivers } = await worlds.json<{ drivers: { driverId: string; email: string }[] }>();
    const platformDriver = drivers.find((known) => known.email === driver.email);
    await postJson(apiTarget, "/sandbox/platform/blocks", {
      driverId: platformDriver?.driverId,
      warehouseId: driver.warehouseIds[1],
      startsAt: new Date(Date.now() + 130 * 60_000).toISOString(),
      minutes: 120,
      payCents: 5000,
    });
    await evictDurableObject(driverObject(driver));
    advanceClock(QUOTA_PACE_MS);
    await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);

    expect(await fetchAccepts()).toEqual([]);
    const { items } = await list(driver, "disliked");
    expect(
      items.map((item) => item.type === "disliked" && item.reasons.map((reason) => reason.code)),
    ).toEqual([["overlaps_block"]]);
  });
});

describe("after a failure", () => {
  it("wins a block exactly once if the response to the accept was lost", async () => {
    const driver = await createActiveDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await injectFault({ operation: "acceptOffer", fault: "lost_answer", times: 1 });
    await runAlarm(driver);
    const before = await driverObject(driver).snapshot();
    advanceClock(1_100);
    await runAlarm(driver);
    const after = await driverObject(driver).snapshot();

    const copies = await copied(driver, 1);
    const snapshot = await driverObject(driver).snapshot();
    expect([before.today.captured, after.today.captured]).toEqual([1, 1]);
    expect(snapshot.held.map((block) => block.offerId)).toEqual([offerId]);
    expect(snapshot.today.captured).toBe(1);
    expect(copies).toHaveLength(1);
    expect(new Set((await fetchAccepts()).map(({ key }) => key)).size).toBe(1);
  });

  it("waits as long as a 429 asks, even across an eviction", async () => {
    const driver = await createActiveDriver();
    await injectFault({ operation: "listOffers", fault: "429", times: 1, retryAfter: 600 });
    await runAlarm(driver);
    const first = await driverObject(driver).snapshot();
    await evictDurableObject(driverObject(driver));
    const second = await driverObject(driver).snapshot();
    const alarm = await runInDurableObject(driverObject(driver), (_object, state) =>
      state.storage.getAlarm(),
    );

    expect(first.phase.kind).toBe("throttled");
    expect(second.phase).toEqual(first.phase);
    expect(alarm).toBeGreaterThan(Date.now() + 500_000);
  });

  it("waits while the quota is used up, across an eviction and saved filters, and says until when", async () => {
    await resetPlatform({ quotas: { limit: 1, windowSeconds: 60 } });
    const driver = await createActiveDriver();
    await runAlarm(driver);
    const polls = await fetchPollCount(driver);
    const { phase } = await driverObject(driver).snapshot();
    await evictDurableObject(driverObject(driver));
    await driver.client.saveFilters(permissiveFilters([permissiveWarehouseFilter(driver.warehouseIds[0]!)]));
    const alarm = await runInDurableObject(driverObject(driver), (_object, state) =>
      state.storage.getAlarm(),
    );

    expect(phase).toEqual({ kind: "quota_used_up", until: expect.any(Number) });
    expect((await driverObject(driver).snapshot()).phase).toEqual(phase);
    expect(alarm).toBeGreaterThan(Date.now() + 50_000);
    expect(await fetchPollCount(driver)).toBe(polls);
  });

  it("recovers from broken JSON and captures at the next poll", async () => {
    const driver = await createActiveDriver();
    await driver.client.patchUser({ mode: "masacre" });
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await injectFault({ operation: "listOffers", fault: "broken_json", times: 1 });
    await runAlarm(driver);
    const broken = await driverObject(driver).snapshot();
    advanceClock(1_100);
    await runAlarm(driver);

    expect(broken.phase.kind).toBe("unreachable");
    expect((await driverObject(driver).snapshot()).held.map((block) => block.offerId)).toEqual([offerId]);
  });

  it("stops and asks the driver to link again when the platform signs them out", async () => {
    const driver = await createActiveDriver();
    const worlds = await apiTarget.fetch(`${apiTarget.origin}/sandbox/platform/world`);
    const { drivers } = await worlds.json<{ drivers: { driverId: string; email: string }[] }>();
    const platformDriver = drivers.find((known) => known.email === driver.email);
    await postJson(apiTarget, `/sandbox/platform/drivers/${platformDriver?.driverId}/sign-out`, {});
    await runAlarm(driver);

    expect((await driverObject(driver).snapshot()).phase).toEqual({ kind: "needs_link" });
    await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);
    expect(await fetchAccepts()).toEqual([]);
  });
});
