import { methodOf, type Act } from "./act.ts";
import { READY_MADE } from "./cards.ts";
import { endpointOf } from "./events.ts";
import { expand } from "./expand.ts";
import { mergeMetadata, readParams, required, type Params } from "./form.ts";
import {
  OPEN,
  addMethod,
  cancelIntent,
  confirmIntent,
  intentOf,
  isWithin,
  openIntent,
  saveIntent,
  unexpected,
} from "./intents.ts";
import { PAGE, SPAN, pageOf } from "./lists.ts";
import type { StripeOperation } from "./operations.ts";
import { malformed, missing, refuse } from "./refusal.ts";
import { refundCharge } from "./refunds.ts";
import type { Charge, Customer, Intent, Method } from "./shapes.ts";
import { paymentId } from "./tables.ts";
import {
  chargeView,
  customerView,
  disputeView,
  eventView,
  intentView,
  refundView,
  type View,
} from "./views.ts";

type Call = (act: Act, params: Params, id: string) => View;
type ServerOperation = Exclude<StripeOperation, "readInBrowser" | "confirmInBrowser">;

const CUSTOMER = {
  email: "string",
  name: "string",
  phone: "string",
  description: "string",
  metadata: "metadata",
  expand: "list",
} as const;

const INTENT = {
  amount: "integer",
  currency: "string",
  customer: "string",
  description: "string",
  metadata: "metadata",
  payment_method: "string",
  receipt_email: "string",
  setup_future_usage: ["on_session", "off_session"],
  shipping: "any",
  statement_descriptor: "string",
  statement_descriptor_suffix: "string",
  payment_method_options: "any",
  allowed_payment_method_types: "list",
  expand: "list",
} as const;

const CONFIRM = {
  payment_method: "string",
  return_url: "string",
  receipt_email: "string",
  off_session: "boolean",
  use_stripe_sdk: "boolean",
  expand: "list",
} as const;

const SMALLEST = 50;
const LARGEST = 99_999_999;
const EXPAND = { expand: "list" } as const;
const REASONS = ["duplicate", "fraudulent", "requested_by_customer"] as const;

