import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { recover } from "../../../durable/engine/initial-state.ts";
import { step } from "../../../durable/engine/machine.ts";
import type { DriverState, MachineEvent } from "../../../durable/engine/state/types.ts";
import { NOON, SETTINGS, activeState, ctx, makeProfile } from "../fixtures.ts";
import { QuotaMeter, ours, peak, refusals, type MeterKind, type MeterRules } from "./quota-meter.ts";
import { SimulatedPlatform, runSimulation } from "../simulate.ts";
import { countOf, draws } from "../../support/draws.ts";

/** Thousands of polls take seconds on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

const WINDOWS = 18;

const kinds = fc.constantFrom<MeterKind[]>("fixed", "calendar", "sliding", "sliding_full");

/** Runs turbo mode at a pace that only the quota limits. */
function poll(rules: MeterRules, windows = WINDOWS): QuotaMeter {
  const meter = new QuotaMeter(rules);
  let rolls = 0;
  runSimulation(activeState({ profile: makeProfile({ mode: "masacre" }) }), {
    platform: new SimulatedPlatform({ meter }),
    from: NOON,
    until: NOON + windows * rules.windowMs,
    roll: () => ((rolls += 1) * 0.618_034) % 1,
    settings: { ...SETTINGS, pollFloorMs: 50 },
    callMs: 15,
  });
  return meter;
}

/** From here on the quota is learned: four windows, and the minute that an unknown one is taken for. */
const learnedAt = (windowMs: number) => NOON + 4 * windowMs + MINUTE_MS;

function usedShare({ calls }: QuotaMeter, { windowMs, limitAt }: MeterRules, from: number): number {
  const counted = calls.filter(({ at, isRefused }) => !isRefused && at >= from).length;
  const lengthMs = NOON + WINDOWS * windowMs - from;
  return counted / ((limitAt(from) * lengthMs) / windowMs);
}

const sizes = fc.record({
  kind: kinds,
  limit: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 80 })),
  windowMs: fc.constantFrom(10, 15, 30, 60, 60, 90, 300).map((seconds) => seconds * 1000),
});

describe("a quota of any kind", () => {
  it("is used to 85 % and more, and never refused", () => {
    fc.assert(
      fc.property(sizes, ({ kind, limit, windowMs }) => {
        const rules: MeterRules = { kind, windowMs, limitAt: () => limit };
        const meter = poll(rules);
        expect(refusals(meter)).toBe(0);
        expect(usedShare(meter, rules, learnedAt(windowMs))).toBeGreaterThanOrEqual(0.85);
      }),
      draws({ whole: 200, usual: 3 }),
    );
  });

  it.each<MeterKind>(["fixed", "calendar", "sliding", "sliding_full"])(
    "of five a second is learned in seconds and used to 85 % and more (%s)",
    (kind) => {
      const rules: MeterRules = { kind, windowMs: 1_000, limitAt: () => 5 };
      const { calls } = poll(rules, 60);
      const [first, second] = calls;
      expect((second?.at ?? Infinity) - (first?.at ?? 0)).toBeLessThanOrEqual(4_000);
      const answered = calls.filter(({ isRefused }) => !isRefused).length;
      expect([answered / (60 * 5) >= 0.85, calls.length - answered <= 1, answered]).toEqual([
        true,
        true,
        answered,
      ]);
    },
  );

  it("is never exceeded in any stretch of a window's length, wherever the platform's windows begin", () => {
    fc.assert(
      fc.property(sizes, ({ kind, limit, windowMs }) => {
        // A longer window that had begun before we came is known only once it has ended.
        fc.pre(kind !== "calendar" || windowMs <= MINUTE_MS);
        expect(peak(ours(poll({ kind, windowMs, limitAt: () => limit })), windowMs)).toBeLessThanOrEqual(
          limit,
        );
      }),
      draws({ whole: 200, usual: 3 }),
    );
  });

  it("is used steadily", () => {
    fc.assert(
      fc.property(sizes, ({ kind, limit, windowMs }) => {
        const meter = poll({ kind, windowMs, limitAt: () => limit });
        const times = ours(meter).filter((at) => at >= learnedAt(windowMs));
        const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
        // Whole seconds in the report may lengthen a gap by one.
        expect(Math.max(...gaps)).toBeLessThanOrEqual((1.5 * windowMs) / (0.9 * limit) + 1000);
      }),
      draws({ whole: 150, usual: 3 }),
    );
  });

  it("that shrinks while it is used is refused once at most, and not exceeded", () => {
    fc.assert(
      fc.property(
        sizes,
        fc.double({ min: 0.1, max: 0.8, noNaN: true }),
        fc.double({ min: 8, max: 9, noNaN: true }),
        ({ kind, limit: before, windowMs }, to, at) => {
          const after = Math.max(1, Math.floor(before * to));
          const shrinksAt = NOON + at * windowMs;
          const rules: MeterRules = {
            kind,
            windowMs,
            limitAt: (now) => (now < shrinksAt ? before : after),
          };
          const meter = poll(rules);
          // Nobody can know of it before the first call that meets it.
          expect(refusals(meter)).toBeLessThanOrEqual(1);
          const settled = ours(meter).filter((call) => call >= shrinksAt + 2 * windowMs);
          expect(peak(settled, windowMs)).toBeLessThanOrEqual(after);
        },
      ),
      draws({ whole: 200, usual: 3 }),
    );
  });

  it.each<MeterKind>(["fixed", "calendar", "sliding", "sliding_full"])(
    "that shrinks from a hundred to twenty is refused once at most, whenever that is (%s)",
    (kind) => {
      const instants = countOf({ whole: 12, usual: 4 });
      const refused = Array.from({ length: instants }, (_one, instant) => {
        const shrinksAt = NOON + (8 + instant / instants) * MINUTE_MS;
        const limitAt = (at: number) => (at < shrinksAt ? 100 : 20);
        return refusals(poll({ kind, windowMs: MINUTE_MS, limitAt }, 12));
      });
      expect(Math.max(...refused)).toBe(1);
    },
  );

  it("of which the driver's own app uses half is shared: nobody is refused once that is learned, and 85 % of it are used", () => {
    fc.assert(
      fc.property(
        kinds,
        fc.integer({ min: 30, max: 80 }),
        fc.constantFrom(30_000, 60_000, 90_000, 300_000),
        fc.nat(30_000),
        (kind, limit, windowMs, offset) => {
          const app = { everyMs: Math.round((2 * windowMs) / limit), from: NOON + offset };
          const rules: MeterRules = { kind, windowMs, limitAt: () => limit, app };
          const meter = poll(rules);
          // An app that begins while we use nine tenths can't be seen coming.
          expect(meter.calls.filter(({ isRefused, by }) => isRefused && by === "us").length).toBeLessThan(2);
          const learned = meter.calls.filter(({ at }) => at >= learnedAt(windowMs));
          expect(learned.filter(({ isRefused }) => isRefused)).toEqual([]);
          expect(usedShare(meter, rules, learnedAt(windowMs))).toBeGreaterThanOrEqual(0.85);
        },
      ),
      draws({ whole: 200, usual: 3 }),
    );
  });
});

