import { Stripe } from "stripe";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { PaymentRow } from "../../db/queries/payments.ts";
import { SEED_PRICES } from "../../db/shapes/plans.ts";
import { driverId } from "../../db/shapes/units.ts";
import { createDeps } from "../../durable/deps.ts";
import { keyRefusedAt } from "../../worker/payments/refused-keys.ts";
import { createCardProcessor } from "../../worker/payments/stripe.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

type Call = { call: string; body: Record<string, string>; key: string | null };
type Answer = readonly [status: number, body: object, headers?: Record<string, string>];

const log = vi.fn();
let calls: Call[] = [];
let addresses: string[] = [];
beforeEach(() => {
  calls = [];
  addresses = [];
  log.mockClear();
});

/** Stripe as it answers these calls, by method and path; each list of answers is gone through once, its last one stays. */
function stripeWith(answers: Record<string, readonly Answer[]>, settings: Record<string, string> = {}) {
  const { config } = createDeps({ ...DEMO_SETTINGS, ...settings, DB: {}, DRIVER: {}, ASSETS: {} });
  const left = new Map(Object.entries(answers).map(([call, given]) => [call, [...given]]));
  const send = async (request: Request) => {
    const { origin, pathname, searchParams } = new URL(request.url);
    const call = `${request.method} ${pathname.replace("/v1/", "")}`;
    const sent = request.method === "POST" ? new URLSearchParams(await request.text()) : searchParams;
    calls.push({ call, body: Object.fromEntries(sent), key: request.headers.get("idempotency-key") });
    addresses.push(origin);
    const given = left.get(call) ?? [];
    const [status, body, headers = {}] = (given.length > 1 ? given.shift() : given[0]) ?? [
      400,
      { error: { type: "invalid_request_error" } },
    ];
    return Response.json(body, { status, headers });
  };
  const cards = createCardProcessor({ config, send, now: () => NOW, log });
  if (!cards) throw new Error("there are no keys");
  return { cards, config };
}

const list = (...data: object[]): Answer => [200, { object: "list", data, has_more: false }];
const failure = (status: number, error: object): Answer => [status, { error }];
const intent = (change: object = {}) => ({
  object: "payment_intent",
  id: "pi_1",
  status: "requires_payment_method",
  amount: 5022,
  amount_received: 0,
  currency: "usd",
  client_secret: "pi_1_secret",
  latest_charge: null,
  metadata: { payment_id: "p" },
  ...change,
});
const open = {
  intentId: "pi_1",
  paymentId: "p",
  status: "open",
  cents: 5022,
  currency: "USD",
  clientSecret: "pi_1_secret",
  paidAt: null,
  receiptUrl: null,
  method: null,
  methodId: null,
  usage: null,
  failure: null,
  refunds: [],
  openDispute: null,
};

const payment: PaymentRow = {
  id: "p",
  driverId: driverId.parse("d"),
  plan: "7days",
  currency: "USD",
  priceCents: SEED_PRICES["7days"],
  priceId: "7days-1",
  discountCents: 100,
  discountId: null,
  discountKind: null,
  discountEndsAt: null,
  points: 10,
  pointsCents: 71,
  feeCents: 33,
  totalCents: 5022,
  intentId: null,
  status: "open",
  refundedCents: 0,
  receiptUrl: null,
  createdAt: NOW,
  settledAt: null,
  revision: 1,
  processingAt: null,
  receiptNumber: null,
  taxName: null,
  taxMillionths: null,
  method: null,
  methodBrand: null,
  methodLast4: null,
  orphanedAt: null,
  methodId: null,
  renewalCapCents: null,
  renewalWords: null,
  renewalOf: null,
};

