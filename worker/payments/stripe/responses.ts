import type Stripe from "stripe";
import type { CardReport } from "../../../db/queries/payments/renewal-guards.ts";
import type { DisputeRow } from "../../../db/queries/payments/payments.ts";
import { disputeStatus, type DisputeStatus } from "../../../db/shapes/money/money-back.ts";
import { describeError, errorName } from "../../../durable/runtime/describe-error.ts";
import type { LogFacts } from "../../../durable/runtime/log.ts";
import type { SavedCard } from "../../contract/money/saved-cards.ts";
import type { Refund } from "../refunds.ts";
import type { CardPayment, PaymentMethod } from "../card-payment.ts";

/**
 * Why a call to the card processor failed. `unreachable`: no response, or one that leaves open what
 * happened; it can be repeated under the same key. `refused`: repeating it would not help.
 */
export class CardProcessorError extends Error {
  override name = "CardProcessorError";
  readonly kind: "unreachable" | "refused";
  /** The parameter that named an object unknown there. */
  readonly missing: string | null;
  /** The response is an earlier one, stored under the key: only another key can get another. */
  readonly isReplayed: boolean;
  /** The secret key is not taken. */
  readonly isUnauthorized: boolean;
  /** The traces by which an operator finds the call: the processor's own codes and the id of the request. */
  readonly reference: ErrorReference;

  constructor(kind: CardProcessorError["kind"], facts: CardErrorFacts = {}) {
    super(kind);
    this.kind = kind;
    this.missing = facts.missing ?? null;
    this.isReplayed = facts.isReplayed ?? false;
    this.isUnauthorized = facts.isUnauthorized ?? false;
    this.reference = facts.reference ?? { status: null, code: null, declineCode: null, requestId: null };
  }
}

type ErrorReference = {
  status: number | null;
  code: string | null;
  declineCode: string | null;
  requestId: string | null;
};

type CardErrorFacts = {
  missing?: string | null;
  isReplayed?: boolean;
  isUnauthorized?: boolean;
  reference?: ErrorReference;
};

/** The log fields of an error around a payment: of the processor's own, which was expected, kind and codes; else everything. */
export function describePaymentError(error: unknown): LogFacts {
  if (!(error instanceof CardProcessorError)) return describeError(error);
  const { status, code, declineCode, requestId } = error.reference;
  return {
    error: errorName(error),
    kind: error.kind,
    stripeStatus: status,
    stripeCode: code,
    declineCode,
    stripeRequestId: requestId,
  };
}

/** A signed event, as far as it is read: which intent to fetch, or whose charge it names. */
export type SignedEvent = { id: string; type: string; intentId: string | null; chargeId: string | null };

/** A payment from its intent, charge, refunds and disputes. */
export function toCardPayment(
  intent: Stripe.PaymentIntent,
  {
    refunds,
    disputes,
    warnings,
  }: { refunds: Stripe.Refund[]; disputes: Stripe.Dispute[]; warnings: Stripe.Radar.EarlyFraudWarning[] },
): CardPayment {
  const charge = typeof intent.latest_charge === "string" ? null : intent.latest_charge;
  return {
    intentId: intent.id,
    paymentId: intent.metadata["payment_id"] ?? null,
    status: toStatus(intent.status),
    cents: intent.status === "succeeded" ? intent.amount_received : intent.amount,
    currency: intent.currency.toUpperCase(),
    clientSecret: intent.client_secret,
    paidAt: charge ? charge.created * 1000 : null,
    receiptUrl: charge?.receipt_url ?? null,
    method: toPaymentMethod(charge?.payment_method_details ?? null),
    methodId: referenceId(intent.payment_method),
    usage: METHOD_USAGES.find((usage) => usage === intent.setup_future_usage) ?? null,
    failure: intent.last_payment_error?.code ?? null,
    refunds: [...refunds.map(toRefund), ...disputes.filter(isDispute).map(disputeToRefund)],
    disputes: disputes.map(toDisputeRow),
    fingerprint: charge?.payment_method_details?.card?.fingerprint ?? null,
    reports: [...disputes.map(disputeToReport), ...warnings.map(warningToReport)],
    processorFeeCents: toProcessorFee(charge, intent.currency),
    openDispute: toOpenDispute(disputes),
  };
}

/** An inquiry counts too: whoever asks their bank about a payment did not expect it. */
function disputeToReport(dispute: Stripe.Dispute): CardReport {
  const { id, created, reason } = dispute;
  const isFinal = reason === "fraudulent" && isDisputeLost(dispute);
  return { id, kind: "dispute", at: created * 1000, isFinal };
}

function warningToReport({ id, created }: Stripe.Radar.EarlyFraudWarning): CardReport {
  return { id, kind: "warning", at: created * 1000, isFinal: false };
}

/** Null until Stripe has booked the charge, and where it books in another currency. */
function toProcessorFee(charge: Stripe.Charge | null, currency: string): number | null {
  const booked = charge?.balance_transaction;
  if (!booked || typeof booked === "string") return null;
  return booked.currency === currency ? booked.fee : null;
}

/** A dispute as the console shows it: with its deadline as long as evidence is taken. */
function toDisputeRow(dispute: Stripe.Dispute): DisputeRow {
  const { id, status, reason, amount, balance_transactions: booked, evidence_details: evidence } = dispute;
  return {
    id,
    status: toDisputeStatus(dispute),
    reason,
    cents: amount,
    feeCents: booked.reduce((total, { fee }) => total + fee, 0),
    dueAt: status.endsWith("needs_response") && evidence?.due_by ? evidence.due_by * 1000 : null,
    at: dispute.created * 1000,
  };
}

/**
 * A dispute's status. One of a later version whose money is withdrawn and that is not lost is undecided, as far as we know:
 * nobody has won, and the money is still held.
 */
