import { describe, expect, it } from "vitest";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { driverId, HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { LostTimeKeeper } from "../../../durable/driver/logs/lost-time-keeper.ts";
import type { StoredLostTime } from "../../../durable/driver/storage/stored-shapes.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { countOf } from "../../support/draws.ts";
import { activeState, makeFilters, makeProfile, NOON, SETTINGS, week } from "../fixtures.ts";
import { runSimulation, SimulatedPlatform, type SimulatedFault } from "../simulate.ts";

const owner: DriverOwner = {
  driverId: driverId.parse("driver-1"),
  phoneNumber: "+15550100100",
  language: "en",
  timeZone: "America/New_York",
  notifications: DEFAULT_NOTIFICATION_PREFERENCES,
  reminders: DEFAULT_REMINDER_PREFERENCES,
};

/** Seldom, so that days are short to simulate. */
const POLL_EVERY_MS = 30_000;

type Span = { from: EpochMs; to: EpochMs };
const isIn = (spans: readonly Span[], at: EpochMs) => spans.some(({ from, to }) => from <= at && at < to);

/** A driver's object over several lives, a platform, and what is stored. */
function openObject(given: { down?: Span[]; waits?: Span[]; state?: DriverState } = {}) {
  const { down = [], waits = [] } = given;
  let stored: StoredLostTime | null = null;
  let writes = 0;
  const settled: { date: string; lostMs: number }[] = [];
  const returned: string[] = [];
  const clock = { now: NOON };
  const broken = { isDown: false };
  const make = () =>
    new LostTimeKeeper({
      now: () => clock.now,
      log: () => {},
      settings: () => SETTINGS,
      stored: {
        lostTime: () => stored,
        write: (_field: string, value: unknown) => {
          stored = value as StoredLostTime;
          writes += 1;
        },
      },
      settle: async ({ date, lostMs }) => {
        if (broken.isDown) throw new Error("D1 is down");
        settled.push({ date, lostMs });
        return lostMs - HOUR_MS;
      },
      noteReturned: ({ date, lostMs, givenMs }) =>
        void returned.push(`${date}: ${Math.round(lostMs / HOUR_MS)}, ${Math.round(givenMs / HOUR_MS)}`),
    });
  let keeper = make();
  let state = given.state ?? activeState({ profile: makeProfile({ serviceUntil: NOON + 1_000 * HOUR_MS }) });
  const platform = new SimulatedPlatform({
    fault: (_call, at): SimulatedFault | null => {
      const wait = waits.find(({ from, to }) => from <= at && at < to);
      if (wait) return { failure: { kind: "rate_limited", retryAt: wait.to }, hasEffect: false };
      return isIn(down, at) ? { failure: { kind: "unreachable" }, hasEffect: false } : null;
    },
  });
  return {
    settled,
    returned,
    broken,
    platform,
    owner,
    writes: () => writes,
    get keeper() {
      return keeper;
    },
    lost: () => Object.values(stored?.days ?? {}).reduce((sum, ms) => sum + ms, 0),
    days: () => stored?.days ?? {},
    /** The object is at work in a span. */
    run(from: EpochMs, until: EpochMs): void {
      clock.now = from;
      const run = runSimulation(state, {
        platform,
        from,
        callMs: 0,
        until,
        settings: { ...SETTINGS, pollFloorMs: POLL_EVERY_MS },
        onStep: (before, after, event) => {
          clock.now = Math.max(clock.now, run_now());
          keeper.note({ before, event, state: after, effects: [] }, owner, clock.now);
        },
      });
      function run_now(): EpochMs {
        return Math.max(platform.calls.at(-1)?.at ?? from, from);
      }
      state = run.state;
      clock.now = until;
    },
    /** The object leaves memory as the runtime lets it. */
    sleep(at: EpochMs, wakesAt: EpochMs | null): void {
      clock.now = at;
      keeper.keep(state, at, wakesAt);
      keeper = make();
    },
    /** The object is cut off. */
    crash(): void {
      keeper = make();
    },
  };
}

describe("time in which the system could not work", () => {
  it("is the platform's outage, as its own record says, and never more", () => {
    const down = [{ from: NOON + HOUR_MS, to: NOON + 3 * HOUR_MS }];
    const object = openObject({ down });
    object.run(NOON, NOON + 5 * HOUR_MS);
    object.sleep(NOON + 5 * HOUR_MS, NOON + 6 * HOUR_MS);
    expect(object.lost()).toBeLessThanOrEqual(2 * HOUR_MS);
    expect(object.lost()).toBeGreaterThan(2 * HOUR_MS - 2 * MINUTE_MS);
  });

  it("is a wait that the platform asked for", () => {
    const waits = [{ from: NOON + HOUR_MS, to: NOON + 2 * HOUR_MS }];
    const object = openObject({ waits });
    object.run(NOON, NOON + 3 * HOUR_MS);
    object.sleep(NOON + 3 * HOUR_MS, NOON + 4 * HOUR_MS);
    expect(object.lost()).toBeLessThanOrEqual(HOUR_MS);
    expect(object.lost()).toBeGreaterThan(HOUR_MS - 2 * MINUTE_MS);
  });

  it.each([
    ["cut off at work", false],
    ["that slept and did not wake", true],
  ])("is our own outage of an object %s", (_case, isAsleep) => {
    const object = openObject();
    object.run(NOON, NOON + HOUR_MS);
    if (isAsleep) object.sleep(NOON + HOUR_MS, NOON + HOUR_MS + 1_000);
    object.crash();
    object.run(NOON + 4 * HOUR_MS, NOON + 5 * HOUR_MS);
    object.sleep(NOON + 5 * HOUR_MS, NOON + 6 * HOUR_MS);
    expect(object.lost()).toBeLessThanOrEqual(3 * HOUR_MS);
    expect(object.lost()).toBeGreaterThan(3 * HOUR_MS - 25 * MINUTE_MS);
  });

  it("is none outside the driver's hours, while off, without service, signed out or verifying", () => {
    const down = [{ from: NOON, to: NOON + 30 * HOUR_MS }];
    const states: DriverState[] = [
      // Mondays alone, and this is a Wednesday.
      activeState({
        profile: makeProfile({
          serviceUntil: NOON + 1_000 * HOUR_MS,
          filters: makeFilters({ schedule: week(8 * 60, 9 * 60, [1]) }),
        }),
      }),
      activeState({ profile: makeProfile({ switchedOn: false }) }),
      activeState({ profile: makeProfile({ serviceUntil: NOON - 1 }) }),
      activeState({ link: { status: "signed_out" } }),
      activeState({ verification: { url: null, since: NOON } }),
    ];
    for (const state of states) {
      const object = openObject({ down, state });
      object.run(NOON, NOON + 10 * HOUR_MS);
      object.crash();
      object.run(NOON + 20 * HOUR_MS, NOON + 21 * HOUR_MS);
      object.sleep(NOON + 21 * HOUR_MS, NOON + 22 * HOUR_MS);
      expect(object.lost()).toBe(0);
    }
  });

  it("counts nothing of a clock that jumps back, and a week at most of one that jumps ahead", () => {
    const object = openObject();
    object.run(NOON, NOON + HOUR_MS);
    object.run(NOON - HOUR_MS, NOON);
    object.run(NOON + 24 * 365 * HOUR_MS, NOON + 24 * 365 * HOUR_MS + HOUR_MS);
    object.sleep(NOON + 24 * 365 * HOUR_MS + HOUR_MS, null);
    expect(object.lost()).toBe(0);
  });

  it("is split at the driver's midnight", () => {
    // Midnight in New York is sixteen hours before the next noon and half a day after this one.
    const down = [{ from: NOON + 10 * HOUR_MS, to: NOON + 15 * HOUR_MS }];
    const object = openObject({ down });
    object.run(NOON, NOON + 16 * HOUR_MS);
    object.sleep(NOON + 16 * HOUR_MS, NOON + 17 * HOUR_MS);
    const hours = Object.entries(object.days()).map(([date, ms]) => [date, Math.round(ms / HOUR_MS)]);
    expect(hours).toEqual([
      ["2026-06-10", 2],
      ["2026-06-11", 3],
    ]);
  });

  it("is split at a midnight between two polls", () => {
    const midnight = NOON + 12 * HOUR_MS;
    const object = openObject({ down: [{ from: midnight - 2 * MINUTE_MS, to: midnight + MINUTE_MS }] });
    const start = NOON + 10_000;
    object.run(start, start + 13 * HOUR_MS);
    object.sleep(start + 13 * HOUR_MS, start + 14 * HOUR_MS);
    expect(object.days()).toEqual({ "2026-06-10": 110_000, "2026-06-11": 40_000 });
  });

  it("is none of a sleep that was meant to be, and wakes in time", () => {
    const object = openObject();
    object.run(NOON, NOON + HOUR_MS);
    object.sleep(NOON + HOUR_MS, NOON + 4 * HOUR_MS);
    object.run(NOON + 4 * HOUR_MS, NOON + 5 * HOUR_MS);
    object.sleep(NOON + 5 * HOUR_MS, NOON + 6 * HOUR_MS);
    expect(object.lost()).toBe(0);
  });

  it("takes no row for idle polls of nine minutes, and six in an hour", () => {
    const object = openObject();
    object.run(NOON, NOON + 9 * MINUTE_MS);
    expect([object.platform.polls.length > 15, object.writes()]).toEqual([true, 0]);
    object.run(NOON + 9 * MINUTE_MS, NOON + HOUR_MS + MINUTE_MS);
    expect(object.writes()).toBe(6);
  });

  it("is written as an outage or a wait begins and as it ends, and meanwhile as an idle object's", () => {
    const minutes = (from: number, to: number) => ({
      from: NOON + from * MINUTE_MS,
      to: NOON + to * MINUTE_MS,
    });
    for (const trouble of [{ down: [minutes(2, 6)] }, { waits: [minutes(2, 6)] }]) {
      const object = openObject(trouble);
      const written = [1, 3, 5, 8].map((minute, index, all) => {
        object.run(NOON + (all[index - 1] ?? 0) * MINUTE_MS, NOON + minute * MINUTE_MS);
        return object.writes();
      });
      expect(written).toEqual([0, 1, 1, 2]);
    }
  });

  it("is never more than what was lost, over many days with outages, waits, crashes and sleeps", () => {
    let seed = 4_711;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
    for (let history = 0; history < countOf({ whole: 12, usual: 4 }); history += 1) {
      const spans = Array.from({ length: 3 }, (_, index): Span => {
        const from = NOON + index * 3 * HOUR_MS + Math.floor(random() * HOUR_MS);
        return { from, to: from + Math.floor(random() * 2 * HOUR_MS) };
      });
      const [first, second, third] = spans as [Span, Span, Span];
      const profile = makeProfile({ mode: "secure", serviceUntil: NOON + 1_000 * HOUR_MS });
      const object = openObject({ down: [first], waits: [second], state: activeState({ profile }) });
      const gone = third;
      object.run(NOON, gone.from);
      if (random() < 0.5) object.sleep(gone.from, gone.from + 3 * MINUTE_MS);
      object.crash();
      object.run(gone.to, NOON + 10 * HOUR_MS);
      object.sleep(NOON + 10 * HOUR_MS, NOON + 11 * HOUR_MS);
      const truth = spans.reduce((sum, { from, to }) => sum + to - from, 0);
      expect({
        history,
        isMore: object.lost() > truth,
        isLess: object.lost() < truth - 30 * MINUTE_MS,
      }).toEqual({
        history,
        isMore: false,
        isLess: false,
      });
    }
  });
});

describe("a day that is over", () => {
  it("is settled once, in the hour after the driver's midnight, again where D1 was down", async () => {
    const down = [{ from: NOON + HOUR_MS, to: NOON + 4 * HOUR_MS }];
    const object = openObject({ down });
    object.run(NOON, NOON + 5 * HOUR_MS);
    object.sleep(NOON + 5 * HOUR_MS, NOON + 12 * HOUR_MS);
    const at = object.keeper.nextAt(owner) ?? 0;
    expect([at >= NOON + 12 * HOUR_MS, at <= NOON + 13.1 * HOUR_MS]).toEqual([true, true]);
    await object.keeper.settle(owner, NOON + 6 * HOUR_MS);
    expect(object.settled).toEqual([]);
    object.broken.isDown = true;
    expect(await object.keeper.settle(owner, at)).toBe(false);
    object.broken.isDown = false;
    object.crash();
    expect(await object.keeper.settle(owner, at)).toBe(true);
    object.crash();
    expect(await object.keeper.settle(owner, at + HOUR_MS)).toBe(false);
    expect(object.settled.map(({ date, lostMs }) => [date, Math.round(lostMs / HOUR_MS)])).toEqual([
      ["2026-06-10", 3],
    ]);
    expect(object.returned).toEqual(["2026-06-10: 3, 2"]);
    expect(object.keeper.nextAt(owner)).toBeNull();
  });

  it("is settled alone: the day that has begun is not over", async () => {
    const down = [
      { from: NOON + HOUR_MS, to: NOON + 4 * HOUR_MS },
      { from: NOON + 12 * HOUR_MS, to: NOON + 15 * HOUR_MS },
    ];
    const object = openObject({ down });
    object.run(NOON, NOON + 16 * HOUR_MS);
    expect(Object.keys(object.days())).toEqual(["2026-06-10", "2026-06-11"]);
    await object.keeper.settle(owner, NOON + 16 * HOUR_MS);
    expect(object.settled.map(({ date }) => date)).toEqual(["2026-06-10"]);
  });
});
