import * as z from "zod/mini";
import {
  discountKind,
  planForSale,
  pointCount,
  priceFigures,
  shownPaymentStatus,
  shownPlan,
} from "../../../db/shapes/money/plans.ts";
import { moneyBack } from "../../../db/shapes/money/money-back.ts";
import { readsAs } from "../../../db/shapes/tolerant.ts";
import { cents, epochMs } from "../../../db/shapes/units.ts";
import type { ApiRoute } from "../api-route.ts";
import { paymentId } from "./payment-id.ts";
import { renewalTerms } from "./renewal-link.ts";

/** A discounted price and when it ends. */
export const discount = z.object({ kind: discountKind, priceCents: cents, endsAt: epochMs });

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

/**
 * A payment that is not decided. `open`: it waits for a card. `processing`: the bank has had it since `since`, for
 * up to several days, and until then no other payment can be made, so that nothing is charged twice. A status of a later
 * release reads as the stricter of the two.
 */
export const paymentInProgress = z.object({
  id: z.string(),
  status: readsAs(z.enum(["open", "processing"]), "processing"),
  plan: shownPlan,
  currency: z.string(),
  totalCents: cents,
  since: epochMs,
  /**
   * POST /flex/v1/payments/{id}/cancel can be tried. It always succeeds on an `open` payment, and in rare cases on one
   * in `processing` (docs.stripe.com/api/payment_intents/cancel): Stripe refuses where the bank has it.
   */
  canCancel: z.boolean(),
});
export type PaymentInProgress = z.infer<typeof paymentInProgress>;

/** GET /flex/v1/plans. */
export const plansResponse = z.object({
  currency: z.string(),
  /** False where the operator set no keys, or Stripe refuses them: points can still pay for a whole plan. */
  cardsReady: z.boolean(),
  /** The payment methods of an intent, by Stripe's names: the card form offers the same. */
  paymentMethods: z.array(z.string()),
  /** The least that a card can be charged. */
  minChargeCents: cents,
  /** The bank fee's share of the charged amount, in millionths. */
  feeMillionths: z.int(),
  points: pointCount,
  plans: z.array(pricedPlan),
  serviceUntil: z.nullable(epochMs),
  /** The latest payment that went through; a prepare sends it back. */
  lastPaymentId: z.nullable(z.string()),
  /** The payment that was begun and is not decided; null if there is none. */
  inProgress: z.nullable(paymentInProgress),
  /** After several declines, when the next card can be tried; null where one can be tried now. */
  pausedUntil: z.nullable(epochMs),
  /** A raffle that a full payment of `plan` at its present price enters, until `endsAt`. */
  raffle: z.nullable(z.object({ id: z.string(), plan: planForSale, endsAt: epochMs, winners: z.int() })),
});
export type PlansResponse = z.infer<typeof plansResponse>;

/** POST /flex/v1/payments/quote. */
export const quoteInput = z.object({ plan: planForSale, points: pointCount });
export type QuoteInput = z.infer<typeof quoteInput>;

/**
 * A plan's price for the driver now. `points` may be fewer than requested. `serviceUntil` is the end of the driver's
 * service if the plan is paid now.
 */
export const quote = z.extend(priceFigures, {
  plan: planForSale,
  /** The price that it was made at: sent with the prepare, it holds for half an hour. Null where there is no history. */
  priceId: z.nullable(z.string()),
  discount: z.nullable(discount),
  serviceUntil: epochMs,
  /** This payment would enter the raffle. */
  entersRaffle: z.boolean(),
  /** The most that a renewal of this plan charges, if the driver agrees to one now: its list price and fee. */
  renewalCapCents: cents,
});
export type Quote = z.infer<typeof quote>;

/** A driver's consent when they choose renewal: the cap that they saw, and the version of the words. */
export const renewalConsent = z.strictObject({ capCents: cents, words: z.int() });
export type RenewalConsent = z.infer<typeof renewalConsent>;

/**
 * POST /flex/v1/payments/prepare, sealed. `totalCents` is the total that the driver saw: if the price has changed
 * since, the answer is `price_changed` and nothing is charged. `lastPaymentId` is the latest payment that the driver
 * knew of: if another went through since (a second tab, a second press), the answer is `already_paid`. `priceId` is
 * the quote's, so that a price that changes under an open quote does not change that quote. With `renewal` the card is
 * kept and charged shortly before service ends, until the driver turns it off; left out or null, nothing is. With
 * `savesCard` it is kept for payments that the driver makes.
 */
export const prepareInput = z.strictObject({
  plan: planForSale,
  points: pointCount,
  totalCents: cents,
  /** The quote's currency, so that no sum is charged in another one. Older pages leave it out. */
  currency: z.optional(z.string().check(z.maxLength(8))),
  lastPaymentId: z.nullable(paymentId),
  priceId: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
  renewal: z.optional(z.nullable(renewalConsent)),
  savesCard: z.optional(z.boolean()),
});
export type PrepareInput = z.infer<typeof prepareInput>;

