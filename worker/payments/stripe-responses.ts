import type Stripe from "stripe";
import { describeError, errorName } from "../../durable/runtime/describe-error.ts";
import type { LogFacts } from "../../durable/runtime/log.ts";
import type { CardPayment, Refund } from "./settlement.ts";

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

  constructor(
    kind: CardProcessorError["kind"],
    facts: { missing?: string | null; isReplayed?: boolean } = {},
  ) {
    super(kind);
    this.kind = kind;
    this.missing = facts.missing ?? null;
    this.isReplayed = facts.isReplayed ?? false;
  }
}

/** The log fields of an error around a payment: the kind of the processor's own, which was expected; else everything. */
export function describePaymentError(error: unknown): LogFacts {
  return error instanceof CardProcessorError
    ? { error: errorName(error), kind: error.kind }
    : describeError(error);
}

/** A signed event, as far as it is read: which intent to fetch. */
export type SignedEvent = { id: string; type: string; intentId: string | null };

/** A payment from its intent, charge, refunds and disputes. */
export function toCardPayment(
  intent: Stripe.PaymentIntent,
  { refunds, disputes }: { refunds: Stripe.Refund[]; disputes: Stripe.Dispute[] },
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
    refunds: [...refunds.map(toRefund), ...disputes.map(disputeToRefund)],
    isDisputed: disputes.some(({ status }) => status === "needs_response" || status === "under_review"),
  };
}

function toStatus(status: Stripe.PaymentIntent["status"]): CardPayment["status"] {
  const known = (["succeeded", "canceled", "processing"] as const).find((ended) => ended === status);
  return known ?? "open";
}

function toRefund(refund: Stripe.Refund): Refund {
  const isEffective = refund.status !== "failed" && refund.status !== "canceled";
  return { id: refund.id, kind: "refund", cents: refund.amount, at: refund.created * 1000, isEffective };
}

/** Lost; and still lost while an appeal is heard. */
function disputeToRefund(dispute: Stripe.Dispute): Refund {
  const isEffective = dispute.status === "lost" || dispute.status.startsWith("appeal_");
  return { id: dispute.id, kind: "dispute", cents: dispute.amount, at: dispute.created * 1000, isEffective };
}

/** An event with the intent that it is about; null where it is about none. */
export function toSignedEvent({ id, type, data }: Stripe.Event): SignedEvent {
  const object: { object?: unknown; id?: unknown; payment_intent?: unknown } = data.object;
  const intent = object.object === "payment_intent" ? object.id : object.payment_intent;
  return { id, type, intentId: referenceId(intent) };
}

/** The id of a referenced object, expanded or not. */
export function referenceId(reference: unknown): string | null {
  if (typeof reference === "string") return reference;
  if (typeof reference !== "object" || reference === null || !("id" in reference)) return null;
  return typeof reference.id === "string" ? reference.id : null;
}

/** The error by its status alone: none of its text is read or kept. Null for what is not an error of the library. */
export function toCardProcessorError(error: unknown): CardProcessorError | null {
  if (!(error instanceof Error) || !("type" in error) || typeof error.type !== "string") return null;
  if (!error.type.startsWith("Stripe")) return null;
  const { statusCode, code, param, headers } = error as Stripe.errors.StripeError;
  const isReplayed = headers?.["idempotent-replayed"] === "true";
  const isUnresolved =
    statusCode === undefined || statusCode >= 500 || statusCode === 429 || statusCode === 409;
  if (isUnresolved) return new CardProcessorError("unreachable", { isReplayed });
  return new CardProcessorError("refused", {
    missing: code === "resource_missing" ? (param ?? "id") : null,
    isReplayed,
  });
}