function toDisputeStatus(dispute: Stripe.Dispute): DisputeStatus {
  const known = disputeStatus.safeParse(dispute.status).data;
  if (known !== undefined) return known;
  return isWithdrawn(dispute) && !isDisputeLost(dispute) ? "under_review" : "other";
}

const METHOD_USAGES = ["on_session", "off_session"] as const;

/** A card as the processor keeps it. */
export type StoredCard = SavedCard & {
  /** The driver asked to see it again. A renewal's card is kept for the renewal alone. */
  mayBeShown: boolean;
};

export function toStoredCard(method: Stripe.PaymentMethod): StoredCard {
  const { id, type, card } = method;
  return {
    id,
    type,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? null,
    expMonth: card?.exp_month ?? null,
    expYear: card?.exp_year ?? null,
    mayBeShown: method.allow_redisplay === "always",
  };
}

/** A bank that only inquires has disputed nothing yet: no money moved, and nobody has won. */
function isDispute({ status }: Stripe.Dispute): boolean {
  return !status.startsWith("warning_");
}

function toOpenDispute(disputes: Stripe.Dispute[]): CardPayment["openDispute"] {
  const open = disputes.find((dispute) => {
    const status = toDisputeStatus(dispute);
    return status === "needs_response" || status === "under_review";
  });
  return open ? { id: open.id, cents: open.amount } : null;
}

function toPaymentMethod(details: Stripe.Charge.PaymentMethodDetails | null): PaymentMethod | null {
  if (!details) return null;
  const { type, card } = details;
  return { type, brand: card?.brand ?? null, last4: card?.last4 ?? null };
}

/** The metadata of a refund after which the driver keeps the days: an operator's goodwill. */
const GOODWILL = "goodwill";

function toStatus(status: Stripe.PaymentIntent["status"]): CardPayment["status"] {
  const known = (["succeeded", "canceled", "processing"] as const).find((ended) => ended === status);
  return known ?? "open";
}

/** Whether the money of a refund is back, or on its way. */
export function isEffectiveRefund({ status }: Stripe.Refund): boolean {
  return status !== "failed" && status !== "canceled";
}

function toRefund(refund: Stripe.Refund): Refund {
  const isGoodwill = refund.metadata?.[GOODWILL] === "true";
  return {
    id: refund.id,
    kind: "refund",
    cents: refund.amount,
    at: refund.created * 1000,
    isEffective: isEffectiveRefund(refund),
    isGoodwill,
  };
}

function disputeToRefund(dispute: Stripe.Dispute): Refund {
  return {
    id: dispute.id,
    kind: "dispute",
    cents: dispute.amount,
    at: dispute.created * 1000,
    isEffective: isDisputeLost(dispute),
    isGoodwill: false,
  };
}

/**
 * Lost; still lost while an appeal is heard; and prevented with the money returned to the cardholder. A prevented
 * dispute is either resolved, which withdraws the money, or blocked, which leaves it: the balance transactions tell.
 */
function isDisputeLost(dispute: Stripe.Dispute): boolean {
  const { status } = dispute;
  if (status !== "prevented") return status === "lost" || status.startsWith("appeal_");
  return isWithdrawn(dispute);
}

/** Whether the dispute's money has left the balance and not come back. */
function isWithdrawn({ balance_transactions: transactions }: Stripe.Dispute): boolean {
  return transactions.reduce((total, { amount }) => total + amount, 0) < 0;
}

/** An event with the intent that it is about; null where it is about none. */
export function toSignedEvent({ id, type, data }: Stripe.Event): SignedEvent {
  const object: { object?: unknown; id?: unknown; payment_intent?: unknown; charge?: unknown } = data.object;
  const intent = object.object === "payment_intent" ? object.id : object.payment_intent;
  return { id, type, intentId: referenceId(intent), chargeId: referenceId(object.charge) };
}

/** The id of a referenced object, expanded or not. */
export function referenceId(reference: unknown): string | null {
  if (typeof reference === "string") return reference;
  if (typeof reference !== "object" || reference === null || !("id" in reference)) return null;
  return typeof reference.id === "string" ? reference.id : null;
}

/** Whether the processor refused a call only for the address that a receipt was to go to. */
export function isAddressRefused(error: unknown): boolean {
  const refused = toCardProcessorError(error);
  if (refused?.kind !== "refused") return false;
  return refused.reference.code === "email_invalid" || Object(error).param === "receipt_email";
}

/** Whether the processor refused a call only because its key was first used with other parameters. */
export function hasOtherParameters(error: unknown): boolean {
  return toCardProcessorError(error)?.kind === "refused" && Object(error).type === "StripeIdempotencyError";
}

/** The error by its status alone: none of its text is read or kept. Null for what is not an error of the library. */
export function toCardProcessorError(error: unknown): CardProcessorError | null {
  if (!(error instanceof Error) || !("type" in error) || typeof error.type !== "string") return null;
  if (!error.type.startsWith("Stripe")) return null;
  const {
    statusCode,
    code,
    decline_code: declineCode,
    param,
    headers,
    requestId,
  } = error as Stripe.errors.StripeError;
  const isReplayed = headers?.["idempotent-replayed"] === "true";
  const reference = {
    status: statusCode ?? null,
    code: code ?? null,
    declineCode: declineCode ?? null,
    requestId: requestId ?? null,
  };
  const isUnresolved =
    statusCode === undefined || statusCode >= 500 || statusCode === 429 || statusCode === 409;
  if (isUnresolved) return new CardProcessorError("unreachable", { isReplayed, reference });
  return new CardProcessorError("refused", {
    missing: code === "resource_missing" ? (param ?? "id") : null,
    isReplayed,
    isUnauthorized: statusCode === 401,
    reference,
  });
}
