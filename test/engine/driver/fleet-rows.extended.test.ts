import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { NOON } from "../fixtures.ts";
import { UNCHANGED } from "../steps.ts";
import { FAILED, openReporter, POLLING, stateIn } from "./reporter-harness.ts";

describe("a driver's reports to the fleet", () => {
  it("take at most 270 rows of D1 on a day of nothing but answered polls", async () => {
    const fleet = openReporter();
    const end = NOON + DAY_MS;
    for (; fleet.clock.now < end; fleet.clock.now += 3_000) await fleet.step(UNCHANGED, POLLING);
    expect(fleet.written()).toBeLessThanOrEqual(270);
    expect(fleet.rows(`SELECT sum(answered) AS answered FROM fleet_hours`)).toEqual([
      { answered: expect.closeTo(DAY_MS / 3_000, -3) },
    ]);
  });

  it("take at most 650 rows on a day on which every poll fails, and 950 when it fails and answers by turns", async () => {
    const [failing, flapping] = [openReporter(), openReporter()];
    const unreachable = stateIn({ kind: "unreachable", retryAt: NOON });
    const end = NOON + DAY_MS;
    for (let now = NOON; now < end; now += 30_000) {
      failing.clock.now = now;
      flapping.clock.now = now;
      await failing.step(FAILED, unreachable);
      const isDown = Math.floor(now / 90_000) % 2 === 0;
      await flapping.step(isDown ? FAILED : UNCHANGED, isDown ? unreachable : POLLING);
    }
    expect(failing.written()).toBeLessThanOrEqual(650);
    expect(flapping.written()).toBeLessThanOrEqual(950);
  });
});
