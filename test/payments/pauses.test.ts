import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  pausedUntilOf,
  readPauses,
  readServiceLedger,
  serviceUntilOf,
  type ServiceEntry,
} from "../../db/queries/payments/service-time.ts";
import { isPauseGrant } from "../../db/shapes/money/pause.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import { draws } from "../support/draws.ts";

const NOON = Date.parse("2026-11-21T12:00:00Z");

const entry = (source: string, days: number, after: number): ServiceEntry => ({
  source,
  durationMs: days * DAY_MS,
  at: NOON + after * DAY_MS,
});
const after = (days: number) => NOON + days * DAY_MS;

describe("a pause in the service ledger", () => {
  const paused = [entry("payment:a", 30, 0), entry("pause:me:1", 5, 2)];

  it("moves the end of the service by its length, and uses no paid day meanwhile", () => {
    expect([serviceUntilOf(paused), pausedUntilOf(paused)]).toEqual([after(35), after(7)]);
    expect(readServiceLedger(paused, after(7)).unusedMs.get("payment:a")).toBe(28 * DAY_MS);
    expect(readServiceLedger(paused, after(8)).unusedMs.get("payment:a")).toBe(27 * DAY_MS);
  });

  it("that is ended early gives back the rest to the millisecond", () => {
    const at = after(3) + 1_234_567;
    const ended = [...paused, { source: "pause:me:1:ended", durationMs: at - after(7), at }];
    expect([serviceUntilOf(ended), pausedUntilOf(ended)]).toEqual([after(31) + 1_234_567, null]);
    expect(readPauses(ended, at)).toEqual({
      until: null,
      latest: "pause:me:1",
      count: 1,
      pausesLeft: 3,
      daysLeft: 12,
    });
  });

  it("leaves a refund in it what is unused of its payment, and no more", () => {
    const refunded = [...paused, entry("payment:a:re_1", -30, 4)];
    expect(readServiceLedger(refunded).appliedMs.get("payment:a:re_1")).toBe(-28 * DAY_MS);
    expect(serviceUntilOf(refunded)).toBe(after(4));
    const won = [...refunded, entry("payment:a:re_1:undone", 30, 5)];
    expect(serviceUntilOf(won)).toBe(after(35));
  });

  it("keeps a gift in it whole", () => {
    const given = [...paused, entry("invitation:x", 10, 4)];
    expect(serviceUntilOf(given)).toBe(after(45));
    expect(readServiceLedger(given, after(7)).unusedMs.get("invitation:x")).toBe(10 * DAY_MS);
  });

  it("is not taken by what operators take", () => {
    expect(serviceUntilOf([...paused, entry("operator:1", -8, 3)])).toBe(after(27));
    expect(serviceUntilOf([...paused, entry("operator:1", -40, 3)])).toBe(after(3));
  });
});

describe("the pauses of a year", () => {
  const year = [
    entry("payment:a", 400, 0),
    entry("pause:me:1", 4, 10),
    entry("pause:me:2", 3, 100),
    entry("pause:me:3", 2, 200),
  ];

  it("are four, of fourteen days in all", () => {
    expect(readPauses(year, after(300))).toMatchObject({ count: 3, pausesLeft: 1, daysLeft: 5 });
    const fourth = [...year, entry("pause:me:4", 5, 301)];
    expect(readPauses(fourth, after(310))).toMatchObject({ count: 4, pausesLeft: 0, daysLeft: 0 });
  });

  it("come back 365 days after each began", () => {
    const at = after(10) + 365 * DAY_MS;
    expect([readPauses(year, at - 1).daysLeft, readPauses(year, at).daysLeft]).toEqual([5, 9]);
  });
});

/** The next event, and the time until it. */
const step = fc.record({
  waitMs: fc.integer({ min: 1, max: 20 * DAY_MS }),
  act: fc.oneof(
    fc.record({ kind: fc.constant("grant" as const), ms: fc.integer({ min: 1, max: 30 * DAY_MS }) }),
    fc.record({
      kind: fc.constant("refund" as const),
      of: fc.nat(9),
      ms: fc.integer({ min: 1, max: 30 * DAY_MS }),
    }),
    fc.record({ kind: fc.constant("pause" as const), days: fc.integer({ min: 1, max: 14 }) }),
    fc.record({ kind: fc.constant("end" as const) }),
  ),
});

/**
 * A ledger with pauses, and the one that the driver would have had if time had stood still in each of them: the same grants and
 * refunds, as much earlier as was paused before.
 */
function twoLedgers(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) {
  const real: ServiceEntry[] = [];
  const still: ServiceEntry[] = [];
  let now = NOON;
  let stoodMs = 0;
  let pauseEndsAt = NOON;
  let pauses = 0;
  let grants = 0;
  const write = (source: string, durationMs: number) => {
    real.push({ source, durationMs, at: now });
    if (!isPauseGrant(source)) still.push({ source, durationMs, at: now - stoodMs });
  };
  for (const [nth, { waitMs, act }] of steps.entries()) {
    stoodMs += Math.min(waitMs, Math.max(0, pauseEndsAt - now));
    now += waitMs;
    const isPaused = pauseEndsAt > now;
    if (act.kind === "grant") write(`payment:${grants++}`, act.ms);
    if (act.kind === "refund") write(`payment:${grants === 0 ? 0 : act.of % grants}:re_${nth}`, -act.ms);
    if (act.kind === "pause" && !isPaused && (serviceUntilOf(real) ?? 0) > now) {
      pauses += 1;
      pauseEndsAt = now + act.days * DAY_MS;
      write(`pause:me:${pauses}`, act.days * DAY_MS);
    }
    if (act.kind === "end" && isPaused) {
      write(`pause:me:${pauses}:ended`, now - pauseEndsAt);
      pauseEndsAt = now;
    }
  }
  return { real, still, now, stoodMs, pauseEndsAt };
}

it("pauses neither make nor lose a millisecond, whatever else happens in them", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const { real, still, now, stoodMs, pauseEndsAt } = twoLedgers(steps);
      const [paused, unpaused] = [readServiceLedger(real, now), readServiceLedger(still, now - stoodMs)];
      const serviceOf = (grants: ReadonlyMap<string, number>) =>
        [...grants].filter(([source]) => !isPauseGrant(source));
      expect(serviceOf(paused.unusedMs)).toEqual([...unpaused.unusedMs]);
      expect(serviceOf(paused.usedMs)).toEqual([...unpaused.usedMs]);
      const leftMs = [...unpaused.unusedMs.values()].reduce((total, ms) => total + ms, 0);
      const restMs = Math.max(0, pauseEndsAt - now);
      // Once all days have run, the end is when the last of them did.
      if (leftMs > 0) expect(serviceUntilOf(real)).toBe(now + restMs + leftMs);
      else expect(serviceUntilOf(real) ?? 0).toBeLessThanOrEqual(now);
    }),
    draws({ whole: 10_000, usual: 10_000 }),
  );
});