describe("a payment at Stripe", () => {
  const details = { customerId: "cus_1", language: "es", receiptEmail: null } as const;
  const charged = (change: Partial<PaymentRow> = {}, mail: string | null = null) => {
    const { cards } = stripeWith({ "POST payment_intents": [[200, intent()]] }, { PRODUCT_NAME: "Turno" });
    return cards.createIntent({ ...payment, ...change }, { ...details, receiptEmail: mail });
  };

  it("is asked for once per payment, with all that rebuilds the books", async () => {
    expect(await charged()).toEqual(open);
    expect(calls).toEqual([
      {
        call: "POST payment_intents",
        key: "payment:p",
        body: {
          amount: "5022",
          currency: "usd",
          customer: "cus_1",
          description: "Turno, 7 días",
          "allowed_payment_method_types[0]": "card",
          "allowed_payment_method_types[1]": "link",
          statement_descriptor_suffix: "SERVICE",
          "metadata[payment_id]": "p",
          "metadata[driver_id]": "d",
          "metadata[plan]": "7days",
          "metadata[days]": "7",
          "metadata[price_cents]": "4987",
          "metadata[discount_cents]": "100",
          "metadata[points]": "10",
          "metadata[points_cents]": "71",
          "metadata[fee_cents]": "33",
          "metadata[price_id]": "7days-1",
        },
      },
    ]);
  });

  it("carries price, discount and tax where they have names, and a receipt's address", async () => {
    await charged(
      { priceId: null, discountId: "black", taxName: "VAT", taxMillionths: 190_000 },
      "ana@example.com",
    );
    expect(calls[0]?.body).toMatchObject({
      receipt_email: "ana@example.com",
      "metadata[discount_id]": "black",
      "metadata[tax]": "VAT",
      "metadata[tax_millionths]": "190000",
    });
    expect(calls[0]?.body).not.toHaveProperty("metadata[price_id]");
    await charged({ taxName: "VAT" });
    await charged({ taxMillionths: 5 });
    for (const { body } of calls.slice(1)) expect(Object.keys(body).join()).not.toContain("tax");
  });

  it("is read with its charge, refunds and disputes once it is paid", async () => {
    const paid = intent({
      status: "succeeded",
      amount_received: 5000,
      latest_charge: {
        object: "charge",
        id: "ch_1",
        created: 1_700_000_000,
        receipt_url: "https://stripe.example/r",
        payment_method_details: { type: "card", card: { brand: "visa", last4: "4242" } },
      },
    });
    const { cards } = stripeWith({
      "GET payment_intents/pi_1": [[200, paid]],
      "GET refunds": [
        list(
          { id: "re_1", amount: 10, created: 1_700_000_001, status: "succeeded", metadata: {} },
          { id: "re_2", amount: 20, created: 1_700_000_002, status: "failed", metadata: { goodwill: "yes" } },
          { id: "re_3", amount: 30, created: 1_700_000_003, status: "canceled", metadata: null },
          {
            id: "re_4",
            amount: 40,
            created: 1_700_000_004,
            status: "pending",
            metadata: { goodwill: "true" },
          },
        ),
      ],
      "GET disputes": [
        list({
          id: "du_1",
          amount: 50,
          created: 1_700_000_005,
          status: "under_review",
          balance_transactions: [],
        }),
      ],
    });
    const refund = { kind: "refund", isEffective: true, isGoodwill: false };
    expect(await cards.fetchIntent("pi_1")).toEqual({
      ...open,
      status: "succeeded",
      cents: 5000,
      paidAt: 1_700_000_000_000,
      receiptUrl: "https://stripe.example/r",
      method: { type: "card", brand: "visa", last4: "4242" },
      refunds: [
        { ...refund, id: "re_1", cents: 10, at: 1_700_000_001_000 },
        { ...refund, id: "re_2", cents: 20, at: 1_700_000_002_000, isEffective: false },
        { ...refund, id: "re_3", cents: 30, at: 1_700_000_003_000, isEffective: false },
        { ...refund, id: "re_4", cents: 40, at: 1_700_000_004_000, isGoodwill: true },
        { ...refund, id: "du_1", cents: 50, at: 1_700_000_005_000, kind: "dispute", isEffective: false },
      ],
      openDispute: { id: "du_1", cents: 50 },
    });
    const [read, refunds, disputes] = calls;
    expect(read?.body).toEqual({ "expand[0]": "latest_charge" });
    for (const listed of [refunds, disputes])
      expect(listed?.body).toEqual({ payment_intent: "pi_1", limit: "100" });
  });

  it.each([
    ["requires_payment_method", "open"],
    ["requires_action", "open"],
    ["requires_confirmation", "open"],
    ["requires_capture", "open"],
    ["processing", "processing"],
    ["canceled", "canceled"],
  ])("that is %s is %s, and has no refunds to ask for", async (status, known) => {
    const { cards } = stripeWith({
      "GET payment_intents/pi_1": [[200, intent({ status, amount_received: 1, latest_charge: "ch_1" })]],
    });
    expect(await cards.fetchIntent("pi_1")).toEqual({ ...open, status: known });
    expect(calls).toHaveLength(1);
  });

  it("of another maker, or paid by something that is no card, has what there is", async () => {
    const latest_charge = {
      created: 1_700_000_000,
      receipt_url: null,
      payment_method_details: { type: "link" },
    };
    const { cards } = stripeWith({
      "GET payment_intents/pi_1": [[200, intent({ metadata: {}, status: "processing", latest_charge })]],
    });
    expect(await cards.fetchIntent("pi_1")).toEqual({
      ...open,
      paymentId: null,
      status: "processing",
      paidAt: 1_700_000_000_000,
      method: { type: "link", brand: null, last4: null },
    });
  });

  it.each([
    ["needs_response", [], false, true],
    ["under_review", [], false, true],
    ["won", [], false, false],
    ["lost", [], true, false],
    ["appeal_under_review", [], true, false],
    ["prevented", [{ amount: -5022 }], true, false],
    ["prevented", [{ amount: -5022 }, { amount: 5022 }], false, false],
    ["prevented", [], false, false],
  ])(
    "with a dispute that is %s (%j) has lost the money: %s, and waits: %s",
    async (status, balance_transactions, isLost, isOpen) => {
      const dispute = { id: "du_1", amount: 5022, created: 1_700_000_000, status, balance_transactions };
      const { cards } = stripeWith({
        "GET payment_intents/pi_1": [[200, intent({ status: "succeeded" })]],
        "GET refunds": [list()],
        "GET disputes": [list(dispute)],
      });
      const { refunds, openDispute } = await cards.fetchIntent("pi_1");
      expect([refunds[0]?.isEffective, refunds[0]?.isGoodwill, openDispute !== null]).toEqual([
        isLost,
        false,
        isOpen,
      ]);
    },
  );

  it.each(["warning_needs_response", "warning_under_review", "warning_closed"])(
    "that a bank inquires about (%s) is not in dispute: nothing was decided, for nobody",
    async (status) => {
      const inquiry = { id: "du_1", amount: 5022, created: 1_700_000_000, status, balance_transactions: [] };
      const { cards } = stripeWith({
        "GET payment_intents/pi_1": [[200, intent({ status: "succeeded" })]],
        "GET refunds": [list()],
        "GET disputes": [list(inquiry)],
      });
      expect(await cards.fetchIntent("pi_1")).toMatchObject({ refunds: [], openDispute: null });
    },
  );

  it("is given back once per key, at the customer's request", async () => {
    const { cards } = stripeWith({ "POST refunds": [[200, { object: "refund", id: "re_1" }]] });
    await cards.refundIntent("pi_1", "refund:p:orphaned");
    expect(calls).toEqual([
      {
        call: "POST refunds",
        key: "refund:p:orphaned",
        body: { payment_intent: "pi_1", reason: "requested_by_customer" },
      },
    ]);
  });

  it("is canceled as abandoned; one that is decided or gone is fine, an outage is not", async () => {
    const call = "POST payment_intents/pi_1/cancel";
    await stripeWith({ [call]: [[200, intent({ status: "canceled" })]] }).cards.cancelIntent("pi_1");
    expect(calls[0]).toMatchObject({ call, body: { cancellation_reason: "abandoned" } });
    const decided = failure(400, { type: "invalid_request_error", code: "payment_intent_unexpected_state" });
    await stripeWith({ [call]: [decided] }).cards.cancelIntent("pi_1");
    const down = stripeWith({ [call]: [failure(400, { type: "api_error" }), failure(429, {})] });
    await down.cards.cancelIntent("pi_1");
    await expect(down.cards.cancelIntent("pi_1")).rejects.toMatchObject({ kind: "unreachable" });
  });
});

