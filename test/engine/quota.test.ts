import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { recover } from "../../durable/engine/initial-state.ts";
import { nextWakeAt, step } from "../../durable/engine/machine.ts";
import { recallQuota } from "../../durable/engine/quota-memory.ts";
import type { DriverState, ListParts, MachineEvent, PollOutcome } from "../../durable/engine/types.ts";
import { MINUTE_MS } from "../../db/shapes/units.ts";
import { activeState, ctx, makeProfile, NOON, SETTINGS } from "./fixtures.ts";
import { QuotaMeter, type MeterKind, type MeterRules } from "./quota-meter.ts";
import { SimulatedPlatform, runSimulation } from "./simulate.ts";

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

const ours = ({ calls }: QuotaMeter) => calls.filter(({ by }) => by === "us").map(({ at }) => at);
const refusals = ({ calls }: QuotaMeter) => calls.filter(({ isRefused }) => isRefused).length;

/** The most calls in any stretch of this length. */
function peak(times: readonly number[], lengthMs: number): number {
  let from = 0;
  return Math.max(
    ...times.map((at, index) => {
      while ((times[from] ?? at) <= at - lengthMs) from += 1;
      return index - from + 1;
    }),
  );
}

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
      { numRuns: 20 },
    );
  });

  it("is never exceeded in any stretch of a window's length, wherever the platform's windows begin", () => {
    fc.assert(
      fc.property(sizes, ({ kind, limit, windowMs }) => {
        // A longer window that had begun before we came is known only once it has ended.
        fc.pre(kind !== "calendar" || windowMs <= MINUTE_MS);
        expect(peak(ours(poll({ kind, windowMs, limitAt: () => limit })), windowMs)).toBeLessThanOrEqual(
          limit,
        );
      }),
      { numRuns: 20 },
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
      { numRuns: 15 },
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
      { numRuns: 20 },
    );
  });

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
      { numRuns: 20 },
    );
  });
});

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

describe("a list that is too long for one answer", () => {
  const PARTS = 3;
  /** Polls a platform that takes three calls for a list, as far as the quota has room. */
  const pollInParts = (kind: MeterKind, limit: number) => {
    const meter = new QuotaMeter({ kind, windowMs: MINUTE_MS, limitAt: () => limit });
    let state: DriverState = activeState({ profile: makeProfile({ mode: "masacre" }) });
    for (let now = NOON; now < NOON + 10 * MINUTE_MS;) {
      now = Math.max(now + 1, nextWakeAt(state, ctx(now)) ?? now);
      const woken = step(state, { kind: "woke" }, ctx(now));
      state = woken.state;
      const poll = woken.effects.find((effect) => effect.kind === "poll");
      if (!poll) continue;
      const sent = Array.from({ length: Math.min(PARTS, poll.maxCalls) }, (_, index) => now + index * 30);
      const quota = sent.map((at) => meter.spend(at)).at(-1)!;
      const outcome: PollOutcome =
        "retryAt" in quota
          ? { kind: "rate_limited", retryAt: quota.retryAt }
          : { kind: "offers", offers: [], quota, etag: null };
      now += 120;
      const [sentAt = now, ...partsSentAt] = sent;
      state = step(state, { kind: "polled", sentAt, partsSentAt, outcome }, ctx(now)).state;
    }
    return meter;
  };

  it.each(["fixed", "calendar", "sliding", "sliding_full"] as const)(
    "is asked for within a quota whose windows are %s",
    (kind) => {
      for (const limit of [4, 10, 15, 30, 60]) {
        const meter = pollInParts(kind, limit);
        expect([limit, refusals(meter)]).toEqual([limit, 0]);
        // Before the first answer nobody knows of a limit.
        const told = ours(meter).slice(PARTS);
        expect(peak(told, MINUTE_MS)).toBeLessThanOrEqual(limit);
        // Three calls at a time fit into it less closely.
        expect(told.length).toBeGreaterThan(5 * limit);
      }
    },
  );
});

describe("the parts of a list that is too long for one answer", () => {
  const polled = (state: DriverState, at: number, parts: ListParts | null): DriverState =>
    step(state, { kind: "polled", sentAt: at, parts, outcome: { kind: "unreadable" } }, ctx(at + 40)).state;
  const askedFor = (state: DriverState, at: number) =>
    step(state, { kind: "woke" }, ctx(at)).effects.flatMap((effect) =>
      effect.kind === "poll" ? [effect.parts] : [],
    );

  it("outlive the object's memory, which it leaves between two polls where the quota is small", () => {
    const asked = step(activeState(), { kind: "woke" }, ctx(NOON)).state;
    const read = polled(asked, NOON, { size: 2, read: 1 });
    const later = NOON + 2 * MINUTE_MS;
    const recalled = recallQuota(recover({ ...read, transient: activeState().transient }), later);
    expect(askedFor(recalled, later)).toEqual([{ size: 2, read: 1 }]);
  });

  it("are forgotten once the list fits, and with the account", () => {
    const asked = step(activeState(), { kind: "woke" }, ctx(NOON)).state;
    const read = polled(asked, NOON, { size: 2, read: 1 });
    expect(polled(read, NOON, null).listParts).toBeNull();
    expect(step(read, { kind: "unlinked" }, ctx(NOON + 50)).state.listParts).toBeNull();
  });

  it("change nothing that is stored while a poll says nothing of them", () => {
    const asked = step(activeState(), { kind: "woke" }, ctx(NOON)).state;
    const read = polled(asked, NOON, { size: 2, read: 1 });
    const event = { kind: "polled", sentAt: NOON, outcome: { kind: "unreadable" } } as const;
    expect(step(read, event, ctx(NOON + 50)).state.listParts).toBe(read.listParts);
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
    expect(ahead.quotaWaitUntil ?? nextWakeAt(ahead, ctx(NOON + 50_050))).toBeGreaterThan(windowEnd + 1_000);
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