describe("a quota that is used up", () => {
  const polledWith = (limit: number, remaining: number, resetMs: number): MachineEvent => ({
    kind: "polled",
    sentAt: NOON,
    outcome: { kind: "unchanged", quota: { limit, remaining, resetAt: NOON + resetMs } },
  });
  const waiting = () =>
    step(step(activeState(), { kind: "woke" }, ctx(NOON)).state, polledWith(1, 0, MINUTE_MS), ctx(NOON + 40));

  it("is a phase of its own until the next poll", () => {
    const { state } = waiting();
    expect(state.phase).toEqual({ kind: "quota_used_up", until: state.quotaWaitUntil });
    expect(state.quotaWaitUntil).toBeGreaterThan(NOON + MINUTE_MS);
  });

  it("is not forgotten when filters are saved, the switch is used or the object leaves memory", () => {
    const meter = new QuotaMeter({ kind: "sliding", windowMs: MINUTE_MS, limitAt: () => 1 });
    const script = Array.from({ length: 40 }, (_, index) => ({
      at: NOON + (index + 1) * 7_000,
      event: {
        kind: "profile_changed" as const,
        profile: makeProfile({
          mode: "masacre",
          revision: 2 + index,
          filtersVersion: 2 + index,
          switchedOn: index % 3 !== 1,
        }),
      },
    }));
    let state: DriverState = activeState({ profile: makeProfile({ mode: "masacre" }) });
    for (let from = NOON; from < NOON + 5 * MINUTE_MS; from += 10_000) {
      const run = runSimulation(state, {
        platform: new SimulatedPlatform({ meter }),
        from,
        until: from + 10_000,
        script: script.filter(({ at }) => at >= from && at < from + 10_000),
      });
      state = recover({ ...run.state, transient: activeState().transient });
    }
    expect(refusals(meter)).toBe(0);
    expect(ours(meter).length).toBeGreaterThanOrEqual(4);
  });

  it("is asked about once after four hours, however far away its reset is", () => {
    const { state } = waiting();
    const far = step(state, polledWith(10, 0, 3650 * 24 * 60 * MINUTE_MS), ctx(NOON + 40));
    expect(far.state.quotaWaitUntil).toBe(NOON + 4 * 60 * MINUTE_MS);
  });

  it("changes nothing that is stored while no wait is long", () => {
    const { state } = step(activeState(), { kind: "woke" }, ctx(NOON));
    const next = step(state, polledWith(300, 200, MINUTE_MS), ctx(NOON + 40));
    expect(next.state.quotaWaitUntil).toBeNull();
    expect(next.state.phase).toBe(state.phase);
  });
});
