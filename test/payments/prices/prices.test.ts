import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serviceUntilOf } from "../../../db/queries/payments/service-time.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { PLAN_DAYS, PLANS_FOR_SALE, SEED_PRICES, type PlanForSale } from "../../../db/shapes/money/plans.ts";
import { pricesAt, quotedPrice, toPlanPrices } from "../../../worker/payments/prices/list-prices.ts";
import {
  pointsEarned,
  priceOrder,
  pricePlans,
  serviceTimeOf,
  serviceUntilWith,
  type PlanDiscount,
} from "../../../worker/payments/prices/prices.ts";
import { draws } from "../../support/draws.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const HOUR_MS = 3_600_000;
const MIN_CHARGE_CENTS = 50;
/** A deployment whose prices were never changed. */
const PRICES = pricesAt([], NOW);
const listPrice = (plan: PlanForSale) => ({ id: `${plan}-1`, priceCents: SEED_PRICES[plan] });

const makeDiscount = (change: Partial<PlanDiscount> = {}): PlanDiscount => ({
  id: "discount",
  kind: "flash_sale",
  plan: "14days",
  priceCents: 6999,
  startsAt: NOW - HOUR_MS,
  endsAt: NOW + HOUR_MS,
  ...change,
});

const price = ({ plan = "14days", ...change }: Partial<Parameters<typeof priceOrder>[0]> = {}) =>
  priceOrder(
    {
      plan,
      price: listPrice(plan),
      currency: "USD",
      minChargeCents: MIN_CHARGE_CENTS,
      points: 0,
      balance: 0,
      discounts: [],
      feeMillionths: 7000,
      ...change,
    },
    NOW,
  );

const plan = fc.constantFrom(...PLANS_FOR_SALE);
const aroundNow = fc.integer({ min: -3, max: 3 }).map((hours) => NOW + hours * HOUR_MS);
const anyDiscount: fc.Arbitrary<PlanDiscount> = fc.record({
  id: fc.uuid(),
  kind: fc.constantFrom("flash_sale", "special_price"),
  plan,
  priceCents: fc.integer({ min: 0, max: 20_000 }),
  startsAt: aroundNow,
  endsAt: aroundNow,
});
const order = fc
  .record({
    plan,
    currency: fc.constant("USD"),
    points: fc.nat(4000),
    balance: fc.nat(4000),
    discounts: fc.array(anyDiscount, { maxLength: 5 }),
    feeMillionths: fc.constantFrom(0, 7000, 29_000),
  })
  .map((given) => ({ ...given, price: listPrice(given.plan), minChargeCents: MIN_CHARGE_CENTS }));

