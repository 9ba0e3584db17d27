import { describe, expect, it } from "vitest";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import {
  NO_LIMITS,
  type ExtraRule,
  type Filters,
  type Limits,
  type WarehouseFilter,
} from "../../../db/shapes/work/filters.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { Reason, ReasonCode } from "../../../db/shapes/work/verdict.ts";
import { summarizePassedOver, type WhatIfContext } from "../../../durable/engine/replay/what-if.ts";
import {
  idOf,
  makeBlock,
  makeExtraRule,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  NOON,
  durations,
  week,
  makeReplaySettings,
} from "../fixtures.ts";

const MASPETH = idOf.warehouse("DBK1");

function summarize(
  offers: readonly Offer[],
  { filters, ...change }: { filters: Partial<Filters> } & Partial<WhatIfContext>,
) {
  return summarizePassedOver({
    passedOver: offers.map((offer, index) => ({ at: NOON + index, offer, reasons: [] })),
    busy: [],
    givenBack: [],
    ...makeReplaySettings({ filters: makeFilters(filters) }),
    ...change,
  });
}

/** Offers of three hours, one after the other, for these amounts. */
const inARow = (...pays: number[]) =>
  pays.map((payCents, index) =>
    makeOffer(`o${index}`, { payCents, startsAt: NOON + (3 + 3 * index) * HOUR_MS }),
  );

/** A warehouse whose first rule wants what no offer here pays, with one rule more. */
const withRule = (extra: Partial<ExtraRule>, first: Partial<WarehouseFilter> = {}) =>
  makeWarehouseFilter({
    minPriceCents: 100_000,
    minHourlyCents: 100_000,
    ...first,
    extraRules: [makeExtraRule({ ruleId: "a", ...extra })],
  });
const ofRule = {
  kind: "rule",
  warehouseId: makeWarehouse().warehouseId,
  rule: { ruleId: "a", name: makeExtraRule().name, number: 2 },
} as const;

/** Blocks of three hours at noon and at three, of which the first is held. */
const HELD = makeBlock(makeOffer("held", { startsAt: NOON, endsAt: NOON + 3 * HOUR_MS }));

describe("offers that a limit passed over", () => {
  it.each<[string, Partial<Limits>, Partial<Offer>, FilterChange]>([
    ["more blocks a day", { blocksPerDay: 1 }, {}, { kind: "limit", limit: "blocksPerDay", figure: 2 }],
    ["more hours a day", { minutesPerDay: 300 }, {}, { kind: "limit", limit: "minutesPerDay", figure: 360 }],
    [
      "more hours a week",
      { minutesPerWeek: 330 },
      {},
      { kind: "limit", limit: "minutesPerWeek", figure: 390 },
    ],
    ["a higher goal", { weekGoalCents: 9_000 }, {}, { kind: "limit", limit: "weekGoalCents", figure: 9_300 }],
    [
      "less rest",
      { restMinutes: 60 },
      { startsAt: NOON + 225 * MINUTE_MS, endsAt: NOON + 405 * MINUTE_MS },
      { kind: "limit", limit: "restMinutes", figure: 45 },
    ],
    [
      "less time between warehouses",
      { travelMinutes: 60 },
      {
        warehouseId: MASPETH,
        startsAt: NOON + 225 * MINUTE_MS,
        endsAt: NOON + 405 * MINUTE_MS,
      },
      { kind: "limit", limit: "travelMinutes", figure: 45 },
    ],
  ])("would have matched with %s", (_name, limits, offer, change) => {
    const filters = {
      limits: { ...NO_LIMITS, ...limits },
      warehouses: [makeWarehouseFilter(), makeWarehouseFilter({ warehouseId: MASPETH })],
    };
    const missed = makeOffer("missed", {
      startsAt: NOON + 4 * HOUR_MS,
      endsAt: NOON + 7 * HOUR_MS,
      ...offer,
    });
    const [group] = summarize([missed], {
      filters,
      busy: [{ ...HELD, offerId: null }],
      warehouses: [makeWarehouse(), makeWarehouse({ warehouseId: MASPETH })],
    });
    expect(group?.proposal).toEqual({ change, offers: 1, payCents: 9_000 });
  });
});

