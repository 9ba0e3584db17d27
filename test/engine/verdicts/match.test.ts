import { expect, it, describe } from "vitest";
import { nearestDuration } from "../../../db/shapes/work/durations.ts";
import type { BusySpan } from "../../../durable/engine/verdicts/match.ts";
import { minimumPay } from "../../../durable/engine/verdicts/rule-checks.ts";
import { compileFilters } from "../../../durable/engine/verdicts/compiled-filters.ts";
import type { GivenBackBlock } from "../../../db/shapes/work/given-back.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import {
  at,
  BETHPAGE,
  clock,
  durations,
  idOf,
  makeBlock,
  makeExtraRule,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouseFilter,
  makeWarehouse,
  NOON,
  week,
  matchContext,
  matchOffer,
} from "../fixtures.ts";

const givenBackBlock = (offer: Offer): GivenBackBlock => {
  const { blockId, offerId, warehouseId, startsAt, endsAt } = makeBlock(offer);
  return { blockId, offerId, warehouseId, startsAt, endsAt, givenBackAt: NOON - HOUR_MS, takeAgain: false };
};

function judge(
  offer: Offer,
  fields: Partial<Profile> = {},
  busy: readonly BusySpan[] = [],
  now = NOON,
): Reason[] {
  return matchOffer(offer, {
    ...matchContext(compileFilters(makeProfile(fields), [makeWarehouse()]), now),
    busy,
  });
}

const withFilter = (fields: Parameters<typeof makeWarehouseFilter>[0]) => ({
  filters: makeFilters({ warehouses: [makeWarehouseFilter(fields)] }),
});

