import type { Stripe } from "stripe";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { START } from "../platform/sandbox-stage.ts";
import { openStripeStage } from "./stripe-stage.ts";

let stage: Awaited<ReturnType<typeof openStripeStage>>;
beforeAll(async () => {
  stage = await openStripeStage();
});
afterAll(() => stage.server.stop());
beforeEach(() => stage.clear());

it("opens an intent that waits for a card", async () => {
  const customer = await stage.stripe.customers.create({ name: "Ana", metadata: { driverId: "d1" } });
  const intent = await stage.order({
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

it("charges a card and shows the charge where it is asked to", async () => {
  const paid = await stage.pay("4242 4242 4242 4242", { metadata: { orderId: "o1" } });
  const read = await stage.stripe.paymentIntents.retrieve(paid.id, {
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

it.each(DECLINED)("declines %s with %s, and lets another card be tried", async (card, code, declineCode) => {
  const failed = await stage.pay(card);
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
  const charge = await stage.stripe.charges.retrieve(String(failed.latest_charge));
  expect(charge).toMatchObject({ status: "failed", paid: false, failure_code: code, receipt_url: null });
  const paid = await stage.move(failed.id, "pay");
  expect(paid).toMatchObject({ status: "succeeded", last_payment_error: null });
});

it.each(["4242424242424242", "4000000000000077", "5555555555554444", "378282246310005"])(
  "takes %s",
  async (card) => {
    expect((await stage.pay(card)).status).toBe("succeeded");
  },
);

it.each(["4000002500003155", "4000002760003184"])("asks for 3-D Secure with %s", async (card) => {
  const asked = await stage.pay(card);
  expect(asked).toMatchObject({ status: "requires_action", next_action: { type: "use_stripe_sdk" } });
  expect(await stage.move(asked.id, "authenticate", { outcome: "complete" })).toMatchObject({
    status: "succeeded",
    next_action: null,
  });
  const refused = await stage.pay(card);
  expect(await stage.move(refused.id, "authenticate", { outcome: "fail" })).toMatchObject({
    status: "requires_payment_method",
    last_payment_error: { code: "payment_intent_authentication_failure", type: "invalid_request_error" },
  });
});

it("declines after 3-D Secure where the card says so", async () => {
  const asked = await stage.pay("4000008260003178");
  expect(asked.status).toBe("requires_action");
  expect(await stage.move(asked.id, "authenticate", { outcome: "complete" })).toMatchObject({
    status: "requires_payment_method",
    last_payment_error: { decline_code: "insufficient_funds" },
  });
});

it("keeps a payment in process until it is settled", async () => {
  const { id } = await stage.order();
  expect(await stage.move(id, "pay", { hold: true })).toMatchObject({ status: "processing" });
  expect(await stage.move(id, "settle", { outcome: "succeeded" })).toMatchObject({ status: "succeeded" });
  const other = await stage.order();
  await stage.move(other.id, "pay", { hold: true });
  expect(await stage.move(other.id, "settle", { outcome: "failed" })).toMatchObject({
    status: "requires_payment_method",
    last_payment_error: { code: "card_declined" },
  });
});

it("declines the next card where the desk says so, and only that one", async () => {
  await stage.control("POST", "/sandbox/stripe/switches", { declineNext: "insufficient_funds" });
  const failed = await stage.pay("4242424242424242");
  expect(failed.last_payment_error?.decline_code).toBe("insufficient_funds");
  expect((await stage.move(failed.id, "pay")).status).toBe("succeeded");
});

it("confirms from the server with a method that stands ready, and throws as the library does", async () => {
  const automatic_payment_methods = { enabled: true, allow_redirects: "never" as const };
  const paid = await stage.order({
    automatic_payment_methods,
    confirm: true,
    payment_method: "pm_card_visa",
  });
  expect(paid.status).toBe("succeeded");
  const intent = await stage.order({ automatic_payment_methods, payment_method: "pm_card_chargeDeclined" });
  expect(intent.status).toBe("requires_confirmation");
  const error = await stage.refusal(stage.stripe.paymentIntents.confirm(intent.id));
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

it("updates what is open, and of what is paid only words", async () => {
  const { id } = await stage.order({ metadata: { a: "1", b: "2" } });
  const updated = await stage.stripe.paymentIntents.update(id, {
    amount: 4100,
    metadata: { b: "", c: "3" },
    description: "30 days",
  });
  expect(updated).toMatchObject({ amount: 4100, metadata: { a: "1", c: "3" }, description: "30 days" });
  expect(updated.metadata).not.toHaveProperty("b");
  await stage.move(id, "pay");
  const error = await stage.refusal(stage.stripe.paymentIntents.update(id, { amount: 100 }));
  expect(error).toMatchObject({ statusCode: 400, code: "payment_intent_unexpected_state" });
  const worded = await stage.stripe.paymentIntents.update(id, { metadata: "", description: "" });
  expect(worded).toMatchObject({ metadata: {}, description: null, amount: 4100 });
});

it("cancels what is not paid", async () => {
  const { id } = await stage.order();
  const canceled = await stage.stripe.paymentIntents.cancel(id, { cancellation_reason: "abandoned" });
  expect(canceled).toMatchObject({
    status: "canceled",
    canceled_at: START / 1000,
    cancellation_reason: "abandoned",
  });
  const paid = await stage.pay("4242424242424242");
  const error = await stage.refusal(stage.stripe.paymentIntents.cancel(paid.id));
  expect(error).toMatchObject({
    code: "payment_intent_unexpected_state",
    payment_intent: { id: paid.id, status: "succeeded" },
  });
  await expect(stage.move(id, "pay")).rejects.toThrow("payment_intent_unexpected_state");
});

it("lists a customer's intents of a span, page by page, newest first", async () => {
  const { id: customer } = await stage.stripe.customers.create();
  await stage.order();
  const made: string[] = [];
  for (let minute = 0; minute < 5; minute++) {
    await stage.world({ now: START + minute * 60_000 });
    made.push((await stage.order({ customer })).id);
  }
  const since = START / 1000 + 60;
  const seen: Stripe.PaymentIntent[] = [];
  for await (const intent of stage.stripe.paymentIntents.list({
    customer,
    created: { gte: since },
    limit: 2,
  }))
    seen.push(intent);
  expect(seen.map(({ id }) => id)).toEqual(made.slice(1).toReversed());
  const page = await stage.stripe.paymentIntents.list({ customer, limit: 2 });
  expect([page.has_more, page.data.length]).toEqual([true, 2]);
  const back = await stage.stripe.paymentIntents.list({ customer, ending_before: made[2] ?? "" });
  expect([back.has_more, back.data.map(({ id }) => id)]).toEqual([false, [made[4], made[3]]]);
});

it("keeps, changes and forgets customers", async () => {
  const { customers } = stage.stripe;
  const { id } = await customers.create({ email: "ana@example.com", metadata: { driverId: "d1" } });
  await customers.update(id, { phone: "+15550100100", metadata: { plan: "15" } });
  expect(await customers.retrieve(id)).toMatchObject({
    email: "ana@example.com",
    phone: "+15550100100",
    metadata: { driverId: "d1", plan: "15" },
  });
  expect(await customers.del(id)).toMatchObject({ id, deleted: true });
  expect(await customers.retrieve(id)).toMatchObject({ id, deleted: true });
  expect(await stage.refusal(stage.order({ customer: id }))).toMatchObject({
    statusCode: 400,
    code: "resource_missing",
    param: "customer",
    message: `No such customer: '${id}'`,
  });
});