describe("the price of a plan", () => {
  it.each([
    ["3days", 3499, 24, 3523, 1166],
    ["7days", 4987, 35, 5022, 712],
    ["14days", 8999, 63, 9062, 643],
    ["30days", 16_999, 119, 17_118, 567],
  ] as const)(
    "of %s is %i cents, with a fee of %i: %i in all, %i a day",
    (name, cents, fee, total, perDay) => {
      const { priceCents, feeCents, totalCents } = price({ plan: name });
      expect({ priceCents, feeCents, totalCents }).toEqual({
        priceCents: cents,
        feeCents: fee,
        totalCents: total,
      });
      expect(
        pricePlans({ prices: PRICES, discounts: [], minChargeCents: MIN_CHARGE_CENTS }, NOW).find(
          (each) => each.plan === name,
        ),
      ).toEqual({
        plan: name,
        days: PLAN_DAYS[name],
        priceCents: cents,
        discount: null,
        payCents: cents,
        perDayCents: perDay,
        pointsCost: PLAN_DAYS[name] * 100,
      });
    },
  );

  it("is price minus discount minus points plus the fee on the rest, and never negative", () => {
    fc.assert(
      fc.property(order, (given) => {
        const found = priceOrder(given, NOW);
        const charged = found.priceCents - found.discountCents - found.pointsCents;
        expect(charged).toBeGreaterThanOrEqual(0);
        expect(found.totalCents).toBe(charged + found.feeCents);
        // Rounded half up: within half a cent of the exact fee, and an exact half rounds up.
        const roundingError = found.feeCents * 1_000_000 - charged * given.feeMillionths;
        expect(roundingError).toBeGreaterThan(-500_000);
        expect(roundingError).toBeLessThanOrEqual(500_000);
        if (charged === 0) expect([found.feeCents, found.totalCents]).toEqual([0, 0]);
        else expect(charged).toBeGreaterThanOrEqual(MIN_CHARGE_CENTS);
      }),
      draws({ whole: 2_000, usual: 500 }),
    );
  });

  it("is reduced by the best discount that applies now, and by none that is not lower", () => {
    fc.assert(
      fc.property(order, (given) => {
        const full = price({ plan: given.plan }).priceCents;
        const applicable = given.discounts
          .filter(
            ({ plan: discounted, startsAt, endsAt }) =>
              discounted === given.plan && startsAt <= NOW && NOW < endsAt,
          )
          .map(({ priceCents }) => priceCents)
          .filter((cents) => cents < full && cents >= MIN_CHARGE_CENTS);
        const found = priceOrder(given, NOW);
        expect(found.priceCents - found.discountCents).toBe(Math.min(full, ...applicable));
        const { discountId, discountKind, discountEndsAt } = found;
        for (const part of [discountId, discountKind, discountEndsAt]) {
          expect(part === null).toBe(applicable.length === 0);
        }
      }),
      draws({ whole: 2_000, usual: 500 }),
    );
  });

  it.each([
    ["starts now", { startsAt: NOW }, 6999],
    ["ends now", { endsAt: NOW }, 8999],
    ["starts in a millisecond", { startsAt: NOW + 1 }, 8999],
    ["equals the price", { priceCents: 8999 }, 8999],
    ["is above the price", { priceCents: 12_000 }, 8999],
    ["is for another plan", { plan: "7days" }, 8999],
    ["is below the minimum charge", { priceCents: 49 }, 8999],
    ["is zero", { priceCents: 0 }, 8999],
    ["is the minimum charge", { priceCents: MIN_CHARGE_CENTS }, MIN_CHARGE_CENTS],
  ] as const)("with a discount that %s", (_name, change, cents) => {
    const found = price({ discounts: [makeDiscount(change)] });
    expect(found.priceCents - found.discountCents).toBe(cents);
    expect(found.discountId).toBe(cents === 8999 ? null : "discount");
  });

  it("is shown on its plan in the selector, with its kind and end", () => {
    const given = { prices: PRICES, discounts: [makeDiscount()], minChargeCents: MIN_CHARGE_CENTS };
    const shown = pricePlans(given, NOW).map(({ plan: name, discount, payCents }) => [
      name,
      discount,
      payCents,
    ]);
    expect(shown).toEqual([
      ["3days", null, 3499],
      ["7days", null, 4987],
      ["14days", { kind: "flash_sale", priceCents: 6999, endsAt: NOW + HOUR_MS }, 6999],
      ["30days", null, 16_999],
    ]);
  });
});

describe("of two equally low discounts", () => {
  const pick = (one: PlanDiscount, other: PlanDiscount) =>
    [
      [one, other],
      [other, one],
    ].map((discounts) => price({ discounts }).discountId);

  it("the one that holds longer applies", () => {
    const longer = makeDiscount({ id: "b", endsAt: NOW + 2 * HOUR_MS });
    expect(pick(makeDiscount({ id: "a" }), longer)).toEqual(["b", "b"]);
  });

  it("the first by id applies, if they end together", () => {
    expect(pick(makeDiscount({ id: "a" }), makeDiscount({ id: "b" }))).toEqual(["a", "a"]);
  });
});

describe("points", () => {
  it("can pay for a whole plan, with or without a discount, and leave nothing to charge", () => {
    expect(price({ points: 1400, balance: 1400 })).toMatchObject({
      points: 1400,
      pointsCents: 8999,
      feeCents: 0,
      totalCents: 0,
    });
    expect(price({ points: 5000, balance: 5000, discounts: [makeDiscount()] })).toMatchObject({
      points: 1400,
      pointsCents: 6999,
      totalCents: 0,
    });
  });

  it("pay a proportional share of the price if there are fewer, and the fee is on the rest", () => {
    expect(price({ points: 700, balance: 700 })).toMatchObject({
      points: 700,
      pointsCents: 4499,
      feeCents: 32,
      totalCents: 4532,
    });
  });

  it("leave at least the minimum charge", () => {
    const { pointsCents, points, totalCents } = price({ points: 1399, balance: 1399 });
    expect([pointsCents, totalCents]).toEqual([8949, 50]);
    expect(points).toBeLessThan(1399);
  });

  it("never exceed the request, the balance, the plan's cost or what changes the price by a cent", () => {
    fc.assert(
      fc.property(order, (given) => {
        const found = priceOrder(given, NOW);
        const cost = PLAN_DAYS[given.plan] * 100;
        expect(found.points).toBeLessThanOrEqual(Math.min(given.points, given.balance, cost));
        if (found.points === 0) return;
        const oneLess = priceOrder({ ...given, points: found.points - 1 }, NOW);
        expect(oneLess.pointsCents).toBeLessThan(found.pointsCents);
        expect(priceOrder({ ...given, points: found.points }, NOW)).toEqual(found);
      }),
      draws({ whole: 2_000, usual: 500 }),
    );
  });

  it("never buy less if there are more of them", () => {
    fc.assert(
      fc.property(order, (given) => {
        const found = priceOrder(given, NOW);
        const more = priceOrder({ ...given, points: given.points + 1 }, NOW);
        expect(more.totalCents).toBeLessThanOrEqual(found.totalCents);
      }),
      draws({ whole: 2_000, usual: 500 }),
    );
  });

  it.each([
    ["all by card", {}, 140],
    ["all by card at a lower price", { discountCents: 2000 }, 140],
    ["half by points", { pointsCents: 4500 }, 69],
    ["all by points", { pointsCents: 8999 }, 0],
    ["half of a lower price by points", { discountCents: 2000, pointsCents: 3500 }, 69],
  ])("are earned for days paid by card: %s", (_name, change, points) => {
    expect(
      pointsEarned({ plan: "14days", priceCents: 8999, discountCents: 0, pointsCents: 0, ...change }),
    ).toBe(points);
  });
});