describe("a verdict", () => {
  it("has no reasons if all filters pass", () => {
    expect(judge(makeOffer("a"))).toEqual([]);
  });

  it("lists every reason in a fixed order, each with the required and the actual value", () => {
    const startsAt = NOON - 31 * MINUTE_MS;
    const offer = makeOffer("a", {
      startsAt,
      endsAt: startsAt + 2 * HOUR_MS,
      payCents: 3001,
      expiresAt: NOON,
    });
    const filters = makeFilters({
      minHourlyCents: 2500,
      schedule: week(clock("13:00"), clock("18:00")),
      warehouses: [
        makeWarehouseFilter({
          minPriceCents: 5000,
          bufferMinutes: 30,
          minHourlyCents: 2000,
          durations: durations(180, 240),
        }),
      ],
    });
    const held = makeBlock(makeOffer("b", { startsAt: NOON }));
    expect(judge(offer, { filters, specialMode: "wf" }, [held])).toEqual([
      { code: "expired", rule: NOON, offer: NOON },
      { code: "service_type", rule: "whole_foods", offer: "parcel" },
      { code: "outside_schedule", rule: { start: 780, end: 1080 }, offer: 689 },
      { code: "too_soon", rule: 30, offer: -31 },
      { code: "duration_not_preferred", rule: [180, 240], offer: 120 },
      { code: "price_below_minimum", rule: 5000, offer: 3001 },
      { code: "rate_below_minimum", rule: 2500, offer: 1500 },
      {
        code: "overlaps_block",
        rule: { startsAt: held.startsAt, endsAt: held.endsAt, warehouseId: held.warehouseId },
        offer: { startsAt: offer.startsAt, endsAt: offer.endsAt },
      },
    ]);
  });

  it("names the place of the block that it overlaps, and none where only its span could be read", () => {
    const offer = makeOffer("a");
    const byHand = makeBlock(makeOffer("b", { warehouseId: idOf.warehouse("elsewhere") }));
    const { startsAt, endsAt, warehouseId } = byHand;
    expect(judge(offer, {}, [byHand])).toEqual([
      { code: "overlaps_block", rule: { startsAt, endsAt, warehouseId }, offer: { startsAt, endsAt } },
    ]);
    expect(judge(offer, {}, [{ startsAt, endsAt, offerId: null }])).toEqual([
      { code: "overlaps_block", rule: { startsAt, endsAt }, offer: { startsAt, endsAt } },
    ]);
  });

  it("puts a foreign currency and a block that was given back ahead of all other reasons", () => {
    const offer = makeOffer("a", { currency: "EUR", payCents: 1, expiresAt: NOON });
    const returned = givenBackBlock(makeOffer("b"));
    const filters = compileFilters(makeProfile(withFilter({ minPriceCents: 5000 })), [makeWarehouse()]);
    expect(matchOffer(offer, { ...matchContext(filters, NOON), givenBack: [returned] })).toEqual([
      { code: "currency", rule: "USD", offer: "EUR" },
      {
        code: "given_back",
        rule: NOON - HOUR_MS,
        offer: { blockId: "block-b", startsAt: offer.startsAt, endsAt: offer.endsAt },
      },
      { code: "expired", rule: NOON, offer: NOON },
    ]);
  });

  it("recognizes a block that was given back by its offer, or by its warehouse and times", () => {
    const filters = compileFilters(makeProfile(), [makeWarehouse()]);
    const returned = givenBackBlock(makeOffer("a"));
    const isPassedOver = (offer: Offer, takeAgain = false) =>
      matchOffer(offer, { ...matchContext(filters, NOON), givenBack: [{ ...returned, takeAgain }] }).length >
      0;
    expect(isPassedOver(makeOffer("a", { endsAt: returned.endsAt + HOUR_MS }))).toBe(true);
    expect(isPassedOver(makeOffer("b"))).toBe(true);
    expect(isPassedOver(makeOffer("b", { endsAt: returned.endsAt + 1 }))).toBe(false);
    expect(isPassedOver(makeOffer("b"), true)).toBe(false);
  });

  it("passes over an offer that pays nothing, even where no minimum applies", () => {
    const unpaid = makeOffer("a", { payCents: 0 });
    const nothing = [{ code: "price_below_minimum", rule: 1, offer: 0 }];
    expect(judge(unpaid, withFilter({ onlyHourly: true }))).toEqual(nothing);
    expect(judge(unpaid)).toEqual(nothing);
    expect(judge(unpaid, withFilter({ onlyHourly: true, minHourlyCents: 100 }))).toEqual([
      { code: "rate_below_minimum", rule: 100, offer: 0 },
    ]);
    expect(judge(makeOffer("a", { payCents: 1 }), withFilter({ onlyHourly: true }))).toEqual([]);
  });

  it("names the day that is off and the active days", () => {
    const filters = makeFilters({ schedule: week(0, 0, [1, 2, 5]) });
    expect(judge(makeOffer("a"), { filters })).toEqual([{ code: "day_off", rule: [1, 2, 5], offer: 3 }]);
  });

  it.each([
    ["has no filter", []],
    ["is not selected", [makeWarehouseFilter({ selected: false, minPriceCents: 999_900 })]],
  ])("still runs the general checks if the warehouse %s", (_case, warehouses) => {
    const filters = makeFilters({ warehouses, minHourlyCents: 3100, schedule: week(0, 60) });
    expect(judge(makeOffer("a"), { filters })).toEqual([
      { code: "warehouse_not_selected", rule: [], offer: BETHPAGE },
      { code: "outside_schedule", rule: { start: 0, end: 60 }, offer: 900 },
      { code: "rate_below_minimum", rule: 3100, offer: 3000 },
    ]);
  });

  it("names the selected warehouses to an offer of another one", () => {
    const elsewhere = idOf.warehouse("elsewhere");
    const warehouses = [makeWarehouseFilter(), makeWarehouseFilter({ warehouseId: idOf.warehouse("gone") })];
    const listed = [makeWarehouse(), makeWarehouse({ warehouseId: elsewhere })];
    const filters = compileFilters(makeProfile({ filters: makeFilters({ warehouses }) }), listed);
    const offer = makeOffer("a", { warehouseId: elsewhere });
    expect(matchOffer(offer, matchContext(filters, NOON))).toEqual([
      { code: "warehouse_not_selected", rule: [BETHPAGE], offer: elsewhere },
    ]);
    expect(minimumPay(filters, offer, NOON)).toBeNull();
    expect(minimumPay(filters, makeOffer("b", { warehouseId: idOf.warehouse("gone") }), NOON)).toBeNull();
  });

  it("accepts exactly the minimum of the warehouse, and no length of zero", () => {
    expect(judge(makeOffer("a", { payCents: 12_000 }), withFilter({ minPriceCents: 12_000 }))).toEqual([]);
    const instant = makeOffer("a", { endsAt: makeOffer("a").startsAt });
    expect(judge(instant).map(({ code }) => code)).toContain("duration_not_preferred");
  });

  it("rejects an offer whose warehouse is not listed or has an unknown time zone", () => {
    const offer = makeOffer("a", { warehouseId: idOf.warehouse("elsewhere") });
    expect(judge(offer).map(({ code }) => code)).toEqual(["warehouse_not_selected"]);
    const compiled = compileFilters(makeProfile(), [makeWarehouse({ timeZone: "Mars/Olympus" })]);
    expect(matchOffer(makeOffer("a"), matchContext(compiled, NOON))).toEqual([
      { code: "warehouse_not_selected", rule: [], offer: BETHPAGE },
    ]);
  });

  it("rejects all but Whole Foods offers in Whole Foods mode", () => {
    expect(judge(makeOffer("a", { serviceType: "whole_foods" }), { specialMode: "wf" })).toEqual([]);
    expect(judge(makeOffer("a", { serviceType: "grocery" }), { specialMode: "wf" })).toEqual([
      { code: "service_type", rule: "whole_foods", offer: "grocery" },
    ]);
  });
});