describe("a customer at Stripe", () => {
  it("is made once per key, with name, number and the driver's id", async () => {
    const { cards } = stripeWith({ "POST customers": [[200, { object: "customer", id: "cus_1" }]] });
    const driver = { id: driverId.parse("d"), name: "Ana", phoneNumber: "+15550100100" };
    expect(await cards.createCustomer(driver, "customer:d")).toBe("cus_1");
    expect(calls).toEqual([
      {
        call: "POST customers",
        key: "customer:d",
        body: { name: "Ana", phone: "+15550100100", "metadata[driver_id]": "d" },
      },
    ]);
  });

  it("is deleted, even where it is gone already", async () => {
    const call = "DELETE customers/cus_1";
    await stripeWith({ [call]: [[200, { id: "cus_1", deleted: true }]] }).cards.deleteCustomer("cus_1");
    const gone = failure(404, { type: "invalid_request_error", code: "resource_missing", param: "id" });
    await stripeWith({ [call]: [gone] }).cards.deleteCustomer("cus_1");
    const refused = failure(400, { type: "invalid_request_error" });
    await expect(stripeWith({ [call]: [refused] }).cards.deleteCustomer("cus_1")).rejects.toMatchObject({
      kind: "refused",
    });
    expect(calls.map((each) => each.call)).toEqual([call, call, call]);
  });
});