describe("the end of service in a quote", () => {
  it("is as many days later as the plan has", () => {
    expect(serviceUntilWith("14days", { until: null, now: NOW })).toBe(NOW + 14 * DAY_MS);
  });

  it("equals the ledger's end after the purchase", () => {
    const credit = fc.record({
      durationMs: fc.integer({ min: -30, max: 30 }).map((days) => days * DAY_MS),
      at: fc.integer({ min: -60, max: 0 }).map((days) => NOW + days * DAY_MS),
    });
    fc.assert(
      fc.property(fc.array(credit, { maxLength: 8 }), plan, (credits, bought) => {
        const ledger = credits
          .toSorted((one, other) => one.at - other.at)
          .map((entry, index) => ({ ...entry, source: `test:${index}` }));
        const purchase = { source: "payment:p", durationMs: serviceTimeOf(bought), at: NOW };
        const after = serviceUntilOf([...ledger, purchase]);
        expect(serviceUntilWith(bought, { until: serviceUntilOf(ledger), now: NOW })).toBe(after);
      }),
      draws({ whole: 1_000, usual: 250 }),
    );
  });
});

describe("the price history", () => {
  const row = (id: string, priceCents: number, validFrom: number) => ({
    id,
    plan: "7days" as const,
    priceCents,
    validFrom,
  });
  const MINUTE_MS = 60_000;
  const history = [row("a", 4987, 0), row("b", 5999, NOW), row("c", 6999, NOW + HOUR_MS)];

  it.each([
    ["before a change", NOW - 1, 4987],
    ["at its instant", NOW, 5999],
    ["after the next", NOW + HOUR_MS, 6999],
  ])("has one price per plan: %s", (_name, at, cents) => {
    expect(pricesAt(history, at)["7days"].priceCents).toBe(cents);
    expect(pricesAt(history, at)["14days"]).toEqual({ id: null, priceCents: 8999 });
  });

  it("keeps an open quote's price for half an hour after a change, and none that is older or never held", () => {
    const quoted = (priceId: string, at: number) =>
      quotedPrice(history, { plan: "7days", priceId }, at)?.priceCents ?? null;
    expect(quoted("a", NOW + 29 * MINUTE_MS)).toBe(4987);
    expect(quoted("b", NOW + 29 * MINUTE_MS)).toBe(5999);
    expect(quoted("a", NOW + 31 * MINUTE_MS)).toBeNull();
    expect(quoted("c", NOW)).toBeNull();
    expect(quotedPrice(history, { plan: "14days", priceId: "a" }, NOW)).toBeNull();
  });

  it("keeps an open quote's price even where two changes came within the half hour", () => {
    const rows = [row("d", 1, NOW - 10 * MINUTE_MS), row("a", 2, 0), row("b", 3, NOW - 20 * MINUTE_MS)];
    const others = [{ ...row("o", 4, NOW - 15 * MINUTE_MS), plan: "14days" as const }];
    const quoted = (priceId: string) =>
      quotedPrice([...rows, ...others], { plan: "7days", priceId }, NOW)?.priceCents;
    expect(["a", "b", "d", "o"].map(quoted)).toEqual([2, 3, 1, undefined]);
  });

  it("has the newest price of each plan, whatever order they were read in, and of two at once the last", () => {
    const plans = ["3days", "7days", "14days", "30days"] as const;
    const rows = plans.flatMap((plan, index) =>
      [
        { id: `${plan}-new`, priceCents: 200 + index, validFrom: NOW - 1 },
        { id: `${plan}-newest`, priceCents: 300 + index, validFrom: NOW - 1 },
        { id: `${plan}-old`, priceCents: 100 + index, validFrom: 0 },
      ].map((price) => ({ ...price, plan })),
    );
    const prices = pricesAt(rows, NOW);
    expect(plans.map((plan) => prices[plan].id)).toEqual(plans.map((plan) => `${plan}-newest`));
    expect(toPlanPrices(prices)).toEqual({ "3days": 300, "7days": 301, "14days": 302, "30days": 303 });
  });
});
