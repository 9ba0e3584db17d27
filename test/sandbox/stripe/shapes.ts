/** Epoch ms. */
type EpochMs = number;

/** Stored rows. Amounts are in the currency's smallest unit. views/ has their representation in the API. */
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

/** A test card's behavior. */
export type Play = {
  /**
   * When 3-D Secure is required: never, always, unless the card was set up for charges without its owner, or only with
   * its owner there.
   */
  challenge: "never" | "always" | "until_set_up" | "on_session";
  decline: Decline | null;
  /** Disputed right after the charge, for this reason. */
  dispute: "fraudulent" | "product_not_received" | null;
  refund: "at_once" | "later" | "fails_later";
};

export type Decline = { code: string; declineCode: string | null; message: string };

export type Method = {
  id: string;
  createdAt: EpochMs;
  customer: string | null;
  /** Set up for charges without its owner. */
  setUp: boolean;
  /** Removed from its customer: it can't be used again. */
  detached: boolean;
  allowRedisplay: "always" | "limited" | "unspecified";
  brand: string;
  last4: string;
  /** The same for every copy of one card. */
  fingerprint: string;
  country: string;
  funding: "credit" | "debit" | "prepaid";
  expMonth: number;
  expYear: number;
  billing: { country: string | null; postalCode: string | null; name: string | null; email: string | null };
  play: Play;
};

export type CustomerSession = {
  id: string;
  clientSecret: string;
  createdAt: EpochMs;
  expiresAt: EpochMs;
  customer: string;
  features: {
    redisplay: boolean;
    remove: boolean;
    save: boolean;
    saveUsage: "on_session" | "off_session" | null;
    filters: Method["allowRedisplay"][];
    limit: number;
  };
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
  /** Set while 3-D Secure is pending. */
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
  /** The balance transaction is created a moment after the charge. */
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
  /** When and how an asynchronous refund completes. */
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
  /** `warning_…`: the bank only inquires, and no money has moved. */
  status:
    | "warning_needs_response"
    | "warning_under_review"
    | "warning_closed"
    | "needs_response"
    | "under_review"
    | "won"
    | "lost"
    | "prevented";
  caseType: "chargeback" | "resolution" | "block";
  /** Money withdrawn (negative) and reinstated because of it. */
  transactions: { at: EpochMs; amount: number }[];
};

/** A movement of the balance that no charge made. */
export type Booking = {
  id: string;
  createdAt: EpochMs;
  type: "payout" | "stripe_fee" | "refund" | "refund_failure";
  amount: number;
  currency: string;
  /** The payout's id; null for a fee. */
  source: string | null;
};

/** A bank's report before a dispute, or without one. */
export type Warning = {
  id: string;
  createdAt: EpochMs;
  chargeId: string;
  intentId: string;
  fraudType: "made_with_stolen_card" | "unauthorized_use_of_card";
};

/** The request that caused an event, which the event refers to. */
export type Cause = { requestId: string | null; idempotencyKey: string | null };

export type PaymentEvent = {
  id: string;
  createdAt: EpochMs;
  type: string;
  object: Record<string, unknown>;
  previous: Record<string, unknown> | null;
  cause: Cause;
  post: "none" | "waiting" | "held" | "lost" | "delivered" | "failed";
  /** Response statuses of the delivery attempts; null for no response. */
  tries: { at: EpochMs; status: number | null }[];
};

/** The webhook endpoint. Events are signed with the secret and, during a rotation, with the older ones too. */
/** `events`: those that it gets; without them, all. */
export type Endpoint = { url: string; secrets: string[]; events?: string[] };

export type Post = {
  delayMs: number;
  duplicate: boolean;
  /** Delivers each batch newest first. */
  shuffle: boolean;
  /** True drops all events; a number drops that many. */
  lose: boolean | number;
  hold: boolean;
  /** Delay before the first retry; doubled for each further one. */
  retryMs: number;
};

export type Switches = {
  /** Declines the next card for this reason, regardless of its number. */
  declineNext: string | null;
  /** The next card's bank redirects to its own page. */
  redirectNext: boolean;
  /** The device has a wallet. */
  wallets: boolean;
  /** Charges have no balance transaction yet, as in the moments after an asynchronous capture. */
  booksLate: boolean;
};

/** A response stored under its idempotency key. */
export type KeptAnswer = { at: EpochMs; print: string; status: number; body: string; requestId: string };

export type Arrival = {
  id: string;
  at: EpochMs;
  /** The caller: the shop's server with the secret key, or a browser with the publishable key. */
  from: "server" | "browser";
  method: string;
  path: string;
  params: unknown;
  headers: Record<string, string>;
  /** The response status; null while in progress. */
  status: number | null;
};
