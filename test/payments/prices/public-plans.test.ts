import { describe, expect, it } from "vitest";
import { PLANS_FOR_SALE, SEED_PRICES } from "../../../db/shapes/money/plans.ts";
import { listPublicPlans } from "../../../worker/payments/prices/plans.ts";
import { publicPlansResponse } from "../../../worker/contract/money/public-plans.ts";
import { HOUR_MS, MINUTE_MS, NOW, open, sell, type Checkout } from "../checkout-harness.ts";

const addRaffle = (at: Checkout, endsAt: number) =>
  at.run(
    `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES ('r', '14days', 0, ?, 10, 'h')`,
    endsAt,
  );
const RAFFLE = { id: "r", plan: "14days", endsAt: NOW + MINUTE_MS / 2, winners: 10 };

describe("the plans on public pages", () => {
  it("are all that are for sale, at their list prices", async () => {
    const { currency, plans, raffle } = await listPublicPlans(open().checkout.deps);
    expect({ currency, raffle }).toEqual({ currency: "USD", raffle: null });
    const prices = plans.map(({ plan, priceCents, payCents }) => [plan, priceCents, payCents]);
    expect(prices).toEqual(PLANS_FOR_SALE.map((plan) => [plan, SEED_PRICES[plan], SEED_PRICES[plan]]));
    for (const plan of plans) expect(plan).not.toHaveProperty("pointsCost");
  });

  it("are read by the page with the sale that is for everybody", async () => {
    const at = open();
    sell(at);
    const sent = await listPublicPlans(at.checkout.deps);
    const { plans } = publicPlansResponse.parse(JSON.parse(JSON.stringify(sent)));
    expect(plans).toEqual(sent.plans.map((plan) => expect.objectContaining(plan)));
    expect(plans.find(({ plan }) => plan === "7days")).toMatchObject({
      discount: { kind: "flash_sale", priceCents: 4000, endsAt: NOW + HOUR_MS },
    });
  });

  it("have a raffle until it ends, though it was loaded before", async () => {
    const at = open();
    addRaffle(at, RAFFLE.endsAt);
    expect((await listPublicPlans(at.checkout.deps)).raffle).toEqual(RAFFLE);
    at.clock.now = RAFFLE.endsAt - 1;
    expect((await listPublicPlans(at.checkout.deps)).raffle).toEqual(RAFFLE);
    at.clock.now += 1;
    expect((await listPublicPlans(at.checkout.deps)).raffle).toBeNull();
  });

  it("have no raffle where nobody can pay by card", async () => {
    const at = open({ STRIPE_SECRET_KEY: "", STRIPE_PUBLISHABLE_KEY: "" });
    addRaffle(at, RAFFLE.endsAt);
    expect((await listPublicPlans(at.checkout.deps)).raffle).toBeNull();
  });
});
