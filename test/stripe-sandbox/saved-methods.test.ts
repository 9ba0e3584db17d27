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

type Usage = "on_session" | "off_session";

/** A customer who paid with a card that was kept. */
async function keep(card: string, usage: Usage = "off_session") {
  const { id: customer } = await harness.stripe.customers.create();
  const { id } = await harness.order({ customer, setup_future_usage: usage });
  const paid = await harness.move(id, "pay", { card });
  if (paid.status === "requires_action") await harness.move(id, "authenticate", { outcome: "complete" });
  const [method] = (await harness.stripe.customers.listPaymentMethods(customer)).data;
  if (!method) throw new Error("nothing was kept");
  return { customer, method };
}

const chargeWithout = (customer: string, method: string, options?: Stripe.RequestOptions) =>
  harness.order(
    {
      customer,
      payment_method: method,
      off_session: true,
      confirm: true,
      automatic_payment_methods: { enabled: true },
    },
    options,
  );

it("keeps a card for its customer only on request", async () => {
  const { customer, method } = await keep("4242424242424242");
  expect(method).toMatchObject({
    object: "payment_method",
    allow_redisplay: "limited",
    customer,
    type: "card",
    card: { brand: "visa", last4: "4242", exp_month: 12 },
  });
  expect(await harness.stripe.paymentMethods.retrieve(method.id)).toMatchObject({ id: method.id, customer });
  const { id: other } = await harness.stripe.customers.create();
  const { id } = await harness.order({ customer: other });
  await harness.move(id, "pay", { card: "4242424242424242" });
  expect((await harness.stripe.customers.listPaymentMethods(other)).data).toEqual([]);
  await harness.move((await harness.order({ customer: other })).id, "pay", { keep: true });
  const [ticked] = (await harness.stripe.customers.listPaymentMethods(other)).data;
  expect(ticked?.allow_redisplay).toBe("always");
});

it("charges a kept card while its owner is away, once per idempotency key", async () => {
  const { customer, method } = await keep("4242424242424242");
  const paid = await chargeWithout(customer, method.id, { idempotencyKey: "renew-1" });
  expect(paid).toMatchObject({ status: "succeeded", customer, payment_method: method.id });
  const again = await chargeWithout(customer, method.id, { idempotencyKey: "renew-1" });
  expect(again.id).toBe(paid.id);
  expect((await harness.stripe.paymentIntents.list({ customer })).data).toHaveLength(2);
});

it.each([
  ["4000002760003184", "off_session", "authentication_required"],
  ["4000002500003155", "on_session", "authentication_required"],
  ["4000002500003155", "off_session", null],
  ["4000003800000446", "on_session", null],
] as const)("asks for the owner of %s, kept for %s, as documented", async (card, usage, code) => {
  const { customer, method } = await keep(card, usage);
  if (code === null) {
    expect((await chargeWithout(customer, method.id)).status).toBe("succeeded");
    return;
  }
  const error = await harness.refusal(chargeWithout(customer, method.id));
  expect(error).toMatchObject({
    type: "StripeCardError",
    statusCode: 402,
    code,
    decline_code: code,
    payment_intent: { status: "requires_payment_method", last_payment_error: { code } },
    payment_method: { id: method.id },
  });
});

it("declines the next charge of a kept card, and only that one", async () => {
  const { customer, method } = await keep("4242424242424242");
  await harness.control("POST", "/sandbox/stripe/switches", { declineNext: "insufficient_funds" });
  const error = await harness.refusal(chargeWithout(customer, method.id));
  expect(error).toMatchObject({ code: "card_declined", decline_code: "insufficient_funds" });
  expect((await chargeWithout(customer, method.id)).status).toBe("succeeded");
});

it("replays a stored 500 under its idempotency key", async () => {
  const { customer, method } = await keep("4242424242424242");
  const { id } = await harness.order({ customer });
  await harness.control("POST", "/sandbox/faults", {
    operation: "confirmPaymentIntent",
    fault: "500_stored",
    times: 1,
  });
  const confirm = (idempotencyKey: string) =>
    harness.stripe.paymentIntents.confirm(
      id,
      { payment_method: method.id, off_session: true },
      { idempotencyKey },
    );
  expect((await harness.refusal(confirm("one"))).statusCode).toBe(500);
  const replayed = await harness.refusal(confirm("one"));
  expect([replayed.statusCode, replayed.headers?.["idempotent-replayed"]]).toEqual([500, "true"]);
  expect((await confirm("two")).status).toBe("succeeded");
});

it("forgets a detached card, and those of a deleted customer", async () => {
  const { customer, method } = await keep("4242424242424242");
  expect(await harness.stripe.paymentMethods.detach(method.id)).toMatchObject({ customer: null });
  expect((await harness.stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
  expect((await harness.refusal(chargeWithout(customer, method.id))).message).toContain(
    "It may not be used again",
  );
  expect((await harness.refusal(harness.stripe.paymentMethods.detach(method.id))).statusCode).toBe(400);
  const other = await keep("4242424242424242");
  expect((await harness.refusal(chargeWithout(customer, other.method.id))).code).toBe("resource_missing");
  await harness.stripe.customers.del(other.customer);
  expect((await harness.stripe.paymentMethods.retrieve(other.method.id)).customer).toBeNull();
});

it("opens a customer session for half an hour with the requested features", async () => {
  const { customer, method } = await keep("4242424242424242");
  const session = await harness.stripe.customerSessions.create({
    customer,
    components: {
      payment_element: {
        enabled: true,
        features: {
          payment_method_redisplay: "enabled",
          payment_method_remove: "enabled",
          payment_method_allow_redisplay_filters: ["always", "limited"],
        },
      },
    },
  });
  expect(session).toMatchObject({
    object: "customer_session",
    customer,
    expires_at: START / 1000 + 1800,
    components: {
      payment_element: {
        features: {
          payment_method_redisplay: "enabled",
          payment_method_redisplay_limit: 3,
          payment_method_remove: "enabled",
          payment_method_save: "disabled",
          payment_method_save_usage: null,
        },
      },
    },
  });
  const inBrowser = (method: string, path: string) => {
    const params = new URLSearchParams({ key: "pk_test_sandbox", client_secret: session.client_secret });
    const url = `${harness.server.url}/sandbox/stripe/v1/${path}`;
    return method === "GET" ? fetch(`${url}?${params}`) : fetch(url, { method, body: params });
  };
  const shown = await (await inBrowser("GET", "customer_sessions/own")).json();
  expect(shown).toMatchObject({ payment_methods: [{ id: method.id }] });
  expect((await inBrowser("POST", `payment_methods/${method.id}/detach`)).status).toBe(200);
  expect((await inBrowser("POST", `payment_methods/${method.id}/detach`)).status).toBe(400);
  await harness.world({ now: START + 1_800_000 });
  expect((await inBrowser("GET", "customer_sessions/own")).status).toBe(400);
});
