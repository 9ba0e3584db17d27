import { describe, expect, it } from "vitest";
import { needsBefore, nextShift, shiftCheckAt, untold } from "../../../durable/engine/checks/before-shift.ts";
import type { Check, ShiftCheck } from "../../../db/shapes/work/checks.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import {
  activeState,
  ALWAYS,
  at,
  clock,
  makeExtraRule,
  makeFilters,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  NOON,
  SETTINGS,
  week,
} from "../fixtures.ts";

/** Daily from 18:00 to 22:00: the next begins six hours after `NOON`. */
const EVENINGS = makeFilters({ schedule: week(clock("18:00"), clock("22:00")) });
const START = at("2026-06-10T18:00:00-04:00");

const driver = (fields: Partial<Profile> = {}) =>
  activeState({ profile: makeProfile({ filters: EVENINGS, ...fields }) });
const startOf = (fields: Partial<Profile>, last: ShiftCheck | null = null, now: EpochMs = NOON) =>
  nextShift(driver(fields), last, now)?.opensAt ?? null;
const checked = (startsAt: EpochMs, ...told: ShiftCheck["told"]): ShiftCheck => ({ startsAt, told });

describe("the next start to check for", () => {
  it("is the driver's next hours, an hour ahead", () => {
    const shift = nextShift(driver(), null, NOON);
    expect(shift).toEqual({ opensAt: START, closesAt: START + 4 * HOUR_MS, timeZone: "America/New_York" });
    expect(shift && shiftCheckAt(shift)).toBe(START - HOUR_MS);
  });

  it.each<[string, Partial<Profile>, ShiftCheck | null, EpochMs, EpochMs | null]>([
    ["of a driver who is off: none", { switchedOn: false }, null, NOON, null],
    ["of one who waits for a spot: none", { waitingForSpot: true }, null, NOON, null],
    ["of one who never had service: none", { serviceUntil: null }, null, NOON, null],
    ["of one who always works: none", { filters: makeFilters({ schedule: ALWAYS }) }, null, NOON, null],
    ["while hours are under way: tomorrow's", {}, null, START, START + DAY_MS],
    ["that was checked: tomorrow's", {}, checked(START), START - MINUTE_MS, START + DAY_MS],
    [
      "that was moved by an hour after its check: tomorrow's",
      {},
      checked(START - HOUR_MS),
      START - 2,
      START + DAY_MS,
    ],
    [
      "that was moved ahead after its check: tomorrow's",
      {},
      checked(START + HOUR_MS),
      START - 2,
      START + DAY_MS,
    ],
    [
      "that was checked before the clock went back: tomorrow's",
      {},
      checked(START),
      NOON - HOUR_MS,
      START + DAY_MS,
    ],
    ["after a clock that was a year ahead: today's", {}, checked(START + 365 * DAY_MS), NOON, START],
    ["after service ended: told of once", { serviceUntil: NOON }, null, NOON, START],
    [
      "after that was told: none",
      { serviceUntil: NOON },
      checked(START - DAY_MS, "service_over"),
      NOON,
      null,
    ],
    ["once there is service again", {}, checked(START - DAY_MS, "service_over"), NOON, START],
  ])("%s", (_case, fields, last, now, expected) => {
    expect(startOf(fields, last, now)).toBe(expected);
  });

  it("is another for the second hours of a day", () => {
    const middays = makeExtraRule({ hours: { days: [3], start: clock("13:00"), end: clock("14:00") } });
    const twice = { ...EVENINGS, warehouses: [makeWarehouseFilter({ extraRules: [middays] })] };
    const first = NOON + HOUR_MS;
    expect(startOf({ filters: twice })).toBe(first);
    expect(startOf({ filters: twice }, checked(first), first)).toBe(START);
  });
});

describe("the needs before a driver's hours", () => {
  const shift = nextShift(driver(), null, NOON) ?? { opensAt: 0, closesAt: 0, timeZone: "" };
  const needs = (checks: readonly Check[], fields: Partial<Profile> = {}) =>
    needsBefore(shift, { state: driver(fields), checks, now: START - HOUR_MS, settings: SETTINGS });

  it.each<[string, Check[], string[]]>([
    ["none, where all is well", [{ code: "link_good" }, { code: "texts_arrive" }], []],
    [
      "those that only they can mend",
      [{ code: "link_ended" }, { code: "push_lost" }],
      ["link_ended", "push_lost"],
    ],
    [
      "not what ends without them",
      [
        { code: "platform_waits", until: START },
        { code: "budget_used_up", until: START },
      ],
      [],
    ],
    [
      "service alone, where there is none",
      [{ code: "link_ended" }, { code: "service_over" }],
      ["service_over"],
    ],
  ])("are %s", (_case, checks, expected) => {
    expect(needs(checks)).toEqual(expected);
  });

  it("are none in a pause of the service, or where no block can be taken then", () => {
    const ended: Check[] = [{ code: "link_ended" }];
    expect(needs(ended, { pausedUntil: START + HOUR_MS })).toEqual([]);
    expect(needs(ended, { filters: makeFilters({ schedule: week(0, 0, []) }) })).toEqual([]);
  });

  it("are told before each shift where they stop every capture, and else once until they are mended", () => {
    expect(untold(["link_ended", "push_lost"], null)).toEqual(["link_ended", "push_lost"]);
    expect(untold(["link_ended", "push_lost"], checked(NOON, "link_ended", "push_lost"))).toEqual([
      "link_ended",
    ]);
    expect(untold(["push_lost"], checked(NOON))).toEqual(["push_lost"]);
  });
});

it("a driver without a known warehouse has no hours", () => {
  expect(nextShift({ ...driver(), warehouses: [] }, null, NOON)).toBeNull();
  expect(
    nextShift({ ...driver(), warehouses: [makeWarehouse({ timeZone: "Mars/Olympus" })] }, null, NOON),
  ).toBeNull();
});
