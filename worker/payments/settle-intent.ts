import { savePaymentChange, type PaymentChange } from "../../db/queries/payments/payment-changes.ts";
import { insertStripeEvent, type StripeEvent } from "../../db/queries/payments/stripe-events.ts";
import { loadRenewal } from "../../db/queries/payments/renewals.ts";
import { loadInviterOf } from "../../db/queries/rewards/invitation-rewards.ts";
import { raisePaymentAlert, resolvePaymentAlerts } from "../../db/queries/payments/alerts.ts";
import type { PaymentAlertKind } from "../../db/schema/payments.ts";
import {
  hasPayment,
  IN_PROGRESS,
  loadPaymentLedger,
  loadPaymentByIntent,
  OWED_IF_ORPHANED,
  type PaymentRow,
  type StoredPayment,
} from "../../db/queries/payments/payments.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import { abandonPayment, settlePayment } from "./settlement.ts";
import type { CardPayment } from "./card-payment.ts";
import { recordRenewal } from "./renewals/record-renewal.ts";
import { CardProcessorError } from "./stripe/responses.ts";
import { deliverServiceChanges } from "./service-changes.ts";
import type { CardCheckoutContext, CheckoutContext } from "./checkout.ts";

/** Each lost round was won by another call, which wrote the same. */
const MAX_ROUNDS = 8;

/** A payment after settling, and what the card processor said of it. */
export type SettledIntent = { payment: PaymentRow; card: CardPayment };

/**
 * Fetches an intent and writes what our copy lacks, all in one batch. Can be called from anywhere, any
 * number of times, in any order.
 * @param event the signed event that led here, stored together with what it changed
 * @param known the payment as it was just read
 * @param onSaved called once our copy of a payment that went through is written, while what follows it is told
 * @returns null where the intent was created for no payment of ours
 * @throws {CardProcessorError}
 */
export async function settleIntent(
  checkout: CardCheckoutContext,
  intentId: string,
  event: StripeEvent | null = null,
  known: StoredPayment | null = null,
  onSaved?: () => void,
): Promise<SettledIntent | null> {
  const settled = await settleOnce(checkout, intentId, { event, known, onSaved });
  if (!settled || !isOwedBack(settled.payment)) return settled;
  if (!(await refundOrphan(checkout, settled.payment))) return settled;
  const refunded = await settleOnce(checkout, intentId, { event: null, known: null });
  // Stripe took the refund, and it failed since: under its key the answer stays the same.
  if (refunded && isOwedBack(refunded.payment)) await raiseUnrefunded(checkout, refunded.payment);
  return refunded;
}

