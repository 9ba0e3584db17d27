import { describe, expect, it } from "vitest";
import type { DateException, Filters } from "../../../db/shapes/work/filters.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { nextAwakeOf } from "../../../durable/engine/verdicts/compiled-filters.ts";
import { judgeOffer } from "../../../durable/engine/verdicts/match.ts";
import { at, clock, makeOffer, matchContext, NOON, week } from "../fixtures.ts";
import { compiled, hours, verdictOn, withHours } from "../verdicts/rule-verdicts.ts";

describe("dates", () => {
  const off = (from: string, to = from): DateException => ({ kind: "off", from, to });
  const onDate = (date: string, start: string, end: string): DateException => ({
    kind: "hours",
    date,
    start: clock(start),
    end: clock(end),
  });
  const inWeek = (monday: string, start: string, end: string, days: number[]): DateException => ({
    kind: "week",
    monday,
    schedule: week(clock(start), clock(end), days),
  });
  const WEEK = inWeek("2026-06-08", "12:00", "14:00", [3, 4]);

  /** Beside a schedule of Wednesdays from 9 to 17. */
  const CASES: [name: string, dates: DateException[], startsAt: string, codes: string[]][] = [
    ["the schedule holds without one", [], "2026-06-10T10:00:00-04:00", []],
    ["a week holds before the schedule", [WEEK], "2026-06-10T10:00:00-04:00", ["outside_schedule"]],
    ["a week adds a day", [WEEK], "2026-06-11T12:00:00-04:00", []],
    ["a week ends with its Sunday", [WEEK], "2026-06-17T10:00:00-04:00", []],
    [
      "a week without days takes all of them",
      [inWeek("2026-06-08", "12:00", "14:00", [])],
      "2026-06-10T12:00:00-04:00",
      ["day_off"],
    ],
    [
      "hours hold before a week",
      [onDate("2026-06-10", "20:00", "21:00"), WEEK],
      "2026-06-10T20:00:00-04:00",
      [],
    ],
    [
      "hours hold in place of a week, not beside it",
      [onDate("2026-06-10", "20:00", "21:00"), WEEK],
      "2026-06-10T12:00:00-04:00",
      ["outside_schedule"],
    ],
    [
      "hours open a day off of the week",
      [onDate("2026-06-12", "20:00", "21:00")],
      "2026-06-12T20:00:00-04:00",
      [],
    ],
    [
      "off holds before hours and week, wherever it stands",
      [off("2026-06-10"), onDate("2026-06-10", "09:00", "17:00"), WEEK],
      "2026-06-10T12:00:00-04:00",
      ["date_off"],
    ],
    [
      "of two hours of one date the last holds",
      [onDate("2026-06-10", "09:00", "10:00"), onDate("2026-06-10", "20:00", "21:00")],
      "2026-06-10T09:00:00-04:00",
      ["outside_schedule"],
    ],
    [
      "of two weeks the last holds",
      [WEEK, inWeek("2026-06-08", "09:00", "10:00", [3])],
      "2026-06-10T12:00:00-04:00",
      ["outside_schedule"],
    ],
    [
      "off includes its first day",
      [off("2026-06-10", "2026-06-17")],
      "2026-06-10T10:00:00-04:00",
      ["date_off"],
    ],
    [
      "off includes its last day",
      [off("2026-06-03", "2026-06-10")],
      "2026-06-10T10:00:00-04:00",
      ["date_off"],
    ],
    ["off ends with its last day", [off("2026-06-03", "2026-06-09")], "2026-06-10T10:00:00-04:00", []],
    [
      "hours over midnight reach into the next date",
      [onDate("2026-06-11", "22:00", "03:00")],
      "2026-06-12T02:59:59-04:00",
      [],
    ],
    [
      "hours over midnight end where the next date is off",
      [onDate("2026-06-11", "22:00", "03:00"), off("2026-06-12")],
      "2026-06-12T00:00:00-04:00",
      ["date_off"],
    ],
    [
      "a night that would begin on a date that is off has no morning",
      [inWeek("2026-06-08", "22:00", "03:00", [4, 5]), off("2026-06-11")],
      "2026-06-12T01:00:00-04:00",
      ["outside_schedule"],
    ],
  ];

  it.each(CASES)("are kept: %s", (_name, dates, startsAt, codes) => {
    const schedule = week(clock("09:00"), clock("17:00"), [3]);
    expect(verdictOn(startsAt, { schedule, dates })).toEqual({ codes, rule: undefined });
  });

  it.each([
    [[onDate("2026-06-10", "06:00", "07:00")], "18:30", []],
    [[WEEK], "18:30", []],
    [[off("2026-06-10")], "18:30", ["date_off"]],
    [[off("2026-06-10"), onDate("2026-06-10", "18:00", "20:00")], "18:30", ["date_off"]],
  ])("leave a rule its own hours, save on a day off (%j)", (dates, time, codes) => {
    const fields = withHours(hours([3], "18:00", "20:00"), dates);
    expect(verdictOn(`2026-06-10T${time}:00-04:00`, fields).codes).toEqual(codes);
  });

  it("name the days off of a reason", () => {
    const context = matchContext(compiled({ dates: [off("2026-06-09", "2026-06-11")] }), NOON);
    expect(judgeOffer(makeOffer("a"), context).reasons).toEqual([
      { code: "date_off", rule: { from: "2026-06-09", to: "2026-06-11" }, offer: "2026-06-10" },
    ]);
  });

  /** From Wednesday noon on, a start at most two hours ahead: when the engine wakes. */
  const AWAKE: [name: string, fields: Partial<Filters>, until: string | null][] = [
    ["in the week's schedule at once", withHours(hours([7], "18:00", "20:00")), "2026-06-10T12:00:00-04:00"],
    [
      "before a rule's own hours",
      { ...withHours(hours([3, 7], "18:00", "20:00")), schedule: week(0, 0, []) },
      "2026-06-10T16:00:00-04:00",
    ],
    [
      "in the second half of a rule's night",
      { ...withHours(hours([2], "22:00", "13:00")), schedule: week(0, 0, []) },
      "2026-06-10T12:00:00-04:00",
    ],
    [
      "before a rule's own hours on a day of other hours",
      withHours(hours([3], "18:00", "20:00"), [onDate("2026-06-10", "06:00", "07:00")]),
      "2026-06-10T16:00:00-04:00",
    ],
    [
      "after days off, a rule's own hours included",
      withHours(hours([4, 6], "18:00", "20:00"), [off("2026-06-10", "2026-06-12")]),
      "2026-06-13T16:00:00-04:00",
    ],
    [
      "before the hours of a date",
      { schedule: week(0, 0, []), dates: [onDate("2026-06-12", "20:00", "21:00")] },
      "2026-06-12T18:00:00-04:00",
    ],
    [
      "before the hours of a date months ahead",
      { schedule: week(0, 0, []), dates: [onDate("2026-11-26", "20:00", "21:00")] },
      "2026-11-26T18:00:00-05:00",
    ],
    [
      "in a week of its own, months ahead",
      { schedule: week(0, 0, []), dates: [inWeek("2026-11-23", "12:00", "14:00", [7])] },
      "2026-11-29T10:00:00-05:00",
    ],
    [
      "after days off that last months",
      { schedule: week(clock("09:00"), clock("17:00"), [3]), dates: [off("2026-06-10", "2026-11-25")] },
      "2026-12-02T07:00:00-05:00",
    ],
    [
      "never where all hours that are left are over",
      { schedule: week(0, 0, []), dates: [onDate("2026-06-10", "06:00", "07:00")] },
      null,
    ],
    [
      "never where the only hours fall on a day off",
      { schedule: week(0, 0, []), dates: [onDate("2026-06-12", "20:00", "21:00"), off("2026-06-12")] },
      null,
    ],
  ];

  it.each(AWAKE)("and rules wake the engine %s", (_name, fields, until) => {
    const awake = nextAwakeOf(compiled(fields), { now: NOON, horizonMs: 2 * HOUR_MS });
    expect(awake?.at ?? null).toBe(until === null ? null : at(until));
  });
});
