import { Stripe } from "stripe";
import { beforeEach, describe, expect, it } from "vitest";
import { driverId } from "../../../db/shapes/units.ts";
import { createDeps } from "../../../durable/deps.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { keyRefusedAt } from "../../../worker/payments/stripe/key-health.ts";
import { createCardProcessor } from "../../../worker/payments/stripe/stripe.ts";
import {
  forgetCalls,
  NOW,
  log,
  calls,
  addresses,
  list,
  failure,
  payment,
  stripeWith,
} from "../stripe-harness.ts";

beforeEach(forgetCalls);

describe("a call to Stripe", () => {
  it("goes to the address in the settings", async () => {
    for (const url of ["http://stripe.localhost", "http://127.0.0.1:8081", "https://stripe.example"]) {
      const { cards } = stripeWith({ "GET payment_intents": [list()] }, { STRIPE_URL: url });
      await cards.checkKey();
    }
    expect(addresses).toEqual(["http://stripe.localhost", "http://127.0.0.1:8081", "https://stripe.example"]);
    expect(calls[0]?.body).toEqual({ limit: "1" });
    expect(log).not.toHaveBeenCalled();
  });

  it("says which version it speaks, and nothing of the calls before it", async () => {
    const { config } = createDeps({ ...DEMO_SETTINGS, DB: {}, DRIVER: {}, ASSETS: {} });
    const headers: Headers[] = [];
    const send = async (request: Request) => {
      headers.push(request.headers);
      return Response.json(
        { object: "list", data: [], has_more: false },
        { headers: { "request-id": "req_1" } },
      );
    };
    const cards = createCardProcessor({ config, send, now: () => NOW, log });
    await cards?.checkKey();
    await cards?.checkKey();
    expect(headers.map((each) => each.get("stripe-version"))).toEqual([
      Stripe.API_VERSION,
      Stripe.API_VERSION,
    ]);
    expect(headers.map((each) => each.has("x-stripe-client-telemetry"))).toEqual([false, false]);
  });

  it("that only checks the key is made once: a driver waits for it", async () => {
    const { cards } = stripeWith({ "GET payment_intents": [failure(500, { type: "api_error" })] });
    await expect(cards.checkKey()).rejects.toMatchObject({ kind: "unreachable" });
    expect(calls).toHaveLength(1);
  });

  it("that fails is logged with its name and Stripe's codes, and noted where the key is refused", async () => {
    const { cards, config } = stripeWith({
      "GET payment_intents": [
        failure(401, { type: "invalid_request_error", message: "Invalid API Key: sk" }),
      ],
    });
    await expect(cards.checkKey()).rejects.toMatchObject({ kind: "refused", isUnauthorized: true });
    expect(log.mock.calls).toEqual([
      ["error", "payments.call.failed", expect.objectContaining({ what: "key.check", stripeStatus: 401 })],
    ]);
    expect(keyRefusedAt(config)).toBe(NOW);
  });

  it("that may be repeated is a warning, and says nothing against the key", async () => {
    const { cards, config } = stripeWith({ "GET payment_intents": [failure(409, { type: "api_error" })] });
    await expect(cards.checkKey()).rejects.toMatchObject({ kind: "unreachable", isUnauthorized: false });
    expect(log.mock.calls).toEqual([
      ["warn", "payments.call.failed", expect.objectContaining({ what: "key.check", kind: "unreachable" })],
    ]);
    expect(keyRefusedAt(config)).toBeNull();
  });

  it.each([
    [
      "customer.create",
      (cards: Cards) => cards.createCustomer({ id: driverId.parse("d"), name: "", phoneNumber: "" }, "k"),
    ],
    ["customer.delete", (cards: Cards) => cards.deleteCustomer("c")],
    [
      "intent.create",
      (cards: Cards) => cards.createIntent(payment, { customerId: "c", language: "en", receiptEmail: null }),
    ],
    ["refund.create", (cards: Cards) => cards.refundIntent("pi_1", "k")],
    ["refunds.list", (cards: Cards) => cards.hasRefund("pi_1", "act-1")],
    ["intent.read", (cards: Cards) => cards.fetchIntent("pi_1")],
    ["intent.confirm", (cards: Cards) => cards.confirmWithoutDriver("pi_1", "pm_1", "k")],
    ["session.create", (cards: Cards) => cards.openCustomerSession("c")],
    ["intent.update", (cards: Cards) => cards.setMethodUsage("pi_1", null)],
    ["cards.list", (cards: Cards) => cards.listSavedCards("c")],
    ["card.remove", (cards: Cards) => cards.removeSavedCard("pm_1")],
    ["intents.list", (cards: Cards) => cards.listChangedIntents(0)],
    ["books.read", (cards: Cards) => cards.fetchBooks({ from: 0, to: 1 })],
  ])("is named %s in the log", async (what, call) => {
    const { cards } = stripeWith({});
    await expect(call(cards)).rejects.toMatchObject({ kind: "refused" });
    expect(log.mock.calls[0]).toEqual(["error", "payments.call.failed", expect.objectContaining({ what })]);
  });

  it("to cancel counts as done where it is refused, and is logged where it fails", async () => {
    const { cards } = stripeWith({});
    await cards.cancelIntent("pi_1");
    expect(log).not.toHaveBeenCalled();
    const down = stripeWith({ "POST payment_intents/pi_1/cancel": [failure(409, { type: "api_error" })] });
    await expect(down.cards.cancelIntent("pi_1")).rejects.toMatchObject({ kind: "unreachable" });
    expect(log.mock.calls[0]).toEqual([
      "warn",
      "payments.call.failed",
      expect.objectContaining({ what: "intent.cancel" }),
    ]);
  });

  it("that breaks for another reason breaks with it", async () => {
    const { config } = createDeps({ ...DEMO_SETTINGS, DB: {}, DRIVER: {}, ASSETS: {} });
    const fails = createCardProcessor({ config, send: async () => Response.json(null), now: () => NOW, log });
    await expect(fails?.fetchIntent("pi_1")).rejects.toThrow("'error'");
    expect(log).not.toHaveBeenCalled();
  });

  it("can't be made without keys", () => {
    const settings = {
      ...DEMO_SETTINGS,
      STRIPE_SECRET_KEY: "",
      STRIPE_PUBLISHABLE_KEY: "",
      STRIPE_WEBHOOK_SECRETS: "",
    };
    const { config } = createDeps({ ...settings, DB: {}, DRIVER: {}, ASSETS: {} });
    expect(createCardProcessor({ config, send: fetch, now: () => NOW, log })).toBeNull();
  });
});

