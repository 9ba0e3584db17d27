import type { PlanPriceRow } from "../../../db/queries/payments/plan-prices.ts";
import {
  PLANS_FOR_SALE,
  SEED_PRICES,
  type PlanForSale,
  type PlanPrices,
} from "../../../db/shapes/money/plans.ts";
import { recordOf } from "../../../db/shapes/record-of.ts";
import { MINUTE_MS, type Cents, type EpochMs } from "../../../db/shapes/units.ts";
import { pricePlans, type PlanDiscount, type ListPrice, type ListPrices } from "./prices.ts";

/** A row of a currency's price history. */
type PricePoint = Pick<PlanPriceRow, "id" | "plan" | "priceCents" | "validFrom">;

/** How long a quote holds at the price that it was made at. */
export const QUOTE_HOLDS_MS = 30 * MINUTE_MS;

/** The prices that hold at an instant. */
export function pricesAt(history: readonly PricePoint[], now: EpochMs): ListPrices {
  const of = (plan: PlanForSale): ListPrice =>
    rowAt(history, plan, now) ?? { id: null, priceCents: SEED_PRICES[plan] };
  return recordOf(PLANS_FOR_SALE, of);
}

/**
 * The price that a driver was quoted, as long as it holds or held a short while ago; null where it is too old or was
 * never one of the plan's.
 */
export function quotedPrice(
  history: readonly PricePoint[],
  { plan, priceId }: { plan: PlanForSale; priceId: string },
  now: EpochMs,
): ListPrice | null {
  const held = [rowAt(history, plan, now), rowAt(history, plan, now - QUOTE_HOLDS_MS)];
  const between = history.filter(
    (row) => row.plan === plan && row.validFrom > now - QUOTE_HOLDS_MS && row.validFrom <= now,
  );
  return [...held, ...between].find((row) => row?.id === priceId) ?? null;
}

/** The prices without their rows, for pages that only show them. */
export function toPlanPrices(prices: ListPrices): PlanPrices {
  const of = (plan: PlanForSale) => prices[plan].priceCents;
  return recordOf(PLANS_FOR_SALE, of);
}

function rowAt(history: readonly PricePoint[], plan: PlanForSale, at: EpochMs): PricePoint | null {
  const begun = history.filter((row) => row.plan === plan && row.validFrom <= at);
  // Of two that begin at once, the one that was added last.
  return begun.toSorted((one, other) => one.validFrom - other.validFrom).at(-1) ?? null;
}

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
    history: readonly PricePoint[];
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
