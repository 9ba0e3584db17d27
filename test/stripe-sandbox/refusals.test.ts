import type { Stripe } from "stripe";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createDeps } from "../../durable/deps.ts";
import { createCardProcessor } from "../../worker/payments/stripe/stripe.ts";
import { NOW, payment } from "../payments/stripe-harness.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { HOUR, START } from "../platform/sandbox-harness.ts";
import { skipTimers } from "../support/skip-timers.ts";
import { openStripeHarness } from "./stripe-harness.ts";

let harness: Awaited<ReturnType<typeof openStripeHarness>>;
beforeAll(async () => {
  harness = await openStripeHarness();
});
afterAll(() => harness.server.stop());
beforeEach(() => harness.clear());
afterEach(() => vi.unstubAllGlobals());

type Wrong = Record<string, unknown>;
const create = (params: Wrong) =>
  harness.stripe.paymentIntents.create(params as unknown as Stripe.PaymentIntentCreateParams);

const MALFORMED: [string, Wrong, Wrong][] = [
  ["no amount", { currency: "usd" }, { code: "parameter_missing", param: "amount" }],
  ["no currency", { amount: 3900 }, { code: "parameter_missing", param: "currency" }],
  [
    "an amount of words",
    { amount: "much", currency: "usd" },
    { code: "parameter_invalid_integer", param: "amount" },
  ],
  [
    "part of a cent",
    { amount: 39.5, currency: "usd" },
    { code: "parameter_invalid_integer", param: "amount" },
  ],
  ["too little", { amount: 49, currency: "usd" }, { code: "amount_too_small", param: "amount" }],
  ["too much", { amount: 100_000_000, currency: "usd" }, { code: "amount_too_large", param: "amount" }],
  ["no such currency", { amount: 3900, currency: "xxy" }, { param: "currency" }],
  ["an empty amount", { amount: "", currency: "usd" }, { code: "parameter_invalid_empty", param: "amount" }],
  [
    "an unknown parameter",
    { amount: 3900, currency: "usd", plan: "15" },
    { code: "parameter_unknown", param: "plan", message: "Received unknown parameter: plan" },
  ],
  [
    "an unknown parameter within",
    { amount: 3900, currency: "usd", automatic_payment_methods: { enabled: true, allowed: "x" } },
    { code: "parameter_unknown", param: "automatic_payment_methods[allowed]" },
  ],
  [
    "a word that is none",
    { amount: 3900, currency: "usd", setup_future_usage: "later" },
    { param: "setup_future_usage" },
  ],
  [
    "a customer that is none",
    { amount: 3900, currency: "usd", customer: "cus_none" },
    { code: "resource_missing" },
  ],
  ["nothing to expand", { amount: 3900, currency: "usd", expand: ["amount"] }, { param: "expand" }],
];

it.each(MALFORMED)("rejects %s", async (_, params, error) => {
  expect(await harness.refusal(create(params))).toMatchObject({
    type: "StripeInvalidRequestError",
    statusCode: 400,
    rawType: "invalid_request_error",
    ...error,
  });
});

it("reports resources that don't exist", async () => {
  const { paymentIntents, charges, customers, events, refunds } = harness.stripe;
  const calls = [
    () => paymentIntents.retrieve("pi_none"),
    () => charges.retrieve("ch_none"),
    () => customers.retrieve("cus_none"),
    () => events.retrieve("evt_none"),
    () => refunds.retrieve("re_none"),
  ];
  for (const call of calls)
    expect(await harness.refusal(call())).toMatchObject({ statusCode: 404, code: "resource_missing" });
  const elsewhere = await fetch(`${harness.server.url}/v1/customers/cus_1/moods`, {
    headers: { authorization: "Bearer sk_test_sandbox" },
  });
  expect([elsewhere.status, await elsewhere.json()]).toMatchObject([
    404,
    {
      error: {
        message: expect.stringContaining("Unrecognized request URL (GET: /v1/customers/cus_1/moods)"),
      },
    },
  ]);
});

it("rejects other API keys and reveals none", async () => {
  const wrong = await harness.refusal(harness.connect("sk_test_somebody_else").customers.create());
  expect(wrong).toMatchObject({ type: "StripeAuthenticationError", statusCode: 401 });
  expect(wrong.message).toBe("Invalid API Key provided: sk_test_*********else");
  const published = await harness.refusal(harness.connect("pk_test_sandbox").customers.create());
  expect(published).toMatchObject({ statusCode: 401, code: "secret_key_required" });
  const none = await fetch(`${harness.server.url}/v1/customers/cus_1`);
  expect(none.status).toBe(401);
});