describe("notice", () => {
  it.each([
    { bufferMinutes: 30, leftMs: 30 * MINUTE_MS, isFine: true },
    { bufferMinutes: 30, leftMs: 30 * MINUTE_MS - 1, isFine: false },
    { bufferMinutes: 0, leftMs: 0, isFine: true },
    { bufferMinutes: 0, leftMs: -1, isFine: false },
    { bufferMinutes: 1440, leftMs: 24 * HOUR_MS, isFine: true },
    { bufferMinutes: 1440, leftMs: 23 * HOUR_MS, isFine: false },
    { bufferMinutes: 60, leftMs: -30 * MINUTE_MS, isFine: false },
  ])("of $bufferMinutes min with $leftMs ms left is enough: $isFine", ({ bufferMinutes, leftMs, isFine }) => {
    const startsAt = NOON + leftMs;
    const offer = makeOffer("a", { startsAt, expiresAt: NOON + HOUR_MS });
    expect(judge(offer, withFilter({ bufferMinutes }))).toEqual(
      isFine ? [] : [{ code: "too_soon", rule: bufferMinutes, offer: Math.floor(leftMs / MINUTE_MS) }],
    );
  });
});

describe("a duration", () => {
  it.each([
    [1, 60],
    [74, 60],
    [75, 90],
    [104, 90],
    [105, 120],
    [195, 210],
    [284, 270],
    [285, 300],
    [329, 300],
    [330, 360],
    [900, 360],
  ])("of %i minutes counts as %i, a tie as the longer", (minutes, counted) => {
    const offer = makeOffer("a", { endsAt: NOON + 3 * HOUR_MS + minutes * MINUTE_MS });
    expect(judge(offer, withFilter({ durations: durations(counted) }))).toEqual([]);
    const others = [60, 90, 120, 150, 180, 210, 240, 270, 300, 360].filter((length) => length !== counted);
    expect(judge(offer, withFilter({ durations: durations(...others) }))).toEqual([
      { code: "duration_not_preferred", rule: others, offer: minutes },
    ]);
    expect(nearestDuration(minutes * MINUTE_MS)).toBe(counted);
  });

  it("is the nearest of the ten for every length, to the millisecond", () => {
    const lengths = [60, 90, 120, 150, 180, 210, 240, 270, 300, 360];
    const distance = (length: number, ms: number) => Math.abs(length * MINUTE_MS - ms);
    for (let minutes = 1; minutes <= 480; minutes += 1)
      for (const ms of [minutes * MINUTE_MS - 1, minutes * MINUTE_MS]) {
        const nearest = lengths.reduce((found, length) =>
          distance(length, ms) <= distance(found, ms) ? length : found,
        );
        expect(nearestDuration(ms), `${ms} ms`).toBe(nearest);
      }
  });

  it("is rejected if the offer ends before it starts", () => {
    const offer = makeOffer("a", { endsAt: NOON });
    expect(judge(offer).map(({ code }) => code)).toEqual(["duration_not_preferred"]);
  });
});

