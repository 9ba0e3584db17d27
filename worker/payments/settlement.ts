import type { PaymentChange } from "../../db/queries/payment-changes.ts";
import type { PaymentLedger, PaymentRow } from "../../db/queries/payments.ts";
import type { Cents, EpochMs } from "../../durable/engine/units.ts";
import type { PaymentStatus } from "../contract/payments.ts";
import { pointsEarned, serviceOf } from "./prices.ts";

/** Money that went back: a refund, or a dispute that was lost. `stands` is false where it came to nothing. */
export type Reversal = { id: string; kind: "refund" | "dispute"; cents: Cents; at: EpochMs; stands: boolean };

/** A payment as the card processor has it now. */
export type CardPayment = {
  intentId: string;
  /** The payment of ours that it was made for, as it says; null where it is none of ours. */
  paymentId: string | null;
  status: "open" | "processing" | "succeeded" | "canceled";
  cents: Cents;
  currency: string;
  /** Opens the card form for this payment alone. */
  clientSecret: string | null;
  paidAt: EpochMs | null;
  receiptUrl: string | null;
  /** Refunds and lost disputes, in any order. */
  reversals: readonly Reversal[];
  /** A dispute waits for its end. */
  isDisputed: boolean;
};

/**
 * What our copy of a payment lacks of what the card processor says: entries for both ledgers, news
 * for the driver, and how it stands. Null where nothing is missing, so it may be asked any number
 * of times, in any order.
 */
export function settlePayment(
  payment: PaymentRow,
  { ledger, card }: { ledger: PaymentLedger; card: CardPayment },
  now: EpochMs,
): PaymentChange | null {
  if (card.status === "succeeded") return settlePaid(payment, { ledger, card }, now);
  if (payment.settledAt !== null || payment.status === "abandoned") return null;
  if (card.status === "canceled") return abandonPayment(payment, ledger);
  return card.status === payment.status ? null : { ...unchanged(payment), status: card.status };
}

/** Nobody can pay it any more: the points that were held for it are free again. */
export function abandonPayment(payment: PaymentRow, ledger: PaymentLedger): PaymentChange {
  const source = sourceOf(payment, "released");
  const isHeld = payment.points > 0 && !ledger.points.has(source);
  return {
    ...unchanged(payment),
    status: "abandoned",
    points: isHeld ? [{ source, points: payment.points }] : [],
  };
}

/** A payment that leaves nothing for a card: paid by points, or free. */
export function settleWithoutCard(payment: PaymentRow, now: EpochMs): PaymentChange {
  return { ...unchanged(payment), ...firstSettled(payment, { paidAt: now, now }), status: "settled" };
}

function settlePaid(
  payment: PaymentRow,
  { ledger, card }: { ledger: PaymentLedger; card: CardPayment },
  now: EpochMs,
): PaymentChange | null {
  const change: PaymentChange = {
    ...unchanged(payment),
    intentId: card.intentId,
    receiptUrl: card.receiptUrl ?? payment.receiptUrl,
    ...(payment.settledAt === null ? firstSettled(payment, { paidAt: card.paidAt ?? now, now }) : {}),
  };
  // It was given up and paid all the same: points that were released are spent after all.
  const retaken = sourceOf(payment, "retaken");
  if (ledger.points.has(sourceOf(payment, "released")) && !ledger.points.has(retaken)) {
    change.points = [...change.points, { source: retaken, points: -payment.points }];
  }
  takeBack(payment, { ledger, card, change });
  change.refundedCents = Math.min(payment.totalCents, sum(standing(card, "refund")));
  change.status = statusOf(payment, card);
  return isSame(payment, change) ? null : change;
}

function firstSettled(payment: PaymentRow, { paidAt, now }: { paidAt: EpochMs; now: EpochMs }) {
  const earned = pointsEarned(payment);
  return {
    settledAt: now,
    credits: [{ source: `payment:${payment.id}`, durationMs: serviceOf(payment.plan) }],
    points: earned > 0 ? [{ source: sourceOf(payment, "earned"), points: earned }] : [],
    raffleAt: isFullPayment(payment) ? paidAt : null,
    news: [{ source: sourceOf(payment, "settled"), kind: "paid" as const }],
  };
}

