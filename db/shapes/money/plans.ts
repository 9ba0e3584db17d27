import * as z from "zod/mini";
import { recordOf } from "../record-of.ts";
import { cents, DAY_MS, type Cents, type DurationMs } from "../units.ts";

/**
 * Every plan, in the order in which they are shown: the days of service that it buys, and the list price that a new
 * deployment starts with, in cents of its currency; null where it is not for sale. All else follows from these. `1day` is the
 * trial that comes with a friend's invitation.
 */
const DECLARED = [
  { key: "1day", days: 1, seedCents: null },
  { key: "3days", days: 3, seedCents: 3_499 },
  { key: "7days", days: 7, seedCents: 4_987 },
  { key: "14days", days: 14, seedCents: 8_999 },
  { key: "30days", days: 30, seedCents: 16_999 },
] as const;
const SOLD = DECLARED.filter((each) => each.seedCents !== null);

export const plan = z.enum(DECLARED.map(({ key }) => key));

export type Plan = z.infer<typeof plan>;

/** A plan as it is shown; `other` is one of a later release, of which no days or price are known. */
export const shownPlan = z.enum([...plan.options, "other"]);
export type ShownPlan = z.infer<typeof shownPlan>;

/** The plans that the plan selector shows. */
export const PLANS_FOR_SALE = SOLD.map(({ key }) => key);

export const planForSale = z.enum(PLANS_FOR_SALE);

export type PlanForSale = z.infer<typeof planForSale>;

/** Whether a plan can be bought; the trial comes with an invitation. */
export const isForSale = (given: Plan): given is PlanForSale => given in SEED_PRICES;

export const DEFAULT_PLAN = "14days" satisfies PlanForSale;

/** Why a plan is cheaper for a limited time. */
export const discountKind = z.enum(["flash_sale", "special_price"]);

export type DiscountKind = z.infer<typeof discountKind>;

/** `open`: waiting for the card. `settled`: paid, and the service time is credited. `abandoned`: will never be paid. */
export const paymentStatus = z.enum([
  "open",
  "processing",
  "settled",
  "abandoned",
  "refunded",
  "partly_refunded",
  "disputed",
  "dispute_lost",
]);

export type PaymentStatus = z.infer<typeof paymentStatus>;

/** A payment's status as it is shown; `other` is one of a later release. */
export const shownPaymentStatus = z.enum([...paymentStatus.options, "other"]);
export type ShownPaymentStatus = z.infer<typeof shownPaymentStatus>;

/** The days of service that each plan buys. */
export const PLAN_DAYS: Readonly<Record<Plan, number>> = recordOf(
  plan.options,
  (wanted) => DECLARED.find(({ key }) => key === wanted)?.days ?? 0,
);

/** How often a driver can use a price of their own: each time that the plan runs out while it holds. */
export function usesOfPrice(given: Plan, lastsMs: DurationMs): number {
  return Math.max(1, Math.ceil(lastsMs / (PLAN_DAYS[given] * DAY_MS)));
}

/** The prices that a new deployment starts with. The present ones stand in D1, with their history. */
export const SEED_PRICES: Readonly<Record<PlanForSale, Cents>> = recordOf(
  PLANS_FOR_SALE,
  (wanted) => SOLD.find(({ key }) => key === wanted)?.seedCents ?? 0,
);

/**
 * The list price of each plan for sale, in cents of the deployment's currency. A plan that was added since it was stored has
 * its first price, and one that we don't know is left out.
 */
export const planPrices = z.object(recordOf(PLANS_FOR_SALE, (sold) => z._default(cents, SEED_PRICES[sold])));
export type PlanPrices = z.infer<typeof planPrices>;

/** An amount of reward points. */
export const pointCount = z.int().check(z.nonnegative(), z.maximum(1_000_000));

/**
 * The breakdown of a price: total = price − discount − points + fee, all in cents of `currency`. Quotes, stored payments
 * and receipts extend it. `points` is how many are spent and `pointsCents` what they are worth.
 */
export const priceFigures = z.object({
  plan,
  currency: z.string(),
  priceCents: cents,
  discountKind: z.nullable(discountKind),
  discountCents: cents,
  points: pointCount,
  pointsCents: cents,
  feeCents: cents,
  totalCents: cents,
});

export type PriceFigures = z.infer<typeof priceFigures>;
