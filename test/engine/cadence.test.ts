import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  increaseBackoff,
  relaxThrottle,
  CLEAN_THROTTLE,
  escalateThrottle,
  throttleWaitMs,
  nextPollAt,
  NO_BACKOFF,
  retryWaitMs,
  type PollPacing,
} from "../../durable/engine/cadence.ts";
import { learnQuota } from "../../durable/engine/quota.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import { SimulatedPlatform, runSimulation } from "./simulate.ts";
import { makeProfile, NOON, activeState } from "./fixtures.ts";

/** Thousands of property runs take seconds on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

const pace = (fields: Partial<PollPacing>): PollPacing => ({
  mode: "lucrative",
  polls: [NOON],
  quota: null,
  pollFloorMs: 1000,
  ...fields,
});

describe("the interval", () => {
  it.each([
    ["lucrative", 0, 2550],
    ["lucrative", 0.5, 3000],
    ["lucrative", 1 - 1e-9, 3450],
    ["secure", 0, 6800],
    ["secure", 1 - 1e-9, 9200],
    ["masacre", 0, 850],
    ["masacre", 1 - 1e-9, 1150],
  ] as const)("of %s at a roll of %f is %i ms", (mode, roll, ms) => {
    expect(nextPollAt(pace({ mode }), roll) - NOON).toBe(ms);
  });

  it("of turbo mode follows the operator's floor up and down", () => {
    expect(nextPollAt(pace({ mode: "masacre", pollFloorMs: 250 }), 0.5) - NOON).toBe(250);
    expect(nextPollAt(pace({ mode: "lucrative", pollFloorMs: 250 }), 0.5) - NOON).toBe(3000);
    expect(nextPollAt(pace({ mode: "masacre", pollFloorMs: 5000 }), 0.5) - NOON).toBe(5000);
    expect(nextPollAt(pace({ mode: "lucrative", pollFloorMs: 5000 }), 0.5) - NOON).toBe(5000);
  });

  it.each([
    [250, 0.01],
    [1000, 0.01],
  ])(
    "of turbo mode at a floor of %i ms is the floor in the mean, and never below 85 %% of it",
    (pollFloorMs, within) => {
      const platform = new SimulatedPlatform({});
      let rolls = 0;
      runSimulation(activeState({ profile: makeProfile({ mode: "masacre" }) }), {
        platform,
        from: NOON,
        until: NOON + 2000 * pollFloorMs,
        // Evenly over [0, 1), in no order that repeats with the polls.
        roll: () => ((rolls += 1) * 0.618_034) % 1,
        settings: { pollFloorMs, offerHorizonMs: 24 * HOUR_MS },
        callMs: 20,
      });
      const { polls } = platform;
      const gaps = polls.slice(1).map((at, index) => at - (polls[index] ?? at));
      const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
      expect(Math.abs(mean / pollFloorMs - 1)).toBeLessThan(within);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0.85 * pollFloorMs - 1);
    },
  );

  it("is steady at the pace that the quota allows, where that is slower", () => {
    const quota = learnQuota(null, {
      quota: { limit: 10, remaining: 9, resetAt: NOON + 60_000 },
      now: NOON,
      tookMs: 0,
      polls: [NOON],
    });
    for (const roll of [0, 0.5, 0.99])
      expect(nextPollAt(pace({ quota }), roll) - NOON).toBe(Math.ceil(60_000 / 9));
  });
});

describe("the throttle", () => {
  it("doubles from 30 s to 4 h and stays there", () => {
    const waits = Array.from({ length: 13 }, (_, step) => throttleWaitMs(step) / 1000);
    expect(waits).toEqual([0, 30, 60, 120, 240, 480, 960, 1920, 3840, 7680, 14_400, 14_400, 14_400]);
  });

  it("waits as long as the platform asks, then for the longer of that and its own step", () => {
    const first = escalateThrottle(CLEAN_THROTTLE, { now: NOON, retryAt: NOON + 5000 });
    expect(first).toEqual({ step: 1, until: NOON + 5000, since: NOON });
    const second = escalateThrottle(first, { now: NOON + 6000, retryAt: NOON + 7000 });
    expect(second).toEqual({ step: 2, until: NOON + 66_000, since: NOON + 6000 });
    const third = escalateThrottle(second, { now: NOON + 70_000, retryAt: NOON + 9_000_000 });
    expect(third).toEqual({ step: 3, until: NOON + 9_000_000, since: NOON + 70_000 });
  });

  it("climbs one step for a burst of refusals and waits for the longest", () => {
    const first = escalateThrottle(CLEAN_THROTTLE, { now: NOON, retryAt: null });
    expect(escalateThrottle(first, { now: NOON + 10, retryAt: null })).toBe(first);
    expect(escalateThrottle(first, { now: NOON + 10, retryAt: NOON + 90_000 })).toEqual({
      ...first,
      until: NOON + 90_000,
    });
  });

  it("descends one step for each full hour without a refusal after the wait", () => {
    const throttle = { step: 3, until: NOON + 120_000, since: NOON };
    expect(relaxThrottle(throttle, NOON + 120_000 + HOUR_MS - 1)).toBe(throttle);
    expect(relaxThrottle(throttle, NOON + 120_000 + HOUR_MS)).toEqual({
      ...throttle,
      step: 2,
      since: NOON + 120_000 + HOUR_MS,
    });
    expect(relaxThrottle(throttle, NOON + 120_000 + 3 * HOUR_MS)).toEqual(CLEAN_THROTTLE);
  });

  it("never shortens the wait after another refusal within the hour", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3_599_000), fc.option(fc.nat(600_000))), { maxLength: 40 }),
        (refusals) => {
          let now = NOON;
          let throttle = CLEAN_THROTTLE;
          let wait = 0;
          for (const [pauseMs, retryMs] of refusals) {
            throttle = escalateThrottle(throttle, { now, retryAt: retryMs === null ? null : now + retryMs });
            const next = (throttle.until ?? now) - now;
            if (retryMs === null) {
              expect(next).toBeGreaterThanOrEqual(Math.min(wait, 4 * HOUR_MS));
              wait = next;
            }
            expect(next).toBeGreaterThanOrEqual(retryMs ?? 0);
            now = (throttle.until ?? now) + pauseMs;
          }
        },
      ),
    );
  });
});

it("doubles the wait after failures from 1 s to 60 s, and counts concurrent failures once", () => {
  expect([0, 1, 2, 3, 6, 7, 8, 50].map((failures) => retryWaitMs(failures) / 1000)).toEqual([
    0, 1, 2, 4, 32, 60, 60, 60,
  ]);
  const first = increaseBackoff(NO_BACKOFF, NOON);
  expect(first).toEqual({ failures: 1, retryAt: NOON + 1000 });
  expect(increaseBackoff(first, NOON + 999)).toBe(first);
  expect(increaseBackoff(first, NOON + 1000)).toEqual({ failures: 2, retryAt: NOON + 3000 });
});