/** No cut and no points: what a raffle asks for. */
export function isFullPayment({ cutCents, points }: Pick<PaymentRow, "cutCents" | "points">): boolean {
  return cutCents === 0 && points === 0;
}

/**
 * Adds what each new reversal takes back: the same share of the service time, of the points earned
 * (and gives back of those spent) as of the money. All reversals together never take more than the
 * whole, and a refund that failed after all gives back what it took.
 */
function takeBack(
  payment: PaymentRow,
  { ledger, card, change }: { ledger: PaymentLedger; card: CardPayment; change: PaymentChange },
): void {
  const wholeMs = serviceOf(payment.plan);
  const earned = pointsEarned(payment);
  const share = (whole: number, cents: Cents) => {
    return Math.floor((whole * Math.min(cents, payment.totalCents)) / payment.totalCents);
  };
  const taken = [...ledger.credits].filter(([source]) => source !== `payment:${payment.id}`);
  let takenMs = -taken.reduce((total, [, durationMs]) => total + durationMs, 0);
  let takenCents: Cents = 0;
  const recorded = (reversal: Reversal) => ledger.credits.has(sourceOf(payment, reversal.id));
  const undone = (reversal: Reversal) => ledger.credits.has(sourceOf(payment, `${reversal.id}:undone`));
  const inOrder = card.reversals.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  for (const reversal of inOrder) if (recorded(reversal) && !undone(reversal)) takenCents += reversal.cents;

  for (const reversal of inOrder) {
    const isIn = recorded(reversal) && !undone(reversal);
    if (isIn === reversal.stands || (recorded(reversal) && reversal.stands)) continue;
    const before = takenCents;
    takenCents += reversal.stands ? reversal.cents : -reversal.cents;
    const source = sourceOf(payment, reversal.stands ? reversal.id : `${reversal.id}:undone`);
    const durationMs = takenMs - share(wholeMs, takenCents);
    takenMs -= durationMs;
    const points =
      share(earned, before) -
      share(earned, takenCents) +
      share(payment.points, takenCents) -
      share(payment.points, before);
    change.credits = [...change.credits, { source, durationMs }];
    if (points !== 0) change.points = [...change.points, { source, points }];
    if (reversal.stands) {
      const kind = reversal.kind === "dispute" ? "disputed" : "refunded";
      change.news = [...change.news, { source, kind }];
    }
  }
}

function statusOf(payment: PaymentRow, card: CardPayment): PaymentStatus {
  if (standing(card, "dispute").length > 0) return "dispute_lost";
  if (card.isDisputed) return "disputed";
  const refunded = sum(standing(card, "refund"));
  if (refunded === 0) return "settled";
  return refunded < payment.totalCents ? "partly_refunded" : "refunded";
}

function standing({ reversals }: CardPayment, kind: Reversal["kind"]): Reversal[] {
  return reversals.filter((reversal) => reversal.kind === kind && reversal.stands);
}

function sum(reversals: readonly Reversal[]): Cents {
  return reversals.reduce((total, { cents }) => total + cents, 0);
}

function unchanged(payment: PaymentRow): PaymentChange {
  const { status, intentId, settledAt, refundedCents, receiptUrl } = payment;
  return {
    status,
    intentId,
    settledAt,
    refundedCents,
    receiptUrl,
    credits: [],
    points: [],
    raffleAt: null,
    news: [],
  };
}

function isSame(payment: PaymentRow, change: PaymentChange): boolean {
  return JSON.stringify(unchanged(payment)) === JSON.stringify(change);
}

/** The source of a ledger's entry that a payment is the cause of. */
export function sourceOf({ id }: Pick<PaymentRow, "id">, what: string): string {
  return `payment:${id}:${what}`;
}