/** What the shop's own server may ask, with the secret key. */
export const SERVER_CALLS: Record<ServerOperation, Call> = {
  createCustomer(act, params) {
    const { metadata = {}, expand: paths = [], ...given } = readParams(CUSTOMER, params);
    const customer: Customer = {
      id: paymentId(act.state, "cus"),
      createdAt: act.now,
      email: null,
      name: null,
      phone: null,
      description: null,
      ...texts(given),
      metadata: mergeMetadata({}, metadata),
      deleted: false,
    };
    act.state.payments.customers.set(customer.id, customer);
    return expand(act.state, customerView(customer), paths);
  },

  readCustomer(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    const customer = act.state.payments.customers.get(id);
    if (!customer) throw missing("customer", id);
    return expand(act.state, customerView(customer), paths);
  },

  updateCustomer(act, params, id) {
    const { metadata = {}, expand: paths = [], ...given } = readParams(CUSTOMER, params);
    const customer = liveCustomer(act, id);
    const updated: Customer = {
      ...customer,
      ...texts(given),
      metadata: params["metadata"] === "" ? {} : mergeMetadata(customer.metadata, metadata),
    };
    act.state.payments.customers.set(id, updated);
    return expand(act.state, customerView(updated), paths);
  },

  deleteCustomer(act, params, id) {
    readParams({}, params);
    act.state.payments.customers.set(id, { ...liveCustomer(act, id), deleted: true });
    return { id, object: "customer", deleted: true };
  },

  createPaymentIntent(act, params) {
    const {
      expand: paths = [],
      automatic_payment_methods: automatic,
      confirm = false,
      return_url: returnUrl,
      use_stripe_sdk: sdk = false,
      ...given
    } = readParams(
      {
        ...INTENT,
        confirm: "boolean",
        return_url: "string",
        off_session: "boolean",
        use_stripe_sdk: "boolean",
        capture_method: ["automatic", "automatic_async"],
        confirmation_method: ["automatic"],
        automatic_payment_methods: { enabled: "boolean", allow_redirects: ["always", "never"] },
      },
      params,
    );
    const amount = checkAmount(required(given.amount, "amount"));
    const currency = checkCurrency(required(given.currency, "currency"));
    if (automatic && given.allowed_payment_method_types) {
      throw malformed(
        "You may only specify one of these parameters: automatic_payment_methods, allowed_payment_method_types.",
        { code: "parameters_exclusive" },
      );
    }
    const intent = openIntent(act, {
      ...intentTexts(given),
      amount,
      currency,
      customer: given.customer ? liveCustomer(act, given.customer, "customer").id : null,
      metadata: mergeMetadata({}, given.metadata ?? {}),
      setupFutureUsage: given.setup_future_usage ?? null,
      shipping: given.shipping ?? null,
      automatic: given.allowed_payment_method_types
        ? null
        : {
            enabled: automatic ? required(automatic.enabled, "automatic_payment_methods[enabled]") : true,
            allowRedirects: automatic?.allow_redirects ?? "always",
          },
      allowedTypes: given.allowed_payment_method_types ?? null,
      methodId: given.payment_method ? findMethod(act, given.payment_method).id : null,
    });
    if (!confirm) return expand(act.state, intentView(act.state, intent), paths);
    if (intent.methodId === null) throw withoutMethod(act, intent);
    const confirmed = confirmIntent(act, intent, {
      methodId: intent.methodId,
      returnUrl: checkReturn(intent, returnUrl),
      sdk,
    });
    return expand(act.state, intentView(act.state, confirmed), paths);
  },

  listPaymentIntents(act, params) {
    const { customer, ...page } = readParams(
      { ...PAGE, customer: "string", created: createdKind(params) },
      params,
    );
    const rows = act.state.payments.intents
      .values()
      .filter((intent) => customer === undefined || intent.customer === customer)
      .filter((intent) => isWithin(intent.createdAt, spanOf(page.created)));
    const view = (row: Intent) => intentView(act.state, row);
    const list = pageOf(rows.toReversed(), page, {
      url: "/v1/payment_intents",
      kind: "payment_intent",
      view,
    });
    return expand(act.state, list, page.expand ?? []);
  },

  readPaymentIntent(act, params, id) {
    const { expand: paths = [] } = readParams({ ...EXPAND, client_secret: "string" }, params);
    return expand(act.state, intentView(act.state, intentOf(act.state, id)), paths);
  },

  updatePaymentIntent(act, params, id) {
    const { expand: paths = [], metadata, ...given } = readParams(INTENT, params);
    const intent = intentOf(act.state, id);
    if (given.amount !== undefined || given.currency !== undefined) {
      if (!OPEN.includes(intent.status)) {
        throw unexpected(
          act.state,
          intent,
          `This PaymentIntent's amount could not be updated because it has a status of ${intent.status}. You may only update the amount of a PaymentIntent with one of the following statuses: ${OPEN.join(", ")}.`,
        );
      }
    }
    const updated = saveIntent(act, {
      ...intent,
      ...intentTexts(given, intent),
      amount: given.amount === undefined ? intent.amount : checkAmount(given.amount),
      currency: given.currency === undefined ? intent.currency : checkCurrency(given.currency),
      customer: given.customer ? liveCustomer(act, given.customer, "customer").id : intent.customer,
      setupFutureUsage: given.setup_future_usage ?? intent.setupFutureUsage,
      shipping: given.shipping ?? intent.shipping,
      ...(given.payment_method
        ? { methodId: findMethod(act, given.payment_method).id, status: "requires_confirmation" as const }
        : {}),
      metadata: params["metadata"] === "" ? {} : mergeMetadata(intent.metadata, metadata ?? {}),
    });
    return expand(act.state, intentView(act.state, updated), paths);
  },

  confirmPaymentIntent(act, params, id) {
    const given = readParams(CONFIRM, params);
    const intent = intentOf(act.state, id);
    const methodId = given.payment_method ? findMethod(act, given.payment_method).id : intent.methodId;
    if (methodId === null) throw withoutMethod(act, intent);
    const confirmed = confirmIntent(
      act,
      { ...intent, receiptEmail: given.receipt_email ?? intent.receiptEmail },
      { methodId, returnUrl: checkReturn(intent, given.return_url), sdk: given.use_stripe_sdk ?? false },
    );
    return expand(act.state, intentView(act.state, confirmed), given.expand ?? []);
  },

  cancelPaymentIntent(act, params, id) {
    const { cancellation_reason: reason = null, expand: paths = [] } = readParams(
      { ...EXPAND, cancellation_reason: [...REASONS, "abandoned"] },
      params,
    );
    return expand(
      act.state,
      intentView(act.state, cancelIntent(act, intentOf(act.state, id), reason)),
      paths,
    );
  },

  readCharge(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    const charge = act.state.payments.charges.get(id);
    if (!charge) throw missing("charge", id);
    return expand(act.state, chargeView(act.state, charge), paths);
  },

  createRefund(act, params) {
    const given = readParams(
      {
        ...EXPAND,
        payment_intent: "string",
        charge: "string",
        amount: "integer",
        reason: REASONS,
        metadata: "metadata",
      },
      params,
    );
    const refund = refundCharge(act, chargeToRefund(act, given), given);
    return expand(act.state, refundView(act.state, refund), given.expand ?? []);
  },

  listRefunds(act, params) {
    const page = readParams(
      { ...PAGE, payment_intent: "string", charge: "string", created: createdKind(params) },
      params,
    );
    const rows = act.state.payments.refunds
      .values()
      .filter((refund) => page.payment_intent === undefined || refund.intentId === page.payment_intent)
      .filter((refund) => page.charge === undefined || refund.chargeId === page.charge)
      .filter((refund) => isWithin(refund.createdAt, spanOf(page.created)));
    const view = (row: (typeof rows)[number]) => refundView(act.state, row);
    const list = pageOf(rows.toReversed(), page, { url: "/v1/refunds", kind: "refund", view });
    return expand(act.state, list, page.expand ?? []);
  },

  readRefund(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    const refund = act.state.payments.refunds.get(id);
    if (!refund) throw missing("refund", id);
    return expand(act.state, refundView(act.state, refund), paths);
  },

  listDisputes(act, params) {
    const page = readParams(
      { ...PAGE, payment_intent: "string", charge: "string", created: createdKind(params) },
      params,
    );
    const rows = act.state.payments.disputes
      .values()
      .filter((dispute) => page.payment_intent === undefined || dispute.intentId === page.payment_intent)
      .filter((dispute) => page.charge === undefined || dispute.chargeId === page.charge)
      .filter((dispute) => isWithin(dispute.createdAt, spanOf(page.created)));
    const view = (row: (typeof rows)[number]) => disputeView(act.state, row);
    const list = pageOf(rows.toReversed(), page, { url: "/v1/disputes", kind: "dispute", view });
    return expand(act.state, list, page.expand ?? []);
  },

  readDispute(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    const dispute = act.state.payments.disputes.get(id);
    if (!dispute) throw missing("dispute", id);
    return expand(act.state, disputeView(act.state, dispute), paths);
  },

  listEvents(act, params) {
    const page = readParams(
      { ...PAGE, type: "string", types: "list", delivery_success: "boolean", created: createdKind(params) },
      params,
    );
    const { type, types, delivery_success: delivered } = page;
    if (type !== undefined && types !== undefined) {
      throw malformed("You may only specify one of these parameters: type, types.", {
        code: "parameters_exclusive",
      });
    }
    const wanted = types ?? (type === undefined ? null : [type]);
    const rows = act.state.payments.events
      .values()
      .filter((event) => wanted === null || wanted.some((name) => isOfType(event.type, name)))
      .filter((event) => delivered === undefined || (event.post === "delivered") === delivered)
      .filter((event) => isWithin(event.createdAt, spanOf(page.created)));
    const endpoints = endpointOf(act.state) === null ? 0 : 1;
    const view = (row: (typeof rows)[number]) => eventView(row, endpoints);
    return pageOf(rows.toReversed(), page, { url: "/v1/events", kind: "event", view });
  },

  readEvent(act, params, id) {
    readParams(EXPAND, params);
    const event = act.state.payments.events.get(id);
    if (!event) throw missing("event", id);
    return eventView(event, endpointOf(act.state) === null ? 0 : 1);
  },
};

