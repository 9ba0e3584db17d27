import { expect, it } from "vitest";
import { PLANS, PLAN_PRICES } from "../../db/shapes/plans.ts";

it("sells a day for less, the longer the plan", () => {
  const perDay = PLANS.slice(1).map((plan) => PLAN_PRICES[plan].cents / PLAN_PRICES[plan].days);
  expect(perDay).toEqual(perDay.toSorted((one, other) => other - one));
});
