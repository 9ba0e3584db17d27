import { expect, it } from "vitest";
import { findFilterGaps } from "../../../db/shapes/work/filter-completeness.ts";
import type { Filters } from "../../../db/shapes/work/filters.ts";
import { minutesToDurations } from "../../../db/shapes/work/durations.ts";
import { warehouseId } from "../../../db/shapes/units.ts";
import { makeExtraRule, makeFilters, makeWarehouseFilter, week } from "../fixtures.ts";

const NO_LENGTH = minutesToDurations([]);
const ID = { a: warehouseId.parse("w-a"), b: warehouseId.parse("w-b") };
const rule = (id: "a" | "b", change: Partial<Filters["warehouses"][number]> = {}) =>
  makeWarehouseFilter({ warehouseId: ID[id], ...change });
const noDay = week(0, 60, []);

it.each<[string, Partial<Filters>, ReturnType<typeof findFilterGaps>]>([
  ["some offer can fit", { warehouses: [rule("a")] }, {}],
  ["no warehouse has a filter", { warehouses: [] }, { warehouses: "none_selected" }],
  [
    "no warehouse is selected",
    { warehouses: [rule("a", { selected: false })] },
    { warehouses: "none_selected" },
  ],
  ["no day is on", { warehouses: [rule("a")], schedule: noDay }, { schedule: "none_selected" }],
  [
    "no selected warehouse has a length, each is named",
    {
      warehouses: [
        rule("a", { durations: NO_LENGTH }),
        rule("b", { selected: false }),
        rule("b", { durations: NO_LENGTH }),
      ],
    },
    { "warehouses.0.durations": "none_selected", "warehouses.2.durations": "none_selected" },
  ],
  [
    "one of two warehouses has no length, the other lets offers through",
    { warehouses: [rule("a", { durations: NO_LENGTH }), rule("b")] },
    {},
  ],
  [
    "no day is on, but a further rule has hours of its own",
    {
      warehouses: [rule("a", { extraRules: [makeExtraRule({ hours: { days: [7], start: 0, end: 0 } })] })],
      schedule: noDay,
    },
    {},
  ],
  [
    "a further rule has lengths, the first has none",
    { warehouses: [rule("a", { durations: NO_LENGTH, extraRules: [makeExtraRule()] })] },
    {},
  ],
])("says where %s", (_what, change, gaps) => {
  expect(findFilterGaps(makeFilters(change), null)).toEqual(gaps);
});

it("counts a warehouse that the platform doesn't list as none, where its list is known", () => {
  const filters = makeFilters({ warehouses: [rule("a"), rule("b", { durations: NO_LENGTH })] });
  expect(findFilterGaps(filters, new Set([ID.b]))).toEqual({
    "warehouses.0.warehouseId": "invalid",
    "warehouses.1.durations": "none_selected",
  });
  expect(findFilterGaps(filters, new Set([ID.a]))).toEqual({});
  expect(findFilterGaps(filters, null)).toEqual({});
});
