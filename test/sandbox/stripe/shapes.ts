import type { EpochMs } from "../state.ts";

/** Rows of the payments. Money is in the currency's smallest unit; what Stripe shows of them is in views/. */
export type Metadata = Record<string, string>;

export type Customer = {
  id: string;
  createdAt: EpochMs;
  email: string | null;
  name: string | null;
  phone: string | null;
  description: string | null;
  metadata: Metadata;
  deleted: boolean;
};

/** What a test card does. */
export type Play = {
  /** 3-D Secure comes first. */
  challenge: boolean;
  decline: Decline | null;
  /** Contested as soon as it was charged, for this reason. */
  dispute: "fraudulent" | "product_not_received" | null;
  refund: "at_once" | "later" | "fails_later";
};

export type Decline = { code: string; declineCode: string | null; message: string };

export type Method = {
  id: string;
  createdAt: EpochMs;
  customer: string | null;
  brand: string;
  last4: string;
  country: string;
  funding: "credit" | "debit" | "prepaid";
  expMonth: number;
  expYear: number;
  billing: { country: string | null; postalCode: string | null; name: string | null; email: string | null };
  play: Play;
};

export type IntentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "processing"
  | "succeeded"
  | "canceled";

export type Problem = {
  type: "card_error" | "invalid_request_error";
  code: string;
  declineCode: string | null;
  message: string;
  charge: string | null;
  methodId: string;
};

export type Intent = {
  id: string;
  clientSecret: string;
  createdAt: EpochMs;
  amount: number;
  currency: string;
  status: IntentStatus;
  customer: string | null;
  description: string | null;
  receiptEmail: string | null;
  statementDescriptor: string | null;
  statementDescriptorSuffix: string | null;
  setupFutureUsage: "on_session" | "off_session" | null;
  shipping: unknown;
  metadata: Metadata;
  automatic: { enabled: boolean; allowRedirects: "always" | "never" } | null;
  allowedTypes: string[] | null;
  methodId: string | null;
  /** While the card's bank wants to see its owner. */
  challenge: { kind: "sdk" | "redirect"; returnUrl: string | null; url: string } | null;
  problem: Problem | null;
  latestCharge: string | null;
  canceledAt: EpochMs | null;
  cancellationReason: string | null;
};

export type Charge = {
  id: string;
  createdAt: EpochMs;
  intentId: string;
  amount: number;
  currency: string;
  customer: string | null;
  description: string | null;
  receiptEmail: string | null;
  receiptUrl: string;
  metadata: Metadata;
  methodId: string;
  threeDSecure: boolean;
  decline: Decline | null;
  /** The transaction on the balance comes a moment after the charge. */
  balanceTransaction: string | null;
  refundedAmount: number;
  disputeId: string | null;
};

export type Refund = {
  id: string;
  createdAt: EpochMs;
  chargeId: string;
  intentId: string;
  amount: number;
  currency: string;
  reason: string | null;
  metadata: Metadata;
  status: "pending" | "succeeded" | "failed";
  /** When a refund that is not done at once ends, and how. */
  ends: { at: EpochMs; status: "succeeded" | "failed" } | null;
};

export type Dispute = {
  id: string;
  createdAt: EpochMs;
  chargeId: string;
  intentId: string;
  amount: number;
  currency: string;
  reason: "fraudulent" | "product_not_received";
  status: "needs_response" | "won" | "lost";
};

/** What made something happen: named in the events that follow. */
export type Cause = { requestId: string | null; idempotencyKey: string | null };

export type PaymentEvent = {
  id: string;
  createdAt: EpochMs;
  type: string;
  object: Record<string, unknown>;
  previous: Record<string, unknown> | null;
  cause: Cause;
  post: "none" | "waiting" | "held" | "lost" | "delivered" | "failed";
  /** What the endpoint answered, one a try; null where there was no answer. */
  tries: { at: EpochMs; status: number | null }[];
};

/** Where events go, signed with the secret and, while it is being replaced, with the older ones too. */
export type Endpoint = { url: string; secrets: string[] };

export type Post = {
  delayMs: number;
  duplicate: boolean;
  /** The newest of those that wait together goes first. */
  shuffle: boolean;
  /** True loses all; a figure, that many from now on. */
  lose: boolean | number;
  hold: boolean;
  /** Before the second try; doubled before each one after. */
  retryMs: number;
};

export type Switches = {
  /** The next card is declined for this reason, whatever its number. */
  declineNext: string | null;
  /** The next card's bank shows its owner a page of its own, away from the shop. */
  redirectNext: boolean;
};

/** An answer kept for whoever repeats the request under its key. */
export type KeptAnswer = { at: EpochMs; print: string; status: number; body: string; requestId: string };

export type Arrival = {
  id: string;
  at: EpochMs;
  /** Who called: the shop's server with the secret key, or a browser with the publishable one. */
  from: "server" | "browser";
  method: string;
  path: string;
  params: unknown;
  headers: Record<string, string>;
  /** What was answered; null while it was not. */
  status: number | null;
};