type Cards = ReturnType<typeof stripeWith>["cards"];

describe("an event of Stripe", () => {
  const signed = (
    data: object,
    { secret = "whsec_new", at = NOW }: { secret?: string; at?: number } = {},
  ) => {
    const payload = JSON.stringify({ id: "evt_1", object: "event", type: "charge.refunded", data });
    const timestamp = Math.floor(at / 1000);
    return [payload, Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })] as const;
  };
  const { cards } = stripeWith({}, { STRIPE_WEBHOOK_SECRETS: "whsec_old,whsec_new" });
  const refunded = { object: { object: "charge", id: "ch_1", payment_intent: "pi_1" } };

  it("counts where one of our secrets signed it within five minutes", async () => {
    const event = { id: "evt_1", type: "charge.refunded", intentId: "pi_1", chargeId: null };
    expect(await cards.verifyEvent(...signed(refunded))).toEqual(event);
    expect(await cards.verifyEvent(...signed(refunded, { secret: "whsec_old", at: NOW - 300_000 }))).toEqual(
      event,
    );
    expect(await cards.verifyEvent(...signed(refunded, { at: NOW - 301_000 }))).toBeNull();
    expect(await cards.verifyEvent(...signed(refunded, { secret: "whsec_other" }))).toBeNull();
    const [body, signature] = signed(refunded);
    expect(await cards.verifyEvent(`${body} `, signature)).toBeNull();
    expect(await cards.verifyEvent(body, "")).toBeNull();
  });

  it.each([
    [
      "an intent itself",
      { object: { object: "payment_intent", id: "pi_9", payment_intent: "pi_1" } },
      "pi_9",
    ],
    ["what names its intent", refunded, "pi_1"],
    ["what has it along", { object: { object: "charge", payment_intent: { id: "pi_2" } } }, "pi_2"],
    ["what has something else", { object: { object: "charge", payment_intent: { id: 3 } } }, null],
    ["what has none", { object: { object: "customer", id: "cus_1", payment_intent: null } }, null],
    ["what knows none", { object: { object: "customer", id: "cus_1" } }, null],
  ])("leads to the intent of %s", async (_what, data, intentId) => {
    expect(await cards.verifyEvent(...signed(data))).toMatchObject({ intentId });
  });
});
