import { describe, expect, it } from "vitest";
import { hoursFrom } from "../../../durable/engine/checks/hours.ts";
import type { Filters } from "../../../db/shapes/work/filters.ts";
import {
  ALWAYS,
  at,
  clock,
  idOf,
  makeExtraRule,
  makeFilters,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  NOON,
  week,
} from "../fixtures.ts";

const [NINE, SIX] = [clock("9:30"), clock("18:00")];
const SOUTH = idOf.warehouse("DAZ1");

/** The first hours that are not over, each as it opens and closes on a clock of its zone. */
function read(filters: Partial<Filters>, now = NOON, count = 2): string[] {
  const warehouses = [makeWarehouse(), makeWarehouse({ warehouseId: SOUTH, timeZone: "America/Phoenix" })];
  const profile = makeProfile({ filters: makeFilters(filters) });
  return hoursFrom(profile, warehouses, now)
    .slice(0, count)
    .map(
      ({ opensAt, closesAt, timeZone }) => `${clockOf(opensAt, timeZone)} to ${clockOf(closesAt, timeZone)}`,
    );
}

function clockOf(instant: number, timeZone: string): string {
  const options = {
    weekday: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  } as const;
  const parts = new Intl.DateTimeFormat("en", { ...options, timeZone }).formatToParts(instant);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("weekday")} ${part("day")} ${part("hour")}:${part("minute")}`;
}

describe("a driver's hours", () => {
  it.each<[string, Partial<Filters>, string[]]>([
    [
      "begun today",
      { schedule: week(NINE, SIX) },
      ["Wed 10 09:30 to Wed 10 18:00", "Thu 11 09:30 to Thu 11 18:00"],
    ],
    [
      "over midnight, as one",
      { schedule: week(clock("20:00"), clock("2:00")) },
      ["Wed 10 20:00 to Thu 11 02:00", "Thu 11 20:00 to Fri 12 02:00"],
    ],
    [
      "of weekends that go on through a night, as one",
      { schedule: week(0, 0, [6, 7]) },
      ["Sat 13 00:00 to Mon 15 00:00", "Sat 20 00:00 to Mon 22 00:00"],
    ],
    [
      "after a vacation",
      { schedule: week(NINE, SIX), dates: [{ kind: "off", from: "2026-06-10", to: "2026-07-31" }] },
      ["Sat 1 09:30 to Sat 1 18:00", "Sun 2 09:30 to Sun 2 18:00"],
    ],
    [
      "of a night into a day off, up to midnight",
      {
        schedule: week(clock("20:00"), clock("2:00")),
        dates: [{ kind: "off", from: "2026-06-11", to: "2026-06-11" }],
      },
      ["Wed 10 20:00 to Thu 11 00:00", "Fri 12 20:00 to Sat 13 02:00"],
    ],
    [
      "of one date, in place of its weekday's",
      {
        schedule: week(NINE, SIX, [1]),
        dates: [{ kind: "hours", date: "2026-06-11", start: clock("5:00"), end: clock("7:00") }],
      },
      ["Thu 11 05:00 to Thu 11 07:00", "Mon 15 09:30 to Mon 15 18:00"],
    ],
    [
      "of a rule's own days, beside the week's",
      {
        schedule: week(NINE, SIX, [1]),
        warehouses: [
          makeWarehouseFilter({
            extraRules: [makeExtraRule({ hours: { days: [7], start: clock("14:00"), end: clock("16:00") } })],
          }),
        ],
      },
      ["Sun 14 14:00 to Sun 14 16:00", "Mon 15 09:30 to Mon 15 18:00"],
    ],
    [
      "of two zones, which overlap, as one in the zone that begins",
      {
        schedule: week(NINE, SIX, [4]),
        warehouses: [makeWarehouseFilter(), makeWarehouseFilter({ warehouseId: SOUTH })],
      },
      ["Thu 11 09:30 to Thu 11 21:00", "Thu 18 09:30 to Thu 18 21:00"],
    ],
    [
      "of a warehouse that isn't selected: none",
      { warehouses: [makeWarehouseFilter({ selected: false })] },
      [],
    ],
    ["of a week that is off: none", { schedule: week(NINE, SIX, []) }, []],
  ])("%s", (_case, filters, hours) => {
    expect(read(filters)).toEqual(hours);
  });

  it("that never end have no start ahead", () => {
    const [first] = hoursFrom(
      makeProfile({ filters: makeFilters({ schedule: ALWAYS }) }),
      [makeWarehouse()],
      NOON,
    );
    expect(first && first.opensAt <= NOON && first.closesAt > NOON).toBe(true);
  });

  it.each([
    ["an hour that spring skips", "2026-03-07T20:00:00-05:00", "2:30", "6:00", "2026-03-08T03:00:00-04:00"],
    ["an hour that autumn repeats", "2026-10-31T20:00:00-04:00", "1:30", "6:00", "2026-11-01T01:30:00-04:00"],
    [
      "a day of 23 hours, after it",
      "2026-03-08T01:00:00-05:00",
      "9:00",
      "18:00",
      "2026-03-08T09:00:00-04:00",
    ],
  ])("begin in %s at the first instant that exists", (_case, now, start, end, opens) => {
    const profile = makeProfile({ filters: makeFilters({ schedule: week(clock(start), clock(end)) }) });
    const ahead = hoursFrom(profile, [makeWarehouse()], at(now)).find(({ opensAt }) => opensAt > at(now));
    expect(ahead?.opensAt).toBe(at(opens));
  });
});
