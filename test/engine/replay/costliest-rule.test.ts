import { describe, expect, it } from "vitest";
import { NO_LIMITS, type ExtraRule, type Filters } from "../../../db/shapes/work/filters.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { compareReplays } from "../../../durable/engine/replay/replay-report.ts";
import {
  BETHPAGE,
  makeExtraRule,
  makeFilters,
  makeOffer,
  makeWarehouseFilter,
  NOON,
  week,
  makeListingChange,
  makeReplaySettings,
} from "../fixtures.ts";

const SUNDAYS = { ruleId: "k3f9", name: "Sundays", number: 2 };
const FIRST = { ruleId: null, name: "", number: 1 };
const NEVER = { minPriceCents: 90_000, minHourlyCents: 90_000 };
const ALWAYS = { minPriceCents: 1, minHourlyCents: 0 };

/** Three hours each, far enough apart to be worked one after the other. */
const OFFERS = [5_000, 6_000, 7_000].map((payCents, index) =>
  makeOffer(`of${index}`, {
    startsAt: NOON + (2 + index * 4) * HOUR_MS,
    endsAt: NOON + (5 + index * 4) * HOUR_MS,
    payCents,
  }),
);

function costliest(filters: Partial<Filters>, offers: readonly Offer[] = OFFERS) {
  const settings = makeReplaySettings({ mode: "masacre", filters: makeFilters(filters) });
  return compareReplays({
    log: {
      changes: [makeListingChange({ seen: offers })],
      heldBefore: [],
      captured: new Set(),
      missed: new Set(),
      refusals: [],
    },
    saved: settings,
    edited: settings,
    odds: [],
  }).costliest;
}

const rules = (
  first: Partial<Parameters<typeof makeWarehouseFilter>[0]>,
  ...extraRules: Partial<ExtraRule>[]
) => ({
  warehouses: [
    makeWarehouseFilter({ ...first, extraRules: extraRules.map((extra) => makeExtraRule(extra)) }),
  ],
});

describe("the rule that costs most", () => {
  it("has no name where its warehouse has one rule alone", () => {
    expect(costliest(rules({ minPriceCents: 6_500, minHourlyCents: 0 }))).toEqual({
      warehouseId: BETHPAGE,
      code: "price_below_minimum",
      offers: 2,
      payCents: 11_000,
    });
  });

  it("is the first or a further one by name, whichever comes nearest to an offer", () => {
    const of = { warehouseId: BETHPAGE, code: "price_below_minimum", offers: 2, payCents: 11_000 };
    const minimum = { minPriceCents: 6_500, minHourlyCents: 0 };
    expect([costliest(rules(NEVER, minimum)), costliest(rules(minimum, NEVER))]).toEqual([
      { ...of, rule: SUNDAYS },
      { ...of, rule: FIRST },
    ]);
  });

  it("counts each of several rules for itself", () => {
    const first = { minPriceCents: 6_500, minHourlyCents: 1_900 };
    const further = { minPriceCents: 5_500, minHourlyCents: 0, hours: { days: [3], start: 840, end: 900 } };
    // Against what starts at two, the first rule has two reasons and the further one has one; against what starts at
    // six, each has one.
    expect(costliest(rules(first, further), OFFERS.slice(0, 2))).toMatchObject({
      rule: FIRST,
      offers: 1,
      payCents: 6_000,
    });
  });

  it("is the schedule for all rules that follow it, and the hours of a rule that has its own", () => {
    const never = { days: [1], start: 0, end: 60 };
    const schedule = week(0, 60, [1]);
    expect([
      costliest({ schedule, ...rules(ALWAYS, ALWAYS) }),
      costliest({ schedule, ...rules(NEVER, { ...ALWAYS, hours: never }) }),
    ]).toEqual([
      { warehouseId: BETHPAGE, code: "day_off", offers: 3, payCents: 18_000 },
      { warehouseId: BETHPAGE, code: "day_off", rule: SUNDAYS, offers: 3, payCents: 18_000 },
    ]);
  });

  it("is a limit whichever rule would have let an offer through", () => {
    const found = costliest({ limits: { ...NO_LIMITS, minutesPerDay: 15 }, ...rules(ALWAYS, ALWAYS) });
    expect(found).toEqual({ warehouseId: BETHPAGE, code: "day_limit", offers: 3, payCents: 18_000 });
  });
});
