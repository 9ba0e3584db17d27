import * as z from "zod/mini";
import { cents } from "./units.ts";

/** Every plan by its key. `1day` is the trial that comes with a friend's invitation; it is not for sale. */
export const PLANS = ["1day", "3days", "7days", "14days", "30days"] as const;

export const plan = z.enum(PLANS);

export type Plan = z.infer<typeof plan>;

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

/**
 * List price of each plan before discount, points and fee, in cents of the deployment's currency, and the days of
 * service it buys. The public pages show these prices; the server computes every charge from them.
 */
export const PLAN_PRICES = {
  "1day": { days: 1, cents: 0 },
  "3days": { days: 3, cents: 3_499 },
  "7days": { days: 7, cents: 4_987 },
  "14days": { days: 14, cents: 8_999 },
  "30days": { days: 30, cents: 16_999 },
} as const satisfies Record<Plan, { days: number; cents: number }>;

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
