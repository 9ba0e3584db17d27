import type { State } from "../state.ts";
import { methodOf, seconds } from "./act.ts";
import type { Charge, Customer, Dispute, Intent, Method, PaymentEvent, Problem, Refund } from "./shapes.ts";

/** The version of the API that is played. */
export const API_VERSION = "2026-10-28.endive";

export type View = Record<string, unknown>;

export function customerView(customer: Customer): View {
  if (customer.deleted) return { id: customer.id, object: "customer", deleted: true };
  return {
    id: customer.id,
    object: "customer",
    address: null,
    balance: 0,
    created: seconds(customer.createdAt),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: customer.description,
    discount: null,
    email: customer.email,
    invoice_prefix: customer.id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: customer.metadata,
    name: customer.name,
    next_invoice_sequence: 1,
    phone: customer.phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
}

export function methodView(method: Method): View {
  return {
    id: method.id,
    object: "payment_method",
    allow_redisplay: "unspecified",
    billing_details: billingView(method),
    card: {
      brand: method.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
      country: method.country,
      display_brand: method.brand,
      exp_month: method.expMonth,
      exp_year: method.expYear,
      fingerprint: `print${method.brand}${method.last4}`,
      funding: method.funding,
      generated_from: null,
      last4: method.last4,
      networks: { available: [method.brand], preferred: null },
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: seconds(method.createdAt),
    customer: method.customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: "card",
  };
}

export function intentView(state: State, intent: Intent): View {
  const { automatic, challenge } = intent;
  const types = intent.allowedTypes ?? (automatic?.enabled === false ? [] : ["card"]);
  return {
    id: intent.id,
    object: "payment_intent",
    allowed_payment_method_types: intent.allowedTypes,
    amount: intent.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: intent.status === "succeeded" ? intent.amount : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: automatic
      ? { allow_redirects: automatic.allowRedirects, enabled: automatic.enabled }
      : null,
    canceled_at: intent.canceledAt === null ? null : seconds(intent.canceledAt),
    cancellation_reason: intent.cancellationReason,
    capture_method: "automatic_async",
    client_secret: intent.clientSecret,
    confirmation_method: "automatic",
    created: seconds(intent.createdAt),
    currency: intent.currency,
    customer: intent.customer,
    customer_account: null,
    description: intent.description,
    excluded_payment_method_types: null,
    last_payment_error: intent.problem ? problemView(state, intent.problem) : null,
    latest_charge: intent.latestCharge,
    livemode: false,
    managed_payments: null,
    metadata: intent.metadata,
    next_action: challenge === null ? null : challengeView(challenge),
    on_behalf_of: null,
    payment_method: intent.methodId,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: "automatic" },
    },
    payment_method_types: types,
    payment_record: null,
    processing: intent.status === "processing" ? { type: "card", card: {} } : null,
    receipt_email: intent.receiptEmail,
    review: null,
    setup_future_usage: intent.setupFutureUsage,
    shipping: intent.shipping,
    source: null,
    statement_descriptor: intent.statementDescriptor,
    statement_descriptor_suffix: intent.statementDescriptorSuffix,
    status: intent.status,
    transfer_data: null,
    transfer_group: null,
  };
}

/** What stripe.js may see of an intent: its holder is a browser. */
const IN_BROWSER = [
  "id",
  "object",
  "amount",
  "amount_details",
  "automatic_payment_methods",
  "canceled_at",
  "cancellation_reason",
  "capture_method",
  "client_secret",
  "confirmation_method",
  "created",
  "currency",
  "description",
  "last_payment_error",
  "livemode",
  "next_action",
  "payment_method",
  "payment_method_configuration_details",
  "payment_method_types",
  "processing",
  "receipt_email",
  "setup_future_usage",
  "shipping",
  "source",
  "status",
];

export function intentInBrowser(state: State, intent: Intent): View {
  const view = intentView(state, intent);
  return Object.fromEntries(IN_BROWSER.map((name) => [name, view[name]]));
}

function challengeView({ kind, url, returnUrl }: NonNullable<Intent["challenge"]>): View {
  if (kind === "redirect")
    return { type: "redirect_to_url", redirect_to_url: { return_url: returnUrl, url } };
  return { type: "use_stripe_sdk", use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: url } };
}

export function problemView(state: State, problem: Problem): View {
  return {
    type: problem.type,
    code: problem.code,
    doc_url: `https://docs.stripe.com/error-codes/${problem.code.replaceAll("_", "-")}`,
    message: problem.message,
    ...(problem.charge === null ? {} : { charge: problem.charge }),
    ...(problem.declineCode === null ? {} : { decline_code: problem.declineCode }),
    payment_method: methodView(methodOf(state, problem.methodId)),
  };
}