async function settleOnce(
  checkout: CardCheckoutContext,
  intentId: string,
  {
    event,
    known,
    onSaved,
  }: { event: StripeEvent | null; known: StoredPayment | null; onSaved?: (() => void) | undefined },
): Promise<SettledIntent | null> {
  const { db, deps } = checkout;
  let paymentId: string | null = null;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // Loaded before the fetch, so that an older response can't undo what a newer one wrote.
    const read = round === 0 ? known : null;
    const found: StoredPayment | null = read ?? (await loadPaymentByIntent(db, { intentId, paymentId }));
    const card: CardPayment = await checkout.cards.fetchIntent(intentId).catch((error: unknown) => {
      if (found && error instanceof CardProcessorError && error.missing !== null)
        return asMissingIntent(found.payment);
      throw error;
    });
    if (!found) {
      if (paymentId === null && card.paymentId !== null) {
        paymentId = card.paymentId;
        continue;
      }
      if (event) await insertStripeEvent(db, event, deps.now());
      deps.log("warn", "payments.intent.unknown", { intentId, status: card.status });
      await updateAlert(checkout, await unknownKind(checkout, card), { card, paymentId });
      return null;
    }
    const { payment, ledger } = found;
    if (!matchesPayment(payment, card)) {
      deps.log("error", "payments.intent.mismatch", {
        intentId,
        paymentId: payment.id,
        driverId: payment.driverId,
        status: card.status,
        cents: card.cents,
        expectedCents: payment.totalCents,
        currency: card.currency,
        expectedCurrency: payment.currency,
        namedPaymentId: card.paymentId,
      });
      if (event) await insertStripeEvent(db, event, deps.now());
      await updateAlert(checkout, "mismatch", { card, paymentId: payment.id });
      const unpayable: CardPayment = { ...card, status: "open", clientSecret: null };
      // Left open, it would keep its driver from paying for good.
      const isOver = card.status === "canceled" || isAllReturned(card);
      const isOpen = IN_PROGRESS.includes(payment.status);
      const change = isOver && isOpen ? abandonPayment(payment, ledger) : null;
      if (!change) return { payment, card: unpayable };
      if (!(await savePaymentChange(db, payment, { change, event: null, now: deps.now() }))) continue;
      await publishChange(checkout, payment, change);
      return { payment: withChange(payment, change), card: unpayable };
    }
    const now = deps.now();
    const change = settlePayment(payment, { ledger, card }, now);
    if (!change) {
      if (event) await insertStripeEvent(db, event, now);
      await updateWarning(checkout, payment.id, card);
      return { payment, card };
    }
    if (!(await savePaymentChange(db, payment, { change, event, now }))) continue;
    // Of one that has not gone through nothing is read anew.
    if (change.settledAt !== null) onSaved?.();
    await Promise.all([
      publishChange(checkout, payment, change),
      card.status === "succeeded" ? resolvePaymentAlerts(db, intentId, now) : null,
    ]);
    await updateWarning(checkout, payment.id, card);
    return { payment: withChange(payment, change), card };
  }
  throw new Error("a payment was written by others in every round");
}

/** The kind of alert for money that belongs to no known payment. */
async function unknownKind(
  { db }: CheckoutContext,
  { paymentId }: CardPayment,
): Promise<"unknown_intent" | "unknown_payment" | "second_intent"> {
  if (paymentId === null) return "unknown_intent";
  return (await hasPayment(db, paymentId)) ? "second_intent" : "unknown_payment";
}

/** Money that is there without service is an alert until it is given back. */
async function updateAlert(
  { db, deps }: CheckoutContext,
  kind: Exclude<PaymentAlertKind, "unrefunded" | "fraud_warning">,
  { card, paymentId }: { card: CardPayment; paymentId: string | null },
): Promise<void> {
  if (card.status !== "succeeded") return;
  const now = deps.now();
  if (isAllReturned(card)) await resolvePaymentAlerts(db, card.intentId, now);
  else await raisePaymentAlert(db, { kind, intentId: card.intentId, paymentId, now });
}

/** Whether an intent was paid, and all of its money is back. */
function isAllReturned({ status, refunds, cents }: CardPayment): boolean {
  const returned = refunds.filter(({ isEffective }) => isEffective);
  return status === "succeeded" && returned.reduce((total, refund) => total + refund.cents, 0) >= cents;
}

/** An early fraud warning is an alert until the money is back or the dispute has come: a refund costs less than that. */
async function updateWarning(
  { db, deps }: CheckoutContext,
  paymentId: string,
  card: CardPayment,
): Promise<void> {
  const { reports, intentId } = card;
  const isWarned = reports.some(({ kind }) => kind === "warning");
  if (!isWarned || reports.some(({ kind }) => kind === "dispute")) return;
  if (isAllReturned(card)) return;
  await raisePaymentAlert(db, { kind: "fraud_warning", intentId, paymentId, now: deps.now() });
}

/** The driver deleted the account while the bank had this payment, and was charged. */
function isOwedBack({ orphanedAt, status }: PaymentRow): boolean {
  return orphanedAt !== null && OWED_IF_ORPHANED.includes(status);
}

/**
 * Refunds what a deleted account was charged.
 * @returns false where the card processor refuses, which an operator must look at
 */
