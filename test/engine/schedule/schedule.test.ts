import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import { compileFilters, nextAwakeOf } from "../../../durable/engine/verdicts/compiled-filters.ts";
import { createCalendar, isInSchedule, nextAwake } from "../../../durable/engine/schedule/schedule.ts";
import { scheduledDays } from "../../../durable/engine/schedule/day-rules.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { weekdayOf } from "../../../db/shapes/work/local-date.ts";
import { dayOf, minuteOf, createZone } from "../../../durable/engine/schedule/zone.ts";
import { countOf } from "../../support/draws.ts";
import {
  at,
  clock,
  idOf,
  makeFilters,
  makeProfile,
  makeWarehouseFilter,
  makeWarehouse,
  week,
  ZONES,
} from "../fixtures.ts";

const YEAR_HOURS = 366 * 24;

describe.each([...ZONES, "Pacific/Apia"])("the clock of %s", (timeZone) => {
  it("shows the same weekday and time of day as Temporal throughout a year", () => {
    const zone = createZone(timeZone);
    const from = at("2026-01-01T00:07:00Z");
    const count = countOf({ whole: YEAR_HOURS, usual: YEAR_HOURS, few: YEAR_HOURS / 8 });
    const step = YEAR_HOURS / count;
    for (let index = 0; index < count; index += 1) {
      const hour = index * step + (index % step);
      const instant = from + hour * HOUR_MS + (index % 4) * 15 * MINUTE_MS;
      const wall = zone.wallAt(instant);
      const {
        dayOfWeek,
        hour: hours,
        minute,
      } = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
      if (weekdayOf(dayOf(wall)) !== dayOfWeek || minuteOf(wall) !== hours * 60 + minute) {
        expect.fail(new Date(instant).toISOString());
      }
      if (zone.instantOf(wall, "opening") > instant || zone.instantOf(wall, "closing") < instant) {
        expect.fail(new Date(instant).toISOString());
      }
    }
  });
});

it("rejects a time zone that the runtime doesn't know", () => {
  expect(() => createZone("Mars/Olympus")).toThrow(RangeError);
});

