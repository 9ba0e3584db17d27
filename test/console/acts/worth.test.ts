import { expect, it } from "vitest";
import { dayWorth, worthOfDays, worthOfPoints } from "../../../worker/console/worth.ts";
import { pricesAt } from "../../../worker/payments/prices/list-prices.ts";

const perDayCents = dayWorth(pricesAt([], 0), 50);

it("values a day at the price of the shortest plan's day, which costs most", () => {
  expect(perDayCents).toBe(1166);
});

it("values what is taken like what is given, and points by the days that they buy", () => {
  expect([worthOfDays(3, perDayCents), worthOfDays(-3, perDayCents)]).toEqual([3498, 3498]);
  expect([worthOfPoints(100, perDayCents), worthOfPoints(-1, perDayCents)]).toEqual([1166, 12]);
});
