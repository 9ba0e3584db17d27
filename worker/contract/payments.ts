import * as z from "zod/mini";
import { discountKind, paymentStatus, plan, planForSale } from "../../db/shapes/plans.ts";
import { epochMs } from "../../db/shapes/units.ts";

const cents = z.int().check(z.nonnegative());
const points = z.int().check(z.nonnegative(), z.maximum(1_000_000));

/** A lower price, and until when. */
export const discount = z.object({ kind: discountKind, priceCents: cents, endsAt: epochMs });
export type Discount = z.infer<typeof discount>;

/** A plan at its price now. `payCents` is what it costs before points and fee; per day rounded half up. */
export const pricedPlan = z.object({
  plan: planForSale,
  days: z.int(),
  priceCents: cents,
  discount: z.nullable(discount),
  payCents: cents,
  perDayCents: cents,
  /** So many points pay for all of it; fewer give that share of the price off. */
  pointsCost: z.int(),
});
export type PricedPlan = z.infer<typeof pricedPlan>;

/** GET /flex/v1/plans. */
export const plansResponse = z.object({
  currency: z.string(),
  /** False where the operator has set no keys: points can still pay for a whole plan. */
  cardsReady: z.boolean(),
  points,
  plans: z.array(pricedPlan),
  serviceUntil: z.nullable(epochMs),
  /** The latest payment that went through; `prepare` names it again. */
  lastPaymentId: z.nullable(z.string()),
  /** A raffle that a full payment of `plan` enters, until `endsAt`. */
  raffle: z.nullable(z.object({ plan: planForSale, endsAt: epochMs, winners: z.int() })),
});
export type PlansResponse = z.infer<typeof plansResponse>;

/** POST /flex/v1/payments/quote. */
export const quoteInput = z.strictObject({ plan: planForSale, points: points });
export type QuoteInput = z.infer<typeof quoteInput>;

/**
 * A breakdown in cents: total = price − cut − points + fee. `points` are as many as are used, which may be
 * fewer than were asked for. `serviceUntil` is what the driver would have, were it paid now.
 */
export const quote = z.object({
  plan: planForSale,
  currency: z.string(),
  priceCents: cents,
  discount: z.nullable(discount),
  discountCents: cents,
  points,
  pointsCents: cents,
  feeCents: cents,
  totalCents: cents,
  serviceUntil: epochMs,
  /** This payment would enter the raffle. */
  entersRaffle: z.boolean(),
});
export type Quote = z.infer<typeof quote>;

/**
 * POST /flex/v1/payments/prepare, sealed. `totalCents` is what the driver was shown: where the price is
 * another by now, `price_changed`, and nothing is charged. `lastPaymentId` is the latest payment that the
 * driver knew of: where another went through since, as by a second tab or a second press, `already_paid`.
 */
export const prepareInput = z.strictObject({
  plan: planForSale,
  points: points,
  totalCents: cents,
  lastPaymentId: z.nullable(z.string().check(z.maxLength(64))),
});
export type PrepareInput = z.infer<typeof prepareInput>;

/** One line of the history. `at` is when it was settled, or prepared where it is not. */
export const payment = z.object({
  id: z.string(),
  plan,
  status: paymentStatus,
  currency: z.string(),
  priceCents: cents,
  discountKind: z.nullable(discountKind),
  discountCents: cents,
  points,
  pointsCents: cents,
  feeCents: cents,
  totalCents: cents,
  refundedCents: cents,
  receiptUrl: z.nullable(z.string()),
  at: epochMs,
});
export type Payment = z.infer<typeof payment>;

/** The answer of prepare. Without a `clientSecret` nothing was left to pay: the payment is settled. */
export const prepareResponse = z.object({
  paymentId: z.string(),
  clientSecret: z.nullable(z.string()),
  quote,
});
export type PrepareResponse = z.infer<typeof prepareResponse>;

/** GET /flex/v1/payments/{id}: looks at Stripe, settles where that is due, and says how it stands. */
export const paymentResponse = z.object({ payment, serviceUntil: z.nullable(epochMs) });
export type PaymentResponse = z.infer<typeof paymentResponse>;

export const paymentsQueryInput = z.object({
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,16}(\.[\w-]{1,64})?$/))),
});

/** GET /flex/v1/payments: newest first, 20 a page, without those that were never paid; `cursor` null on the last. */
export const paymentsResponse = z.object({ items: z.array(payment), cursor: z.nullable(z.string()) });
export type PaymentsResponse = z.infer<typeof paymentsResponse>;