/** A window of start–end on the given days, and whether a block that starts at that instant is inside. */
const STARTS: [zone: string, window: string, days: number[], startsAt: string, isInside: boolean][] = [
  // Start included, end excluded.
  ["America/New_York", "09:30-18:00", [3], "2026-06-10T09:30:00-04:00", true],
  ["America/New_York", "09:30-18:00", [3], "2026-06-10T09:29:59-04:00", false],
  ["America/New_York", "09:30-18:00", [3], "2026-06-10T17:59:59-04:00", true],
  ["America/New_York", "09:30-18:00", [3], "2026-06-10T18:00:00-04:00", false],
  // A window past midnight belongs to the day on which it starts.
  ["America/New_York", "20:00-02:00", [5], "2026-06-12T20:00:00-04:00", true],
  ["America/New_York", "20:00-02:00", [5], "2026-06-13T01:59:00-04:00", true],
  ["America/New_York", "20:00-02:00", [5], "2026-06-13T02:00:00-04:00", false],
  ["America/New_York", "20:00-02:00", [5], "2026-06-12T01:00:00-04:00", false],
  ["America/New_York", "20:00-02:00", [5], "2026-06-13T20:00:00-04:00", false],
  ["America/New_York", "20:00-02:00", [7], "2026-06-15T00:30:00-04:00", true],
  ["America/New_York", "20:00-00:00", [5], "2026-06-12T23:59:00-04:00", true],
  ["America/New_York", "20:00-00:00", [5], "2026-06-13T00:00:00-04:00", false],
  // start = end means 24 hours.
  ["America/New_York", "00:00-00:00", [3], "2026-06-10T00:00:00-04:00", true],
  ["America/New_York", "00:00-00:00", [3], "2026-06-10T23:59:00-04:00", true],
  ["America/New_York", "00:00-00:00", [3], "2026-06-11T00:00:00-04:00", false],
  ["America/New_York", "09:30-09:30", [3], "2026-06-11T09:29:00-04:00", true],
  ["America/New_York", "09:30-09:30", [3], "2026-06-10T09:29:00-04:00", false],
  // Spring in New York, 2026-03-08: 02:00 to 03:00 is skipped; an edge in it moves to 03:00 EDT.
  ["America/New_York", "02:30-05:00", [7], "2026-03-08T03:00:00-04:00", true],
  ["America/New_York", "02:30-05:00", [7], "2026-03-08T01:59:59-05:00", false],
  ["America/New_York", "00:30-02:30", [7], "2026-03-08T01:59:59-05:00", true],
  ["America/New_York", "00:30-02:30", [7], "2026-03-08T03:00:00-04:00", false],
  ["America/New_York", "02:15-02:45", [7], "2026-03-08T03:00:00-04:00", false],
  ["America/New_York", "22:00-02:30", [6], "2026-03-08T01:59:59-05:00", true],
  // Autumn in New York, 2026-11-01: 01:00 to 02:00 occurs twice; windows open at the first and close at the second.
  ["America/New_York", "01:30-05:00", [7], "2026-11-01T01:30:00-04:00", true],
  ["America/New_York", "01:30-05:00", [7], "2026-11-01T01:29:59-04:00", false],
  ["America/New_York", "01:30-05:00", [7], "2026-11-01T01:10:00-05:00", true],
  ["America/New_York", "00:00-01:30", [7], "2026-11-01T01:45:00-04:00", true],
  ["America/New_York", "00:00-01:30", [7], "2026-11-01T01:29:59-05:00", true],
  ["America/New_York", "00:00-01:30", [7], "2026-11-01T01:30:00-05:00", false],
  // Los Angeles changes on the same days at other instants.
  ["America/Los_Angeles", "02:30-05:00", [7], "2026-03-08T03:00:00-07:00", true],
  ["America/Los_Angeles", "00:00-01:30", [7], "2026-11-01T01:29:59-08:00", true],
  ["America/Los_Angeles", "20:00-02:00", [3], "2026-06-11T01:00:00-07:00", true],
  // Phoenix has no clock changes.
  ["America/Phoenix", "02:30-05:00", [7], "2026-03-08T02:30:00-07:00", true],
  ["America/Phoenix", "02:30-05:00", [7], "2026-03-08T02:29:00-07:00", false],
  ["America/Phoenix", "01:30-05:00", [7], "2026-11-01T01:30:00-07:00", true],
  // São Paulo changed at midnight until 2019: 2018-11-04 began at 01:00, and on 2018-02-17 23:00 occurred twice.
  ["America/Sao_Paulo", "00:00-06:00", [7], "2018-11-04T01:00:00-02:00", true],
  ["America/Sao_Paulo", "00:00-06:00", [7], "2018-11-03T23:59:59-03:00", false],
  ["America/Sao_Paulo", "20:00-00:00", [6], "2018-11-03T23:59:59-03:00", true],
  ["America/Sao_Paulo", "20:00-00:00", [6], "2018-11-04T01:00:00-02:00", false],
  ["America/Sao_Paulo", "23:30-02:00", [6], "2018-02-17T23:30:00-02:00", true],
  ["America/Sao_Paulo", "20:00-23:30", [6], "2018-02-17T23:29:59-03:00", true],
  ["America/Sao_Paulo", "09:30-18:00", [3], "2026-06-10T09:30:00-03:00", true],
  // Lord Howe changes by half an hour: 2026-10-04 02:00 → 02:30, 2026-04-05 02:00 → 01:30.
  ["Australia/Lord_Howe", "02:15-05:00", [7], "2026-10-04T02:30:00+11:00", true],
  ["Australia/Lord_Howe", "02:15-05:00", [7], "2026-10-04T01:59:59+10:30", false],
  ["Australia/Lord_Howe", "01:45-05:00", [7], "2026-04-05T01:45:00+11:00", true],
  ["Australia/Lord_Howe", "00:00-01:45", [7], "2026-04-05T01:44:59+10:30", true],
  ["Australia/Lord_Howe", "00:00-01:45", [7], "2026-04-05T01:45:00+10:30", false],
  // Kathmandu's offset is +05:45.
  ["Asia/Kathmandu", "00:00-00:30", [1], "2026-06-14T18:15:00Z", true],
  ["Asia/Kathmandu", "00:00-00:30", [1], "2026-06-14T18:14:59Z", false],
  ["Asia/Kathmandu", "00:00-00:30", [1], "2026-06-14T18:45:00Z", false],
];