describe("pay", () => {
  it("is compared to the cent, without rounding", () => {
    const offer = (payCents: number) =>
      makeOffer("a", { payCents, endsAt: NOON + 3 * HOUR_MS + 70 * MINUTE_MS });
    // 70 minutes at $20 per hour are 2333.33 cents.
    expect(judge(offer(2334), withFilter({ minHourlyCents: 2000 }))).toEqual([]);
    expect(judge(offer(2333), withFilter({ minHourlyCents: 2000 }))).toEqual([
      { code: "rate_below_minimum", rule: 2000, offer: 1999 },
    ]);
  });

  it("must reach the greater of the warehouse's and the general hourly minimum", () => {
    const filter = makeWarehouseFilter({ minHourlyCents: 2900 });
    expect(
      judge(makeOffer("a"), { filters: makeFilters({ minHourlyCents: 3001, warehouses: [filter] }) }),
    ).toEqual([{ code: "rate_below_minimum", rule: 3001, offer: 3000 }]);
    expect(
      judge(makeOffer("a"), { filters: makeFilters({ minHourlyCents: null, warehouses: [filter] }) }),
    ).toEqual([]);
  });

  it("is checked per hour only if the warehouse is set to that", () => {
    const filter = { minPriceCents: 20_000, minHourlyCents: 3000, onlyHourly: true };
    expect(judge(makeOffer("a"), withFilter(filter))).toEqual([]);
    expect(
      judge(makeOffer("a"), withFilter({ ...filter, onlyHourly: false })).map(({ code }) => code),
    ).toEqual(["price_below_minimum"]);
  });

  it("has a least amount for the accept call, rounded up", () => {
    const least = (fields: Parameters<typeof makeWarehouseFilter>[0]) =>
      minimumPay(
        compileFilters(makeProfile(withFilter(fields)), [makeWarehouse()]),
        makeOffer("a", { endsAt: NOON + 3 * HOUR_MS + 70 * MINUTE_MS }),
        NOON,
      );
    expect(least({ minPriceCents: 5000, minHourlyCents: 2000 })).toBe(5000);
    expect(least({ minPriceCents: 2000, minHourlyCents: 2000 })).toBe(2334);
    expect(least({ minPriceCents: 5000, minHourlyCents: 2000, onlyHourly: true })).toBe(2334);
    // A block that pays nothing is never wanted.
    expect(least({ minPriceCents: 5000, onlyHourly: true })).toBe(1);
    expect(least({ selected: false })).toBeNull();
  });

  it("has the least amount of the rules that want its hour and its length, whatever others ask", () => {
    const offer = makeOffer("a", { endsAt: makeOffer("a").startsAt + 3 * HOUR_MS });
    const least = (extra: Parameters<typeof makeExtraRule>[0]) =>
      minimumPay(
        compileFilters(makeProfile(withFilter({ minPriceCents: 9000, extraRules: [makeExtraRule(extra)] })), [
          makeWarehouse(),
        ]),
        offer,
        NOON,
      );
    expect(least({ minPriceCents: 5000 })).toBe(5000);
    expect(least({ minPriceCents: 5000, durations: durations(60) })).toBe(9000);
    expect(least({ minPriceCents: 5000, hours: { days: [], start: 0, end: 0 } })).toBe(9000);
  });
});

describe("overlap", () => {
  it("is half-open: one block may end as the other starts", () => {
    const offer = makeOffer("a");
    const before = makeBlock(makeOffer("b", { startsAt: offer.startsAt - 3 * HOUR_MS }));
    const after = makeBlock(makeOffer("c", { startsAt: offer.endsAt }));
    expect(judge(offer, {}, [before, after])).toEqual([]);
    expect(judge(offer, {}, [makeBlock(makeOffer("d", { startsAt: offer.endsAt - 1 }))])).toHaveLength(1);
  });

  it("ignores the offer's own block", () => {
    expect(judge(makeOffer("a"), {}, [makeBlock(makeOffer("a"))])).toEqual([]);
  });
});

it("uses the weekday of the start in the warehouse's time zone", () => {
  // Friday 23:30 in New York is Saturday in UTC.
  const offer = makeOffer("a", { startsAt: at("2026-06-12T23:30:00-04:00") });
  const filters = makeFilters({ schedule: week(clock("20:00"), clock("23:45"), [5]) });
  expect(judge(offer, { filters })).toEqual([]);
});
