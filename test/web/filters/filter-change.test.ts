import { describe, expect, it } from "vitest";
import { applyFilterChange, type FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { Filters } from "../../../db/shapes/work/filters.ts";
import { BETHPAGE, durations, idOf, makeFilters, makeWarehouseFilter, week } from "../../engine/fixtures.ts";

const MASPETH = idOf.warehouse("DBK1");
const filters: Filters = makeFilters({
  minHourlyCents: 2_000,
  schedule: week(9 * 60, 18 * 60, [1, 2, 3, 4, 5]),
  warehouses: [
    makeWarehouseFilter({ minPriceCents: 5_000, minHourlyCents: 2_200, bufferMinutes: 45 }),
    makeWarehouseFilter({
      warehouseId: MASPETH,
      selected: false,
      minPriceCents: 9_000,
      durations: durations(120),
    }),
  ],
});

describe("a change of the filters", () => {
  it.each<[string, FilterChange, (changed: Filters) => unknown, unknown]>([
    [
      "lowers the minimum pay of one warehouse",
      { kind: "min_price", warehouseId: BETHPAGE, cents: 4_200 },
      ({ warehouses }) => warehouses.map((rule) => rule.minPriceCents),
      [4_200, 9_000],
    ],
    [
      "lowers both hourly minimums",
      { kind: "min_hourly", warehouseId: null, cents: 1_900 },
      ({ minHourlyCents, warehouses }) => [minHourlyCents, ...warehouses.map((rule) => rule.minHourlyCents)],
      [1_900, 1_900, 0],
    ],
    [
      "lowers the general minimum for one warehouse, and keeps it for the others",
      { kind: "min_hourly", warehouseId: BETHPAGE, cents: 1_900 },
      ({ minHourlyCents, warehouses }) => [minHourlyCents, ...warehouses.map((rule) => rule.minHourlyCents)],
      [1_900, 1_900, 2_000],
    ],
    [
      "lowers the general minimum for one warehouse, and keeps it for the others",
      { kind: "min_hourly", warehouseId: BETHPAGE, cents: 1_900 },
      ({ minHourlyCents, warehouses }) => [minHourlyCents, ...warehouses.map((rule) => rule.minHourlyCents)],
      [1_900, 1_900, 2_000],
    ],
    [
      "leaves a general minimum that is lower already",
      { kind: "min_hourly", warehouseId: BETHPAGE, cents: 2_100 },
      ({ minHourlyCents, warehouses }) => [minHourlyCents, warehouses[0]?.minHourlyCents],
      [2_000, 2_100],
    ],
    [
      "selects a warehouse with the filters that it has",
      { kind: "select", warehouseId: MASPETH },
      ({ warehouses }) => warehouses[1],
      { ...filters.warehouses[1], selected: true },
    ],
    [
      "adds a length where it is missing, at selected warehouses only",
      { kind: "length", warehouseId: null, minutes: 240 },
      (changed) => changed,
      filters,
    ],
    [
      "takes a day off no more, with its own hours",
      { kind: "day_on", day: 7 },
      ({ schedule }) => schedule[6],
      { active: true, start: 540, end: 1_080 },
    ],
    [
      "opens active days earlier, at midnight at the earliest",
      { kind: "earlier", day: null, minutes: 600 },
      ({ schedule }) => schedule.map((day) => day.start),
      [0, 0, 0, 0, 0, 540, 540],
    ],
    [
      "closes one day on the next",
      { kind: "later", day: 5, minutes: 480 },
      ({ schedule }) => schedule.map((day) => day.end),
      [1_080, 1_080, 1_080, 1_080, 120, 1_080, 1_080],
    ],
    [
      "makes a window of 24 hours where it would meet itself",
      { kind: "later", day: 1, minutes: 1_000 },
      ({ schedule }) => schedule[0],
      { active: true, start: 540, end: 540 },
    ],
  ])("%s", (_name, change, view, expected) => {
    expect(view(applyFilterChange(filters, change))).toEqual(expected);
  });

  it("is never stricter, and keeps the reference where that much is allowed already", () => {
    const allowed: FilterChange[] = [
      { kind: "min_price", warehouseId: BETHPAGE, cents: 6_000 },
      { kind: "min_hourly", warehouseId: null, cents: 2_200 },
      { kind: "notice", warehouseId: null, minutes: 60 },
      { kind: "length", warehouseId: null, minutes: 180 },
      { kind: "day_on", day: 1 },
      { kind: "select", warehouseId: BETHPAGE },
    ];
    expect(allowed.map((change) => applyFilterChange(filters, change) === filters)).toEqual(
      allowed.map(() => true),
    );
  });
});
