import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { countLost, type Gap, type LostTime } from "../../../durable/engine/lost-time.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { know, type Known } from "../quota/known-quota.ts";
import { activeState, at, makeFilters, makeProfile, NOON, SETTINGS, week } from "../fixtures.ts";

const NEW_YORK = "America/New_York";
const NONE: LostTime = { days: {}, pending: {}, late: null };
const profile = makeProfile({ serviceUntil: NOON + 10_000 * HOUR_MS });
/** The minute in which it ends is not counted. */
const waitsUntil = (until: EpochMs, change: Partial<DriverState> = {}) =>
  activeState({
    profile,
    throttle: { step: 1, until: until + MINUTE_MS, since: NOON, isNotified: false },
    ...change,
  });
const lostIn = (state: DriverState, gap: Gap, { timeZone = NEW_YORK, lost = NONE } = {}) =>
  countLost(lost, { before: state, after: state, gap, timeZone }, SETTINGS);
/** Of a pause of three hours after which the object woke in time, or two hours and a half late. */
const hoursOf = (state: DriverState, isLate: boolean) => {
  const gap = { from: NOON, to: NOON + 3 * HOUR_MS, dueAt: isLate ? NOON + HOUR_MS / 2 : null };
  return (lostIn(state, gap).days["2026-06-10"] ?? 0) / HOUR_MS;
};

describe("a pause between two steps", () => {
  const END = NOON + 3 * HOUR_MS;
  const mondays = makeFilters({ schedule: week(8 * 60, 9 * 60, [1]) });
  it.each<[string, DriverState, [inTime: number, late: number]]>([
    ["polls", activeState({ profile }), [0, 2.5]],
    ["a wait that the platform asked for", waitsUntil(END), [3, 3]],
    ["a quota of the driver's own", activeState({ profile, quotaWaitUntil: END + MINUTE_MS }), [0, 0]],
    [
      "a wait for a quota that another device used up",
      waitsUntil(END, { quotaWaitUntil: END + MINUTE_MS }),
      [0, 0],
    ],
    ["a wait beyond that quota", waitsUntil(END, { quotaWaitUntil: NOON + HOUR_MS }), [2, 2]],
    ["a link that ended", waitsUntil(END, { link: { status: "signed_out" } }), [0, 0]],
    ["a selfie", waitsUntil(END, { verification: { url: null, since: NOON } }), [0, 0]],
    ["off", waitsUntil(END, { profile: { ...profile, switchedOn: false } }), [0, 0]],
    ["without service", waitsUntil(END, { profile: { ...profile, serviceUntil: NOON } }), [0, 0]],
    [
      "service that ends in it",
      waitsUntil(END, { profile: { ...profile, serviceUntil: NOON + HOUR_MS + 1 } }),
      [1, 1],
    ],
    ["paused", waitsUntil(END, { profile: { ...profile, pausedUntil: END } }), [0, 0]],
    ["outside the driver's hours", waitsUntil(END, { profile: { ...profile, filters: mondays } }), [0, 0]],
  ])("with %s counts what the driver lost by us or the platform alone", (_case, state, expected) => {
    expect([hoursOf(state, false), hoursOf(state, true)]).toEqual(expected);
  });

  // The wait ends a minute after the pause.
  const MINUTES = 10;
  const windowEnds = (fromWaitMs: number, known: Known = {}) => {
    const windowMs = MINUTES * MINUTE_MS;
    const resetAt = END + MINUTE_MS + fromWaitMs;
    const quota = know({ resetAt, longestResetMs: windowMs, ...known });
    return waitsUntil(END, { transient: { ...activeState().transient, quota } });
  };
  it.each<[string, DriverState, hours: number]>([
    ["with a window of its quota", windowEnds(0), 0],
    ["so many windows later", windowEnds(-30 * MINUTES * MINUTE_MS + 2_000), 0],
    ["some windows before", windowEnds(6 * MINUTES * MINUTE_MS - 2_000), 0],
    ["within a window", windowEnds(-3 * MINUTES * MINUTE_MS + 4_000), 3],
    ["with a window of unknown length", windowEnds(0, { isWindowKnown: false }), 0],
    [
      "where one of unknown length may end",
      windowEnds(-3 * MINUTES * MINUTE_MS, { isWindowKnown: false }),
      3,
    ],
    ["at any time, where a quota's window rolls", windowEnds(0, { rolls: true }), 3],
  ])("that a refusal began counts as the driver's own quota if it ends %s", (_when, state, hours) => {
    expect(hoursOf(state, false)).toBe(hours);
  });

  it.each([
    ["New York", NEW_YORK, "2026-03-08", "2026-03-08T05:00:00Z", 23],
    ["New York", NEW_YORK, "2026-11-01", "2026-11-01T04:00:00Z", 25],
    ["Los Angeles", "America/Los_Angeles", "2026-03-08", "2026-03-08T08:00:00Z", 23],
    ["Los Angeles", "America/Los_Angeles", "2026-11-01", "2026-11-01T07:00:00Z", 25],
  ])(
    "in %s (%s) counts each hour of %s once, where the clock changes",
    (_city, timeZone, date, midnight, hours) => {
      const from = at(midnight) - 2 * HOUR_MS;
      const state = waitsUntil(from + 40 * HOUR_MS);
      const { days } = lostIn(state, { from, to: from + 40 * HOUR_MS, dueAt: null }, { timeZone });
      expect(Object.values(days).map((ms) => ms / HOUR_MS)).toEqual([2, hours, 38 - hours]);
      expect((days[date] ?? 0) / HOUR_MS).toBe(hours);
    },
  );
});

describe("a clock that jumps", () => {
  const polling = activeState({ profile });
  const ahead = (ms: number) => lostIn(polling, { from: NOON, to: NOON + ms, dueAt: NOON + 3_000 });
  const back = (lost: LostTime, from: EpochMs, to: EpochMs) =>
    lostIn(polling, { from, to, dueAt: from + 3_000 }, { lost });

  it.each([20, 60, 150])("%s hours ahead and back again counts nothing", (hours) => {
    const jumped = ahead(hours * HOUR_MS);
    expect(Object.keys(jumped.days).length).toBeGreaterThan(0);
    const from = NOON + hours * HOUR_MS + MINUTE_MS;
    expect(back(jumped, from, NOON + 2 * MINUTE_MS)).toEqual(NONE);
  });

  it("keeps what was lost before it", () => {
    const known = lostIn(waitsUntil(NOON), { from: NOON - 2 * HOUR_MS, to: NOON, dueAt: null });
    const jumped = lostIn(
      polling,
      { from: NOON, to: NOON + 9 * HOUR_MS, dueAt: NOON + 3_000 },
      { lost: known },
    );
    expect(back(jumped, NOON + 9 * HOUR_MS, NOON + MINUTE_MS).days).toEqual({ "2026-06-10": 2 * HOUR_MS });
  });

  it("forgets days that are yet to come, and of today more than has passed, where a restart forgot the jump", () => {
    const stored: LostTime = { ...ahead(60 * HOUR_MS), late: null };
    const { days } = back(stored, NOON + 60 * HOUR_MS, at("2026-06-10T05:00:00-04:00"));
    expect(days).toEqual({ "2026-06-10": 5 * HOUR_MS });
  });

  it("by seconds changes nothing, nor by more than a week", () => {
    const late = ahead(2 * HOUR_MS);
    expect(back(late, NOON + 2 * HOUR_MS, NOON + 2 * HOUR_MS - 5_000)).toBe(late);
    expect(ahead(8 * 24 * HOUR_MS)).toBe(NONE);
  });
});
