import { intentOf, type Act } from "./act.ts";
import { isCardNumber } from "./cards.ts";
import { readParams, required, type Params } from "./form.ts";
import { confirmIntent } from "./intents.ts";
import { sessionOf } from "./customer-sessions.ts";
import { addMethod, checkOwner, detachMethod, findMethod, methodsOf } from "./methods.ts";
import { StripeRefusal, malformed, missing } from "./refusal.ts";
import type { Intent, Method } from "./shapes.ts";
import { intentInBrowser } from "./views/intents.ts";
import { methodView } from "./views/methods.ts";
import type { View } from "./views/view.ts";

const CARD = { number: "string", cvc: "string", exp_month: "integer", exp_year: "integer" } as const;
const CONFIRM = {
  key: "string",
  client_secret: "string",
  return_url: "string",
  receipt_email: "string",
  expected_payment_method_type: "string",
  use_stripe_sdk: "boolean",
  setup_future_usage: ["on_session", "off_session"],
  /** One that the customer kept, instead of new data. */
  payment_method: "string",
  payment_method_data: {
    type: ["card"],
    allow_redisplay: ["always", "limited", "unspecified"],
    card: CARD,
    billing_details: { name: "string", email: "string", phone: "string", address: "any" },
  },
} as const;

/** The calls of stripe.js, with the publishable key and the intent's client secret. */
export const BROWSER_CALLS = {
  readInBrowser(act: Act, params: Params, id: string): View {
    const given = readParams({ key: "string", client_secret: "string" }, params);
    return intentInBrowser(act.state, held(act, id, given.client_secret));
  },

  confirmInBrowser(act: Act, params: Params, id: string): View {
    const given = readParams(CONFIRM, params);
    const intent = held(act, id, given.client_secret);
    const { setup_future_usage: usage = intent.setupFutureUsage } = given;
    if (intent.setupFutureUsage !== null && usage === "on_session" && intent.setupFutureUsage !== usage) {
      throw malformed(
        "If setup_future_usage is already set and you are performing a request using a publishable key, you may only update the value from on_session to off_session.",
        { param: "setup_future_usage" },
      );
    }
    const method =
      given.payment_method === undefined
        ? addCard(act, required(given.payment_method_data, "payment_method_data"))
        : findMethod(act, given.payment_method);
    checkOwner(method, intent);
    try {
      const confirmed = confirmIntent(
        act,
        { ...intent, setupFutureUsage: usage, receiptEmail: given.receipt_email ?? intent.receiptEmail },
        { methodId: method.id, returnUrl: given.return_url ?? null, sdk: given.use_stripe_sdk ?? false },
      );
      return intentInBrowser(act.state, confirmed);
    } catch (error) {
      // A browser sees fewer fields of the intent than a server does.
      if (!(error instanceof StripeRefusal) || error.body.payment_intent === undefined) throw error;
      const seen = intentInBrowser(act.state, intentOf(act.state, id));
      throw new StripeRefusal(error.status, { ...error.body, payment_intent: seen });
    }
  },

  /** The Payment Element's view of a customer session: its features, and the methods that it may show. */
  readSessionInBrowser(act: Act, params: Params, id: string): View {
    const given = readParams({ key: "string", client_secret: "string" }, params);
    const { features, customer } = sessionOf(act, required(given.client_secret, "client_secret"));
    const shown = methodsOf(act, customer).filter(({ allowRedisplay }) =>
      features.filters.includes(allowRedisplay),
    );
    return {
      id,
      features,
      payment_methods: features.redisplay ? shown.slice(0, features.limit).map(methodView) : [],
    };
  },

  detachInBrowser(act: Act, params: Params, id: string): View {
    const given = readParams({ key: "string", client_secret: "string" }, params);
    const { features, customer } = sessionOf(act, required(given.client_secret, "client_secret"));
    const method = methodsOf(act, customer).find((kept) => kept.id === id);
    if (!features.remove || !method) throw missing("PaymentMethod", id, "payment_method");
    return methodView(detachMethod(act, method));
  },
};

type CardData = NonNullable<ReturnType<typeof readParams<typeof CONFIRM>>["payment_method_data"]>;

function addCard(act: Act, data: CardData): Method {
  const card = checkCard(act, required(data.card, "payment_method_data[card]"));
  const { address } = data.billing_details ?? {};
  const part = (name: string) => {
    const text = typeof address === "object" ? address[name] : null;
    return typeof text === "string" && text !== "" ? text : null;
  };
  return addMethod(act, {
    ...card,
    allowRedisplay: data.allow_redisplay ?? "unspecified",
    billing: {
      country: part("country"),
      postalCode: part("postal_code"),
      name: data.billing_details?.name ?? null,
      email: data.billing_details?.email ?? null,
    },
  });
}

/** @throws {StripeRefusal} if the secret is not this intent's, without revealing whether the intent exists */
export function held({ state }: Act, id: string, clientSecret: string | undefined): Intent {
  const intent = state.payments.intents.get(id);
  const secret = required(clientSecret, "client_secret");
  if (!intent || intent.clientSecret !== secret) {
    throw malformed(`No such payment_intent: '${id}'`, { code: "resource_missing", param: "intent" }, 404);
  }
  return intent;
}

type Card = { [Name in keyof typeof CARD]?: (typeof CARD)[Name] extends "integer" ? number : string };

function checkCard({ now }: Act, card: Card): { number: string; expMonth: number; expYear: number } {
  const number = required(card.number, "payment_method_data[card][number]").replaceAll(" ", "");
  const expMonth = required(card.exp_month, "payment_method_data[card][exp_month]");
  const year = required(card.exp_year, "payment_method_data[card][exp_year]");
  const expYear = year < 100 ? 2000 + year : year;
  const wrong = (code: string, message: string, param: string) =>
    new StripeRefusal(402, { type: "card_error", code, message, param }, false);
  if (!isCardNumber(number)) throw wrong("incorrect_number", "Your card number is incorrect.", "number");
  if (expMonth < 1 || expMonth > 12)
    throw wrong("invalid_expiry_month", "Your card's expiration month is invalid.", "exp_month");
  if (Date.UTC(expYear, expMonth, 1) <= now)
    throw wrong("invalid_expiry_year", "Your card's expiration year is invalid.", "exp_year");
  if (!/^\d{3,4}$/.test(card.cvc ?? ""))
    throw wrong("invalid_cvc", "Your card's security code is invalid.", "cvc");
  return { number, expMonth, expYear };
}
