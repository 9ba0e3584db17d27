import { expect, it } from "vitest";
import { PLAN_DAYS, PLANS_FOR_SALE, SEED_PRICES } from "../../db/shapes/money/plans.ts";
import { migratedDatabase } from "../support/migrated-database.ts";

it("sells a day for less, the longer the plan", () => {
  const perDay = PLANS_FOR_SALE.map((plan) => SEED_PRICES[plan] / PLAN_DAYS[plan]);
  expect(perDay).toEqual(perDay.toSorted((one, other) => other - one));
});

it("starts the price history with the prices that the pages are built with", () => {
  const rows = migratedDatabase().prepare("SELECT plan, price_cents FROM plans").all();
  expect(Object.fromEntries(rows.map((row) => [row["plan"], row["price_cents"]]))).toEqual(SEED_PRICES);
});
