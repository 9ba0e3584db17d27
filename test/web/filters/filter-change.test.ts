import { describe, expect, it } from "vitest";
import { applyFilterChange } from "../../../db/shapes/work/apply-filter-change.ts";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import { NO_LIMITS, type ExtraRule, type Filters, type Limit } from "../../../db/shapes/work/filters.ts";
import {
  BETHPAGE,
  durations,
  idOf,
  makeExtraRule,
  makeFilters,
  makeWarehouseFilter,
  week,
} from "../../engine/fixtures.ts";

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

/** The same with limits, and a further rule at each warehouse. */
const ruled: Filters = {
  ...filters,
  limits: { ...NO_LIMITS, minutesPerDay: 480, restMinutes: 45 },
  warehouses: filters.warehouses.map((each, index) => ({
    ...each,
    extraRules: [
      makeExtraRule({
        ruleId: "a",
        minPriceCents: 8_000,
        minHourlyCents: index === 0 ? 2_100 : 0,
        bufferMinutes: 45,
        durations: durations(120),
        hours: { days: [1, 6], start: 1_200, end: 120 },
      }),
    ],
  })),
};

/** Two selected warehouses that have the same filters. */
const alike: Filters = {
  ...ruled,
  warehouses: ruled.warehouses
    .slice(0, 1)
    .map((each) => ({ ...each, durations: durations(180) }))
    .flatMap((each) => [each, { ...each, warehouseId: MASPETH }]),
};

const limitTo = (limit: Limit, figure: number | null) => ({ kind: "limit", limit, figure }) as const;

type RuleChange = Extract<FilterChange, { kind: "rule" }>;

const ofRule = (part: RuleChange["part"], figure: number): RuleChange => ({
  kind: "rule",
  warehouseId: BETHPAGE,
  rule: { ruleId: "a", name: "Sundays", number: 2 },
  part,
  figure,
});

/** A field of the rule that is changed. */
const extra = (field: keyof ExtraRule) => (changed: Filters) => changed.warehouses[0]?.extraRules[0]?.[field];

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

  it.each<[string, FilterChange, (changed: Filters) => unknown, unknown]>([
    ["raises a limit", limitTo("minutesPerDay", 540), ({ limits }) => limits.minutesPerDay, 540],
    ["shortens a rest", limitTo("restMinutes", 20), ({ limits }) => limits.restMinutes, 20],
    [
      "removes a rest that would be none",
      limitTo("restMinutes", 0),
      ({ limits }) => limits.restMinutes,
      null,
    ],
    ["removes a limit", limitTo("minutesPerDay", null), ({ limits }) => limits.minutesPerDay, null],
    [
      "removes a limit beyond the most that it can be",
      limitTo("minutesPerDay", 1_500),
      ({ limits }) => limits.minutesPerDay,
      null,
    ],
    ["lowers the pay of a further rule", ofRule("min_price", 7_000), extra("minPriceCents"), 7_000],
    ["lowers the notice of a further rule", ofRule("notice", 30), extra("bufferMinutes"), 30],
    ["adds a length to a further rule", ofRule("length", 180), extra("durations"), durations(120, 180)],
    [
      "adds a day to a further rule's own",
      ofRule("day_on", 3),
      extra("hours"),
      { days: [1, 3, 6], start: 1_200, end: 120 },
    ],
    [
      "opens a further rule's own hours earlier",
      ofRule("earlier", 60),
      extra("hours"),
      { days: [1, 6], start: 1_140, end: 120 },
    ],
    [
      "closes a further rule's own hours later",
      ofRule("later", 60),
      extra("hours"),
      { days: [1, 6], start: 1_200, end: 180 },
    ],
    [
      "lowers the general minimum for a further rule, and keeps it for all other rules",
      ofRule("min_hourly", 1_900),
      ({ minHourlyCents, warehouses }) => [
        minHourlyCents,
        ...warehouses.flatMap((each) => [
          each.minHourlyCents,
          ...each.extraRules.map((rule) => rule.minHourlyCents),
        ]),
      ],
      [1_900, 2_200, 1_900, 2_000, 2_000],
    ],
    [
      "lowers the general minimum for a first rule, and keeps it for further ones",
      { kind: "min_hourly", warehouseId: BETHPAGE, cents: 1_900 },
      ({ warehouses }) => warehouses.flatMap((each) => each.extraRules.map((rule) => rule.minHourlyCents)),
      [2_100, 2_000],
    ],
  ])("%s", (_name, change, view, expected) => {
    expect(view(applyFilterChange(ruled, change))).toEqual(expected);
  });

  it.each<[string, FilterChange]>([
    ["the minimum pay", { kind: "min_price", warehouseId: BETHPAGE, cents: 4_200 }],
    ["the hourly minimum", { kind: "min_hourly", warehouseId: BETHPAGE, cents: 2_100 }],
    ["the notice", { kind: "notice", warehouseId: BETHPAGE, minutes: 30 }],
    ["a length", { kind: "length", warehouseId: BETHPAGE, minutes: 240 }],
    ["the pay of a further rule", ofRule("min_price", 7_000)],
    ["the hourly minimum of a further rule", ofRule("min_hourly", 2_050)],
    ["the notice of a further rule", ofRule("notice", 30)],
    ["a length of a further rule", ofRule("length", 240)],
    ["a day of a further rule", ofRule("day_on", 3)],
    ["the start of a further rule", ofRule("earlier", 60)],
    ["the end of a further rule", ofRule("later", 60)],
  ])("changes %s at its warehouse alone, though another is selected", (_name, change) => {
    const { warehouses } = applyFilterChange(alike, change);
    expect(warehouses.map((each, index) => each === alike.warehouses[index])).toEqual([false, true]);
  });

  it.each<[string, FilterChange]>([
    ["the hourly minimum", { kind: "min_hourly", warehouseId: null, cents: 1_900 }],
    ["the notice", { kind: "notice", warehouseId: null, minutes: 30 }],
    ["a length", { kind: "length", warehouseId: null, minutes: 240 }],
  ])("changes %s at every selected warehouse, where it is of none in particular", (_name, change) => {
    const { warehouses } = applyFilterChange(alike, change);
    expect(warehouses.map((each, index) => each === alike.warehouses[index])).toEqual([false, false]);
  });

  it("keeps limits and further rules that allow that much already, or are not there", () => {
    const allowed: FilterChange[] = [
      limitTo("minutesPerDay", 480),
      limitTo("restMinutes", 45),
      limitTo("blocksPerDay", 3),
      ofRule("min_price", 8_000),
      ofRule("notice", 60),
      ofRule("length", 120),
      ofRule("day_on", 6),
      ofRule("earlier", 0),
      ofRule("later", 0),
      { ...ofRule("min_price", 1), rule: { ruleId: "gone", name: "", number: 3 } },
      { ...ofRule("min_hourly", 1), rule: { ruleId: "gone", name: "", number: 3 } },
    ];
    expect(allowed.map((change) => applyFilterChange(ruled, change) === ruled)).toEqual(
      allowed.map(() => true),
    );
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
