import { intentOf, methodOf, saveIntent, type Act } from "../act.ts";
import { expand } from "../expand.ts";
import { mergeMetadata, readParams, required } from "../form.ts";
import { OPEN, cancelIntent, confirmIntent, openIntent, unexpected } from "../intents.ts";
import { PAGE, createdKind, isWithin, pageOf, spanOf } from "../lists.ts";
import { checkOwner, findMethod } from "../methods.ts";
import { malformed } from "../refusal.ts";
import type { Intent } from "../shapes.ts";
import { intentView } from "../views/intents.ts";
import { EXPAND, REASONS, type Call } from "./call.ts";
import { liveCustomer } from "./customers.ts";
import { CONFIRM, INTENT, checkAmount, checkCurrency, checkReturn, intentTexts } from "./intent-values.ts";

export const INTENT_CALLS = {
  createPaymentIntent(act, params) {
    const {
      expand: paths = [],
      automatic_payment_methods: automatic,
      confirm = false,
      return_url: returnUrl,
      use_stripe_sdk: sdk = false,
      off_session: offSession = false,
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
    if (offSession && !confirm) {
      throw malformed("off_session may only be set if confirm is true.", { param: "off_session" });
    }
    if (!confirm) return expand(act.state, intentView(act.state, intent), paths);
    if (intent.methodId === null) throw withoutMethod(act, intent);
    checkOwner(methodOf(act.state, intent.methodId), intent);
    const confirmed = confirmIntent(act, intent, {
      methodId: intent.methodId,
      returnUrl: offSession ? null : checkReturn(intent, returnUrl),
      sdk,
      offSession,
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
    const {
      expand: paths = [],
      metadata,
      setup_future_usage: usage,
      ...given
    } = readParams({ ...INTENT, setup_future_usage: ["on_session", "off_session", ""] }, params);
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
      setupFutureUsage: usage === undefined ? intent.setupFutureUsage : usage || null,
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
    checkOwner(methodOf(act.state, methodId), intent);
    const offSession = given.off_session ?? false;
    const confirmed = confirmIntent(
      act,
      { ...intent, receiptEmail: given.receipt_email ?? intent.receiptEmail },
      {
        methodId,
        returnUrl: offSession ? null : checkReturn(intent, given.return_url),
        sdk: given.use_stripe_sdk ?? false,
        offSession,
      },
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
} satisfies Record<string, Call>;

function withoutMethod(act: Act, intent: Intent) {
  return unexpected(
    act.state,
    intent,
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.",
  );
}
