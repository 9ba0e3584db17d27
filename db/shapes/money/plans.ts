import * as z from "zod/mini";
import { cents } from "../units.ts";

/** Every plan by its key. `1day` is the trial that comes with a friend's invitation; it is not for sale. */
export const PLANS = ["1day", "3days", "7days", "14days", "30days"] as const;

export const plan = z.enum(PLANS);

export type Plan = z.infer<typeof plan>;

/** A plan as it is shown; `other` is one of a later release, of which no days or price are known. */
export const shownPlan = z.enum([...PLANS, "other"]);
export type ShownPlan = z.infer<typeof shownPlan>;

/** The plans that the plan selector shows. */
export const PLANS_FOR_SALE = ["3days", "7days", "14days", "30days"] as const;

export const planForSale = z.enum(PLANS_FOR_SALE);

export type PlanForSale = z.infer<typeof planForSale>;

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
export const PLAN_DAYS = {
  "1day": 1,
  "3days": 3,
  "7days": 7,
  "14days": 14,
  "30days": 30,
} as const satisfies Record<Plan, number>;

/** The list price of each plan for sale, in cents of the deployment's currency. */
export const planPrices = z.record(planForSale, cents);
export type PlanPrices = z.infer<typeof planPrices>;

/** The prices that a new deployment starts with. The present ones stand in D1, with their history. */
export const SEED_PRICES = {
  "3days": 3_499,
  "7days": 4_987,
  "14days": 8_999,
  "30days": 16_999,
} as const satisfies PlanPrices;

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