describe("a card that a driver keeps", () => {
  it("is shown for the next payment in a session that leaves it to the intent what the card is kept for", async () => {
    const session = [200, { object: "customer_session", client_secret: "cuss_secret" }] as const;
    const { cards } = stripeWith({ "POST customer_sessions": [session] });
    expect(await cards.openCustomerSession("cus_1")).toBe("cuss_secret");
    const element = (features: Record<string, string>) => ({
      customer: "cus_1",
      "components[payment_element][enabled]": "true",
      ...Object.fromEntries(
        Object.entries(features).map(([name, value]) => [
          `components[payment_element][features][${name}]`,
          value,
        ]),
      ),
    });
    const shown = { payment_method_redisplay: "enabled", payment_method_remove: "enabled" };
    expect(calls.map(({ body }) => body)).toEqual([element({ ...shown, payment_method_save: "disabled" })]);
  });

  it("is listed with what is on it", async () => {
    const { cards } = stripeWith({
      "GET customers/cus_1/payment_methods": [
        list(
          {
            id: "pm_1",
            type: "card",
            card: { brand: "visa", last4: "4242", exp_month: 5, exp_year: 2030 },
            allow_redisplay: "always",
          },
          { id: "pm_2", type: "link", allow_redisplay: "limited" },
        ),
      ],
    });
    const bare = { brand: null, last4: null, expMonth: null, expYear: null };
    expect(await cards.listSavedCards("cus_1")).toEqual([
      {
        id: "pm_1",
        type: "card",
        brand: "visa",
        last4: "4242",
        expMonth: 5,
        expYear: 2030,
        mayBeShown: true,
      },
      { id: "pm_2", type: "link", ...bare, mayBeShown: false },
    ]);
    expect(calls[0]?.body).toEqual({ limit: "100" });
  });

  it("is charged without the driver, once per key", async () => {
    const { cards } = stripeWith({ "POST payment_intents/pi_1/confirm": [[200, intent()]] });
    await cards.confirmWithoutDriver("pi_1", "pm_1", "renewal:1");
    expect(calls).toEqual([
      {
        call: "POST payment_intents/pi_1/confirm",
        key: "renewal:1",
        body: { payment_method: "pm_1", off_session: "true" },
      },
    ]);
  });

  it("is kept by the payment that a renewal was agreed to with", async () => {
    const { cards } = stripeWith({ "POST payment_intents": [[200, intent()]] });
    const whom = { customerId: "cus_1", language: "en", receiptEmail: null } as const;
    await cards.createIntent({ ...payment, renewalCapCents: 6000 }, whom);
    await cards.createIntent(payment, whom);
    expect(calls.map(({ body }) => body["setup_future_usage"])).toEqual(["off_session", undefined]);
  });

  it("is kept for what the driver wants by now", async () => {
    const { cards } = stripeWith({ "POST payment_intents/pi_1": [[200, intent()]] });
    for (const usage of ["on_session", "off_session", null] as const)
      await cards.setMethodUsage("pi_1", usage);
    expect(calls.map(({ body }) => body)).toEqual([
      { setup_future_usage: "on_session" },
      { setup_future_usage: "off_session" },
      { setup_future_usage: "" },
    ]);
  });

  it("is removed, even where it is gone already", async () => {
    const call = "POST payment_methods/pm_1/detach";
    await stripeWith({ [call]: [[200, { id: "pm_1" }]] }).cards.removeSavedCard("pm_1");
    const gone = failure(404, {
      type: "invalid_request_error",
      code: "resource_missing",
      param: "payment_method",
    });
    await stripeWith({ [call]: [gone] }).cards.removeSavedCard("pm_1");
    const refused = failure(400, { type: "invalid_request_error" });
    await expect(stripeWith({ [call]: [refused] }).cards.removeSavedCard("pm_1")).rejects.toMatchObject({
      kind: "refused",
    });
  });
});

