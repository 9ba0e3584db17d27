import { describe, expect, it } from "vitest";
import { applyFilterChange } from "../../../db/shapes/work/apply-filter-change.ts";
import {
  NO_LIMITS,
  type DateException,
  type ExtraRule,
  type Limit,
} from "../../../db/shapes/work/filters.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { compileFilters } from "../../../durable/engine/verdicts/compiled-filters.ts";
import { changeLabel } from "../../../web/features/offers/change-labels.ts";
import { reasonChange } from "../../../web/features/offers/reason-messages.ts";
import {
  at,
  BETHPAGE,
  durations,
  idOf,
  makeExtraRule,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  matchContext,
  matchOffer,
  NOON,
  week,
} from "../../engine/fixtures.ts";

/** Noon is on a Wednesday, the offer starts at three. */
const WEDNESDAY = "2026-06-10";
const START = { date: WEDNESDAY, minute: 15 * 60 };
const MASPETH = idOf.warehouse("DBK1");

const reasonsBy = (filters: ReturnType<typeof makeFilters>, offer: ReturnType<typeof makeOffer>) =>
  matchOffer(offer, matchContext(compileFilters(makeProfile({ filters }), [makeWarehouse()]), NOON));

describe("the change that a reason proposes", () => {
  it.each([
    [
      "the block's pay",
      makeFilters({ warehouses: [makeWarehouseFilter({ minPriceCents: 9_500 })] }),
      { kind: "min_price", warehouseId: BETHPAGE, cents: 9_000 },
    ],
    [
      "the general hourly pay",
      makeFilters({ minHourlyCents: 3_150 }),
      { kind: "min_hourly", warehouseId: BETHPAGE, cents: 3_000 },
    ],
    [
      "the notice",
      makeFilters({ warehouses: [makeWarehouseFilter({ bufferMinutes: 240 })] }),
      { kind: "notice", warehouseId: BETHPAGE, minutes: 180 },
    ],
    [
      "the length",
      makeFilters({ warehouses: [makeWarehouseFilter({ durations: durations(120) })] }),
      { kind: "length", warehouseId: BETHPAGE, minutes: 180 },
    ],
    ["a day off", makeFilters({ schedule: week(0, 0, [1]) }), { kind: "day_on", day: 3 }],
    [
      "a window that opens later",
      makeFilters({ schedule: week(15 * 60 + 10, 20 * 60) }),
      { kind: "earlier", day: 3, minutes: 10 },
    ],
    [
      "a window that closes as it starts",
      makeFilters({ schedule: week(9 * 60, 15 * 60) }),
      { kind: "later", day: 3, minutes: 30 },
    ],
    [
      "a warehouse that is not selected",
      makeFilters({ warehouses: [makeWarehouseFilter({ selected: false })] }),
      { kind: "select", warehouseId: BETHPAGE },
    ],
  ])("is enough for the offer: %s", (_name, filters, expected) => {
    const offer = makeOffer("one");
    const [reason, ...others] = reasonsBy(filters, offer);
    if (!reason) throw new Error("the filters allow the offer");
    const change = reasonChange(reason, { filters, warehouseId: BETHPAGE, ...START });
    expect([change, others]).toEqual([expected, []]);
    if (change === null || change === "allowed") throw new Error("there is no change");
    expect(reasonsBy(applyFilterChange(filters, change), offer)).toEqual([]);
  });

  it.each<[string, start: string, schedule: ReturnType<typeof week>, expected: object]>([
    ["a night that ends before it", "02:30", week(20 * 60, 2 * 60), { kind: "later", day: 3, minutes: 60 }],
    [
      "an evening that ends before it",
      "00:15",
      week(14 * 60, 23 * 60 + 30),
      { kind: "later", day: 3, minutes: 60 },
    ],
    ["a night before a day off", "00:30", week(18 * 60, 0, [3]), { kind: "later", day: 3, minutes: 60 }],
    [
      "a day that opens sooner than the night lasts",
      "07:00",
      week(8 * 60, 60),
      { kind: "earlier", day: 4, minutes: 60 },
    ],
    ["a day off whose hours it is in", "10:00", week(9 * 60, 18 * 60, [3]), { kind: "day_on", day: 4 }],
  ])("moves the nearest end of a window to a start: %s", (_name, start, schedule, expected) => {
    const filters = makeFilters({ schedule });
    const startsAt = at(`2026-06-11T${start}:00-04:00`);
    const offer = makeOffer("night", { startsAt });
    const [reason, ...others] = reasonsBy(filters, offer);
    if (!reason) throw new Error("the filters allow the offer");
    const [hours = 0, minutes = 0] = start.split(":").map(Number);
    const given = { warehouseId: BETHPAGE, date: "2026-06-11", minute: hours * 60 + minutes };
    const change = reasonChange(reason, { ...given, filters });
    expect([change, others]).toEqual([expected, []]);
    if (change === null || change === "allowed") throw new Error("there is no change");
    const changed = applyFilterChange(filters, change);
    expect(reasonsBy(changed, offer)).toEqual([]);
    expect(reasonChange(reason, { ...given, filters: changed })).toBe("allowed");
  });

  it("is not done with a day that is worked now, as long as its hours don't hold the start", () => {
    const given = { warehouseId: BETHPAGE, date: "2026-06-11", minute: 5 * 60 };
    const off = makeFilters({ schedule: week(9 * 60, 18 * 60, [3]) });
    const reason: Reason = { code: "day_off", rule: [3], offer: 4 };
    expect(reasonChange(reason, { ...given, filters: off })).toEqual({ kind: "day_on", day: 4 });
    const on = applyFilterChange(off, { kind: "day_on", day: 4 });
    expect(reasonChange(reason, { ...given, filters: on })).toEqual({
      kind: "earlier",
      day: 4,
      minutes: 240,
    });
  });

  it("lets nothing more through elsewhere where it is the general hourly pay that holds", () => {
    const elsewhere = { ...makeWarehouse(), warehouseId: MASPETH };
    const filters = makeFilters({
      minHourlyCents: 3_150,
      warehouses: [
        makeWarehouseFilter({ minHourlyCents: 3_100 }),
        makeWarehouseFilter({ warehouseId: MASPETH, minHourlyCents: 2_000 }),
        makeWarehouseFilter({ warehouseId: idOf.warehouse("DNJ9"), minHourlyCents: 4_000, selected: false }),
      ],
    });
    const offer = makeOffer("one");
    const [reason] = reasonsBy(filters, offer);
    if (!reason) throw new Error("the filters allow the offer");
    const change = reasonChange(reason, { filters, warehouseId: BETHPAGE, ...START });
    if (change === null || change === "allowed") throw new Error("there is no change");
    const changed = applyFilterChange(filters, change);
    const ofElsewhere = (given: typeof filters) =>
      matchOffer(
        makeOffer("other", { warehouseId: MASPETH }),
        matchContext(compileFilters(makeProfile({ filters: given }), [elsewhere]), NOON),
      );
    expect([reasonsBy(changed, offer), ofElsewhere(changed)]).toEqual([[], ofElsewhere(filters)]);
    expect([changed.minHourlyCents, changed.warehouses.map((rule) => rule.minHourlyCents)]).toEqual([
      3_000,
      [3_000, 3_150, 4_000],
    ]);
  });

  it.each<[name: string, extra: Partial<ExtraRule>, part: string, figure: number]>([
    ["pay", { minPriceCents: 9_500 }, "min_price", 9_000],
    ["hourly pay", { minHourlyCents: 3_150 }, "min_hourly", 3_000],
    ["notice", { bufferMinutes: 240 }, "notice", 180],
    ["lengths", { durations: durations(120) }, "length", 180],
    ["days", { hours: { days: [1], start: 0, end: 0 } }, "day_on", 3],
    ["opening", { hours: { days: [3], start: 910, end: 1_200 } }, "earlier", 10],
    ["closing", { hours: { days: [3], start: 540, end: 900 } }, "later", 30],
  ])("is one of the further rule that comes nearest: its %s", (_name, fields, part, figure) => {
    const further = makeExtraRule({ ruleId: "a", ...fields });
    const filters = makeFilters({
      warehouses: [
        makeWarehouseFilter({ minPriceCents: 90_000, minHourlyCents: 90_000, extraRules: [further] }),
      ],
    });
    const judgedBy = { ruleId: "a", name: further.name, number: 2 };
    const offer = makeOffer("one");
    const [reason] = reasonsBy(filters, offer);
    if (!reason) throw new Error("the filters allow the offer");
    const given = { warehouseId: BETHPAGE, ...START, judgedBy };
    const change = reasonChange(reason, { filters, ...given });
    expect(change).toEqual({ kind: "rule", warehouseId: BETHPAGE, rule: judgedBy, part, figure });
    if (change === null || change === "allowed") throw new Error("there is no change");
    expect(reasonsBy(applyFilterChange(filters, change), offer)).toEqual([]);
    expect(reasonChange(reason, { filters: makeFilters(), ...given })).toBe(null);
  });

  it("names the first rule where its warehouse has more than one", () => {
    const filters = makeFilters({
      warehouses: [
        makeWarehouseFilter({ minPriceCents: 9_500, extraRules: [makeExtraRule({ ruleId: "a" })] }),
      ],
    });
    const judgedBy = { ruleId: null, name: "", number: 1 };
    const reason: Reason = { code: "price_below_minimum", rule: 9_500, offer: 9_000 };
    const given = { filters, warehouseId: BETHPAGE, ...START, judgedBy };
    const change = reasonChange(reason, given);
    expect(change).toEqual({ kind: "min_price", warehouseId: BETHPAGE, cents: 9_000, rule: judgedBy });
    if (change === null || change === "allowed") throw new Error("there is no change");
    expect(applyFilterChange(filters, change).warehouses).toEqual([
      { ...filters.warehouses[0], minPriceCents: 9_000 },
    ]);
    expect(changeLabel(change, { warehouses: [makeWarehouse({ name: "Bethpage" })], currency: "USD" })).toBe(
      "First rule at Bethpage: lower the minimum to $90",
    );
  });

  it.each<[reason: Reason, limit: Limit, present: number, figure: number | null]>([
    [{ code: "day_limit", unit: "blocks", rule: 2, offer: 3 }, "blocksPerDay", 2, 3],
    [{ code: "day_limit", unit: "minutes", rule: 480, offer: 500 }, "minutesPerDay", 480, 510],
    [{ code: "week_limit", rule: 2_400, offer: 2_520 }, "minutesPerWeek", 2_400, 2_520],
    [{ code: "goal_reached", rule: 60_000, offer: 60_000 }, "weekGoalCents", 60_000, 60_100],
    [{ code: "rest", rule: 60, offer: 22 }, "restMinutes", 60, 20],
    [{ code: "travel", rule: 60, offer: 4 }, "travelMinutes", 60, null],
  ])("makes the room that the offer needed: %o", (reason, limit, present, figure) => {
    const given = { warehouseId: BETHPAGE, ...START };
    const limits = { ...NO_LIMITS, [limit]: present };
    expect([
      reasonChange(reason, { filters: makeFilters({ limits }), ...given }),
      reasonChange(reason, { filters: makeFilters(), ...given }),
    ]).toEqual([{ kind: "limit", limit, figure }, "allowed"]);
  });

  it.each<[string, DateException]>([
    ["hours of its own", { kind: "hours", date: WEDNESDAY, start: 16 * 60, end: 18 * 60 }],
    ["a week with other hours", { kind: "week", monday: "2026-06-08", schedule: week(16 * 60, 18 * 60) }],
    ["a week in which its day is off", { kind: "week", monday: "2026-06-08", schedule: week(0, 0, [1]) }],
  ])(
    "is none of the week's schedule for a date that has %s, which hold whatever that says",
    (_name, other) => {
      const offer = makeOffer("one");
      for (const schedule of [week(0, 0), week(16 * 60, 18 * 60), week(0, 0, [1])]) {
        const filters = makeFilters({ schedule, dates: [other] });
        const [reason] = reasonsBy(filters, offer);
        if (!reason) throw new Error("the filters allow the offer");
        expect(reasonChange(reason, { filters, warehouseId: BETHPAGE, ...START })).toBeNull();
      }
      const usual = makeFilters({ schedule: week(16 * 60, 18 * 60), dates: [other] });
      const [reason] = reasonsBy({ ...usual, dates: [] }, offer);
      if (!reason) throw new Error("the filters allow the offer");
      const weekLater = "2026-06-17";
      expect(
        reasonChange(reason, { filters: usual, warehouseId: BETHPAGE, ...START, date: weekLater }),
      ).toEqual({
        kind: "earlier",
        day: 3,
        minutes: 60,
      });
    },
  );

  it("is none where the present filters allow the offer, or no filter is the reason", () => {
    const filters = makeFilters();
    const given = { filters, warehouseId: BETHPAGE, ...START };
    expect([
      reasonChange({ code: "price_below_minimum", rule: 9_500, offer: 9_000 }, given),
      reasonChange({ code: "outside_schedule", rule: { start: 0, end: 60 }, offer: 900 }, given),
      reasonChange({ code: "expired", rule: NOON, offer: NOON - MINUTE_MS }, given),
      reasonChange({ code: "too_soon", rule: 0, offer: -5 }, given),
    ]).toEqual(["allowed", "allowed", null, null]);
  });
});
