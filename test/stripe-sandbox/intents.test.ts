import type { Stripe } from "stripe";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { START } from "../platform/sandbox-harness.ts";
import { openStripeHarness } from "./stripe-harness.ts";

let harness: Awaited<ReturnType<typeof openStripeHarness>>;
beforeAll(async () => {
  harness = await openStripeHarness();
});
afterAll(() => harness.server.stop());
beforeEach(() => harness.clear());

it("creates an intent that waits for a card", async () => {
  const customer = await harness.stripe.customers.create({ name: "Ana", metadata: { driverId: "d1" } });
  const intent = await harness.order({
    customer: customer.id,
    description: "15 days",
    metadata: { orderId: "o1" },
    receipt_email: "ana@example.com",
  });
  expect(intent).toMatchObject({
    id: expect.stringMatching(/^pi_[A-Za-z0-9]{24}$/),
    object: "payment_intent",
    amount: 3900,
    amount_received: 0,
    automatic_payment_methods: { allow_redirects: "always", enabled: true },
    client_secret: expect.stringMatching(new RegExp(`^${intent.id}_secret_[A-Za-z0-9]{25}$`)),
    created: START / 1000,
    currency: "usd",
    customer: customer.id,
    description: "15 days",
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: { orderId: "o1" },
    receipt_email: "ana@example.com",
    status: "requires_payment_method",
  });
  expect(intent.lastResponse).toMatchObject({
    requestId: expect.stringMatching(/^req_/),
    apiVersion: "2026-10-28.endive",
    statusCode: 200,
  });
});

it("charges a card and expands the charge on request", async () => {
  const paid = await harness.pay("4242 4242 4242 4242", { metadata: { orderId: "o1" } });
  const read = await harness.stripe.paymentIntents.retrieve(paid.id, {
    expand: ["latest_charge.balance_transaction"],
  });
  expect(read).toMatchObject({
    status: "succeeded",
    amount_received: 3900,
    latest_charge: {
      object: "charge",
      amount: 3900,
      amount_refunded: 0,
      balance_transaction: { fee: 143, net: 3757 },
      disputed: false,
      metadata: { orderId: "o1" },
      paid: true,
      payment_intent: paid.id,
      payment_method_details: { card: { brand: "visa", last4: "4242" }, type: "card" },
      receipt_url: expect.stringContaining("/sandbox/stripe/receipts/ch_"),
      refunded: false,
      status: "succeeded",
    },
  });
});

const DECLINED = [
  ["4000000000000002", "card_declined", "generic_decline"],
  ["4000000000000341", "card_declined", "generic_decline"],
  ["4000000000009995", "card_declined", "insufficient_funds"],
  ["4000000000009987", "card_declined", "lost_card"],
  ["4000000000009979", "card_declined", "stolen_card"],
  ["4100000000000019", "card_declined", "fraudulent"],
  ["4000000000006975", "card_declined", "card_velocity_exceeded"],
  ["4000000000000069", "expired_card", undefined],
  ["4000000000000127", "incorrect_cvc", undefined],
  ["4000000000000119", "processing_error", undefined],
  ["4111111111111111", "card_declined", "test_mode_live_card"],
] as const;

it.each(DECLINED)(
  "declines %s with %s and accepts another card after it",
  async (card, code, declineCode) => {
    const failed = await harness.pay(card);
    expect(failed).toMatchObject({
      status: "requires_payment_method",
      payment_method: null,
      last_payment_error: {
        type: "card_error",
        code,
        charge: failed.latest_charge,
        payment_method: { object: "payment_method", card: { last4: card.slice(-4) } },
      },
    });
    expect(failed.last_payment_error?.decline_code).toBe(declineCode);
    const charge = await harness.stripe.charges.retrieve(String(failed.latest_charge));
    expect(charge).toMatchObject({ status: "failed", paid: false, failure_code: code, receipt_url: null });
    const paid = await harness.move(failed.id, "pay");
    expect(paid).toMatchObject({ status: "succeeded", last_payment_error: null });
  },
);

it.each(["4242424242424242", "4000000000000077", "5555555555554444", "378282246310005"])(
  "accepts %s",
  async (card) => {
    expect((await harness.pay(card)).status).toBe("succeeded");
  },
);

it.each(["4000002500003155", "4000002760003184"])("requires 3-D Secure with %s", async (card) => {
  const asked = await harness.pay(card);
  expect(asked).toMatchObject({ status: "requires_action", next_action: { type: "use_stripe_sdk" } });
  expect(await harness.move(asked.id, "authenticate", { outcome: "complete" })).toMatchObject({
    status: "succeeded",
    next_action: null,
  });
  const refused = await harness.pay(card);
  expect(await harness.move(refused.id, "authenticate", { outcome: "fail" })).toMatchObject({
    status: "requires_payment_method",
    last_payment_error: { code: "payment_intent_authentication_failure", type: "invalid_request_error" },
  });
});

it("declines after 3-D Secure for the card that does so", async () => {
  const asked = await harness.pay("4000008260003178");
  expect(asked.status).toBe("requires_action");
  expect(await harness.move(asked.id, "authenticate", { outcome: "complete" })).toMatchObject({
    status: "requires_payment_method",
    last_payment_error: { decline_code: "insufficient_funds" },
  });
});

