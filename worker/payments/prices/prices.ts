import { DAY_MS, type Cents, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import {
  PLAN_DAYS,
  PLANS_FOR_SALE,
  type DiscountKind,
  type Plan,
  type PlanForSale,
  type PriceFigures,
} from "../../../db/shapes/money/plans.ts";
import { POINTS_COST } from "../../../db/shapes/money/rewards.ts";
import type { PricedPlan } from "../../contract/money/payments.ts";

const POINTS_PER_PAID_DAY = 10;

/** A plan's list price, and the row of the history that it is of; null where the history has none. */
export type ListPrice = { id: string | null; priceCents: Cents };
export type ListPrices = Record<PlanForSale, ListPrice>;

/** A discount as the operator wrote it. The query that loads it checks whose it is. */
export type PlanDiscount = {
  id: string;
  kind: DiscountKind;
  plan: Plan;
  priceCents: Cents;
  startsAt: EpochMs;
  endsAt: EpochMs;
};

/** A driver's choice, its discounts, and the fee in millionths of the charge. */
export type Order = {
  plan: PlanForSale;
  /** The list price that holds, or that the driver was quoted. */
  price: ListPrice;
  currency: string;
  /** The least that a card can be charged. */
  minChargeCents: Cents;
  /** As many as the driver wants to spend. */
  points: number;
  /** As many as the driver has. */
  balance: number;
  discounts: readonly PlanDiscount[];
  feeMillionths: number;
};

/** The price of an order, with the discount in it. A stored payment holds the same fields. */
export type PricedOrder = PriceFigures & {
  priceId: string | null;
  discountId: string | null;
  discountEndsAt: EpochMs | null;
};

/**
 * The price of an order at an instant. The fee is a share of what is charged: the price less discount
 * and points. Where nothing is charged there is no fee.
 */
export function priceOrder(
  { plan, price, currency, minChargeCents, points, balance, discounts, feeMillionths }: Order,
  now: EpochMs,
): PricedOrder {
  const { priceCents } = price;
  const discount = lowestDiscount(discounts, { plan, priceCents, minChargeCents }, now);
  const payCents = discount?.priceCents ?? priceCents;
  const spent = pointsToSpend({
    payCents,
    cost: POINTS_COST[plan],
    most: Math.min(points, balance),
    minChargeCents,
  });
  const chargedCents = payCents - spent.pointsCents;
  const feeCents = feeOf(chargedCents, feeMillionths);
  return {
    plan,
    currency,
    priceId: price.id,
    priceCents,
    discountId: discount?.id ?? null,
    discountKind: discount?.kind ?? null,
    discountEndsAt: discount?.endsAt ?? null,
    discountCents: priceCents - payCents,
    ...spent,
    feeCents,
    totalCents: chargedCents + feeCents,
  };
}

/** Every plan of the selector at its price now. */
export function pricePlans(
  { prices, discounts, minChargeCents }: { prices: ListPrices } & Pick<Order, "discounts" | "minChargeCents">,
  now: EpochMs,
): PricedPlan[] {
  return PLANS_FOR_SALE.map((plan) => {
    const { priceCents } = prices[plan];
    const discount = lowestDiscount(discounts, { plan, priceCents, minChargeCents }, now);
    const payCents = discount?.priceCents ?? priceCents;
    const days = PLAN_DAYS[plan];
    return {
      plan,
      days,
      priceCents,
      discount: discount && { kind: discount.kind, priceCents: payCents, endsAt: discount.endsAt },
      payCents,
      perDayCents: Math.floor((2 * payCents + days) / (2 * days)),
      pointsCost: POINTS_COST[plan],
    };
  });
}

/**
 * The raffles that a payment of a plan at its present price enters: with a discount a payment is not a full one, and points
 * alone are none.
 */
export function openRaffles<Raffle extends { plan: Plan }>(
  promotions: readonly Raffle[],
  plans: readonly PricedPlan[],
): (Raffle & { plan: PlanForSale })[] {
  return promotions.flatMap((promotion) => {
    const sold = plans.find(({ plan, discount }) => plan === promotion.plan && discount === null);
    return sold ? [{ ...promotion, plan: sold.plan }] : [];
  });
}

/**
 * The discount with the lowest price of those that hold now. One that is not below the price, or too low to be charged,
 * is ignored.
 */
function lowestDiscount(
  discounts: readonly PlanDiscount[],
  { plan, priceCents, minChargeCents }: { plan: PlanForSale; priceCents: Cents; minChargeCents: Cents },
  now: EpochMs,
): PlanDiscount | null {
  const active = discounts.filter(
    (discount) =>
      discount.plan === plan &&
      discount.startsAt <= now &&
      now < discount.endsAt &&
      discount.priceCents < priceCents &&
      discount.priceCents >= minChargeCents,
  );
  const [lowest] = active.toSorted(
    (one, other) =>
      one.priceCents - other.priceCents || other.endsAt - one.endsAt || (one.id < other.id ? -1 : 1),
  );
  return lowest ?? null;
}

/**
 * As many of the points as are of use, and what they are worth: that share of the price, rounded down, so
 * that only the whole cost in points pays the whole price. At least the smallest charge is left for the
 * card, and points that would buy no further cent are kept.
 */
function pointsToSpend({
  payCents,
  cost,
  most,
  minChargeCents,
}: {
  payCents: Cents;
  cost: number;
  most: number;
  minChargeCents: Cents;
}): { points: number; pointsCents: Cents } {
  const offered = Math.max(0, Math.min(most, cost));
  if (offered === cost) return { points: cost, pointsCents: payCents };
  const worth = Math.floor((payCents * offered) / cost);
  const pointsCents = Math.max(0, Math.min(worth, payCents - minChargeCents));
  return { points: Math.ceil((pointsCents * cost) / payCents), pointsCents };
}

/** The fee: a share of what is charged, rounded half up. */
export function feeOf(chargedCents: Cents, millionths: number): Cents {
  return Math.floor((chargedCents * millionths + 500_000) / 1_000_000);
}

/** How much service time a plan gives. */
export function serviceTimeOf(plan: Plan): DurationMs {
  return PLAN_DAYS[plan] * DAY_MS;
}

/**
 * Points that a payment earns: ten for each day that was paid for with money. Where points paid
 * for a share of the price, they paid for that share of the days, and those earn none.
 */
export function pointsEarned({
  plan,
  priceCents,
  discountCents,
  pointsCents,
}: Pick<PriceFigures, "plan" | "priceCents" | "discountCents" | "pointsCents">): number {
  const payCents = priceCents - discountCents;
  return Math.floor((POINTS_PER_PAID_DAY * PLAN_DAYS[plan] * (payCents - pointsCents)) / payCents);
}

/** The end of a driver's service if a plan is paid now: its time counts from the present end, or from now. */
export function serviceUntilWith(
  plan: Plan,
  { until, now }: { until: EpochMs | null; now: EpochMs },
): EpochMs {
  return Math.max(now, until ?? now) + serviceTimeOf(plan);
}
