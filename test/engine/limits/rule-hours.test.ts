import { describe, expect, it } from "vitest";
import type { ExtraRule, RuleHours } from "../../../db/shapes/work/filters.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { judgeOffer } from "../../../durable/engine/verdicts/match.ts";
import {
  at,
  durations,
  makeExtraRule,
  makeOffer,
  makeWarehouseFilter,
  matchContext,
  NOON,
} from "../fixtures.ts";
import { compiled, hours, verdictOn, withHours } from "../verdicts/rule-verdicts.ts";

const FIRST = { ruleId: null, name: "", number: 1 };
const SECOND = { ruleId: "k3f9", name: "Sundays", number: 2 };
const THIRD = { ruleId: "m2", name: "", number: 3 };

describe("the nearest rule", () => {
  /** The wishes of the first, second and third rule for an offer of 3 hours for $90, and the verdict. */
  const RULES: [
    name: string,
    first: Partial<ExtraRule>,
    second: Partial<ExtraRule>,
    third: Partial<ExtraRule>,
    codes: string[],
    rule: typeof FIRST | typeof SECOND | typeof THIRD,
  ][] = [
    ["the first that lets the offer through", {}, {}, {}, [], FIRST],
    ["the only one that lets it through", { minPriceCents: 9001 }, { minHourlyCents: 3001 }, {}, [], THIRD],
    [
      "the first of two that let it through",
      { minPriceCents: 9001 },
      { minPriceCents: 9000 },
      { minHourlyCents: 3000 },
      [],
      SECOND,
    ],
    [
      "the one with the fewest reasons",
      { minPriceCents: 9001, minHourlyCents: 3001 },
      { minPriceCents: 9001, minHourlyCents: 3001, bufferMinutes: 181 },
      { durations: durations(120) },
      ["duration_not_preferred"],
      THIRD,
    ],
    [
      "the earlier of two with as many, however little is missing",
      { minPriceCents: 9001, minHourlyCents: 3001 },
      { minPriceCents: 99_900 },
      { minPriceCents: 9001 },
      ["price_below_minimum"],
      SECOND,
    ],
    [
      "the first of all where each has as many",
      { minHourlyCents: 3001 },
      { minPriceCents: 9001 },
      { durations: durations(60) },
      ["rate_below_minimum"],
      FIRST,
    ],
    [
      "one whose hours alone are wrong before one with two reasons",
      { minPriceCents: 9001, minHourlyCents: 3001 },
      { hours: { days: [7], start: 0, end: 0 } },
      { minPriceCents: 9001, minHourlyCents: 3001 },
      ["day_off"],
      SECOND,
    ],
  ];

  it.each(RULES)("is %s", (_name, first, second, third, codes, rule) => {
    const { ruleId: _ruleId, name: _ruleName, hours: _hours, ...wanted } = makeExtraRule(first);
    const extraRules = [makeExtraRule(second), makeExtraRule({ ruleId: "m2", name: "", ...third })];
    const warehouses = [makeWarehouseFilter({ ...wanted, extraRules })];
    expect(verdictOn("2026-06-10T15:00:00-04:00", { warehouses }, NOON)).toEqual({ codes, rule });
  });

  it("has no name where a warehouse has but one", () => {
    const warehouses = [makeWarehouseFilter({ minPriceCents: 9001 })];
    const verdict = verdictOn("2026-06-10T15:00:00-04:00", { warehouses });
    expect(verdict).toEqual({ codes: ["price_below_minimum"], rule: undefined });
  });

  it("adds its reasons between those that every rule has", () => {
    const extraRules = [makeExtraRule({ minPriceCents: 99_900 })];
    const warehouses = [makeWarehouseFilter({ minPriceCents: 9001, minHourlyCents: 3001, extraRules })];
    const context = matchContext(compiled({ warehouses }), NOON);
    const offer = makeOffer("a", { expiresAt: NOON });
    const busy = [{ offerId: null, startsAt: offer.startsAt, endsAt: offer.endsAt }];
    expect(judgeOffer(offer, { ...context, busy }).reasons.map(({ code }) => code)).toEqual([
      "expired",
      "price_below_minimum",
      "overlaps_block",
    ]);
  });
});

describe("a rule's own hours", () => {
  const NIGHTS = hours([1, 7], "22:00", "04:00");
  const OWN: [own: RuleHours, startsAt: string, codes: string[], rule: typeof FIRST | typeof SECOND][] = [
    // In place of the week's schedule, not beside it.
    [hours([3], "18:00", "20:00"), "2026-06-10T18:00:00-04:00", [], SECOND],
    [hours([3], "18:00", "20:00"), "2026-06-10T19:59:59-04:00", [], SECOND],
    [hours([3], "18:00", "20:00"), "2026-06-10T20:00:00-04:00", ["outside_schedule"], FIRST],
    [hours([3], "18:00", "20:00"), "2026-06-10T16:00:00-04:00", [], FIRST],
    // Over midnight they belong to the day on which they open.
    [NIGHTS, "2026-06-08T21:59:59-04:00", ["day_off"], FIRST],
    [NIGHTS, "2026-06-08T22:00:00-04:00", [], SECOND],
    [NIGHTS, "2026-06-09T03:59:59-04:00", [], SECOND],
    [NIGHTS, "2026-06-09T04:00:00-04:00", ["day_off"], FIRST],
    [NIGHTS, "2026-06-08T03:59:59-04:00", [], SECOND],
    [NIGHTS, "2026-06-14T03:00:00-04:00", ["day_off"], FIRST],
    // A whole day from its start.
    [hours([1], "10:00", "10:00"), "2026-06-09T09:59:59-04:00", [], SECOND],
    [hours([1], "10:00", "10:00"), "2026-06-09T10:00:00-04:00", ["day_off"], FIRST],
    // Both nights of a change of the clock.
    [hours([6], "22:00", "02:30"), "2026-03-08T03:00:00-04:00", ["day_off"], FIRST],
    [hours([6], "22:00", "02:30"), "2026-03-08T01:59:59-05:00", [], SECOND],
    [hours([6], "22:00", "01:30"), "2026-11-01T01:29:59-05:00", [], SECOND],
    [hours([6], "22:00", "01:30"), "2026-11-01T01:30:00-05:00", ["day_off"], FIRST],
  ];

  it.each(OWN)("of %j hold for a start at %s", (own, startsAt, codes, rule) => {
    const now = at(startsAt) - HOUR_MS;
    expect(verdictOn(startsAt, withHours(own), now)).toEqual({ codes, rule });
  });

  it("say in a reason which days and hours they are", () => {
    const warehouses = [
      makeWarehouseFilter({
        minPriceCents: 9001,
        minHourlyCents: 3001,
        extraRules: [makeExtraRule({ hours: hours([3, 7], "18:00", "20:00") })],
      }),
    ];
    const context = matchContext(compiled({ warehouses }), NOON);
    expect(judgeOffer(makeOffer("a"), context).reasons).toEqual([
      { code: "outside_schedule", rule: { start: 1080, end: 1200 }, offer: 900 },
    ]);
    const thursday = makeOffer("a", { startsAt: at("2026-06-11T18:00:00-04:00") });
    expect(judgeOffer(thursday, context).reasons).toEqual([{ code: "day_off", rule: [3, 7], offer: 4 }]);
  });
});
