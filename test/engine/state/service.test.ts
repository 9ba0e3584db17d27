import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialState } from "../../../durable/engine/initial-state.ts";
import { nextWakeAt } from "../../../durable/engine/next-wake.ts";
import { step } from "../../../durable/engine/machine.ts";
import type {
  DriverState,
  Effect,
  MachineEvent,
  DriverNotification,
} from "../../../durable/engine/state/types.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { ctx, logged, makeProfile, NOON, activeState } from "../fixtures.ts";
import { draws } from "../../support/draws.ts";

const WEEK_MS = 7 * DAY_MS;

/** Switched off, so that only the end of the paid time wakes the machine. */
const off = (fields: Partial<Profile> = {}) =>
  makeProfile({ switchedOn: false, serviceUntil: NOON + WEEK_MS, ...fields });

const notified = (effects: readonly Effect[]): DriverNotification[] =>
  effects.flatMap((effect) => (effect.kind === "notify" ? effect.notifications : []));

function run(state: DriverState, ...events: (readonly [EpochMs, MachineEvent])[]) {
  const notifications: DriverNotification[] = [];
  const log: ReturnType<typeof logged> = [];
  for (const [now, event] of events) {
    const next = step(state, event, ctx(now));
    state = next.state;
    notifications.push(...notified(next.effects));
    log.push(...logged(next.effects));
  }
  return { state, notifications, log };
}

const woke = { kind: "woke" } as const;
const profileChanged = (profile: Profile) => ({ kind: "profile_changed", profile }) as const;
const blank = () => initialState("0123456789abc");