it("replays the response to an idempotency key and creates nothing twice", async () => {
  const options = { idempotencyKey: "order-1" };
  const first = await harness.order({}, options);
  const again = await harness.order({}, options);
  expect(again).toEqual(first);
  const headerValues = (name: string) =>
    [first, again].map(({ lastResponse }) => new Headers(lastResponse.headers).get(name));
  expect(headerValues("idempotent-replayed")).toEqual([null, "true"]);
  expect(headerValues("original-request")).toEqual([
    first.lastResponse.requestId,
    first.lastResponse.requestId,
  ]);
  expect((await harness.stripe.paymentIntents.list()).data).toHaveLength(1);
  expect(await harness.refusal(harness.order({ amount: 9900 }, options))).toMatchObject({
    type: "StripeIdempotencyError",
    statusCode: 400,
    rawType: "idempotency_error",
  });
});

it("makes one more intent for a repeat with other parameters after a lost answer, and no third", async () => {
  const { config } = createDeps({
    ...DEMO_SETTINGS,
    STRIPE_URL: harness.server.url,
    DB: {},
    DRIVER: {},
    ASSETS: {},
  });
  const cards = createCardProcessor({
    config,
    send: (request) => fetch(request),
    now: () => NOW,
    log: vi.fn(),
  });
  const { id: customerId } = await harness.stripe.customers.create({ name: "Ana" });
  const make = (language: "en" | "es") =>
    cards?.createIntent(payment, { customerId, language, receiptEmail: null });
  await harness.fault({ operation: "createPaymentIntent", fault: "lost_answer", times: 3 });
  await expect(make("en")).rejects.toMatchObject({ kind: "unreachable" });
  const made = await make("es");
  expect(made).toMatchObject({ status: "open", paymentId: payment.id });
  expect([await make("es"), await make("en")]).toMatchObject([
    { intentId: made?.intentId },
    { intentId: expect.not.stringContaining(made?.intentId ?? "") },
  ]);
  expect((await harness.stripe.paymentIntents.list()).data).toHaveLength(2);
});

it("replays a failure, but not one that happened before execution began", async () => {
  const automatic_payment_methods = { enabled: true, allow_redirects: "never" as const };
  const { id } = await harness.order({ automatic_payment_methods, payment_method: "pm_card_chargeDeclined" });
  const confirm = () =>
    harness.refusal(harness.stripe.paymentIntents.confirm(id, {}, { idempotencyKey: "pay-1" }));
  const first = await confirm();
  const again = await confirm();
  expect(again).toMatchObject({ code: "card_declined", charge: first.charge });
  expect(again.headers).toMatchObject({ "idempotent-replayed": "true" });
  const options = { idempotencyKey: "order-2" };
  await harness.refusal(harness.order({ amount: 1 }, options));
  expect((await harness.order({ amount: 3900 }, options)).status).toBe("requires_payment_method");
});

it("forgets an idempotency key after a day", async () => {
  const options = { idempotencyKey: "order-3" };
  const first = await harness.order({}, options);
  await harness.world({ now: START + 23 * HOUR });
  expect((await harness.order({}, options)).id).toBe(first.id);
  await harness.world({ now: START + 25 * HOUR });
  expect((await harness.order({}, options)).id).not.toBe(first.id);
});

it("reports an idempotency key in use while its request is running", async () => {
  await harness.fault({ operation: "createPaymentIntent", fault: "held", times: 1 });
  const options = { idempotencyKey: "order-4" };
  const slow = harness.order({}, options);
  const held = () => harness.control("GET", "/sandbox/held");
  await expect.poll(held).toEqual({ held: ["createPaymentIntent"] });
  expect(await harness.refusal(harness.order({}, options))).toMatchObject({
    statusCode: 409,
    code: "idempotency_key_in_use",
  });
  await harness.control("DELETE", "/sandbox/held");
  expect((await harness.order({}, options)).id).toBe((await slow).id);
});

const FAULTS = [
  ["429", { type: "StripeRateLimitError", statusCode: 429, code: "rate_limit" }],
  ["400_rate_limited", { type: "StripeRateLimitError", statusCode: 400, code: "rate_limit" }],
  ["500", { type: "StripeAPIError", statusCode: 500, rawType: "api_error" }],
  ["503", { type: "StripeAPIError", statusCode: 503 }],
  ["broken_json", { type: "StripeAPIError", message: "Invalid JSON received from the Stripe API" }],
] as const;

