import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialState, nextWakeAt, step } from "../../durable/engine/machine.ts";
import type { DriverState, Effect, MachineEvent, DriverNotification } from "../../durable/engine/types.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import { ctx, logged, makeProfile, NOON, activeState } from "./fixtures.ts";

const WEEK_MS = 7 * DAY_MS;

/** Off, so that nothing but the paid time wakes the driver. */
const off = (fields: Partial<Profile> = {}) =>
  makeProfile({ switchedOn: false, serviceUntil: NOON + WEEK_MS, ...fields });

const told = (effects: readonly Effect[]): DriverNotification[] =>
  effects.flatMap((effect) => (effect.kind === "notify" ? effect.notifications : []));

function run(state: DriverState, ...events: (readonly [EpochMs, MachineEvent])[]) {
  const notifications: DriverNotification[] = [];
  const log: ReturnType<typeof logged> = [];
  for (const [now, event] of events) {
    const next = step(state, event, ctx(now));
    state = next.state;
    notifications.push(...told(next.effects));
    log.push(...logged(next.effects));
  }
  return { state, notifications, log };
}

const woke = { kind: "woke" } as const;
const learns = (profile: Profile) => ({ kind: "profile_changed", profile }) as const;
const blank = () => initialState("0123456789abc");

describe("the end of the paid time", () => {
  it("is told a day and an hour before, once each, on the page and by text, also to who is off", () => {
    const endsAt = NOON + WEEK_MS;
    const { state } = run(blank(), [NOON, learns(off())]);
    expect(nextWakeAt(state, ctx(NOON))).toBe(endsAt - DAY_MS);
    const day = run(state, [endsAt - DAY_MS, woke], [endsAt - DAY_MS + 1, woke]);
    expect(day.notifications).toEqual([{ kind: "service_ending", endsAt, remainingMs: DAY_MS }]);
    expect(day.log).toEqual([{ kind: "service_ending", at: endsAt - DAY_MS, endsAt }]);
    expect(nextWakeAt(day.state, ctx(endsAt - DAY_MS + 1))).toBe(endsAt - HOUR_MS);
    const hour = run(day.state, [endsAt - HOUR_MS, woke], [endsAt - HOUR_MS + 1, woke], [endsAt, woke]);
    expect(hour.notifications).toEqual([{ kind: "service_ending", endsAt, remainingMs: HOUR_MS }]);
    expect(nextWakeAt(hour.state, ctx(endsAt))).toBeNull();
  });

  it("counts anew when time was bought, and the former end is not told of any more", () => {
    const later = NOON + 2 * WEEK_MS;
    const { state, notifications } = run(
      blank(),
      [NOON, learns(off())],
      [NOON + 6 * DAY_MS, woke],
      [NOON + 6.5 * DAY_MS, learns(off({ revision: 2, serviceUntil: later }))],
      [NOON + WEEK_MS - HOUR_MS, woke],
      [later - DAY_MS, woke],
    );
    expect(notifications.map((notice) => notice.kind === "service_ending" && notice.endsAt)).toEqual([
      NOON + WEEK_MS,
      later,
    ]);
    expect(nextWakeAt(state, ctx(later - DAY_MS))).toBe(later - HOUR_MS);
  });

  it("is not told to who learned of it later than that: a trial of a day warns of its last hour only", () => {
    const endsAt = NOON + DAY_MS;
    const { state, notifications } = run(
      blank(),
      [NOON, learns(off({ serviceUntil: endsAt }))],
      [NOON, woke],
    );
    expect(notifications).toEqual([]);
    expect(nextWakeAt(state, ctx(NOON))).toBe(endsAt - HOUR_MS);
  });

  it("is told once where the object slept through both instants, and not at all after it", () => {
    const endsAt = NOON + WEEK_MS;
    const { state } = run(blank(), [NOON, learns(off())]);
    expect(run(state, [endsAt - MINUTE_MS, woke], [endsAt - 1, woke]).notifications).toEqual([
      { kind: "service_ending", endsAt, remainingMs: HOUR_MS },
    ]);
    expect(run(state, [endsAt, woke], [endsAt + HOUR_MS, woke]).notifications).toEqual([]);
  });

  it("is learned by an object that was stored before such warnings, at its first turn", () => {
    const stored = { ...activeState({ profile: off() }), expiryWarnings: blank().expiryWarnings };
    const { state, notifications } = run(stored, [NOON, woke]);
    expect(notifications).toEqual([]);
    expect(nextWakeAt(state, ctx(NOON))).toBe(NOON + WEEK_MS - DAY_MS);
  });

  it("is told at most once for each end and each of the two instants, whatever happens in between", () => {
    const hour = fc.integer({ min: 0, max: 200 });
    const happening = fc.record({
      at: hour,
      until: fc.option(fc.integer({ min: 0, max: 240 }), { freq: 3 }),
    });
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        const inOrder = happenings.toSorted((one, other) => one.at - other.at);
        const { notifications } = run(
          blank(),
          [NOON, learns(off())],
          ...inOrder.map(({ at, until }, index): [EpochMs, MachineEvent] => [
            NOON + at * HOUR_MS,
            until === null
              ? woke
              : learns(off({ revision: index + 2, serviceUntil: NOON + until * HOUR_MS })),
          ]),
        );
        const ends = inOrder.map(({ until }) => until).filter((until) => until !== null).length + 1;
        expect(notifications.length).toBeLessThanOrEqual(2 * ends);
        for (const [index, notice] of notifications.entries()) {
          const next = notifications[index + 1];
          if (next?.kind !== "service_ending" || notice.kind !== "service_ending") continue;
          if (next.endsAt === notice.endsAt) expect(next.remainingMs).toBeLessThanOrEqual(notice.remainingMs);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("news of a payment", () => {
  const paid = { source: "payment:a:settled", kind: "paid" } as const;
  const refunded = { source: "payment:a:re_1", kind: "refunded" } as const;

  it("is told once, with the end as it is now, however often it arrives", () => {
    const { notifications } = run(
      blank(),
      [NOON, learns(off())],
      [NOON, { kind: "service_changed", serviceChanges: [paid] }],
      [NOON + 1, { kind: "service_changed", serviceChanges: [paid, refunded] }],
      [NOON + 2, { kind: "service_changed", serviceChanges: [refunded, paid] }],
    );
    const until = NOON + WEEK_MS;
    expect(notifications).toEqual([
      { kind: "service_changed", change: "paid", until },
      { kind: "service_changed", change: "refunded", until },
    ]);
  });

  it("says that no time is left where a refund took it", () => {
    const { notifications } = run(
      blank(),
      [NOON, learns(off({ serviceUntil: NOON }))],
      [NOON, { kind: "service_changed", serviceChanges: [refunded] }],
    );
    expect(notifications).toEqual([{ kind: "service_changed", change: "refunded", until: null }]);
  });
});

it("works on without a tap from the moment at which time is bought", () => {
  const ended = activeState({ profile: makeProfile({ serviceUntil: NOON }) });
  const { state } = run(ended, [NOON, woke]);
  expect(state.phase).toEqual({ kind: "no_service", waitingForSpot: false });
  const bought = run(state, [
    NOON + HOUR_MS,
    learns(makeProfile({ revision: 2, serviceUntil: NOON + WEEK_MS })),
  ]);
  expect(bought.state.phase).toEqual({ kind: "polling" });
  expect(nextWakeAt(bought.state, ctx(NOON + HOUR_MS))).toBe(NOON + HOUR_MS);
});
