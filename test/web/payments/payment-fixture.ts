import { NOON } from "../../engine/fixtures.ts";
import type { Payment } from "../../../worker/contract/money/payments.ts";

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
