import { describe, expect, it } from "vitest";
import { PLANS_FOR_SALE, SEED_PRICES } from "../../../db/shapes/money/plans.ts";
import { listPublicPlans } from "../../../worker/payments/prices/plans.ts";
import { publicPlansResponse } from "../../../worker/contract/money/public-plans.ts";
import { HOUR_MS, MINUTE_MS, NOW, open, sell, type Checkout } from "../checkout-harness.ts";

/** The plans as a page shows them. @throws {Error} if it shows none */
async function shownIn({ checkout }: Checkout) {
  const shown = await listPublicPlans(checkout.deps);
  if (!shown) throw new Error("no prices are known");
  return shown;
}

const addRaffle = (at: Checkout, endsAt: number) =>
  at.run(
    `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES ('r', '14days', 0, ?, 10, 'h')`,
    endsAt,
  );
const RAFFLE = { id: "r", plan: "14days", endsAt: NOW + MINUTE_MS / 2, winners: 10 };

describe("the plans on public pages", () => {
  it("are all that are for sale, at their list prices", async () => {
    const { currency, plans, raffle } = await shownIn(open());
    expect({ currency, raffle }).toEqual({ currency: "USD", raffle: null });
    const prices = plans.map(({ plan, priceCents, payCents }) => [plan, priceCents, payCents]);
    expect(prices).toEqual(PLANS_FOR_SALE.map((plan) => [plan, SEED_PRICES[plan], SEED_PRICES[plan]]));
    for (const plan of plans) expect(plan).not.toHaveProperty("pointsCost");
  });

  it("are read by the page with the sale that is for everybody", async () => {
    const at = open();
    sell(at);
    const sent = await shownIn(at);
    const { plans } = publicPlansResponse.parse(JSON.parse(JSON.stringify(sent)));
    expect(plans).toEqual(sent.plans.map((plan) => expect.objectContaining(plan)));
    expect(plans.find(({ plan }) => plan === "7days")).toMatchObject({
      discount: { kind: "flash_sale", priceCents: 4000, endsAt: NOW + HOUR_MS },
    });
  });

  it("have a raffle until it ends, though it was loaded before", async () => {
    const at = open();
    addRaffle(at, RAFFLE.endsAt);
    expect((await shownIn(at)).raffle).toEqual(RAFFLE);
    at.clock.now = RAFFLE.endsAt - 1;
    expect((await shownIn(at)).raffle).toEqual(RAFFLE);
    at.clock.now += 1;
    expect((await shownIn(at)).raffle).toBeNull();
  });

  it.each([["plans"], ["price_cuts"], ["promotions"]])(
    "are none where the database never gave their %s, and the last that it gave where it fails later",
    async (table) => {
      const never = open({ CURRENCY: "BRL", LIST_PRICES: "3days=159,7days=229,14days=419,30days=799" });
      never.run(`DROP TABLE ${table}`);
      expect(await listPublicPlans(never.checkout.deps)).toBeNull();
      const later = open();
      sell(later);
      const known = await shownIn(later);
      later.run(`DROP TABLE ${table}`);
      later.clock.now += 2 * MINUTE_MS;
      expect(await shownIn(later)).toEqual(known);
    },
  );

  it("change at the instant that an operator set, though the database fails from before", async () => {
    const at = open();
    at.run(
      `INSERT INTO plans (id, plan, price_cents, valid_from) VALUES ('7days-2', '7days', 5987, ?)`,
      NOW + HOUR_MS,
    );
    const week = async () => (await shownIn(at)).plans.find(({ plan }) => plan === "7days")?.payCents;
    expect(await week()).toBe(SEED_PRICES["7days"]);
    at.run(`DROP TABLE plans`);
    at.clock.now = NOW + HOUR_MS;
    expect(await week()).toBe(5987);
  });

  it("have no raffle where nobody can pay by card", async () => {
    const at = open({ STRIPE_SECRET_KEY: "", STRIPE_PUBLISHABLE_KEY: "" });
    addRaffle(at, RAFFLE.endsAt);
    expect((await shownIn(at)).raffle).toBeNull();
  });
});