describe("what changed at Stripe", () => {
  it("are the intents that succeeded, and each once that was refunded or disputed", async () => {
    const { cards } = stripeWith({
      "GET payment_intents": [
        list(intent({ id: "pi_1", status: "succeeded" }), intent({ id: "pi_2", status: "canceled" })),
      ],
      "GET refunds": [
        list(
          { id: "re_1", payment_intent: "pi_3" },
          { id: "re_2", payment_intent: { id: "pi_4" } },
          { id: "re_3", payment_intent: null },
          { id: "re_4", payment_intent: { id: 5 } },
        ),
      ],
      "GET disputes": [list({ id: "du_1", payment_intent: "pi_3" }, { id: "du_2", payment_intent: "pi_5" })],
    });
    expect(await cards.listChangedIntents(1_700_000_000_999)).toEqual({
      succeeded: ["pi_1"],
      refunded: ["pi_3", "pi_4", "pi_5"],
    });
    expect(calls.map(({ call, body }) => [call, body])).toEqual(
      ["payment_intents", "refunds", "disputes"].map((what) => [
        `GET ${what}`,
        { "created[gte]": "1700000000", limit: "100" },
      ]),
    );
  });
});

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
    ["intent.read", (cards: Cards) => cards.fetchIntent("pi_1")],
    ["intent.confirm", (cards: Cards) => cards.confirmWithoutDriver("pi_1", "pm_1", "k")],
    ["session.create", (cards: Cards) => cards.openCustomerSession("c")],
    ["intent.update", (cards: Cards) => cards.setMethodUsage("pi_1", null)],
    ["cards.list", (cards: Cards) => cards.listSavedCards("c")],
    ["card.remove", (cards: Cards) => cards.removeSavedCard("pm_1")],
    ["intents.list", (cards: Cards) => cards.listChangedIntents(0)],
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
    const event = { id: "evt_1", type: "charge.refunded", intentId: "pi_1" };
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