/** `charge.*` names all that begins so. */
const isOfType = (type: string, wanted: string): boolean =>
  wanted.endsWith(".*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;

function liveCustomer({ state }: Act, id: string, param?: string): Customer {
  const customer = state.payments.customers.get(id);
  if (!customer || customer.deleted) throw missing("customer", id, param);
  return customer;
}

/** A method by its id, or one of those that stand ready for tests. */
function findMethod(act: Act, id: string): Method {
  const number = READY_MADE[id];
  if (number !== undefined) {
    const year = new Date(act.now).getUTCFullYear() + 3;
    const billing = { country: null, postalCode: null, name: null, email: null };
    return addMethod(act, { number, expMonth: 12, expYear: year, billing });
  }
  if (!act.state.payments.methods.get(id)) throw missing("PaymentMethod", id, "payment_method");
  return methodOf(act.state, id);
}

function withoutMethod(act: Act, intent: Intent) {
  return unexpected(
    act.state,
    intent,
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.",
  );
}

/** A card may need no address to come back to; other methods that redirect do. */
function checkReturn(intent: Intent, returnUrl: string | undefined): string | null {
  if (returnUrl !== undefined && !URL.canParse(returnUrl))
    throw malformed("Not a valid URL", { code: "url_invalid", param: "return_url" });
  if (returnUrl === undefined && intent.automatic?.enabled && intent.automatic.allowRedirects === "always") {
    throw refuse(
      "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
    );
  }
  return returnUrl ?? null;
}

function chargeToRefund(
  { state }: Act,
  given: { payment_intent?: string | undefined; charge?: string | undefined },
): Charge {
  if (given.charge !== undefined) {
    const charge = state.payments.charges.get(given.charge);
    if (!charge) throw missing("charge", given.charge, "charge");
    return charge;
  }
  if (given.payment_intent === undefined) {
    throw malformed(
      "One of the following params should be provided for this request: payment_intent or charge.",
      {
        code: "parameter_missing",
      },
    );
  }
  const intent = intentOf(state, given.payment_intent, "payment_intent");
  const charge = state.payments.charges.get(intent.latestCharge ?? "");
  if (intent.status !== "succeeded" || !charge)
    throw refuse(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
  return charge;
}

function checkAmount(amount: number): number {
  if (amount < 1)
    throw malformed("This value must be greater than or equal to 1.", {
      code: "parameter_invalid_integer",
      param: "amount",
    });
  if (amount < SMALLEST)
    throw malformed("Amount must be at least $0.50 usd", { code: "amount_too_small", param: "amount" });
  if (amount > LARGEST)
    throw malformed("Amount must be no more than $999,999.99", { code: "amount_too_large", param: "amount" });
  return amount;
}

function checkCurrency(currency: string): string {
  const lower = currency.toLowerCase();
  if (!/^[a-z]{3}$/.test(lower) || !Intl.supportedValuesOf("currency").includes(lower.toUpperCase()))
    throw malformed(`Invalid currency: ${lower}.`, { param: "currency" });
  return lower;
}

/** Texts as they were given; an empty one takes the value away. */
function texts<Given extends { [name: string]: string | undefined }>(given: Given) {
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, text === "" ? null : (text ?? null)]),
  ) as {
    [Name in keyof Given]: string | null;
  };
}