async function refundOrphan(checkout: CardCheckoutContext, payment: PaymentRow): Promise<boolean> {
  const { id, intentId } = payment;
  if (intentId === null) return false;
  try {
    await checkout.cards.refundIntent(intentId, `refund:${id}:orphaned`);
    return true;
  } catch (error) {
    if (!(error instanceof CardProcessorError) || error.kind === "unreachable") throw error;
    await raiseUnrefunded(checkout, payment);
    return false;
  }
}

async function raiseUnrefunded({ db, deps }: CheckoutContext, { id, intentId }: PaymentRow): Promise<void> {
  if (intentId === null) return;
  await raisePaymentAlert(db, { kind: "unrefunded", intentId, paymentId: id, now: deps.now() });
}

/** An intent that the card processor does not know can't be paid: the keys are another account's by now. */
function asMissingIntent({ id, intentId, totalCents, currency }: PaymentRow): CardPayment {
  return {
    intentId: intentId ?? "",
    paymentId: id,
    status: "canceled",
    cents: totalCents,
    currency,
    clientSecret: null,
    paidAt: null,
    receiptUrl: null,
    method: null,
    methodId: null,
    failure: null,
    refunds: [],
    disputes: [],
    fingerprint: null,
    reports: [],
    processorFeeCents: null,
    usage: null,
    openDispute: null,
  };
}

/** Whether the amount and the payment are those that we asked for. */
function matchesPayment(payment: PaymentRow, card: CardPayment): boolean {
  return (
    card.paymentId === payment.id && card.cents === payment.totalCents && card.currency === payment.currency
  );
}

/**
 * Abandons a payment whose intent was never handed out, so that nobody can pay it.
 * @returns false where it was written in the meantime
 */
export async function abandonWithoutIntent(checkout: CheckoutContext, payment: PaymentRow): Promise<boolean> {
  const change = abandonPayment(payment, await loadPaymentLedger(checkout.db, payment));
  return savePaymentChange(checkout.db, payment, { change, event: null, now: checkout.deps.now() });
}

/** Logs what changed, and delivers it to the driver's object where service time changed. */
export async function publishChange(
  checkout: CheckoutContext,
  payment: PaymentRow,
  change: PaymentChange,
): Promise<void> {
  const { id, driverId, status } = payment;
  checkout.deps.log("info", "payments.changed", { paymentId: id, driverId, from: status, to: change.status });
  const { reports, pausesRenewal } = change;
  if (reports.length > 0)
    checkout.deps.log("warn", "payments.card.reported", {
      paymentId: id,
      driverId,
      kinds: reports.map(({ kind }) => kind),
      isFinal: reports.some(({ isFinal }) => isFinal),
    });
  if (reports.length > 0 || pausesRenewal) await recordPause(checkout, driverId);
  const concernsDriver = change.serviceChanges.length > 0 || reports.length > 0 || pausesRenewal;
  const tellInviter = async () => {
    const inviter = await loadInviterOf(checkout.db, id);
    if (inviter) await deliverServiceChanges(checkout, inviter);
  };
  await Promise.all([
    concernsDriver ? deliverServiceChanges(checkout, driverId) : null,
    change.invitation ? tellInviter() : null,
  ]);
}

/** A database that is restored to before has the renewal on again, and hears of this report or refund no more. */
async function recordPause({ db, deps }: CheckoutContext, driverId: DriverId): Promise<void> {
  const renewal = await loadRenewal(db, driverId);
  if (renewal?.status === "paused") await recordRenewal(deps, driverId, false);
}

function withChange(payment: PaymentRow, change: PaymentChange): PaymentRow {
  const {
    credits: _credits,
    points: _points,
    raffle: _raffle,
    refunds: _refunds,
    disputes: _disputes,
    serviceChanges: _news,
    invitation: _invitation,
    consent: _consent,
    reports: _reports,
    confirmsCard: _confirmsCard,
    pausesRenewal: _pausesRenewal,
    journal: _journal,
    ...fields
  } = change;
  return { ...payment, ...fields, revision: payment.revision + 1 };
}