describe("the end of the paid time", () => {
  it("is announced once a day and once an hour before, in the log and as a notification, even if the driver is off", () => {
    const endsAt = NOON + WEEK_MS;
    const { state } = run(blank(), [NOON, profileChanged(off())]);
    expect(nextWakeAt(state, ctx(NOON))).toBe(endsAt - DAY_MS);
    const day = run(state, [endsAt - DAY_MS, woke], [endsAt - DAY_MS + 1, woke]);
    expect(day.notifications).toEqual([{ kind: "service_ending", endsAt, remainingMs: DAY_MS }]);
    expect(day.log).toEqual([{ kind: "service_ending", at: endsAt - DAY_MS, endsAt }]);
    expect(nextWakeAt(day.state, ctx(endsAt - DAY_MS + 1))).toBe(endsAt - HOUR_MS);
    const hour = run(day.state, [endsAt - HOUR_MS, woke], [endsAt - HOUR_MS + 1, woke], [endsAt, woke]);
    expect(hour.notifications).toEqual([{ kind: "service_ending", endsAt, remainingMs: HOUR_MS }]);
    expect(nextWakeAt(hour.state, ctx(endsAt))).toBeNull();
  });

  it("is not announced a day before while a charge that was announced may still renew it", () => {
    const endsAt = NOON + WEEK_MS;
    const chargeAt = endsAt - 25 * HOUR_MS;
    const change = {
      source: "r:1",
      kind: "renewal_ahead",
      money: null,
      changedMs: DAY_MS,
      chargeAt,
    } as const;
    const { state } = run(
      blank(),
      [NOON, profileChanged(off())],
      [endsAt - 2 * DAY_MS, { kind: "service_changed", serviceChanges: [change] }],
    );
    // Quiet hours may hold the charge back.
    const heldUntil = chargeAt + 12 * HOUR_MS;
    expect(nextWakeAt(state, ctx(endsAt - 2 * DAY_MS))).toBe(heldUntil);
    expect(run(state, [endsAt - DAY_MS, woke], [heldUntil - 1, woke]).notifications).toEqual([]);
    const renewed = off({ revision: 2, serviceUntil: endsAt + WEEK_MS });
    const paid = run(state, [endsAt - DAY_MS, profileChanged(renewed)]).state;
    expect(nextWakeAt(paid, ctx(endsAt - DAY_MS))).toBe(endsAt + WEEK_MS - DAY_MS);
    // It wasn't charged after all.
    const warning = { kind: "service_ending", endsAt, remainingMs: DAY_MS };
    expect(run(state, [heldUntil, woke]).notifications).toEqual([warning]);
    const late = { ...change, source: "r:2", chargeAt: endsAt - 3 * HOUR_MS };
    const lateCharge = run(state, [
      endsAt - DAY_MS,
      { kind: "service_changed", serviceChanges: [late] },
    ]).state;
    expect(nextWakeAt(lateCharge, ctx(endsAt - DAY_MS))).toBe(endsAt - HOUR_MS);
    expect(run(lateCharge, [endsAt - HOUR_MS, woke]).notifications).toEqual([
      { ...warning, remainingMs: HOUR_MS },
    ]);
  });

  it("is announced for the new end only once more time is bought", () => {
    const later = NOON + 2 * WEEK_MS;
    const { state, notifications } = run(
      blank(),
      [NOON, profileChanged(off())],
      [NOON + 6 * DAY_MS, woke],
      [NOON + 6.5 * DAY_MS, profileChanged(off({ revision: 2, serviceUntil: later }))],
      [NOON + WEEK_MS - HOUR_MS, woke],
      [later - DAY_MS, woke],
    );
    expect(
      notifications.map((notification) => notification.kind === "service_ending" && notification.endsAt),
    ).toEqual([NOON + WEEK_MS, later]);
    expect(nextWakeAt(state, ctx(later - DAY_MS))).toBe(later - HOUR_MS);
  });

  it("is not announced a day before for a trial of one day", () => {
    const endsAt = NOON + DAY_MS;
    const { state, notifications } = run(
      blank(),
      [NOON, profileChanged(off({ serviceUntil: endsAt }))],
      [NOON, woke],
    );
    expect(notifications).toEqual([]);
    expect(nextWakeAt(state, ctx(NOON))).toBe(endsAt - HOUR_MS);
  });

  it("is announced once if both warnings were missed, and not at all after it has passed", () => {
    const endsAt = NOON + WEEK_MS;
    const { state } = run(blank(), [NOON, profileChanged(off())]);
    expect(run(state, [endsAt - MINUTE_MS, woke], [endsAt - 1, woke]).notifications).toEqual([
      { kind: "service_ending", endsAt, remainingMs: HOUR_MS },
    ]);
    expect(run(state, [endsAt, woke], [endsAt + HOUR_MS, woke]).notifications).toEqual([]);
  });

  it("schedules warnings on the first event of a state that was stored without any", () => {
    const stored = { ...activeState({ profile: off() }), expiryWarnings: blank().expiryWarnings };
    const { state, notifications } = run(stored, [NOON, woke]);
    expect(notifications).toEqual([]);
    expect(nextWakeAt(state, ctx(NOON))).toBe(NOON + WEEK_MS - DAY_MS);
  });

  it("is announced at most once per end and warning, for any sequence of events", () => {
    const hour = fc.integer({ min: 0, max: 200 });
    const event = fc.record({
      at: hour,
      until: fc.option(fc.integer({ min: 0, max: 240 }), { freq: 3 }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const inOrder = events.toSorted((one, other) => one.at - other.at);
        const { notifications } = run(
          blank(),
          [NOON, profileChanged(off())],
          ...inOrder.map(({ at, until }, index): [EpochMs, MachineEvent] => [
            NOON + at * HOUR_MS,
            until === null
              ? woke
              : profileChanged(off({ revision: index + 2, serviceUntil: NOON + until * HOUR_MS })),
          ]),
        );
        const ends = inOrder.map(({ until }) => until).filter((until) => until !== null).length + 1;
        expect(notifications.length).toBeLessThanOrEqual(2 * ends);
        for (const [index, notification] of notifications.entries()) {
          const next = notifications[index + 1];
          if (next?.kind !== "service_ending" || notification.kind !== "service_ending") continue;
          if (next.endsAt === notification.endsAt)
            expect(next.remainingMs).toBeLessThanOrEqual(notification.remainingMs);
        }
      }),
      draws({ whole: 500, usual: 200 }),
    );
  });
});

