import * as z from "zod/mini";
import { epochMs } from "../../durable/engine/units.ts";

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
export const cutKind = z.enum(["flash_sale", "special_price"]);
export type CutKind = z.infer<typeof cutKind>;

const cents = z.int().check(z.nonnegative());
const points = z.int().check(z.nonnegative(), z.maximum(1_000_000));

/** A lower price, and until when. */
export const priceCut = z.object({ kind: cutKind, priceCents: cents, endsAt: epochMs });
export type PriceCut = z.infer<typeof priceCut>;

/** A plan at its price now. `payCents` is what it costs before points and fee; per day rounded half up. */
export const pricedPlan = z.object({
  plan: planForSale,
  days: z.int(),
  priceCents: cents,
  cut: z.nullable(priceCut),
  payCents: cents,
  perDayCents: cents,
  /** So many points pay for all of it; fewer give that share of the price off. */
  pointsCost: z.int(),
});
export type PricedPlan = z.infer<typeof pricedPlan>;

/** GET /flex/v1/plans. */
export const plansAnswer = z.object({
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
export type PlansAnswer = z.infer<typeof plansAnswer>;

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
  cut: z.nullable(priceCut),
  cutCents: cents,
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

/** One line of the history. `at` is when it was settled, or prepared where it is not. */
export const payment = z.object({
  id: z.string(),
  plan,
  status: paymentStatus,
  currency: z.string(),
  priceCents: cents,
  cutKind: z.nullable(cutKind),
  cutCents: cents,
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
export const prepareAnswer = z.object({ paymentId: z.string(), clientSecret: z.nullable(z.string()), quote });
export type PrepareAnswer = z.infer<typeof prepareAnswer>;

/** GET /flex/v1/payments/{id}: looks at Stripe, settles where that is due, and says how it stands. */
export const paymentAnswer = z.object({ payment, serviceUntil: z.nullable(epochMs) });
export type PaymentAnswer = z.infer<typeof paymentAnswer>;

export const paymentsQuery = z.object({
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,16}(\.[\w-]{1,64})?$/))),
});

/** GET /flex/v1/payments: newest first, 20 a page, without those that were never paid; `cursor` null on the last. */
export const paymentsAnswer = z.object({ items: z.array(payment), cursor: z.nullable(z.string()) });
export type PaymentsAnswer = z.infer<typeof paymentsAnswer>;
