import type { PaymentChange } from "../../db/queries/payments/payment-changes.ts";
import type { CardReport } from "../../db/queries/payments/renewal-guards.ts";
import type { DisputeRow, PaymentLedger, PaymentRow } from "../../db/queries/payments/payments.ts";
import type { Cents, EpochMs } from "../../db/shapes/units.ts";
import type { PaymentStatus, PriceFigures } from "../../db/shapes/money/plans.ts";
import { ledgerSource } from "../../db/shapes/money/ledger-source.ts";
import type { CardPayment, PaymentMethod } from "./card-payment.ts";
import { isHeld, journalOf } from "./books/journal.ts";
import { invitationChange, applyRefunds, inOrder, type Refund } from "./refunds.ts";
import { pointsEarned, serviceTimeOf } from "./prices/prices.ts";

/**
 * The difference between the card processor's payment and our copy: entries for both ledgers, service changes for the
 * driver, and the status. Null where nothing is missing, so it can be called any number of times, in any order.
 */
export function settlePayment(
  payment: PaymentRow,
  { ledger, card }: { ledger: PaymentLedger; card: CardPayment },
  now: EpochMs,
): PaymentChange | null {
  if (card.status === "succeeded") return settlePaid(payment, { ledger, card }, now);
  if (payment.settledAt !== null || payment.status === "abandoned") return null;
  if (card.status === "canceled") return abandonPayment(payment, ledger);
  if (card.status === payment.status) return null;
  const processingAt = card.status === "processing" ? (card.paidAt ?? now) : null;
  return { ...unchangedFields(payment), status: card.status, processingAt };
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
  const change: PaymentChange = {
    ...unchangedFields(payment),
    ...firstSettlement(payment, now),
    status: "settled",
    method: "points",
  };
  const ledger = { refunds: [], disputes: [] };
  return { ...change, journal: journalOf(payment, { ledger, change, refunds: [] }) };
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
    ...(card.method && methodFields(card.method)),
    methodId: card.methodId ?? payment.methodId,
    methodFingerprint: card.fingerprint ?? payment.methodFingerprint,
    ...(payment.settledAt === null
      ? {
          ...firstSettlement(payment, now),
          consent: paidConsent(payment, card),
          confirmsCard: payment.renewalOf === null,
        }
      : {}),
    processorFeeCents: card.processorFeeCents ?? payment.processorFeeCents,
    refunds: card.refunds
      .filter((refund) => !isStored(refund, ledger))
      .map((refund) => toRefundRow(refund, now)),
    disputes: card.disputes.filter((dispute) => !isStoredDispute(dispute, ledger)),
    reports: card.reports.filter((report) => !isStoredReport(report, ledger)),
  };
  // It was abandoned and paid all the same: points that were released are spent after all.
  const retakenSource = ledgerSource(payment, "retaken");
  if (ledger.points.has(ledgerSource(payment, "released")) && !ledger.points.has(retakenSource)) {
    change.points = [...change.points, { source: retakenSource, points: -payment.points }];
  }
  applyRefunds(payment, { ledger, refunds: card.refunds, change }, now);
  change.refundedCents = Math.min(payment.totalCents, sumCents(effectiveRefunds(card, "refund")));
  change.status = paymentStatusOf(payment, card);
  change.serviceChanges = [...change.serviceChanges, ...disputeNews(payment, { card, ledger, change })];
  change.pausesRenewal = pausesRenewal(payment, { ledger, change });
  const paidAt = card.paidAt ?? payment.settledAt ?? now;
  change.raffle = raffleChange(payment, change, paidAt);
  change.invitation = invitationChange(payment, { change, refunds: card.refunds, known: ledger.refunds });
  if (isUnchanged(payment, change)) return null;
  return { ...change, journal: journalOf(payment, { ledger, change, refunds: card.refunds }) };
}

function firstSettlement(payment: PaymentRow, now: EpochMs) {
  const earned = pointsEarned(payment);
  const durationMs = serviceTimeOf(payment.plan);
  const money = { cents: payment.totalCents, currency: payment.currency };
  return {
    settledAt: now,
    credits: [{ source: ledgerSource(payment), durationMs }],
    points: earned > 0 ? [{ source: ledgerSource(payment, "earned"), points: earned }] : [],
    serviceChanges: [
      {
        source: ledgerSource(payment, "settled"),
        kind: "paid" as const,
        money,
        changedMs: durationMs,
      },
    ],
  };
}

/** The renewal that the driver agreed to when they paid; the card was kept for it. */
function paidConsent(
  { renewalCapCents: capCents, renewalWords: words, orphanedAt }: PaymentRow,
  { method, methodId, fingerprint: methodFingerprint }: CardPayment,
): PaymentChange["consent"] {
  if (capCents === null || words === null) return null;
  if (orphanedAt !== null || !method || methodId === null) return null;
  const { type, brand, last4 } = method;
  return {
    capCents,
    words,
    methodId,
    method: type,
    methodBrand: brand,
    methodLast4: last4,
    methodFingerprint,
  };
}

/**
 * Money of a renewal that goes back pauses it, in part or in goodwill too: whoever gave it back did not mean to charge
 * again tomorrow. So does all the money of the payment with which renewal was agreed to.
 */
function pausesRenewal(
  payment: PaymentRow,
  { ledger, change: { status, refunds } }: { ledger: PaymentLedger; change: PaymentChange },
): boolean {
  const wasBack = (id: string) => ledger.refunds.some((known) => known.id === id && known.isEffective);
  if (!refunds.some(({ id, kind, isEffective }) => kind === "refund" && isEffective && !wasBack(id)))
    return false;
  return payment.renewalOf !== null || status === "refunded";
}

