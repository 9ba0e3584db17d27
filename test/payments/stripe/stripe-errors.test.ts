import { Stripe } from "stripe";
import { expect, it } from "vitest";
import {
  CardProcessorError,
  describePaymentError,
  toCardProcessorError,
} from "../../../worker/payments/stripe/responses.ts";

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

const refusedWith = (facts: Partial<Stripe.StripeRawError> & { headers?: Record<string, string> }) =>
  toCardProcessorError(
    new Stripe.errors.StripeInvalidRequestError({ type: "invalid_request_error", ...facts }),
  );

it.each([
  [undefined, "unreachable"],
  [400, "refused"],
  [402, "refused"],
  [409, "unreachable"],
  [429, "unreachable"],
  [499, "refused"],
  [500, "unreachable"],
  [503, "unreachable"],
] as const)("leaves open what happened at status %s: %s", (statusCode, kind) => {
  expect(refusedWith({ statusCode })?.kind).toBe(kind);
});

it("says what is not known at Stripe, by its parameter", () => {
  const missing = { statusCode: 404, code: "resource_missing" as const };
  expect(refusedWith({ ...missing, param: "customer" })?.missing).toBe("customer");
  expect(refusedWith(missing)?.missing).toBe("id");
  expect(refusedWith({ statusCode: 404, param: "customer" })?.missing).toBeNull();
});

it("tells an answer that was stored under the key, and a key that is refused", () => {
  const facts = (given: Parameters<typeof refusedWith>[0]) => {
    const { isReplayed, isUnauthorized } = refusedWith(given) ?? {};
    return [isReplayed, isUnauthorized];
  };
  const headers = { "idempotent-replayed": "true" };
  expect(facts({ statusCode: 400 })).toEqual([false, false]);
  expect(facts({ statusCode: 400, headers })).toEqual([true, false]);
  expect(facts({ statusCode: 500, headers })).toEqual([true, false]);
  expect(facts({ statusCode: 400, headers: { "idempotent-replayed": "false" } })).toEqual([false, false]);
  expect(facts({ statusCode: 401 })).toEqual([false, true]);
});

it("takes nothing else for an error of Stripe", () => {
  const typed = (type: unknown) => Object.assign(new Error("no"), { type });
  const others = [
    new TypeError("no"),
    typed(5),
    typed("TypeError"),
    { type: "StripeAPIError" },
    "StripeAPIError",
    null,
  ];
  expect(others.map(toCardProcessorError)).toEqual(others.map(() => null));
  expect(toCardProcessorError(typed("StripeAPIError"))).toMatchObject({ kind: "unreachable", missing: null });
  expect(describePaymentError(new RangeError("with data"))).toMatchObject({
    error: "RangeError",
    causes: [],
  });
});

it("reports nothing about an unknown error", () => {
  expect(new CardProcessorError("refused")).toMatchObject({
    kind: "refused",
    missing: null,
    isReplayed: false,
    isUnauthorized: false,
    reference: { status: null, code: null, declineCode: null, requestId: null },
  });
});
