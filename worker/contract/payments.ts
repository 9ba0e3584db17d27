import * as z from "zod/mini";
import { discountKind, paymentStatus, planForSale, pointCount, priceFigures } from "../../db/shapes/plans.ts";
import { cents, epochMs } from "../../db/shapes/units.ts";

/** A discounted price and when it ends. */
export const discount = z.object({ kind: discountKind, priceCents: cents, endsAt: epochMs });
export type Discount = z.infer<typeof discount>;

/** A plan at its price now. `payCents` is its cost before points and fee; per day rounded half up. */
export const pricedPlan = z.object({
  plan: planForSale,
  days: z.int(),
  priceCents: cents,
  discount: z.nullable(discount),
  payCents: cents,
  perDayCents: cents,
  /** The points that pay for the whole plan; fewer pay for that share of the price. */
  pointsCost: z.int(),
});
export type PricedPlan = z.infer<typeof pricedPlan>;

/** GET /flex/v1/plans. */
export const plansResponse = z.object({
  currency: z.string(),
  /** False if the operator set no keys: points can still pay for a whole plan. */
  cardsReady: z.boolean(),
  points: pointCount,
  plans: z.array(pricedPlan),
  serviceUntil: z.nullable(epochMs),
  /** The latest payment that went through; a prepare sends it back. */
  lastPaymentId: z.nullable(z.string()),
  /** A raffle that a full payment of `plan` enters, until `endsAt`. */
  raffle: z.nullable(z.object({ plan: planForSale, endsAt: epochMs, winners: z.int() })),
});
export type PlansResponse = z.infer<typeof plansResponse>;

/** POST /flex/v1/payments/quote. */
export const quoteInput = z.strictObject({ plan: planForSale, points: pointCount });
export type QuoteInput = z.infer<typeof quoteInput>;

/**
 * What a plan costs the driver now. `points` may be fewer than were asked for. `serviceUntil` is the end of the
 * driver's service if the plan is paid now.
 */
export const quote = z.extend(priceFigures, {
  plan: planForSale,
  discount: z.nullable(discount),
  serviceUntil: epochMs,
  /** This payment would enter the raffle. */
  entersRaffle: z.boolean(),
});
export type Quote = z.infer<typeof quote>;

/**
 * POST /flex/v1/payments/prepare, sealed. `totalCents` is the total that the driver saw: if the price has changed
 * since, the answer is `price_changed` and nothing is charged. `lastPaymentId` is the latest payment that the driver
 * knew of: if another went through since (a second tab, a second press), the answer is `already_paid`.
 */
export const prepareInput = z.strictObject({
  plan: planForSale,
  points: pointCount,
  totalCents: cents,
  lastPaymentId: z.nullable(z.string().check(z.maxLength(64))),
});
export type PrepareInput = z.infer<typeof prepareInput>;

/** One item of the history. `at` is when it was settled, or when it was prepared if it is not settled. */
export const payment = z.extend(priceFigures, {
  id: z.string(),
  status: paymentStatus,
  refundedCents: cents,
  receiptUrl: z.nullable(z.string()),
  at: epochMs,
});
export type Payment = z.infer<typeof payment>;

/** The response of prepare. Without a `clientSecret` there was nothing left to pay: the payment is settled. */
export const prepareResponse = z.object({
  paymentId: z.string(),
  clientSecret: z.nullable(z.string()),
  quote,
});
export type PrepareResponse = z.infer<typeof prepareResponse>;

/** GET /flex/v1/payments/{id}: asks Stripe, settles the payment if necessary, and returns it. */
export const paymentResponse = z.object({ payment, serviceUntil: z.nullable(epochMs) });
export type PaymentResponse = z.infer<typeof paymentResponse>;

/** The path of GET /flex/v1/payments/{id}. */
export const paymentParams = z.object({ id: z.string().check(z.maxLength(64)) });

export const paymentsQueryInput = z.object({
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,16}(\.[\w-]{1,64})?$/))),
});

/** GET /flex/v1/payments: newest first, 20 a page, without those that were never paid; `cursor` is null on the last. */
export const paymentsResponse = z.object({ items: z.array(payment), cursor: z.nullable(z.string()) });
export type PaymentsResponse = z.infer<typeof paymentsResponse>;
