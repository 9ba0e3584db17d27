import { describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { recover } from "../../../durable/engine/initial-state.ts";
import { nextWakeAt } from "../../../durable/engine/next-wake.ts";
import { step } from "../../../durable/engine/machine.ts";
import { recallQuota } from "../../../durable/engine/quota/memory.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { NOON, activeState, ctx } from "../fixtures.ts";
import { QuotaMeter, ours, peak, refusals } from "./quota-meter.ts";
import { SimulatedPlatform, runSimulation } from "../simulate.ts";

/** Thousands of polls take seconds on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

describe("when the object leaves memory", () => {
  const windowMs = MINUTE_MS;
  const runs = (meter: QuotaMeter, state: DriverState, from: number, until: number) =>
    runSimulation(state, { platform: new SimulatedPlatform({ meter }), from, until }).state;
  const afterEviction = (state: DriverState, now: number): DriverState =>
    recallQuota(recover({ ...state, transient: activeState().transient }), now);

  it("during a wait that the platform states, the polls before it still count", () => {
    const shrinksAt = NOON + 3 * MINUTE_MS + 28_000;
    const meter = new QuotaMeter({
      kind: "calendar",
      windowMs,
      limitAt: (at) => (at < shrinksAt ? 15 : 4),
    });
    const refusedAt = shrinksAt + 7_000;
    const before = runs(meter, activeState(), NOON, refusedAt);
    expect(before.phase.kind).toBe("throttled");
    runs(meter, afterEviction(before, refusedAt), refusedAt, NOON + 8 * MINUTE_MS);
    const counted = meter.calls.flatMap(({ isRefused, at }) => (isRefused ? [] : [at]));
    // The answer to the first call after the wait tells the new limit.
    const told = counted.filter((at) => at > refusedAt).slice(1);
    const within = told.map((at) => counted.filter((other) => other > at - windowMs && other <= at).length);
    expect(Math.max(...within)).toBeLessThanOrEqual(4);
    expect(told.length).toBeGreaterThanOrEqual(12);
  });

  it("while the limit shrinks, the polls that nobody wrote down still count", () => {
    const shrinksAt = NOON + 3 * MINUTE_MS + 5_000;
    const meter = new QuotaMeter({
      kind: "calendar",
      windowMs,
      limitAt: (at) => (at < shrinksAt ? 15 : 5),
    });
    const before = runs(meter, activeState(), NOON, shrinksAt);
    const backAt = shrinksAt + 14_000;
    runs(meter, afterEviction(before, backAt), backAt, NOON + 7 * MINUTE_MS);
    const told = ours(meter).filter((at) => at > backAt + 1_000);
    const within = told.map(
      (at) => ours(meter).filter((other) => other > at - windowMs && other <= at).length,
    );
    expect(Math.max(...within)).toBeLessThanOrEqual(5);
    expect([refusals(meter), told.length > 10]).toEqual([0, true]);
  });

  it("right after a poll that nobody wrote down, and the limit shrinks later, that poll counts too", () => {
    for (const [from, to] of [
      [10, 9],
      [12, 9],
      [15, 11],
    ] as const) {
      const shrinksAt = NOON + 3 * MINUTE_MS + 28_000;
      const meter = new QuotaMeter({
        kind: "calendar",
        windowMs,
        limitAt: (at) => (at < shrinksAt ? from : to),
      });
      const lostAt = NOON + 3 * MINUTE_MS + 21_000;
      const before = runs(meter, activeState(), NOON, lostAt);
      const backAt = (ours(meter).at(-1) ?? lostAt) + 1_100;
      runs(meter, afterEviction(before, backAt), backAt, NOON + 6 * MINUTE_MS);
      const told = ours(meter).filter((at) => at > shrinksAt + windowMs / 5);
      const within = told.map(
        (at) => ours(meter).filter((other) => other > at - windowMs && other <= at).length,
      );
      expect([from, Math.max(...within) <= to, refusals(meter)]).toEqual([from, true, 0]);
    }
  });

  it("or not, the polls of a window that was taken for a minute count in the ten that it has", () => {
    const tenMinutes = 10 * MINUTE_MS;
    for (const isLost of [false, true]) {
      const meter = new QuotaMeter({ kind: "calendar", windowMs: tenMinutes, limitAt: () => 10 });
      const begins = Math.ceil(NOON / tenMinutes) * tenMinutes - MINUTE_MS;
      const before = runs(meter, activeState(), begins, begins + 44_000);
      const backAt = begins + 132_000;
      runs(meter, isLost ? afterEviction(before, backAt) : before, backAt, begins + 3 * tenMinutes);
      expect(refusals(meter)).toBe(0);
      expect(peak(ours(meter), tenMinutes)).toBeLessThanOrEqual(10);
      expect(ours(meter).length).toBeGreaterThanOrEqual(20);
    }
  });

  it("again and again within a window, no more than one poll goes too early", () => {
    for (const limit of [10, 15, 20, 60]) {
      const meter = new QuotaMeter({ kind: "fixed", windowMs, limitAt: () => limit });
      let state = runs(meter, activeState(), NOON, NOON + 4 * MINUTE_MS);
      // Longer than a poll takes to be answered, and not while one is under way.
      for (let from = NOON + 4 * MINUTE_MS; from < NOON + 6 * MINUTE_MS; from += 7_300)
        state = runs(meter, afterEviction(state, from), from, from + 7_300);
      expect([limit, refusals(meter), peak(ours(meter), windowMs) <= limit]).toEqual([limit, 0, true]);
    }
  });

  it("in mid-window, what the driver's own app uses is not taken for our own", () => {
    const app = { everyMs: 8_000, from: NOON + 20_000 };
    const meter = new QuotaMeter({ kind: "sliding_full", windowMs, limitAt: () => 15, app });
    let state = runs(meter, activeState(), NOON, NOON + 4 * MINUTE_MS);
    for (let from = NOON + 4 * MINUTE_MS; from < NOON + 9 * MINUTE_MS; from += 37_000)
      state = runs(meter, afterEviction(state, from), from, from + 37_000);
    const late = meter.calls.filter(({ at, isRefused }) => isRefused && at > NOON + 3 * MINUTE_MS);
    expect(late).toEqual([]);
  });
});

describe("a clock that is set ahead", () => {
  it("doesn't bring the end of a window forward", () => {
    const answered = (state: DriverState, at: number, remaining: number, resetAt: number): DriverState => {
      const { state: asked } = step(state, { kind: "woke" }, ctx(at));
      const quota = { limit: 15, remaining, resetAt };
      return step(asked, { kind: "polled", sentAt: at, outcome: { kind: "unchanged", quota } }, ctx(at + 40))
        .state;
    };
    const windowEnd = NOON + MINUTE_MS;
    const before = answered(activeState(), NOON, 1, windowEnd);
    const ahead = answered(before, NOON + 50_000, 0, windowEnd + 2_040);
    // Rounded up, the reset may be a second earlier than reported, of which nothing is known by the new clock.
    expect(ahead.quotaWaitUntil ?? nextWakeAt(ahead, ctx(NOON + 50_050))).toBeGreaterThanOrEqual(
      windowEnd + 2_040,
    );
  });
});