it("keeps a payment processing until it is settled", async () => {
  const { id } = await harness.order();
  expect(await harness.move(id, "pay", { hold: true })).toMatchObject({ status: "processing" });
  expect(await harness.move(id, "settle", { outcome: "succeeded" })).toMatchObject({ status: "succeeded" });
  const other = await harness.order();
  await harness.move(other.id, "pay", { hold: true });
  expect(await harness.move(other.id, "settle", { outcome: "failed" })).toMatchObject({
    status: "requires_payment_method",
    last_payment_error: { code: "card_declined" },
  });
});

it("declines the next card on request, and only that one", async () => {
  await harness.control("POST", "/sandbox/stripe/switches", { declineNext: "insufficient_funds" });
  const failed = await harness.pay("4242424242424242");
  expect(failed.last_payment_error?.decline_code).toBe("insufficient_funds");
  expect((await harness.move(failed.id, "pay")).status).toBe("succeeded");
});

it("confirms from the server with a test payment method and throws the library's errors", async () => {
  const automatic_payment_methods = { enabled: true, allow_redirects: "never" as const };
  const paid = await harness.order({
    automatic_payment_methods,
    confirm: true,
    payment_method: "pm_card_visa",
  });
  expect(paid.status).toBe("succeeded");
  const intent = await harness.order({ automatic_payment_methods, payment_method: "pm_card_chargeDeclined" });
  expect(intent.status).toBe("requires_confirmation");
  const error = await harness.refusal(harness.stripe.paymentIntents.confirm(intent.id));
  expect(error).toMatchObject({
    type: "StripeCardError",
    statusCode: 402,
    code: "card_declined",
    decline_code: "generic_decline",
    message: "Your card was declined.",
    doc_url: "https://docs.stripe.com/error-codes/card-declined",
    charge: expect.stringMatching(/^ch_/),
    payment_intent: { id: intent.id, status: "requires_payment_method" },
    payment_method: { object: "payment_method" },
  });
});

it("updates open intents, and only description and metadata of paid ones", async () => {
  const { id } = await harness.order({ metadata: { a: "1", b: "2" } });
  const updated = await harness.stripe.paymentIntents.update(id, {
    amount: 4100,
    metadata: { b: "", c: "3" },
    description: "30 days",
  });
  expect(updated).toMatchObject({ amount: 4100, metadata: { a: "1", c: "3" }, description: "30 days" });
  expect(updated.metadata).not.toHaveProperty("b");
  await harness.move(id, "pay");
  const error = await harness.refusal(harness.stripe.paymentIntents.update(id, { amount: 100 }));
  expect(error).toMatchObject({ statusCode: 400, code: "payment_intent_unexpected_state" });
  const worded = await harness.stripe.paymentIntents.update(id, { metadata: "", description: "" });
  expect(worded).toMatchObject({ metadata: {}, description: null, amount: 4100 });
});

it("cancels intents that are not paid", async () => {
  const { id } = await harness.order();
  const canceled = await harness.stripe.paymentIntents.cancel(id, { cancellation_reason: "abandoned" });
  expect(canceled).toMatchObject({
    status: "canceled",
    canceled_at: START / 1000,
    cancellation_reason: "abandoned",
  });
  const paid = await harness.pay("4242424242424242");
  const error = await harness.refusal(harness.stripe.paymentIntents.cancel(paid.id));
  expect(error).toMatchObject({
    code: "payment_intent_unexpected_state",
    payment_intent: { id: paid.id, status: "succeeded" },
  });
  await expect(harness.move(id, "pay")).rejects.toThrow("payment_intent_unexpected_state");
});

it("lists a customer's intents of a time range in pages, newest first", async () => {
  const { id: customer } = await harness.stripe.customers.create();
  await harness.order();
  const made: string[] = [];
  for (let minute = 0; minute < 5; minute++) {
    await harness.world({ now: START + minute * 60_000 });
    made.push((await harness.order({ customer })).id);
  }
  const since = START / 1000 + 60;
  const seen: Stripe.PaymentIntent[] = [];
  for await (const intent of harness.stripe.paymentIntents.list({
    customer,
    created: { gte: since },
    limit: 2,
  }))
    seen.push(intent);
  expect(seen.map(({ id }) => id)).toEqual(made.slice(1).toReversed());
  const page = await harness.stripe.paymentIntents.list({ customer, limit: 2 });
  expect([page.has_more, page.data.length]).toEqual([true, 2]);
  const back = await harness.stripe.paymentIntents.list({ customer, ending_before: made[2] ?? "" });
  expect([back.has_more, back.data.map(({ id }) => id)]).toEqual([false, [made[4], made[3]]]);
});

it("creates, updates and deletes customers", async () => {
  const { customers } = harness.stripe;
  const { id } = await customers.create({ email: "ana@example.com", metadata: { driverId: "d1" } });
  await customers.update(id, { phone: "+15550100100", metadata: { plan: "15" } });
  expect(await customers.retrieve(id)).toMatchObject({
    email: "ana@example.com",
    phone: "+15550100100",
    metadata: { driverId: "d1", plan: "15" },
  });
  expect(await customers.del(id)).toMatchObject({ id, deleted: true });
  expect(await customers.retrieve(id)).toMatchObject({ id, deleted: true });
  expect(await harness.refusal(harness.order({ customer: id }))).toMatchObject({
    statusCode: 400,
    code: "resource_missing",
    param: "customer",
    message: `No such customer: '${id}'`,
  });
});