export function chargeView(state: State, charge: Charge): View {
  const method = methodOf(state, charge.methodId);
  const { decline } = charge;
  const paid = decline === null;
  return {
    id: charge.id,
    object: "charge",
    amount: charge.amount,
    amount_captured: paid ? charge.amount : 0,
    amount_refunded: charge.refundedAmount,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: charge.balanceTransaction,
    billing_details: billingView(method),
    calculated_statement_descriptor: "SANDBOX",
    captured: paid,
    created: seconds(charge.createdAt),
    currency: charge.currency,
    customer: charge.customer,
    description: charge.description,
    disputed: charge.disputeId !== null,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: charge.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? "approved_by_network" : "declined_by_network",
      reason: decline === null ? null : (decline.declineCode ?? decline.code),
      risk_level: "normal",
      risk_score: 20,
      seller_message: paid
        ? "Payment complete."
        : "The bank did not return any further details with this decline.",
      type: paid ? "authorized" : "issuer_declined",
    },
    paid,
    payment_intent: charge.intentId,
    payment_method: charge.methodId,
    payment_method_details: {
      card: {
        amount_authorized: paid ? charge.amount : null,
        authorization_code: paid ? charge.id.slice(-6) : null,
        brand: method.brand,
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
        country: method.country,
        exp_month: method.expMonth,
        exp_year: method.expYear,
        fingerprint: `print${method.brand}${method.last4}`,
        funding: method.funding,
        installments: null,
        last4: method.last4,
        mandate: null,
        network: method.brand,
        network_transaction_id: charge.id.slice(-12),
        three_d_secure: charge.threeDSecure
          ? {
              authentication_flow: "challenge",
              result: "authenticated",
              result_reason: null,
              version: "2.2.0",
            }
          : null,
        wallet: null,
      },
      type: "card",
    },
    receipt_email: charge.receiptEmail,
    receipt_number: null,
    receipt_url: paid ? charge.receiptUrl : null,
    refunded: paid && charge.refundedAmount === charge.amount,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? "succeeded" : "failed",
    transfer_data: null,
    transfer_group: null,
  };
}

/** Stripe's price for a card in the United States: 2.9 % and 30 cents. */
export function balanceView(charge: Charge): View {
  const fee = Math.round(charge.amount * 0.029) + 30;
  return {
    id: charge.balanceTransaction,
    object: "balance_transaction",
    amount: charge.amount,
    available_on: seconds(charge.createdAt) + 2 * 86_400,
    balance_type: "payments",
    created: seconds(charge.createdAt),
    currency: charge.currency,
    description: charge.description,
    exchange_rate: null,
    fee,
    fee_details: [
      {
        amount: fee,
        application: null,
        currency: charge.currency,
        description: "Stripe processing fees",
        type: "stripe_fee",
      },
    ],
    net: charge.amount - fee,
    reporting_category: "charge",
    source: charge.id,
    status: "pending",
    type: "charge",
  };
}

export function refundView(state: State, refund: Refund): View {
  const charge = state.payments.charges.get(refund.chargeId);
  return {
    id: refund.id,
    object: "refund",
    amount: refund.amount,
    balance_transaction: refund.id.replace(/^re_/, "txn_"),
    charge: refund.chargeId,
    created: seconds(refund.createdAt),
    currency: refund.currency,
    customer: charge?.customer ?? null,
    customer_account: null,
    destination_details: {
      card: { reference_status: "pending", reference_type: "acquirer_reference_number", type: "refund" },
      type: "card",
    },
    ...(refund.status === "failed" ? { failure_reason: "expired_or_canceled_card" } : {}),
    metadata: refund.metadata,
    payment_intent: refund.intentId,
    payment_method: charge?.methodId ?? null,
    ...(refund.status === "pending" ? { pending_reason: "processing" } : {}),
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  };
}

export function disputeView(state: State, dispute: Dispute): View {
  const charge = state.payments.charges.get(dispute.chargeId);
  const brand = charge ? methodOf(state, charge.methodId).brand : "visa";
  return {
    id: dispute.id,
    object: "dispute",
    amount: dispute.amount,
    balance_transactions: [],
    charge: dispute.chargeId,
    created: seconds(dispute.createdAt),
    currency: dispute.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: seconds(dispute.createdAt) + 9 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: dispute.intentId,
    payment_method_details: {
      card: { brand, case_type: "chargeback", network_reason_code: "83" },
      type: "card",
    },
    reason: dispute.reason,
    status: dispute.status,
  };
}

export function eventView(event: PaymentEvent, endpoints: number): View {
  const owed = event.post === "none" || event.post === "delivered" ? 0 : endpoints;
  return {
    id: event.id,
    object: "event",
    api_version: API_VERSION,
    created: seconds(event.createdAt),
    data: {
      object: event.object,
      ...(event.previous === null ? {} : { previous_attributes: event.previous }),
    },
    livemode: false,
    pending_webhooks: owed,
    request: { id: event.cause.requestId, idempotency_key: event.cause.idempotencyKey },
    type: event.type,
  };
}

function billingView({ billing }: Method): View {
  return {
    address: {
      city: null,
      country: billing.country,
      line1: null,
      line2: null,
      postal_code: billing.postalCode,
      state: null,
    },
    email: billing.email,
    name: billing.name,
    phone: null,
    tax_id: null,
  };
}