type IntentTexts = Pick<
  Intent,
  "description" | "receiptEmail" | "statementDescriptor" | "statementDescriptorSuffix"
>;
const NO_TEXTS: IntentTexts = {
  description: null,
  receiptEmail: null,
  statementDescriptor: null,
  statementDescriptorSuffix: null,
};

function intentTexts(
  given: {
    description?: string | undefined;
    receipt_email?: string | undefined;
    statement_descriptor?: string | undefined;
    statement_descriptor_suffix?: string | undefined;
  },
  before: IntentTexts = NO_TEXTS,
): IntentTexts {
  const chosen = (text: string | undefined, kept: string | null) =>
    text === undefined ? kept : text || null;
  if (given.receipt_email && !/^[^\s@]+@[^\s@]+$/.test(given.receipt_email))
    throw malformed(`Invalid email address: ${given.receipt_email}`, {
      code: "email_invalid",
      param: "receipt_email",
    });
  for (const param of ["statement_descriptor", "statement_descriptor_suffix"] as const) {
    if ((given[param]?.length ?? 0) > 22)
      throw malformed("The statement descriptor must be at most 22 characters.", { param });
  }
  return {
    description: chosen(given.description, before.description),
    receiptEmail: chosen(given.receipt_email, before.receiptEmail),
    statementDescriptor: chosen(given.statement_descriptor, before.statementDescriptor),
    statementDescriptorSuffix: chosen(given.statement_descriptor_suffix, before.statementDescriptorSuffix),
  };
}

/** `created` is one instant or a hash of bounds. */
const createdKind = (params: Params) => (typeof params["created"] === "object" ? SPAN : ("integer" as const));

type Span = { gt?: number; gte?: number; lt?: number; lte?: number };
function spanOf(created: number | Span | undefined): Span {
  return typeof created === "number" ? { gte: created, lte: created } : (created ?? {});
}