/** Disputes that were opened, or one that was decided for us before it had taken anything. */
function disputeNews(
  payment: PaymentRow,
  { card, ledger, change }: { card: CardPayment; ledger: PaymentLedger; change: PaymentChange },
): PaymentChange["serviceChanges"] {
  const { currency } = payment;
  const was = payment.status === "disputed";
  const is = change.status === "disputed";
  const toNews = (kind: "dispute_opened" | "dispute_won", dispute: { id: string; cents: Cents }) => {
    const money = { cents: dispute.cents, currency };
    return { source: ledgerSource(payment, `${dispute.id}:${kind}`), kind, money, changedMs: 0 };
  };
  if (is) {
    const first = was ? null : card.openDispute;
    // Others that are open beside it. An inquiry of the bank is no dispute, and has no row among the refunds.
    const others = card.disputes.filter(
      ({ id, status }) =>
        isHeld(status) && id !== first?.id && !ledger.refunds.some((known) => known.id === id),
    );
    return [...(first ? [first] : []), ...others].map((dispute) => toNews("dispute_opened", dispute));
  }
  if (!was || change.status === "dispute_lost") return [];
  const won = inOrder(card.refunds).findLast(({ kind }) => kind === "dispute");
  return won ? [toNews("dispute_won", won)] : [];
}

/** A full payment is in the raffles of its day as long as it is not given back in full. */
function raffleChange(payment: PaymentRow, change: PaymentChange, paidAt: EpochMs): PaymentChange["raffle"] {
  const isIn = (status: PaymentStatus) => status !== "refunded" && status !== "dispute_lost";
  const was = payment.settledAt !== null && isIn(payment.status);
  if (!isFullPayment(payment) || was === isIn(change.status)) return null;
  return was ? { kind: "leave" } : { kind: "enter", paidAt };
}

/** No discount and no points: what a raffle asks for. */
export function isFullPayment({
  discountCents,
  points,
}: Pick<PriceFigures, "discountCents" | "points">): boolean {
  return discountCents === 0 && points === 0;
}

function paymentStatusOf(payment: PaymentRow, card: CardPayment): PaymentStatus {
  if (effectiveRefunds(card, "dispute").length > 0) return "dispute_lost";
  if (card.openDispute) return "disputed";
  const refunded = sumCents(effectiveRefunds(card, "refund"));
  if (refunded === 0) return "settled";
  return refunded < payment.totalCents ? "partly_refunded" : "refunded";
}

function effectiveRefunds({ refunds }: CardPayment, kind: Refund["kind"]): Refund[] {
  return refunds.filter((refund) => refund.kind === kind && refund.isEffective);
}

function isStored(refund: Refund, { refunds }: PaymentLedger): boolean {
  const { isEffective, cents, kind } = refund;
  // The amount of a dispute may change until it is decided.
  const isAsHigh = (known: { cents: Cents }) => isEffective || kind !== "dispute" || known.cents === cents;
  // One that stands may become goodwill, and stays that.
  const isKnown = (known: { isGoodwill: boolean }) => !isEffective || known.isGoodwill || !refund.isGoodwill;
  return refunds.some(
    (known) =>
      known.id === refund.id && known.isEffective === isEffective && isKnown(known) && isAsHigh(known),
  );
}

function isStoredDispute(dispute: DisputeRow, { disputes }: PaymentLedger): boolean {
  const { status, cents, feeCents, dueAt } = dispute;
  return disputes.some(
    (known) =>
      known.id === dispute.id &&
      known.status === status &&
      known.cents === cents &&
      known.feeCents === feeCents &&
      known.dueAt === dueAt,
  );
}

function isStoredReport({ id, isFinal }: CardReport, { reports }: PaymentLedger): boolean {
  return reports.some((known) => known.id === id && known.isFinal === isFinal);
}

/** A dispute opens long before it is lost: its money goes when we learn of that. */
function toRefundRow(
  { id, kind, cents, at, isEffective, isGoodwill }: Refund,
  now: EpochMs,
): PaymentChange["refunds"][number] {
  const tookAt = isEffective ? (kind === "dispute" ? now : at) : null;
  return { id, kind, cents, at, isEffective, isGoodwill, tookAt };
}

function methodFields({ type, brand, last4 }: PaymentMethod) {
  return { method: type, methodBrand: brand, methodLast4: last4 };
}

function sumCents(refunds: readonly Refund[]): Cents {
  return refunds.reduce((total, { cents }) => total + cents, 0);
}

function unchangedFields(payment: PaymentRow): PaymentChange {
  const { status, intentId, settledAt, processingAt, refundedCents, receiptUrl } = payment;
  const { method, methodBrand, methodLast4, methodId, methodFingerprint, processorFeeCents } = payment;
  return {
    status,
    intentId,
    settledAt,
    processingAt,
    refundedCents,
    receiptUrl,
    method,
    methodBrand,
    methodLast4,
    methodId,
    methodFingerprint,
    processorFeeCents,
    credits: [],
    points: [],
    raffle: null,
    invitation: null,
    refunds: [],
    disputes: [],
    reports: [],
    confirmsCard: false,
    pausesRenewal: false,
    journal: [],
    serviceChanges: [],
    consent: null,
  };
}

function isUnchanged(payment: PaymentRow, change: PaymentChange): boolean {
  const { confirmsCard: _confirms, pausesRenewal: _pauses, ...fields } = change;
  const { confirmsCard: _never, pausesRenewal: _none, ...unchanged } = unchangedFields(payment);
  return JSON.stringify(unchanged) === JSON.stringify(fields);
}
