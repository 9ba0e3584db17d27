import { Stripe } from "stripe";
import { expect, it } from "vitest";
import { describePaymentError, toCardProcessorError } from "../../worker/payments/stripe-responses.ts";

const CARD_NUMBER = "4000000000000002";

it.each([
  [
    "a declined card",
    new Stripe.errors.StripeCardError({
      type: "card_error",
      code: "card_declined",
      decline_code: "do_not_honor",
      message: `Your card ${CARD_NUMBER} was declined.`,
      statusCode: 402,
      requestId: "req_1",
    }),
    { kind: "refused", stripeStatus: 402, stripeCode: "card_declined", declineCode: "do_not_honor" },
  ],
  [
    "a refused key",
    new Stripe.errors.StripeAuthenticationError({
      type: "invalid_request_error",
      message: "Invalid API Key provided: sk_live_secret",
      statusCode: 401,
      requestId: "req_1",
    }),
    { kind: "refused", stripeStatus: 401, stripeCode: null, declineCode: null },
  ],
  [
    "an outage",
    new Stripe.errors.StripeAPIError({
      type: "api_error",
      message: "Sorry",
      statusCode: 500,
      requestId: "req_1",
    }),
    { kind: "unreachable", stripeStatus: 500, stripeCode: null, declineCode: null },
  ],
])("logs Stripe's codes and request id of %s, and nothing of its text", (_name, error, facts) => {
  const described = describePaymentError(toCardProcessorError(error));
  expect(described).toEqual({ error: "CardProcessorError", stripeRequestId: "req_1", ...facts });
  expect(JSON.stringify(described)).not.toMatch(/declined\.|sk_live|Sorry|4000/);
});
