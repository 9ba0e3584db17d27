import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
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
  takeByHand,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

/** Runs the alarm this many times, a poll's interval apart. */
async function poll(driver: TestDriver, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    advanceClock(3_500);
    await runAlarm(driver);
  }
}

describe("held blocks with words that are not in the contract", () => {
  it("leave the polls running, and only what overlaps them is not taken", async () => {
    const driver = await createActiveDriver();
    await takeByHand(driver, { inMinutes: 130 });
    await injectFault({ operation: "listBlocks", fault: "unknown_words" });
    const overlapping = await publishOffer(driver.warehouseIds[0]!, { inMinutes: 120 });
    const free = await publishOffer(driver.warehouseIds[0]!, { inMinutes: 600 });
    await runAlarm(driver);
    const before = await fetchPollCount(driver);
    await poll(driver, 3);

    const { phase, held } = await driverObject(driver).snapshot();
    expect(phase).toEqual({ kind: "polling" });
    expect((await fetchPollCount(driver)) - before).toBe(3);
    expect((await fetchAccepts()).map(({ offerId }) => offerId)).toEqual([free]);
    expect(held.map(({ offerId, status }) => [offerId, status])).toEqual([
      [expect.not.stringMatching(overlapping), "other"],
      [free, "scheduled"],
    ]);
  });
});

describe("a platform whose list of blocks fails", () => {
  it("is polled on, and an offer is taken as soon as the blocks could be read", async () => {
    const driver = await createActiveDriver();
    await evictDurableObject(driverObject(driver));
    await injectFault({ operation: "listBlocks", fault: "500" });
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await poll(driver, 4);
    expect((await driverObject(driver).snapshot()).phase).toEqual({ kind: "polling" });
    expect(await fetchPollCount(driver)).toBe(4);
    expect(await fetchAccepts()).toEqual([]);

    await apiTarget.fetch(`${apiTarget.origin}/sandbox/faults`, { method: "DELETE" });
    advanceClock(10_000);
    await poll(driver, 1);
    expect((await fetchAccepts()).map((accept) => accept.offerId)).toEqual([offerId]);
  });
});

it("logs once how many blocks could not be read, and nothing of them", async () => {
  const warn = vi.spyOn(console, "warn");
  const driver = await createActiveDriver();
  const broken = { blocks: [{ blockId: "blk_1", note: "private" }, "x"] };
  await injectFault({ operation: "listBlocks", fault: "gateway", status: 200, body: JSON.stringify(broken) });
  await poll(driver, 2);
  advanceClock(6 * 60_000);
  await poll(driver, 1);
  const lines = warn.mock.calls
    .map(([line]) => String(line))
    .filter((line) => line.includes("platform.items.skipped") && line.includes(driver.driverId));
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { event: "platform.items.skipped", driverId: driver.driverId, list: "blocks", count: 2 },
  ]);
  warn.mockRestore();
});
