import { DAY_MS, type Cents, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";
import {
  PLAN_PRICES,
  PLANS_FOR_SALE,
  type DiscountKind,
  type Plan,
  type PlanForSale,
} from "../../db/shapes/plans.ts";
import type { Discount, PricedPlan } from "../contract/payments.ts";

const POINTS_COST = { "3days": 300, "7days": 700, "14days": 1400, "30days": 3000 } as const satisfies Record<
  PlanForSale,
  number
>;

const POINTS_PER_PAID_DAY = 10;

/** Card networks take no smaller charge. */
export const MIN_CHARGE_CENTS: Cents = 50;

/** A cut as the operator wrote it; `driverId` stands in the query that finds those of one driver. */
export type PlanDiscount = {
  id: string;
  kind: DiscountKind;
  plan: Plan;
  priceCents: Cents;
  startsAt: EpochMs;
  endsAt: EpochMs;
};

/** What a driver chose, what lowers its price, and what the fee is, in millionths of what is charged. */
export type Order = {
  plan: PlanForSale;
  /** As many as the driver would spend. */
  points: number;
  /** As many as the driver has. */
  balance: number;
  discounts: readonly PlanDiscount[];
  feeMillionths: number;
};

/** A price in its parts: total = price − cut − points + fee. */
export type PriceBreakdown = {
  plan: PlanForSale;
  priceCents: Cents;
  discount: PlanDiscount | null;
  discountCents: Cents;
  points: number;
  pointsCents: Cents;
  feeCents: Cents;
  totalCents: Cents;
};

/**
 * What a basket costs at an instant. The fee is taken of what is charged: the price less cut and
 * points; nothing charged has no fee.
 */
export function priceOrder(
  { plan, points, balance, discounts, feeMillionths }: Order,
  now: EpochMs,
): PriceBreakdown {
  const priceCents = PLAN_PRICES[plan].cents;
  const discount = lowestDiscount(discounts, plan, now);
  const payCents = discount?.priceCents ?? priceCents;
  const pointsUsed = pointsToSpend({ payCents, cost: POINTS_COST[plan], most: Math.min(points, balance) });
  const chargedCents = payCents - pointsUsed.pointsCents;
  const feeCents = feeOf(chargedCents, feeMillionths);
  return {
    plan,
    priceCents,
    discount,
    discountCents: priceCents - payCents,
    ...pointsUsed,
    feeCents,
    totalCents: chargedCents + feeCents,
  };
}

/** Every plan of the selector at its price now. */
export function pricePlans(discounts: readonly PlanDiscount[], now: EpochMs): PricedPlan[] {
  return PLANS_FOR_SALE.map((plan) => {
    const priceCents = PLAN_PRICES[plan].cents;
    const discount = lowestDiscount(discounts, plan, now);
    const payCents = discount?.priceCents ?? priceCents;
    const days = PLAN_PRICES[plan].days;
    return {
      plan,
      days,
      priceCents,
      discount: toDiscount(discount),
      payCents,
      perDayCents: Math.floor((2 * payCents + days) / (2 * days)),
      pointsCost: POINTS_COST[plan],
    };
  });
}

export function toDiscount(found: PlanDiscount | null): Discount | null {
  return found && { kind: found.kind, priceCents: found.priceCents, endsAt: found.endsAt };
}

/** The lowest of the discounts that hold now. One that is no lower than the price, or too low to be charged, is none. */
function lowestDiscount(
  discounts: readonly PlanDiscount[],
  plan: PlanForSale,
  now: EpochMs,
): PlanDiscount | null {
  const active = discounts.filter(
    (discount) =>
      discount.plan === plan &&
      discount.startsAt <= now &&
      now < discount.endsAt &&
      discount.priceCents < PLAN_PRICES[plan].cents &&
      discount.priceCents >= MIN_CHARGE_CENTS,
  );
  const [lowest] = active.toSorted(
    (one, other) =>
      one.priceCents - other.priceCents || other.endsAt - one.endsAt || (one.id < other.id ? -1 : 1),
  );
  return lowest ?? null;
}

/**
 * So many of the points as are of use, and their worth: that share of the price, rounded down, so
 * that only all of them pay for all. A rest that no card can be charged is left as the smallest
 * charge, and points that would buy no further cent are kept.
 */
function pointsToSpend({ payCents, cost, most }: { payCents: Cents; cost: number; most: number }): {
  points: number;
  pointsCents: Cents;
} {
  const offered = Math.max(0, Math.min(most, cost));
  if (offered === 0) return { points: 0, pointsCents: 0 };
  if (offered === cost) return { points: cost, pointsCents: payCents };
  const worth = Math.floor((payCents * offered) / cost);
  const pointsCents = Math.max(0, Math.min(worth, payCents - MIN_CHARGE_CENTS));
  return { points: Math.ceil((pointsCents * cost) / payCents), pointsCents };
}

function feeOf(chargedCents: Cents, millionths: number): Cents {
  return Math.floor((chargedCents * millionths + 500_000) / 1_000_000);
}

/** How much service a plan is. */
export function serviceTimeOf(plan: Plan): DurationMs {
  return PLAN_PRICES[plan].days * DAY_MS;
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
}: {
  plan: Plan;
  priceCents: Cents;
  discountCents: Cents;
  pointsCents: Cents;
}): number {
  const payCents = priceCents - discountCents;
  return Math.floor((POINTS_PER_PAID_DAY * PLAN_PRICES[plan].days * (payCents - pointsCents)) / payCents);
}

/** Until when a driver's service would run, were a plan paid now (DESIGN 10). */
export function serviceUntilWith(
  plan: Plan,
  { until, now }: { until: EpochMs | null; now: EpochMs },
): EpochMs {
  return Math.max(now, until ?? now) + serviceTimeOf(plan);
}
