import { DAY_MS, type Cents, type DurationMs, type EpochMs } from "../../durable/engine/units.ts";
import { PLAN_PRICES } from "../contract/plan-prices.ts";
import {
  PLANS_FOR_SALE,
  type CutKind,
  type Plan,
  type PlanForSale,
  type PriceCut,
  type PricedPlan,
} from "../contract/payments.ts";

const POINTS_COST = { "3days": 300, "7days": 700, "14days": 1400, "30days": 3000 } as const satisfies Record<
  PlanForSale,
  number
>;

const POINTS_PER_PAID_DAY = 10;

/** Card networks take no smaller charge. */
export const SMALLEST_CHARGE_CENTS: Cents = 50;

/** A cut as the operator wrote it; `driverId` stands in the query that finds those of one driver. */
export type Cut = {
  id: string;
  kind: CutKind;
  plan: Plan;
  priceCents: Cents;
  startsAt: EpochMs;
  endsAt: EpochMs;
};

/** What a driver chose, what lowers its price, and what the fee is, in millionths of what is charged. */
export type Basket = {
  plan: PlanForSale;
  /** As many as the driver would spend. */
  points: number;
  /** As many as the driver has. */
  balance: number;
  cuts: readonly Cut[];
  feeMillionths: number;
};

/** A price in its parts: total = price − cut − points + fee. */
export type Breakdown = {
  plan: PlanForSale;
  priceCents: Cents;
  cut: Cut | null;
  cutCents: Cents;
  points: number;
  pointsCents: Cents;
  feeCents: Cents;
  totalCents: Cents;
};

/**
 * What a basket costs at an instant. The fee is taken of what is charged: the price less cut and
 * points; nothing charged has no fee.
 */
export function priceBasket({ plan, points, balance, cuts, feeMillionths }: Basket, now: EpochMs): Breakdown {
  const priceCents = PLAN_PRICES[plan].cents;
  const cut = lowestCut(cuts, plan, now);
  const payCents = cut?.priceCents ?? priceCents;
  const spent = pointsToSpend({ payCents, cost: POINTS_COST[plan], most: Math.min(points, balance) });
  const chargedCents = payCents - spent.pointsCents;
  const feeCents = feeOf(chargedCents, feeMillionths);
  return {
    plan,
    priceCents,
    cut,
    cutCents: priceCents - payCents,
    ...spent,
    feeCents,
    totalCents: chargedCents + feeCents,
  };
}

/** Every plan of the selector at its price now. */
export function pricePlans(cuts: readonly Cut[], now: EpochMs): PricedPlan[] {
  return PLANS_FOR_SALE.map((plan) => {
    const priceCents = PLAN_PRICES[plan].cents;
    const cut = lowestCut(cuts, plan, now);
    const payCents = cut?.priceCents ?? priceCents;
    const days = PLAN_PRICES[plan].days;
    return {
      plan,
      days,
      priceCents,
      cut: toPriceCut(cut),
      payCents,
      perDayCents: Math.floor((2 * payCents + days) / (2 * days)),
      pointsCost: POINTS_COST[plan],
    };
  });
}

export function toPriceCut(cut: Cut | null): PriceCut | null {
  return cut && { kind: cut.kind, priceCents: cut.priceCents, endsAt: cut.endsAt };
}

/** The lowest of the cuts that hold now. One that is no lower than the price, or too low to be charged, is none. */
function lowestCut(cuts: readonly Cut[], plan: PlanForSale, now: EpochMs): Cut | null {
  const holding = cuts.filter(
    (cut) =>
      cut.plan === plan &&
      cut.startsAt <= now &&
      now < cut.endsAt &&
      cut.priceCents < PLAN_PRICES[plan].cents &&
      cut.priceCents >= SMALLEST_CHARGE_CENTS,
  );
  const [lowest] = holding.toSorted(
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
  const pointsCents = Math.max(0, Math.min(worth, payCents - SMALLEST_CHARGE_CENTS));
  return { points: Math.ceil((pointsCents * cost) / payCents), pointsCents };
}

function feeOf(chargedCents: Cents, millionths: number): Cents {
  return Math.floor((chargedCents * millionths + 500_000) / 1_000_000);
}

/** How much service a plan is. */
export function serviceOf(plan: Plan): DurationMs {
  return PLAN_PRICES[plan].days * DAY_MS;
}

/**
 * Points that a payment earns: ten for each day that was paid for with money. Where points paid
 * for a share of the price, they paid for that share of the days, and those earn none.
 */
export function pointsEarned({
  plan,
  priceCents,
  cutCents,
  pointsCents,
}: {
  plan: Plan;
  priceCents: Cents;
  cutCents: Cents;
  pointsCents: Cents;
}): number {
  const payCents = priceCents - cutCents;
  return Math.floor((POINTS_PER_PAID_DAY * PLAN_PRICES[plan].days * (payCents - pointsCents)) / payCents);
}

/** Until when a driver's service would run, were a plan paid now (DESIGN 10). */
export function serviceUntilWith(
  plan: Plan,
  { until, now }: { until: EpochMs | null; now: EpochMs },
): EpochMs {
  return Math.max(now, until ?? now) + serviceOf(plan);
}
