import * as z from "zod/mini";
import { cents } from "./units.ts";

/** Every plan by its key. `1day` is the trial that a friend's invitation gives; it is not for sale. */
export const PLANS = ["1day", "3days", "7days", "14days", "30days"] as const;

export const plan = z.enum(PLANS);

export type Plan = z.infer<typeof plan>;

/** What the selector shows. */
export const PLANS_FOR_SALE = ["3days", "7days", "14days", "30days"] as const;

export const planForSale = z.enum(PLANS_FOR_SALE);

export type PlanForSale = z.infer<typeof planForSale>;

export const DEFAULT_PLAN = "14days" satisfies PlanForSale;

/** Why a plan costs less for a while. */
export const discountKind = z.enum(["flash_sale", "special_price"]);

export type DiscountKind = z.infer<typeof discountKind>;

/** `open`: waits for the card. `settled`: paid for, and the service time is written. `abandoned`: never will be. */
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
 * What each plan costs before discount, points and fee, in cents of the deployment's currency, and how many days of
 * service it gives. The trial is given, never sold. The public pages show these figures; the server computes what is
 * charged from them.
 */
export const PLAN_PRICES = {
  "1day": { days: 1, cents: 0 },
  "3days": { days: 3, cents: 3_499 },
  "7days": { days: 7, cents: 4_987 },
  "14days": { days: 14, cents: 8_999 },
  "30days": { days: 30, cents: 16_999 },
} as const satisfies Record<Plan, { days: number; cents: number }>;

/** Reward points, as an amount that can be held or spent. */
export const pointCount = z.int().check(z.nonnegative(), z.maximum(1_000_000));

/**
 * The nine figures of a price: total = price − discount − points + fee, all in cents of `currency`. A quote, a stored
 * payment and a receipt are these figures and what is theirs alone. `points` are as many as are spent, and
 * `pointsCents` is what they are worth.
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
