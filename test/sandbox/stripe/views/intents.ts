import { methodOf, seconds, type Act } from "../act.ts";
import type { Intent, Problem } from "../shapes.ts";
import { methodView } from "./methods.ts";
import type { View } from "./view.ts";

export function intentView(state: Act["state"], intent: Intent): View {
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

/** An intent with the fields that a browser may see. */
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

export function intentInBrowser(state: Act["state"], intent: Intent): View {
  const view = intentView(state, intent);
  return Object.fromEntries(IN_BROWSER.map((name) => [name, view[name]]));
}

function challengeView({ kind, url, returnUrl }: NonNullable<Intent["challenge"]>): View {
  if (kind === "redirect")
    return { type: "redirect_to_url", redirect_to_url: { return_url: returnUrl, url } };
  return { type: "use_stripe_sdk", use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: url } };
}

export function problemView(state: Act["state"], problem: Problem): View {
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
