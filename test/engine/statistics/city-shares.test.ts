import { expect, it } from "vitest";
import { cityWeekOf, hourPayOf, medianOf, sumCityWeeks } from "../../../db/shapes/work/city-hours.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { countCityShares } from "../../../durable/engine/statistics/city-shares.ts";
import { at, BETHPAGE, idOf, makeListingChange, makeOffer, makeWarehouse, NOON } from "../fixtures.ts";

/** Three hours each. */
const seen = (name: string, payCents: number) => makeOffer(name, { payCents });

it("counts a span of the log by week, hour and whole units of pay, each offer once", () => {
  const changes = [
    makeListingChange({ at: NOON - DAY_MS, seen: [seen("before", 9_000)] }),
    makeListingChange({ seen: [seen("before", 9_900), seen("a", 7_350), seen("b", 7_400)] }),
    makeListingChange({ at: NOON + HOUR_MS, isAfterPause: true, seen: [seen("listed", 9_000)] }),
    makeListingChange({ at: NOON + HOUR_MS, seen: [seen("a", 9_900), seen("c", 6_000)] }),
    makeListingChange({ at: NOON + 7 * DAY_MS, seen: [seen("next-week", 6_000)] }),
    makeListingChange({ at: NOON + 8 * DAY_MS, seen: [seen("after", 6_000)] }),
  ];
  const context = { changes, from: NOON, warehouses: [makeWarehouse()], currency: "USD" };
  const week = cityWeekOf(NOON);
  expect(countCityShares(context, NOON + 8 * DAY_MS)).toEqual([
    {
      week,
      warehouseId: BETHPAGE,
      offers: 3,
      hours: [
        [60, 2],
        [61, 1],
      ],
      pays: [
        [24, 2],
        [20, 1],
      ],
      // Steps of three: from 24, and from 18.
      hourPays: [
        [6_008, 2],
        [6_106, 1],
      ],
    },
    {
      week: week + 1,
      warehouseId: BETHPAGE,
      offers: 1,
      hours: [[60, 1]],
      pays: [[20, 1]],
      hourPays: [[6_006, 1]],
    },
  ]);
});

it.each([
  ["Sunday's last second", "2026-06-14T23:59:59Z", 0],
  ["Monday's first", "2026-06-15T00:00:00Z", 1],
])("begins weeks on Monday at midnight UTC: %s", (_name, instant, later) => {
  expect(cityWeekOf(at(instant)) - cityWeekOf(at("2026-06-08T00:00:00Z"))).toBe(later);
});

it.each([
  ["of none", [], 0],
  ["of one", [[24, 1]], 2_400],
  [
    "of two, the better",
    [
      [18, 1],
      [24, 1],
    ],
    2_400,
  ],
  [
    "of three",
    [
      [18, 1],
      [24, 1],
      [30, 1],
    ],
    2_400,
  ],
  [
    "of many cheap ones",
    [
      [18, 9],
      [24, 1],
    ],
    1_800,
  ],
] as const)("finds the pay that half have or better: %s", (_name, pays, expected) => {
  expect(medianOf(pays)).toBe(expected);
});

it("sums weeks of a warehouse with the pay of each hour, and leaves out hours that no week has", () => {
  const warehouseId = idOf.warehouse("W");
  const week = {
    warehouseId,
    hours: [
      [3, 1],
      [999, 4],
    ],
    pays: [[20, 1]],
    hourPays: [
      [hourPayOf(3, 20), 1],
      [hourPayOf(4, 400), 1],
    ],
  } as const;
  const of = { warehouseId, medianHourlyCents: 2_000 };
  expect(sumCityWeeks([week, week])).toEqual([
    { ...of, hours: [{ hour: 3, offers: 2, medianHourlyCents: 1_800 }] },
  ]);
  // Of before pay was counted by hour.
  const former = { ...week, hourPays: [] };
  expect(sumCityWeeks([former])).toEqual([{ ...of, hours: [{ hour: 3, offers: 1 }] }]);
});
