import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  increaseBackoff,
  relaxThrottle,
  CLEAN_THROTTLE,
  capStoredWait,
  escalateThrottle,
  settleThrottle,
  stateWait,
  throttleWaitMs,
  nextPollAt,
  paceFrom,
  NO_BACKOFF,
  retryWaitMs,
  type PollPacing,
} from "../../../durable/engine/state/cadence.ts";
import { learnQuota } from "../../../durable/engine/quota/learning.ts";
import type { Throttle } from "../../../durable/engine/state/types.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { SimulatedPlatform, runSimulation } from "../simulate.ts";
import { makeProfile, NOON, activeState, SETTINGS } from "../fixtures.ts";

/** Thousands of property runs take seconds on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

const pace = (fields: Partial<PollPacing>): PollPacing => ({
  mode: "lucrative",
  lastPollAt: NOON,
  pacedFrom: null,
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

  it("is kept in the mean although timers fire late, and no gap is shorter than 85 % of it", () => {
    const pollFloorMs = 250;
    const sent = [NOON];
    for (let pacedFrom = NOON, turn = 1; turn <= 2_000; turn += 1) {
      const lastPollAt = sent.at(-1) ?? NOON;
      const roll = (turn * 0.618_034) % 1;
      const dueAt = nextPollAt(pace({ mode: "masacre", lastPollAt, pacedFrom, pollFloorMs }), roll);
      const now = dueAt + ((turn * 7) % 16);
      pacedFrom = paceFrom({ dueAt, now, pollFloorMs });
      sent.push(now);
    }
    const gaps = sent.slice(1).map((at, index) => at - (sent[index] ?? at));
    expect(((sent.at(-1) ?? NOON) - NOON) / 2_000 / pollFloorMs).toBeCloseTo(1, 2);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0.85 * pollFloorMs - 1);
  });

  it("is counted anew from a poll that was much too late", () => {
    expect(paceFrom({ dueAt: NOON, now: NOON + 100, pollFloorMs: 250 })).toBe(NOON + 100);
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
        settings: { ...SETTINGS, pollFloorMs },
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

  it("obeys what the platform states, and then climbs only if that did not help", () => {
    const first = escalateThrottle(CLEAN_THROTTLE, { now: NOON, retryAt: NOON + 5000 });
    expect(first).toEqual({ ...CLEAN_THROTTLE, until: NOON + 5000, since: NOON });
    const second = escalateThrottle(first, { now: NOON + 6000, retryAt: NOON + 7000 });
    expect(second).toEqual({ ...CLEAN_THROTTLE, step: 1, until: NOON + 36_000, since: NOON + 6000 });
    const third = escalateThrottle(second, { now: NOON + 40_000, retryAt: NOON + 9_000_000 });
    expect(third).toEqual({ ...CLEAN_THROTTLE, step: 2, until: NOON + 9_000_000, since: NOON + 40_000 });
  });

  it("climbs after each refusal that states nothing, even if polls were answered in between", () => {
    const first = escalateThrottle(CLEAN_THROTTLE, { now: NOON, retryAt: null });
    const answered = settleThrottle(first, NOON + 31_000);
    expect(answered).toEqual({ ...CLEAN_THROTTLE, step: 1, since: NOON + 30_000 });
    const second = escalateThrottle(answered, { now: NOON + 40_000, retryAt: null });
    expect(second).toEqual({ ...CLEAN_THROTTLE, step: 2, until: NOON + 100_000, since: NOON + 40_000 });
    const stated = escalateThrottle(settleThrottle(second, NOON + 110_000), {
      now: NOON + 120_000,
      retryAt: NOON + 121_000,
    });
    expect(stated).toEqual({ ...CLEAN_THROTTLE, step: 2, until: NOON + 121_000, since: NOON + 120_000 });
  });

  it("is settled by an answered poll only after the wait", () => {
    const throttle = escalateThrottle(CLEAN_THROTTLE, { now: NOON, retryAt: NOON + 5000 });
    expect(settleThrottle(throttle, NOON + 4999)).toBe(throttle);
    expect(settleThrottle(throttle, NOON + 5000)).toBe(CLEAN_THROTTLE);
    expect(settleThrottle(CLEAN_THROTTLE, NOON)).toBe(CLEAN_THROTTLE);
  });

  it("obeys a wait of four hours at most, whichever call states it", () => {
    const tenYears = NOON + 10 * 365 * DAY_MS;
    const longest = { ...CLEAN_THROTTLE, until: NOON + 4 * HOUR_MS, since: NOON };
    expect(escalateThrottle(CLEAN_THROTTLE, { now: NOON, retryAt: tenYears })).toEqual(longest);
    expect(stateWait(CLEAN_THROTTLE, { now: NOON, until: tenYears })).toEqual(longest);
    const again = escalateThrottle(longest, { now: NOON + 4 * HOUR_MS, retryAt: tenYears });
    expect([again.step, again.until]).toEqual([1, NOON + 8 * HOUR_MS]);
  });

  it("never states an end before now, or one before that of the wait under way", () => {
    expect(stateWait(CLEAN_THROTTLE, { now: NOON, until: NOON - 1 }).until).toBe(NOON);
    const waiting = stateWait(CLEAN_THROTTLE, { now: NOON, until: NOON + 5000 });
    expect(stateWait(waiting, { now: NOON + 1, until: NOON + 5000 })).toBe(waiting);
  });

  it.each<[string, Partial<Throttle>, Partial<Throttle>]>([
    ["ten years", { until: NOON + 3650 * DAY_MS, since: NOON - HOUR_MS }, { until: NOON + 3 * HOUR_MS }],
    [
      "ten years, five hours ago",
      { until: NOON + 3650 * DAY_MS, since: NOON - 5 * HOUR_MS },
      { until: NOON - HOUR_MS },
    ],
    [
      "a clock that was ahead",
      { until: NOON + DAY_MS, since: NOON + DAY_MS },
      { until: NOON + 4 * HOUR_MS, since: NOON },
    ],
    ["four hours", { until: NOON + 4 * HOUR_MS, since: NOON }, {}],
    ["an hour", { until: NOON + HOUR_MS, since: NOON }, {}],
    ["the past", { until: NOON - DAY_MS, since: NOON - 2 * DAY_MS }, {}],
  ])("that was stored with a wait of %s is shortened to four hours", (_, stored, capped) => {
    const throttle = { ...CLEAN_THROTTLE, step: 2, ...stored };
    expect(capStoredWait(throttle, NOON)).toEqual({ ...throttle, ...capped });
  });

  it("climbs one step for a burst of refusals and waits for the longest", () => {
    const first = escalateThrottle(CLEAN_THROTTLE, { now: NOON, retryAt: null });
    expect(escalateThrottle(first, { now: NOON + 10, retryAt: null })).toBe(first);
    expect(escalateThrottle(first, { now: NOON + 10, retryAt: NOON + 90_000 })).toEqual({
      ...first,
      until: NOON + 90_000,
      since: NOON + 10,
    });
  });

  it("descends one step for each full hour without a refusal after the wait", () => {
    const throttle = { ...CLEAN_THROTTLE, step: 3, until: NOON + 120_000, since: NOON };
    expect(relaxThrottle(throttle, NOON + 120_000 + HOUR_MS - 1)).toBe(throttle);
    expect(relaxThrottle(throttle, NOON + 120_000 + HOUR_MS)).toEqual({
      ...CLEAN_THROTTLE,
      step: 2,
      since: NOON + 120_000 + HOUR_MS,
    });
    expect(relaxThrottle(throttle, NOON + 120_000 + 3 * HOUR_MS)).toEqual(CLEAN_THROTTLE);
    const stated = { ...CLEAN_THROTTLE, until: NOON + 1000, since: NOON };
    expect(relaxThrottle(stated, NOON + 1000 + HOUR_MS)).toBe(CLEAN_THROTTLE);
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
