import { intentOf, type Act } from "./act.ts";
import { isCardNumber } from "./cards.ts";
import { readParams, required, type Params } from "./form.ts";
import { confirmIntent } from "./intents.ts";
import { addMethod } from "./methods.ts";
import { StripeRefusal, malformed } from "./refusal.ts";
import type { Intent } from "./shapes.ts";
import { intentInBrowser } from "./views/intents.ts";
import type { View } from "./views/view.ts";

const CARD = { number: "string", cvc: "string", exp_month: "integer", exp_year: "integer" } as const;
const CONFIRM = {
  key: "string",
  client_secret: "string",
  return_url: "string",
  receipt_email: "string",
  expected_payment_method_type: "string",
  use_stripe_sdk: "boolean",
  payment_method_data: {
    type: ["card"],
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
    const data = required(given.payment_method_data, "payment_method_data");
    const card = checkCard(act, required(data.card, "payment_method_data[card]"));
    const { address } = data.billing_details ?? {};
    const part = (name: string) => {
      const text = typeof address === "object" ? address[name] : null;
      return typeof text === "string" && text !== "" ? text : null;
    };
    const method = addMethod(act, {
      ...card,
      billing: {
        country: part("country"),
        postalCode: part("postal_code"),
        name: data.billing_details?.name ?? null,
        email: data.billing_details?.email ?? null,
      },
    });
    try {
      const confirmed = confirmIntent(
        act,
        { ...intent, receiptEmail: given.receipt_email ?? intent.receiptEmail },
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
};

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
