import { describe, expect, it } from "vitest";
import { listPlans } from "../../../worker/payments/prices/plans.ts";
import { loadPriceFacts, loadPriceFactsOf, quotePlan } from "../../../worker/payments/prices/quote.ts";
import { driverId } from "../../../db/shapes/units.ts";
import {
  DAY_MS,
  DRIVER,
  HOUR_MS,
  MINUTE_MS,
  NOW,
  decline,
  open,
  openCheckout,
  pay,
  plainQuote,
  raffle,
  refuse,
  sell,
} from "../checkout-harness.ts";

it("takes for each of several drivers the prices that are theirs or everybody's, and no other's", async () => {
  const at = open();
  const other = driverId.parse(crypto.randomUUID());
  sell(at, { plan: "7days" });
  sell(at, { plan: "14days", driverId: DRIVER });
  const factsOf = await loadPriceFactsOf(at.checkout, [DRIVER, other]);
  for (const id of [DRIVER, other]) expect(factsOf(id)).toEqual(await loadPriceFacts(at.checkout, id));
  const plansOf = (id: typeof DRIVER) => factsOf(id).discounts.map(({ plan }) => plan);
  expect([plansOf(DRIVER).toSorted(), plansOf(other)]).toEqual([["14days", "7days"], ["7days"]]);
});

describe("a quote", () => {
  it("shows the discount and when it ends; its renewal costs the list price at most", async () => {
    const at = open();
    sell(at);
    expect(await quotePlan(at.checkout, await at.driver(), { plan: "7days", points: 0 })).toEqual({
      ...plainQuote,
      discount: { kind: "flash_sale", priceCents: 4000, endsAt: NOW + HOUR_MS },
      discountKind: "flash_sale",
      discountCents: 987,
      feeCents: 28,
      totalCents: 4028,
    });
  });

  it("has as many points as there are, and ends where present service does", async () => {
    const at = openCheckout();
    at.addDriver(DRIVER, { serviceMs: 3 * DAY_MS });
    at.givePoints(70);
    expect(await quotePlan(at.checkout, await at.driver(), { plan: "7days", points: 700 })).toMatchObject({
      points: 70,
      serviceUntil: NOW + 10 * DAY_MS,
    });
  });

  it("enters the raffle of its plan, at the full price only", async () => {
    const at = open();
    raffle(at);
    const entersRaffle = async (plan: "7days" | "14days", points = 0) =>
      (await quotePlan(at.checkout, await at.driver(), { plan, points })).entersRaffle;
    expect(await entersRaffle("14days")).toBe(true);
    expect(await entersRaffle("7days")).toBe(false);
    at.givePoints(100);
    expect(await entersRaffle("14days", 100)).toBe(false);
  });
});

describe("the plans", () => {
  const plan = (name: string, days: number, [priceCents, perDayCents, pointsCost]: number[]) => {
    return { plan: name, days, priceCents, discount: null, payCents: priceCents, perDayCents, pointsCost };
  };

  it("come with all that choosing one needs", async () => {
    const at = openCheckout();
    at.addDriver(DRIVER, { serviceMs: DAY_MS });
    at.givePoints(120);
    raffle(at, { id: "later", endsAt: NOW + 2 * DAY_MS });
    raffle(at);
    expect(await listPlans(at.checkout, await at.driver())).toEqual({
      currency: "USD",
      cardsReady: true,
      paymentMethods: ["card", "link"],
      minChargeCents: 50,
      feeMillionths: 7000,
      points: 120,
      plans: [
        plan("3days", 3, [3499, 1166, 300]),
        plan("7days", 7, [4987, 712, 700]),
        plan("14days", 14, [8999, 643, 1400]),
        plan("30days", 30, [16_999, 567, 3000]),
      ],
      serviceUntil: NOW + DAY_MS,
      lastPaymentId: null,
      inProgress: null,
      pausedUntil: null,
      raffle: { id: "raffle", plan: "14days", endsAt: NOW + DAY_MS, winners: 10 },
    });
  });

  it("say what is in progress, and until when a driver waits after declines", async () => {
    const at = open();
    await pay(at);
    decline(at, 1, 2, 3, 4, 50);
    expect(await listPlans(at.checkout, await at.driver())).toMatchObject({
      inProgress: {
        id: at.payment()?.["id"],
        status: "open",
        plan: "7days",
        currency: "USD",
        totalCents: 5022,
        since: NOW,
        canCancel: true,
      },
      pausedUntil: NOW + 10 * MINUTE_MS,
    });
  });

  it("name the last payment", async () => {
    const at = open();
    at.givePoints(700);
    await pay(at, { points: 700, totalCents: 0 });
    expect((await listPlans(at.checkout, await at.driver())).lastPaymentId).toBe(at.payment()?.["id"]);
  });

  it("name no raffle that can't be entered: without cards, at a discount, for a plan that is not sold", async () => {
    const at = open();
    raffle(at, { plan: "1day" });
    expect((await listPlans(at.checkout, await at.driver())).raffle).toBeNull();
    raffle(at, { id: "other" });
    expect((await listPlans(at.cardless, await at.driver())).raffle).toBeNull();
    sell(at, { plan: "14days" });
    expect((await listPlans(at.checkout, await at.driver())).raffle).toBeNull();
  });

  it("say that cards can't be charged while Stripe refuses the key", async () => {
    const at = open();
    raffle(at);
    at.bank.during("checkKey", refuse({ isUnauthorized: true }));
    expect(await listPlans(at.checkout, await at.driver())).toMatchObject({
      cardsReady: false,
      raffle: null,
    });
  });
});
