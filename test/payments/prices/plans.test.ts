import { expect, it } from "vitest";
import { PLAN_DAYS, planPrices, PLANS_FOR_SALE, SEED_PRICES } from "../../../db/shapes/money/plans.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";

it("sells a day for less, the longer the plan", () => {
  const perDay = PLANS_FOR_SALE.map((plan) => SEED_PRICES[plan] / PLAN_DAYS[plan]);
  expect(perDay).toEqual(perDay.toSorted((one, other) => other - one));
});

it("starts the price history with the prices that the pages are built with, which also stand for a plan without one", () => {
  const rows = migratedDatabase().prepare("SELECT plan, price_cents FROM plans").all();
  expect(SEED_PRICES).toMatchObject(Object.fromEntries(rows.map((row) => [row["plan"], row["price_cents"]])));
});

it("reads prices that a release with other plans wrote: its own are left out, a missing one is the first", () => {
  const { "7days": _week, ...others } = SEED_PRICES;
  expect(planPrices.parse({ ...others, "14days": 1, "60days": 2 })).toEqual({ ...SEED_PRICES, "14days": 1 });
});
