import { expect, it } from "vitest";
import { quotePlan } from "../../../worker/payments/prices/quote.ts";
import { listPublicPlans } from "../../../worker/payments/prices/plans.ts";
import { DRIVER, NOW, openCheckout, pay, sell } from "../checkout-harness.ts";

const PESOS = { CURRENCY: "MXN", LIST_PRICES: "3days=699,7days=999,14days=1799.50,30days=3399" };

function openInPesos() {
  const at = openCheckout(PESOS);
  at.addDriver(DRIVER);
  return at;
}

it("sells at the prices of its own currency, and never at another's figures", async () => {
  const at = openInPesos();
  const quote = await quotePlan(at.checkout, await at.driver(), { plan: "14days", points: 0 });
  expect(quote).toMatchObject({ currency: "MXN", priceCents: 179_950, priceId: "list:MXN:14days" });
  const shown = await listPublicPlans(at.checkout.deps);
  expect(shown?.plans.map(({ priceCents }) => priceCents)).toEqual([69_900, 99_900, 179_950, 339_900]);
});

it("takes the price that the console set in that currency", async () => {
  const at = openInPesos();
  at.run(
    `INSERT INTO plans (id, plan, price_cents, valid_from, currency) VALUES ('operator:1', '7days', 88800, ?, 'MXN')`,
    NOW - 1,
  );
  const quote = await quotePlan(at.checkout, await at.driver(), { plan: "7days", points: 0 });
  expect(quote).toMatchObject({ priceCents: 88_800, priceId: "operator:1" });
});

it("knows no sale of another currency", async () => {
  const at = openInPesos();
  sell(at, { cents: 4000 });
  const quote = await quotePlan(at.checkout, await at.driver(), { plan: "7days", points: 0 });
  expect(quote.discount).toBeNull();
});

it("prepares no sum in another currency than the one that was quoted", async () => {
  const at = openCheckout();
  at.addDriver(DRIVER);
  expect(await pay(at, { currency: "MXN" })).toEqual({ ok: false, code: "price_changed" });
  expect(await pay(at, { currency: "USD" })).toMatchObject({ ok: true });
});
