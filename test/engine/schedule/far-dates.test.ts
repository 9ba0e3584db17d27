import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { DateException } from "../../../db/shapes/work/filters.ts";
import { dateOfDay } from "../../../db/shapes/work/local-date.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import {
  createCalendar,
  isInSchedule,
  nextAwake,
  windowsAfter,
} from "../../../durable/engine/schedule/schedule.ts";
import { scheduledDays } from "../../../durable/engine/schedule/day-rules.ts";
import { createZone } from "../../../durable/engine/schedule/zone.ts";
import { draws } from "../../support/draws.ts";
import { at, week } from "../fixtures.ts";

const ZONE = createZone("America/Phoenix");
const NOON = at("2026-06-10T12:00:00-07:00");
const TODAY = at("2026-06-10T00:00:00Z") / DAY_MS;
const NO_DAY = week(0, 0, []);

/** A calendar, and the count of days whose hours it reads. */
function watched(dates: readonly DateException[], schedule = NO_DAY) {
  const days = scheduledDays({ schedule, dates: [...dates] });
  const scheduleOf = vi.fn(days.scheduleOf);
  return { calendar: createCalendar(ZONE, { ...days, scheduleOf }), scheduleOf };
}

describe("a date far ahead", () => {
  const far: DateException = { kind: "hours", date: "9999-12-24", start: 600, end: 900 };

  it("is found without a look at each day before it", () => {
    const { calendar, scheduleOf } = watched([far]);
    const opensAt = at("9999-12-24T10:00:00-07:00");
    const question = { now: NOON, bufferMs: 0, horizonMs: 24 * HOUR_MS };
    expect(nextAwake(calendar, question)?.at).toBe(opensAt - 24 * HOUR_MS);
    expect(windowsAfter(calendar, NOON, 16)).toEqual([{ opensAt, closesAt: opensAt + 5 * HOUR_MS }]);
    expect(scheduleOf.mock.calls.length).toBeLessThan(100);
  });

  it("costs no more where there are as many as a driver may have", () => {
    const dates = Array.from({ length: 60 }, (_, index): DateException => {
      return { kind: "week", monday: dateOfDay(TODAY - 2 + 700 * (index + 1)), schedule: NO_DAY };
    });
    const { calendar, scheduleOf } = watched(dates);
    expect(nextAwake(calendar, { now: NOON, bufferMs: 0, horizonMs: HOUR_MS })).toBeNull();
    expect(scheduleOf.mock.calls.length).toBeLessThan(60 * 30);
  });
});

const HALF_HOUR = HOUR_MS / 2;

describe("the first start that can be, with any dates", () => {
  const minute = fc.nat(47).map((halfHours) => halfHours * 30);
  const dates = fc.array(
    fc
      .record({ from: fc.integer({ min: -20, max: 120 }), length: fc.nat(40), start: minute, end: minute })
      .chain(({ from, length, start, end }) =>
        fc.constantFrom<DateException>(
          { kind: "off", from: dateOfDay(TODAY + from), to: dateOfDay(TODAY + from + length) },
          { kind: "hours", date: dateOfDay(TODAY + from), start, end },
          {
            kind: "week",
            monday: dateOfDay(TODAY - 2 + 7 * Math.floor(from / 7)),
            schedule: week(start, end, [2]),
          },
        ),
      ),
    { maxLength: 6 },
  );

  it("is the one that a look at each half hour finds", () => {
    fc.assert(
      fc.property(dates, fc.subarray([1, 3, 6]), minute, minute, (exceptions, active, start, end) => {
        const { calendar } = watched(exceptions, week(start, end, active));
        let first: number | null = null;
        for (let ahead = 0; ahead < 190 * 48 && first === null; ahead += 1) {
          const startsAt = NOON + ahead * HALF_HOUR;
          if (isInSchedule(calendar, startsAt)) first = startsAt;
        }
        const found = nextAwake(calendar, { now: NOON, bufferMs: 0, horizonMs: HOUR_MS })?.at ?? null;
        expect(found).toBe(first === null ? null : Math.max(NOON, first - HOUR_MS));
      }),
      draws({ whole: 5_000, usual: 200 }),
    );
  });
});