/** One item of the history. `at` is when it was settled, or when it was prepared if it is not settled. */
export const payment = z.extend(priceFigures, {
  plan: shownPlan,
  id: z.string(),
  status: shownPaymentStatus,
  refundedCents: cents,
  /** Stripe's own receipt, which expires after 30 days; ours is at GET /flex/v1/payments/{id}/receipt. */
  receiptUrl: z.nullable(z.string()),
  /** The number of our receipt; null while nothing was paid. */
  receiptNumber: z.nullable(z.int()),
  /** True if it was charged by the renewal, without the driver. */
  isRenewal: z.boolean(),
  /** Set while it is not decided. */
  inProgress: z.nullable(paymentInProgress),
  /** The outcome of the last attempt to refund it, if that failed. */
  reversal: z.nullable(z.enum(["refund_failed", "dispute_won"])),
  /** Its refunds and disputes, with what each took and returned, oldest first. Left out by servers of before. */
  back: z.optional(z.array(moneyBack)),
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

/** The renewal that a payment agreed to, or was charged by. */
export const paymentRenewal = z.extend(renewalTerms, {
  /** The token of the link that turns it off without signing in; null once it has ended. */
  link: z.nullable(z.string()),
});
export type PaymentRenewal = z.infer<typeof paymentRenewal>;

/** GET /flex/v1/payments/{id}: asks Stripe, settles the payment if necessary, and returns it. */
export const paymentResponse = z.object({
  payment,
  serviceUntil: z.nullable(epochMs),
  /** Null for a payment without. Left out by servers of before. */
  renewal: z.optional(z.nullable(paymentRenewal)),
});
export type PaymentResponse = z.infer<typeof paymentResponse>;

/** The path of GET /flex/v1/payments/{id}. */
export const paymentParams = z.object({ id: paymentId });

export const paymentsQueryInput = z.object({
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,16}(\.[\w-]{1,64})?$/))),
});

/** GET /flex/v1/payments: newest first, 20 a page, without those that were never paid; `cursor` is null on the last. */
export const paymentsResponse = z.object({ items: z.array(payment), cursor: z.nullable(z.string()) });
export type PaymentsResponse = z.infer<typeof paymentsResponse>;

/** POST /flex/v1/payments/{id}/cancel: the payment after it was called off, or as it was decided in the meantime. */
export const cancelResponse = paymentResponse;

/** How a payment was paid: by `points`, or as Stripe names it (`card`, `link`); a card with brand and last digits. */
export const receiptMethod = z.object({
  type: z.string(),
  brand: z.nullable(z.string()),
  last4: z.nullable(z.string()),
});

/** GET /flex/v1/payments/{id}/receipt: our own receipt, for payments by points too. It does not expire. */
export const receipt = z.extend(priceFigures, {
  plan: shownPlan,
  paymentId: z.string(),
  /** One after the other without gaps, in the order in which payments went through. */
  number: z.int(),
  seller: z.object({
    name: z.string(),
    /** Lines with `\n` between them. */
    address: z.nullable(z.string()),
    taxId: z.nullable(z.string()),
  }),
  driverName: z.string(),
  paidAt: epochMs,
  days: z.int(),
  status: shownPaymentStatus,
  /** The tax that the total includes, and the tax on what was kept after refunds; null if none is set. */
  tax: z.nullable(z.object({ name: z.string(), millionths: z.int(), cents, keptCents: z.optional(cents) })),
  /** Null where it was not stored, for payments from before it was. */
  method: z.nullable(receiptMethod),
  /** Money that went back, oldest first. Refunds that failed are not among them. */
  refunds: z.array(z.object({ kind: z.enum(["refund", "dispute"]), cents, at: epochMs })),
  refundedCents: cents,
  /** The renewal that was agreed to with the payment, or charged it; null for none. Left out by servers of before. */
  renewal: z.optional(z.nullable(paymentRenewal)),
});
export type Receipt = z.infer<typeof receipt>;

/** Plans and payments. */
export const PAYMENT_ROUTES = {
  "GET /flex/v1/plans": {
    summary: "The plans that are for sale, at the driver's prices now.",
    auth: "bearer",
    responses: { 200: plansResponse },
    errors: ["not_found"],
  },
  "GET /flex/v1/payments": {
    summary: "What the driver paid; newest first, 20 a page.",
    auth: "bearer",
    query: paymentsQueryInput,
    responses: { 200: paymentsResponse },
    errors: ["rate_limited"],
  },
  "POST /flex/v1/payments/quote": {
    summary: "A plan's price for the driver now.",
    auth: "bearer",
    body: quoteInput,
    responses: { 200: quote },
    errors: ["not_found", "rate_limited"],
  },
  "POST /flex/v1/payments/prepare": {
    summary: "Prepares a payment for the total that the driver saw. Repeating it prepares nothing twice.",
    auth: "bearer",
    body: prepareInput,
    responses: { 200: prepareResponse },
    errors: [
      "not_found",
      "waiting_for_spot",
      "not_linked",
      "already_paid",
      "points_short",
      "price_changed",
      "payment_processing",
      "payments_paused",
      "conflict",
      "rate_limited",
      "cards_unavailable",
      "payments_unreachable",
    ],
  },
  "GET /flex/v1/payments/{id}": {
    summary: "One payment, settled first if the card processor knows more of it.",
    auth: "bearer",
    params: paymentParams,
    responses: { 200: paymentResponse },
    errors: ["not_found", "rate_limited", "cards_unavailable", "payments_unreachable"],
  },
  "POST /flex/v1/payments/{id}/cancel": {
    summary: "Cancels an undecided payment, if the bank still allows it. The answer says what became of it.",
    auth: "bearer",
    params: paymentParams,
    responses: { 200: cancelResponse },
    errors: ["not_found", "rate_limited", "cards_unavailable", "payments_unreachable"],
  },
  "GET /flex/v1/payments/{id}/receipt": {
    summary: "Our own receipt of a payment that went through, by points too. It does not expire.",
    auth: "bearer",
    params: paymentParams,
    responses: { 200: receipt },
    errors: ["not_found", "rate_limited"],
  },
} as const satisfies Record<string, ApiRoute>;
