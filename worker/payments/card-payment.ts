import type { DisputeRow } from "../../db/queries/payments/payments.ts";
import type { CardReport } from "../../db/queries/payments/renewal-guards.ts";
import type { Cents, EpochMs } from "../../db/shapes/units.ts";
import type { Refund } from "./refunds.ts";

/** How a payment was paid, as the card processor names it. */
export type PaymentMethod = { type: string; brand: string | null; last4: string | null };

/** A kept payment method's allowed use, in Stripe's words: payments of a driver who is there, or others too. */
export type MethodUsage = "on_session" | "off_session";

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
  method: PaymentMethod | null;
  /** The method that paid it, or was last tried. */
  methodId: string | null;
  /** For which payments the method is kept: those that the driver makes, or renewals too; null if it is not. */
  usage: MethodUsage | null;
  /** Every copy of one card has the same. Null for other methods, and until Stripe tells it. */
  fingerprint: string | null;
  /** Disputes, inquiries and early fraud warnings, as they concern the card. */
  reports: readonly CardReport[];
  /** Why the last try failed, by the processor's code; null if none did. */
  failure: string | null;
  /** Refunds and disputes, in any order. */
  refunds: readonly Refund[];
  /** All disputes and inquiries, with the facts that answering them takes. */
  disputes: readonly DisputeRow[];
  /** The processor's fee for it, if that is known by now and in the payment's currency. */
  processorFeeCents: Cents | null;
  /** A dispute that is not decided yet. */
  openDispute: { id: string; cents: Cents } | null;
};
