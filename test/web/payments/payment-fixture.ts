import { NOON } from "../../engine/fixtures.ts";
import type { Payment, PlansResponse, Quote } from "../../../worker/contract/money/payments.ts";

/** A driver's payment of a week. */
export function makePayment(changes: Partial<Payment> = {}): Payment {
  return {
    id: "pay",
    plan: "7days",
    status: "settled",
    currency: "USD",
    priceCents: 5_000,
    discountKind: null,
    discountCents: 0,
    points: 0,
    pointsCents: 0,
    feeCents: 22,
    totalCents: 5_022,
    refundedCents: 0,
    receiptUrl: null,
    receiptNumber: null,
    isRenewal: false,
    inProgress: null,
    reversal: null,
    at: NOON,
    ...changes,
  };
}

/** The price of a week, which its driver pays by card. */
export const QUOTE: Quote = {
  plan: "7days",
  currency: "USD",
  priceCents: 5_000,
  discountKind: null,
  discountCents: 0,
  points: 0,
  pointsCents: 0,
  feeCents: 22,
  totalCents: 5_022,
  priceId: null,
  discount: null,
  serviceUntil: NOON,
  entersRaffle: false,
  renewalCapCents: 6_000,
};

/** The plans page of a driver without service. A test adds the plans. */
export const PLANS: PlansResponse = {
  currency: "USD",
  cardsReady: true,
  paymentMethods: ["card"],
  minChargeCents: 50,
  feeMillionths: 4_400,
  points: 0,
  plans: [],
  serviceUntil: null,
  lastPaymentId: null,
  inProgress: null,
  pausedUntil: null,
  raffle: null,
};