it.each(FAULTS)("injects %s on request", async (fault, error) => {
  await harness.fault({ operation: "createPaymentIntent", fault, times: 1 });
  expect(await harness.refusal(harness.order())).toMatchObject(error);
  expect((await harness.order()).status).toBe("requires_payment_method");
});

it("executes a request whose response is lost, and replays the response for its key", async () => {
  await harness.fault({ operation: "createPaymentIntent", fault: "lost_answer", times: 1 });
  const options = { idempotencyKey: "order-5" };
  expect(await harness.refusal(harness.order({}, options))).toMatchObject({ statusCode: 504 });
  const { data } = await harness.stripe.paymentIntents.list();
  expect((await harness.order({}, options)).id).toBe(data[0]?.id);
  expect((await harness.stripe.paymentIntents.list()).data).toHaveLength(1);
});

it("is retried by the library until it responds", async () => {
  skipTimers();
  await harness.fault({ operation: "createPaymentIntent", fault: "lost_answer", times: 1 });
  const { id } = await harness
    .connect(undefined, { maxNetworkRetries: 1 })
    .paymentIntents.create({ amount: 3900, currency: "usd" });
  expect((await harness.stripe.paymentIntents.list()).data.map((intent) => intent.id)).toEqual([id]);
});

it("records every request without its API key", async () => {
  await harness.order({ metadata: { orderId: "o1" } }, { idempotencyKey: "order-6" });
  await harness.refusal(create({ amount: 1, currency: "usd" }));
  const requests = await harness.requests();
  expect(requests).toMatchObject([
    {
      from: "server",
      method: "POST",
      path: "/v1/payment_intents",
      params: { amount: "3900", automatic_payment_methods: { enabled: "true" }, metadata: { orderId: "o1" } },
      headers: { "idempotency-key": "order-6", "stripe-version": "2026-10-28.endive" },
      status: 200,
    },
    { params: { amount: "1" }, status: 400 },
  ]);
  expect(JSON.stringify(requests)).not.toContain("sk_test_sandbox");
});

it("answers a browser only if it has the intent's client secret", async () => {
  const { id, client_secret: secret } = await harness.order({ metadata: { orderId: "o1" } });
  const read = async (query: Record<string, string>) => {
    const address = `${harness.server.url}/sandbox/stripe/v1/payment_intents/${id}`;
    const response = await fetch(`${address}?${new URLSearchParams(query).toString()}`);
    return { response, body: (await response.json()) as Record<string, unknown> };
  };
  const seen = await read({ key: "pk_test_sandbox", client_secret: secret ?? "" });
  expect(seen.body).toMatchObject({ id, status: "requires_payment_method" });
  expect(seen.body).not.toHaveProperty("metadata");
  expect(seen.response.headers.get("access-control-allow-origin")).toBe("*");
  const refused = [
    await read({ key: "pk_test_sandbox", client_secret: `${id}_secret_guessed` }),
    await read({ key: "pk_test_sandbox" }),
    await read({ key: "sk_test_sandbox", client_secret: secret ?? "" }),
    await read({ client_secret: secret ?? "" }),
  ];
  expect(refused.map(({ response }) => response.status)).toEqual([404, 400, 401, 401]);
  expect(JSON.stringify(await harness.requests())).not.toContain("sk_test_sandbox");
});

it("stores no card numbers", async () => {
  const { id, client_secret: secret } = await harness.order();
  const form = new URLSearchParams({
    key: "pk_test_sandbox",
    client_secret: secret ?? "",
    use_stripe_sdk: "true",
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": "4242424242424242",
    "payment_method_data[card][cvc]": "123",
    "payment_method_data[card][exp_month]": "12",
    "payment_method_data[card][exp_year]": "2034",
  });
  const address = `${harness.server.url}/sandbox/stripe/v1/payment_intents/${id}/confirm`;
  const response = await fetch(address, { method: "POST", body: form });
  expect(response.status).toBe(200);
  const [, confirm] = await harness.requests();
  expect(confirm?.params).toMatchObject({ payment_method_data: { card: { last4: "4242" } } });
  expect(JSON.stringify([await harness.requests(), await harness.events()])).not.toContain(
    "4242424242424242",
  );
});
