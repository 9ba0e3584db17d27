import { expect, it, vi } from "vitest";
import { driverId } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { wakeFormerObjects } from "../../worker/routes/work/setup.ts";

const DRIVER = driverId.parse("11111111-1111-4111-8111-111111111111");

/** A driver with an object of today and one of a former region, which fails as often as that. */
function driverWhoseObjectFails(times: number) {
  const wakeToday = vi.fn();
  const wakeFormer = vi.fn();
  for (let i = 0; i < times; i += 1) wakeFormer.mockRejectedValueOnce(new Error("no way there"));
  const log = vi.fn();
  const waits: number[] = [];
  const deps = {
    objectsOf: async () => [{ wake: wakeToday }, { wake: wakeFormer }],
    sleep: async (length: number) => void waits.push(length),
    log,
  } as unknown as Deps;
  return { deps, wakeToday, wakeFormer, log, waits };
}

it("wakes the objects of former regions, and no other", async () => {
  const { deps, wakeToday, wakeFormer, log } = driverWhoseObjectFails(0);
  await wakeFormerObjects(deps, DRIVER);
  expect([wakeToday.mock.calls.length, wakeFormer.mock.calls.length]).toEqual([0, 1]);
  expect(log).not.toHaveBeenCalled();
});

it("tries again within what the runtime allows after a response, and says where no try reached one", async () => {
  for (const [times, tries] of [
    [2, 3],
    [9, 3],
  ] as const) {
    const { deps, wakeFormer, log, waits } = driverWhoseObjectFails(times);
    await wakeFormerObjects(deps, DRIVER);
    expect([wakeFormer.mock.calls.length, log.mock.calls.length]).toEqual([tries, Math.min(times, tries)]);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(30_000);
  }
});