describe("offers that were passed over", () => {
  it("are grouped by the main reason, with the change that gains the most for the least", () => {
    const groups = summarize(inARow(6_300, 6_000, 5_700, 3_000), { filters: { minHourlyCents: 2_200 } });
    expect(groups).toEqual([
      {
        code: "rate_below_minimum",
        offers: 4,
        workable: 4,
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

  it("are counted all, and apart from these the ones whose pay is added up", () => {
    const [one, apart] = inARow(6_000, 4_000);
    const overlapping = makeOffer("overlapping", { payCents: 5_000, startsAt: one!.startsAt });
    expect(summarize([one!, apart!, overlapping], { filters: { minHourlyCents: 5_000 } })).toMatchObject([
      { offers: 3, workable: 2, payCents: 10_000 },
    ]);
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
      { code: "rate_below_minimum", offers: 1, workable: 0, payCents: 0, proposal: null },
    ]);
  });

  it("stay refused where the platform gave no more blocks of their week: they take no room, and no change brings them", () => {
    const full: Reason = { code: "weekly_limit", rule: { minutes: 120, until: NOON }, offer: 180 };
    const low = makeOffer("low", { payCents: 6_000 });
    const [first, second] = inARow(9_000, 6_000);
    const seen = (...offers: [Offer, ...Reason[]][]) =>
      summarize([], {
        filters: { warehouses: [makeWarehouseFilter({ minPriceCents: 7_000 })] },
        passedOver: offers.map(([offer, ...reasons], index) => ({ at: NOON + index, offer, reasons })),
      });
    const change = { kind: "min_price", warehouseId: makeWarehouse().warehouseId, cents: 6_000 };
    const ofPrice = { code: "price_below_minimum", offers: 1, workable: 1, payCents: 6_000 };
    expect(seen([first!, full], [low])).toEqual([
      { ...ofPrice, proposal: { change, offers: 1, payCents: 6_000 } },
      { code: "weekly_limit", offers: 1, workable: 1, payCents: 9_000, proposal: null },
    ]);
    expect(seen([second!, full])).toEqual([{ ...ofPrice, proposal: null }]);
  });

  it("are told of alone where their rule only tells, and take no room and no change that comes to no more", () => {
    const tells = makeWarehouseFilter({ action: "tell", minPriceCents: 6_500 });
    const [one, less] = inARow(6_600, 6_400);
    const beside = makeOffer("beside", { warehouseId: MASPETH, payCents: 6_000, startsAt: one!.startsAt });
    const groups = summarize([one!, less!, beside], {
      filters: { warehouses: [tells, makeWarehouseFilter({ warehouseId: MASPETH, minPriceCents: 6_100 })] },
      warehouses: [makeWarehouse(), makeWarehouse({ warehouseId: MASPETH })],
    });
    expect(groups).toEqual([
      {
        code: "price_below_minimum",
        offers: 2,
        workable: 2,
        payCents: 12_400,
        proposal: {
          change: { kind: "min_price", warehouseId: MASPETH, cents: 6_000 },
          offers: 1,
          payCents: 6_000,
        },
      },
      { code: "only_told", offers: 1, workable: 1, payCents: 6_600, proposal: null },
    ]);
  });

  it("get no proposal where a second reason is against them, or nothing can be changed", () => {
    const late = makeOffer("late", { payCents: 100, startsAt: NOON + 40 * MINUTE_MS });
    const filters = {
      warehouses: [makeWarehouseFilter({ bufferMinutes: 45, minPriceCents: 5_000 })],
    };
    expect(summarize([late], { filters })).toEqual([
      { code: "too_soon", offers: 1, workable: 1, payCents: 100, proposal: null },
    ]);
    const foreign = makeOffer("foreign", { currency: "EUR" });
    expect(summarize([foreign], { filters: {} })[0]).toMatchObject({ code: "currency", proposal: null });
  });

  it("are judged within the limits of a day, as those that would be taken are", () => {
    const [first, second, third] = inARow(6_600, 6_600, 6_000);
    const limits = { ...NO_LIMITS, blocksPerDay: 1 };
    const filters = { minHourlyCents: 2_200, limits };
    expect(summarize([first!, second!, third!], { filters })).toEqual([
      { code: "rate_below_minimum", offers: 1, workable: 0, payCents: 0, proposal: null },
    ]);
    const held = [{ ...makeBlock(first!), offerId: null }];
    expect(summarize([second!, third!], { filters, busy: held })).toEqual([
      {
        code: "day_limit",
        offers: 1,
        workable: 1,
        payCents: 6_600,
        proposal: {
          change: { kind: "limit", limit: "blocksPerDay", figure: 2 },
          offers: 1,
          payCents: 6_600,
        },
      },
      { code: "rate_below_minimum", offers: 1, workable: 0, payCents: 0, proposal: null },
    ]);
  });

  it("come with the most to gain first, then with the most pay, then with the most offers", () => {
    const [one, two, three, four] = inARow(6_000, 9_000, 3_000, 3_000);
    const givenBack = [{ ...makeBlock(four!), givenBackAt: NOON, takeAgain: false }];
    const expired = { ...three!, expiresAt: NOON };
    const groups = summarize(
      [four!, expired, { ...expired, offerId: idOf.offer("again") }, one!, { ...two!, currency: "EUR" }],
      { filters: { minHourlyCents: 2_200 }, givenBack },
    );
    expect(groups.map(({ code, offers, payCents }) => [code, offers, payCents])).toEqual([
      ["rate_below_minimum", 1, 6_000],
      ["currency", 1, 9_000],
      ["expired", 2, 3_000],
      ["given_back", 1, 3_000],
    ]);
  });

  it.each<[ReasonCode, Partial<Offer>, Partial<WhatIfContext>]>([
    ["expired", { expiresAt: NOON }, {}],
    ["service_type", {}, { profile: makeProfile({ specialMode: "wf" }) }],
    ["overlaps_block", {}, { busy: [{ ...makeOffer("held"), offerId: null }] }],
    [
      "given_back",
      {},
      { givenBack: [{ ...makeBlock(makeOffer("a")), givenBackAt: NOON, takeAgain: false }] },
    ],
  ])("get no proposal for %s, which is no filter's", (code, change, context) => {
    const [group] = summarize([makeOffer("a", change)], { filters: {}, ...context });
    expect(group).toMatchObject({ code, proposal: null });
  });

  it("count for what a mode takes poll by poll: nothing is given up for what is seen later", () => {
    const [one] = inARow(6_000);
    const other = makeOffer("other", { payCents: 6_200, startsAt: one!.startsAt + HOUR_MS });
    const gained = (offers: readonly Offer[]) =>
      summarize(offers, { filters: { minHourlyCents: 2_200 } })[0]?.proposal?.payCents;
    expect([gained([one!, other]), gained([other, one!])]).toEqual([6_000, 6_200]);
  });

  it("get the least change that gains half of what is to be had, of the kind that gains the most", () => {
    const [one, two] = inARow(6_300, 6_300);
    const longer = { ...two!, endsAt: two!.endsAt + 30 * MINUTE_MS };
    const [half] = summarize([one!, longer], { filters: { minHourlyCents: 2_200 } });
    expect(half?.proposal).toMatchObject({ change: { cents: 2_100 }, payCents: 6_300 });
    const early = makeOffer("early", { payCents: 6_000 });
    const late = makeOffer("late", { startsAt: NOON + 7 * HOUR_MS + 10 * MINUTE_MS });
    const [wider] = summarize([early, late], { filters: { schedule: week(16 * 60, 19 * 60) } });
    expect(wider?.proposal).toMatchObject({ change: { kind: "later", minutes: 30 }, payCents: 9_000 });
  });

  it("get a proposal from the minimums of the warehouses that are selected and known", () => {
    const [other, unknown] = [idOf.warehouse("DNY5"), idOf.warehouse("DNY6")];
    const warehouses = [
      makeWarehouseFilter(),
      makeWarehouseFilter({ warehouseId: other, selected: false, minHourlyCents: 5_000 }),
      makeWarehouseFilter({ warehouseId: unknown, minHourlyCents: 5_000 }),
    ];
    const [group] = summarize(inARow(6_000), {
      filters: { minHourlyCents: 2_200, warehouses },
      warehouses: [makeWarehouse(), makeWarehouse({ warehouseId: other })],
    });
    expect(group?.proposal?.change).toEqual({ kind: "min_hourly", warehouseId: null, cents: 2_000 });
  });

  it.each([
    ["in steps that grow with the minimum", 20_000, 18_000, 17_800],
    ["down to three quarters of it", 400, 300, 300],
  ])("get a lower minimum %s", (_name, minPriceCents, payCents, cents) => {
    const other = idOf.warehouse("DNY5");
    const [group] = summarize(inARow(payCents), {
      filters: {
        warehouses: [
          makeWarehouseFilter({ warehouseId: other, minPriceCents: 500 }),
          makeWarehouseFilter({ minPriceCents }),
        ],
      },
      warehouses: [makeWarehouse(), makeWarehouse({ warehouseId: other })],
    });
    const { warehouseId } = makeWarehouse();
    expect(group?.proposal).toEqual({
      change: { kind: "min_price", warehouseId, cents },
      offers: 1,
      payCents,
    });
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
    ["another day", {}, { schedule: week(0, 0, [1, 2, 4, 5, 6, 7]) }, { kind: "day_on", day: 3 }],
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
    [
      "less pay by a further rule",
      { payCents: 4_200 },
      { warehouses: [withRule({ minPriceCents: 4_500 })] },
      { ...ofRule, part: "min_price", figure: 4_200 },
    ],
    [
      "less pay an hour by a further rule",
      { payCents: 8_100 },
      { warehouses: [withRule({ minHourlyCents: 3_000 })] },
      { ...ofRule, part: "min_hourly", figure: 2_700 },
    ],
    [
      "less notice by a further rule",
      { startsAt: NOON + 32 * MINUTE_MS },
      { warehouses: [withRule({ bufferMinutes: 45 }, { bufferMinutes: 1_440 })] },
      { ...ofRule, part: "notice", figure: 30 },
    ],
    [
      "another length by a further rule",
      {},
      {
        warehouses: [withRule({ durations: durations(120) })],
      },
      { ...ofRule, part: "length", figure: 180 },
    ],
    [
      "another day of a further rule",
      {},
      { schedule: week(0, 0, []), warehouses: [withRule({ hours: { days: [1], start: 0, end: 0 } })] },
      { ...ofRule, part: "day_on", figure: 3 },
    ],
    [
      "an earlier start of a further rule",
      {},
      {
        schedule: week(22 * 60, 23 * 60),
        warehouses: [withRule({ hours: { days: [3], start: 16 * 60, end: 20 * 60 } })],
      },
      { ...ofRule, part: "earlier", figure: 60 },
    ],
  ])("would have matched with %s", (_name, offer, filters, change) => {
    const [group] = summarize([makeOffer("one", offer)], { filters });
    expect(group?.proposal).toEqual({ change, offers: 1, payCents: offer.payCents ?? 9_000 });
  });
});
