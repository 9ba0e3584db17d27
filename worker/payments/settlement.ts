import type { PaymentChange } from "../../db/queries/payment-changes.ts";
import type { PaymentLedger, PaymentRow } from "../../db/queries/payments.ts";
import type { Cents, EpochMs } from "../../db/shapes/units.ts";
import type { PaymentStatus, PriceFigures } from "../../db/shapes/plans.ts";
import { pointsEarned, serviceTimeOf } from "./prices.ts";

/** Money that went back: a refund, or a dispute that was lost. `isEffective` is false where it failed or was canceled. */
export type Refund = {
  id: string;
  kind: "refund" | "dispute";
  cents: Cents;
  at: EpochMs;
  isEffective: boolean;
};

/** A payment as the card processor has it now. */
export type CardPayment = {
  intentId: string;
  /** The payment of ours that its metadata names; null where it names none. */
  paymentId: string | null;
  status: "open" | "processing" | "succeeded" | "canceled";
  cents: Cents;
  currency: string;
  /** Opens the card form for this payment alone. */
  clientSecret: string | null;
  paidAt: EpochMs | null;
  receiptUrl: string | null;
  /** Refunds and lost disputes, in any order. */
  refunds: readonly Refund[];
  /** A dispute is open. */
  isDisputed: boolean;
};

/**
 * What our copy of a payment lacks of what the card processor says: entries for both ledgers, service
 * changes for the driver, and the status. Null where nothing is missing, so it can be called any number
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
  return card.status === payment.status ? null : { ...unchangedFields(payment), status: card.status };
}

/** Nobody can pay it any more: the points that were reserved for it are released. */
export function abandonPayment(payment: PaymentRow, ledger: PaymentLedger): PaymentChange {
  const source = ledgerSource(payment, "released");
  const isHeld = payment.points > 0 && !ledger.points.has(source);
  return {
    ...unchangedFields(payment),
    status: "abandoned",
    points: isHeld ? [{ source, points: payment.points }] : [],
  };
}

/** A payment with nothing left to charge a card: paid by points, or free. */
export function settleWithoutCard(payment: PaymentRow, now: EpochMs): PaymentChange {
  return {
    ...unchangedFields(payment),
    ...firstSettlement(payment, { paidAt: now, now }),
    status: "settled",
  };
}

function settlePaid(
  payment: PaymentRow,
  { ledger, card }: { ledger: PaymentLedger; card: CardPayment },
  now: EpochMs,
): PaymentChange | null {
  const change: PaymentChange = {
    ...unchangedFields(payment),
    intentId: card.intentId,
    receiptUrl: card.receiptUrl ?? payment.receiptUrl,
    ...(payment.settledAt === null ? firstSettlement(payment, { paidAt: card.paidAt ?? now, now }) : {}),
  };
  // It was abandoned and paid all the same: points that were released are spent after all.
  const retakenSource = ledgerSource(payment, "retaken");
  if (ledger.points.has(ledgerSource(payment, "released")) && !ledger.points.has(retakenSource)) {
    change.points = [...change.points, { source: retakenSource, points: -payment.points }];
  }
  applyRefunds(payment, { ledger, card, change });
  change.refundedCents = Math.min(payment.totalCents, sumCents(effectiveRefunds(card, "refund")));
  change.status = paymentStatusOf(payment, card);
  return isUnchanged(payment, change) ? null : change;
}

function firstSettlement(payment: PaymentRow, { paidAt, now }: { paidAt: EpochMs; now: EpochMs }) {
  const earned = pointsEarned(payment);
  return {
    settledAt: now,
    credits: [{ source: `payment:${payment.id}`, durationMs: serviceTimeOf(payment.plan) }],
    points: earned > 0 ? [{ source: ledgerSource(payment, "earned"), points: earned }] : [],
    raffleAt: isFullPayment(payment) ? paidAt : null,
    serviceChanges: [{ source: ledgerSource(payment, "settled"), kind: "paid" as const }],
  };
}

/** No discount and no points: what a raffle asks for. */
export function isFullPayment({
  discountCents,
  points,
}: Pick<PriceFigures, "discountCents" | "points">): boolean {
  return discountCents === 0 && points === 0;
}

/**
 * Adds what each new refund takes back: the same share of the service time and of the points earned
 * as of the money; points that were spent are given back by that share. All refunds together never take
 * more than the whole, and a refund that failed after all gives back what it took.
 */
function applyRefunds(
  payment: PaymentRow,
  { ledger, card, change }: { ledger: PaymentLedger; card: CardPayment; change: PaymentChange },
): void {
  const wholeMs = serviceTimeOf(payment.plan);
  const earned = pointsEarned(payment);
  const share = (whole: number, cents: Cents) => {
    return Math.floor((whole * Math.min(cents, payment.totalCents)) / payment.totalCents);
  };
  const taken = [...ledger.credits].filter(([source]) => source !== `payment:${payment.id}`);
  let takenMs = -taken.reduce((total, [, durationMs]) => total + durationMs, 0);
  let takenCents: Cents = 0;
  const isRecorded = (refund: Refund) => ledger.credits.has(ledgerSource(payment, refund.id));
  const isUndone = (refund: Refund) => ledger.credits.has(ledgerSource(payment, `${refund.id}:undone`));
  const inOrder = card.refunds.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  for (const refund of inOrder) if (isRecorded(refund) && !isUndone(refund)) takenCents += refund.cents;

  for (const refund of inOrder) {
    const isApplied = isRecorded(refund) && !isUndone(refund);
    if (isApplied === refund.isEffective || (isRecorded(refund) && refund.isEffective)) continue;
    const before = takenCents;
    takenCents += refund.isEffective ? refund.cents : -refund.cents;
    const source = ledgerSource(payment, refund.isEffective ? refund.id : `${refund.id}:undone`);
    const durationMs = takenMs - share(wholeMs, takenCents);
    takenMs -= durationMs;
    const points =
      share(earned, before) -
      share(earned, takenCents) +
      share(payment.points, takenCents) -
      share(payment.points, before);
    change.credits = [...change.credits, { source, durationMs }];
    if (points !== 0) change.points = [...change.points, { source, points }];
    if (refund.isEffective) {
      const kind = refund.kind === "dispute" ? "disputed" : "refunded";
      change.serviceChanges = [...change.serviceChanges, { source, kind }];
    }
  }
}

function paymentStatusOf(payment: PaymentRow, card: CardPayment): PaymentStatus {
  if (effectiveRefunds(card, "dispute").length > 0) return "dispute_lost";
  if (card.isDisputed) return "disputed";
  const refunded = sumCents(effectiveRefunds(card, "refund"));
  if (refunded === 0) return "settled";
  return refunded < payment.totalCents ? "partly_refunded" : "refunded";
}

function effectiveRefunds({ refunds }: CardPayment, kind: Refund["kind"]): Refund[] {
  return refunds.filter((refund) => refund.kind === kind && refund.isEffective);
}

function sumCents(refunds: readonly Refund[]): Cents {
  return refunds.reduce((total, { cents }) => total + cents, 0);
}

function unchangedFields(payment: PaymentRow): PaymentChange {
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
    serviceChanges: [],
  };
}

function isUnchanged(payment: PaymentRow, change: PaymentChange): boolean {
  return JSON.stringify(unchangedFields(payment)) === JSON.stringify(change);
}

/** The source of a ledger entry that a payment causes. */
export function ledgerSource({ id }: Pick<PaymentRow, "id">, what: string): string {
  return `payment:${id}:${what}`;
}
