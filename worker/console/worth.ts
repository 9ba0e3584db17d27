import { pricePlans } from "../payments/prices/prices.ts";
import type { ListPrices } from "../payments/prices/prices.ts";
import { usesOfPrice, type Plan } from "../../db/shapes/money/plans.ts";
import type { Cents, DurationMs } from "../../db/shapes/units.ts";

/** A day of service costs so many points. */
const POINTS_A_DAY = 100;

/** The worth of a day of service: the price of a day of the plan whose days cost most. */
export function dayWorth(prices: ListPrices, minChargeCents: Cents): Cents {
  return Math.max(
    ...pricePlans({ prices, discounts: [], minChargeCents }, 0).map(({ perDayCents }) => perDayCents),
  );
}

/** The worth of days given or taken. */
export function worthOfDays(days: number, perDayCents: Cents): Cents {
  return Math.abs(days) * perDayCents;
}

/** The worth of points given or taken, in days of service. */
export function worthOfPoints(points: number, perDayCents: Cents): Cents {
  return Math.ceil((Math.abs(points) * perDayCents) / POINTS_A_DAY);
}

/** The most that a driver's own price can give away: its difference for each time that it can be used. */
export function worthOfPrice({
  plan,
  lastsMs,
  cutCents,
}: {
  plan: Plan;
  lastsMs: DurationMs;
  cutCents: Cents;
}): Cents {
  return cutCents * usesOfPrice(plan, lastsMs);
}
