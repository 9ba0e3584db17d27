import type { PlanPriceRow } from "../../../db/queries/payments/plan-prices.ts";
import type { PlanForSale } from "../../../db/shapes/money/plans.ts";
import type { Cents, EpochMs } from "../../../db/shapes/units.ts";
import { pricesAt } from "./list-prices.ts";
import { pricePlans, type PlanDiscount } from "./prices.ts";

/** From an instant on, a plan's list price and what is paid for it. */
export type PriceStep = { at: EpochMs; listCents: Cents; payCents: Cents };

/** A plan's price from now on, a step for each change: list prices ahead, and sales that begin and end. */
export function priceSteps(
  {
    plan,
    history,
    discounts,
    minChargeCents,
  }: {
    plan: PlanForSale;
    history: readonly PlanPriceRow[];
    discounts: readonly PlanDiscount[];
    minChargeCents: Cents;
  },
  now: EpochMs,
): PriceStep[] {
  const changes = [
    ...history.map(({ validFrom }) => validFrom),
    ...discounts.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]),
  ];
  const instants = [now, ...new Set(changes.filter((at) => at > now))].toSorted((one, other) => one - other);
  const steps = instants.flatMap((at): PriceStep[] => {
    const priced = pricePlans({ prices: pricesAt(history, at), discounts, minChargeCents }, at).find(
      (one) => one.plan === plan,
    );
    return priced ? [{ at, listCents: priced.priceCents, payCents: priced.payCents }] : [];
  });
  return steps.filter((step, index) => {
    const former = steps[index - 1];
    return former?.listCents !== step.listCents || former.payCents !== step.payCents;
  });
}