it.each(STARTS)("%s %s on %j: a start at %s is inside: %s", (timeZone, window, days, startsAt, isInside) => {
  const [start = "", end = ""] = window.split("-");
  const calendar = createCalendar(
    createZone(timeZone),
    scheduledDays({ schedule: week(clock(start), clock(end), days), dates: [] }),
  );
  expect(isInSchedule(calendar, at(startsAt))).toBe(isInside);
});

describe("sleeping until an offer can match", () => {
  const calendar = createCalendar(
    createZone("America/New_York"),
    scheduledDays({ schedule: week(clock("09:00"), clock("18:00"), [3]), dates: [] }),
  );
  const ask = (now: string, bufferMinutes = 0, horizonHours = 24) =>
    nextAwake(calendar, {
      now: at(now),
      bufferMs: bufferMinutes * MINUTE_MS,
      horizonMs: horizonHours * HOUR_MS,
    })?.at;

  it.each([
    [
      "before the horizon reaches the window: until it does",
      "2026-06-08T12:00:00-04:00",
      0,
      "2026-06-09T09:00:00-04:00",
    ],
    [
      "when the horizon reaches the window: not at all",
      "2026-06-09T09:00:00-04:00",
      0,
      "2026-06-09T09:00:00-04:00",
    ],
    ["inside the window: not at all", "2026-06-10T12:00:00-04:00", 0, "2026-06-10T12:00:00-04:00"],
    ["in its last minute: not at all", "2026-06-10T17:59:00-04:00", 0, "2026-06-10T17:59:00-04:00"],
    [
      "after its end: until the next week's window",
      "2026-06-10T18:00:00-04:00",
      0,
      "2026-06-16T09:00:00-04:00",
    ],
    [
      "too late for the buffer: until the next week's window",
      "2026-06-10T17:30:00-04:00",
      30,
      "2026-06-16T09:00:00-04:00",
    ],
    ["just in time for the buffer: not at all", "2026-06-10T17:29:00-04:00", 30, "2026-06-10T17:29:00-04:00"],
  ])("%s", (_case, now, bufferMinutes, until) => {
    expect(ask(now, bufferMinutes)).toBe(at(until));
  });

  it("never ends if no day is active or the buffer exceeds the horizon", () => {
    const off = createCalendar(
      createZone("America/New_York"),
      scheduledDays({ schedule: week(0, 0, []), dates: [] }),
    );
    expect(nextAwake(off, { now: at("2026-06-10T12:00:00Z"), bufferMs: 0, horizonMs: HOUR_MS })).toBeNull();
    expect(ask("2026-06-10T12:00:00-04:00", 120, 1)).toBeUndefined();
  });

  it("takes a buffer as long as the horizon", () => {
    expect(ask("2026-06-10T12:00:00-04:00", 60, 1)).toBe(at("2026-06-10T12:00:00-04:00"));
  });

  it("skips a week whose window is emptied by a clock change", () => {
    const gap = createCalendar(
      createZone("America/New_York"),
      scheduledDays({ schedule: week(clock("02:15"), clock("02:45"), [7]), dates: [] }),
    );
    expect(nextAwake(gap, { now: at("2026-03-05T00:00:00Z"), bufferMs: 0, horizonMs: HOUR_MS })?.at).toBe(
      at("2026-03-15T01:15:00-04:00"),
    );
  });

  it("ends when the window opens in the earliest time zone of the selected warehouses", () => {
    const [coast, desert, left] = ["coast", "desert", "left"].map(idOf.warehouse);
    const filters = makeFilters({
      schedule: week(clock("09:00"), clock("18:00"), [3]),
      warehouses: [
        makeWarehouseFilter({ warehouseId: coast }),
        makeWarehouseFilter({ warehouseId: desert }),
        makeWarehouseFilter({ warehouseId: left, selected: false }),
      ],
    });
    const compiled = compileFilters(makeProfile({ filters }), [
      makeWarehouse({ warehouseId: coast, timeZone: "America/Los_Angeles" }),
      makeWarehouse({ warehouseId: desert, timeZone: "America/Phoenix" }),
      makeWarehouse({ warehouseId: left, timeZone: "America/New_York" }),
    ]);
    const sleep = (now: string) => nextAwakeOf(compiled, { now: at(now), horizonMs: HOUR_MS })?.at;
    expect(sleep("2026-01-13T12:00:00Z")).toBe(at("2026-01-14T08:00:00-07:00"));
    expect(sleep("2026-06-09T12:00:00Z")).toBe(at("2026-06-10T08:00:00-07:00"));
  });

  it("ends for the warehouse that still accepts a start, whichever is listed first", () => {
    const [patient, hasty] = ["patient", "hasty"].map(idOf.warehouse);
    const filters = makeFilters({
      schedule: week(clock("09:00"), clock("18:00"), [3]),
      warehouses: [
        makeWarehouseFilter({ warehouseId: patient, bufferMinutes: 60 }),
        makeWarehouseFilter({ warehouseId: hasty, bufferMinutes: 15 }),
      ],
    });
    const sleep = (zones: [string, string], now: string) => {
      const [ofPatient, ofHasty] = zones;
      const warehouses = [
        makeWarehouse({ warehouseId: patient, timeZone: ofPatient }),
        makeWarehouse({ warehouseId: hasty, timeZone: ofHasty }),
      ];
      return [warehouses, warehouses.toReversed()].map(
        (listed) =>
          nextAwakeOf(compileFilters(makeProfile({ filters }), listed), {
            now: at(now),
            horizonMs: 2 * HOUR_MS,
          })?.at,
      );
    };
    const east = "America/New_York";
    const evening = "2026-06-10T17:30:00-04:00";
    expect(sleep([east, east], evening)).toEqual([at(evening), at(evening)]);
    const late = "2026-06-10T17:50:00-04:00";
    const nextWeek = at("2026-06-17T07:00:00-04:00");
    expect(sleep([east, east], late)).toEqual([nextWeek, nextWeek]);
    expect(sleep([east, "America/Los_Angeles"], late)).toEqual([at(late), at(late)]);
  });

  it("never ends for a warehouse whose buffer exceeds the horizon, and does for the other", () => {
    const [never, ever] = ["never", "ever"].map(idOf.warehouse);
    const filters = makeFilters({
      warehouses: [
        makeWarehouseFilter({ warehouseId: never, bufferMinutes: 120 }),
        makeWarehouseFilter({ warehouseId: ever, bufferMinutes: 0 }),
      ],
    });
    const warehouses = [
      makeWarehouse({ warehouseId: never, timeZone: "America/New_York" }),
      makeWarehouse({ warehouseId: ever, timeZone: "America/Los_Angeles" }),
    ];
    const now = at("2026-06-10T12:00:00-04:00");
    for (const listed of [warehouses, warehouses.toReversed()]) {
      expect(
        nextAwakeOf(compileFilters(makeProfile({ filters }), listed), { now, horizonMs: HOUR_MS })?.at,
      ).toBe(now);
    }
  });
});