describe("a service change", () => {
  const paid = {
    source: "payment:a:settled",
    kind: "paid",
    money: { cents: 5022, currency: "USD" },
    changedMs: WEEK_MS,
  } as const;
  const refunded = {
    source: "payment:a:re_1",
    kind: "refunded",
    money: { cents: 100, currency: "USD" },
    changedMs: -1,
  } as const;

  it("is notified once, with the present end, however often it is delivered", () => {
    const { notifications } = run(
      blank(),
      [NOON, profileChanged(off())],
      [NOON, { kind: "service_changed", serviceChanges: [paid] }],
      [NOON + 1, { kind: "service_changed", serviceChanges: [paid, refunded] }],
      [NOON + 2, { kind: "service_changed", serviceChanges: [refunded, paid] }],
    );
    const until = NOON + WEEK_MS;
    expect(notifications).toEqual([
      { kind: "service_changed", change: paid, until },
      { kind: "service_changed", change: refunded, until },
    ]);
  });

  it("that was delivered before changes nothing", () => {
    const serviceChanged = { kind: "service_changed", serviceChanges: [paid] } as const;
    const { state } = run(blank(), [NOON, profileChanged(off())], [NOON, serviceChanged]);
    expect(step(state, serviceChanged, ctx(NOON))).toMatchObject({ state, effects: [] });
    expect(step(state, serviceChanged, ctx(NOON)).state.seenServiceChanges).toBe(state.seenServiceChanges);
  });

  it("is remembered until a hundred others were delivered", () => {
    const serviceChanges = Array.from({ length: 150 }, (_, index) => ({ ...paid, source: `s${index}` }));
    const { state } = run(blank(), [NOON, { kind: "service_changed", serviceChanges }]);
    expect(state.seenServiceChanges).toEqual(serviceChanges.slice(50).map(({ source }) => source));
  });

  it("is notified without an end if a refund has used up the time", () => {
    const { notifications } = run(
      blank(),
      [NOON, profileChanged(off({ serviceUntil: NOON }))],
      [NOON, { kind: "service_changed", serviceChanges: [refunded] }],
    );
    expect(notifications).toEqual([{ kind: "service_changed", change: refunded, until: null }]);
  });
});

describe("news and announcements", () => {
  it("are notified once, however often they are delivered", () => {
    const told = { kind: "spot_opened", subject: "Austin", until: NOON + DAY_MS } as const;
    const announcement = { id: "a1", text: { en: "Hi", es: "Hola", pt: "Oi" }, endsAt: NOON + DAY_MS };
    const news = { kind: "news_arrived", news: [{ source: "spot:1", ...told }] } as const;
    const announced = { kind: "announced", announcement } as const;
    const { state, notifications } = run(
      blank(),
      [NOON, news],
      [NOON, announced],
      [NOON, news],
      [NOON, announced],
    );
    expect(notifications).toEqual([
      { kind: "news", news: told },
      { kind: "announcement", announcement },
    ]);
    const next = { ...announcement, id: "a2" };
    expect(run(state, [NOON, { kind: "announced", announcement: next }]).notifications).toEqual([
      { kind: "announcement", announcement: next },
    ]);
  });
});

it("resumes polling as soon as time is bought", () => {
  const ended = activeState({ profile: makeProfile({ serviceUntil: NOON }) });
  const { state } = run(ended, [NOON, woke]);
  expect(state.phase).toEqual({ kind: "no_service", waitingForSpot: false });
  const bought = run(state, [
    NOON + HOUR_MS,
    profileChanged(makeProfile({ revision: 2, serviceUntil: NOON + WEEK_MS })),
  ]);
  expect(bought.state.phase).toEqual({ kind: "polling" });
  expect(nextWakeAt(bought.state, ctx(NOON + HOUR_MS))).toBe(NOON + HOUR_MS);
});
