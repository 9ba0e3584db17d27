import { describe, expect, it } from "vitest";
import type { FilterChange } from "../../db/shapes/filter-change.ts";
import type { Filters } from "../../db/shapes/filters.ts";
import type { Offer } from "../../db/shapes/offer.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import type { Reason } from "../../db/shapes/verdict.ts";
import { summarizePassedOver, type WhatIfContext } from "../../durable/engine/what-if.ts";
import {
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  NOON,
  durations,
  week,
} from "./fixtures.ts";

function summarize(
  offers: readonly Offer[],
  { filters, ...change }: { filters: Partial<Filters> } & Partial<WhatIfContext>,
) {
  return summarizePassedOver({
    passedOver: offers.map((offer, index) => ({ at: NOON + index, offer, reasons: [] })),
    busy: [],
    givenBack: [],
    profile: makeProfile({ filters: makeFilters(filters) }),
    warehouses: [makeWarehouse()],
    currency: "USD",
    ...change,
  });
}

/** Offers of three hours, one after the other, for these amounts. */
const inARow = (...pays: number[]) =>
  pays.map((payCents, index) =>
    makeOffer(`o${index}`, { payCents, startsAt: NOON + (3 + 3 * index) * HOUR_MS }),
  );

describe("offers that were passed over", () => {
  it("are grouped by the main reason, with the change that gains the most for the least", () => {
    const groups = summarize(inARow(6_300, 6_000, 5_700, 3_000), { filters: { minHourlyCents: 2_200 } });
    expect(groups).toEqual([
      {
        code: "rate_below_minimum",
        offers: 4,
        payCents: 21_000,
        proposal: {
          change: { kind: "min_hourly", warehouseId: null, cents: 2_000 },
          offers: 2,
          payCents: 12_300,
        },
      },
    ]);
  });

  it("count once where they overlap each other, as the mode selects", () => {
    const [one] = inARow(6_000);
    const other = makeOffer("other", { payCents: 6_200, startsAt: one!.startsAt + HOUR_MS });
    const profile = (mode: "secure" | "masacre") =>
      makeProfile({ mode, filters: makeFilters({ minHourlyCents: 2_200 }) });
    const passedOver = [one!, other].map((offer) => ({ at: NOON, offer, reasons: [] }));
    const gained = (mode: "secure" | "masacre") =>
      summarize([], { filters: {}, passedOver, profile: profile(mode) })[0]?.proposal?.payCents;
    expect([gained("secure"), gained("masacre")]).toEqual([6_000, 6_200]);
  });

  it("count for nothing where the driver held another block, known from the log or from the verdict alone", () => {
    const [first, second, third] = inARow(6_000, 6_000, 6_000);
    const overlap: Reason = { code: "overlaps_block", rule: second!, offer: second! };
    const groups = summarize([], {
      filters: { minHourlyCents: 2_200 },
      passedOver: [
        { at: NOON, offer: first!, reasons: [] },
        { at: NOON, offer: second!, reasons: [overlap] },
        { at: NOON, offer: third!, reasons: [] },
      ],
      busy: [{ ...first!, offerId: null }],
    });
    expect(groups.map(({ proposal }) => proposal)).toEqual([
      { change: { kind: "min_hourly", warehouseId: null, cents: 2_000 }, offers: 1, payCents: 6_000 },
    ]);
  });

  it("are left out where the present filters would take them, and take the room of others", () => {
    const [one] = inARow(6_600);
    const cheaper = makeOffer("cheaper", { payCents: 6_000, startsAt: one!.startsAt });
    expect(summarize([one!, cheaper], { filters: { minHourlyCents: 2_200 } })).toEqual([
      { code: "rate_below_minimum", offers: 1, payCents: 0, proposal: null },
    ]);
  });

  it("get no proposal where a second reason is against them, or nothing can be changed", () => {
    const late = makeOffer("late", { payCents: 100, startsAt: NOON + 40 * MINUTE_MS });
    const filters = {
      warehouses: [makeWarehouseFilter({ bufferMinutes: 45, minPriceCents: 5_000 })],
    };
    expect(summarize([late], { filters })).toEqual([
      { code: "too_soon", offers: 1, payCents: 100, proposal: null },
    ]);
    const foreign = makeOffer("foreign", { currency: "EUR" });
    expect(summarize([foreign], { filters: {} })[0]).toMatchObject({ code: "currency", proposal: null });
  });

  it.each<[string, Partial<Offer>, Partial<Filters>, FilterChange]>([
    [
      "less pay at one warehouse",
      { payCents: 4_200 },
      { warehouses: [makeWarehouseFilter({ minPriceCents: 4_500 })] },
      { kind: "min_price", warehouseId: makeWarehouse().warehouseId, cents: 4_200 },
    ],
    [
      "less notice",
      { startsAt: NOON + 32 * MINUTE_MS },
      { warehouses: [makeWarehouseFilter({ bufferMinutes: 45 })] },
      { kind: "notice", warehouseId: null, minutes: 30 },
    ],
    [
      "another length",
      {},
      { warehouses: [makeWarehouseFilter({ durations: durations(120, 240) })] },
      { kind: "length", warehouseId: null, minutes: 180 },
    ],
    ["another day", {}, { schedule: week(0, 0, [1, 2, 4]) }, { kind: "day_on", day: 3 }],
    [
      "an earlier start",
      {},
      { schedule: week(16 * 60, 22 * 60) },
      { kind: "earlier", day: null, minutes: 60 },
    ],
    ["a later end", {}, { schedule: week(8 * 60, 14 * 60) }, { kind: "later", day: null, minutes: 90 }],
    [
      "another warehouse",
      {},
      { warehouses: [makeWarehouseFilter({ selected: false })] },
      { kind: "select", warehouseId: makeWarehouse().warehouseId },
    ],
  ])("would have matched with %s", (_name, offer, filters, change) => {
    const [group] = summarize([makeOffer("one", offer)], { filters });
    expect(group?.proposal).toEqual({ change, offers: 1, payCents: offer.payCents ?? 9_000 });
  });
});
