import type { PaymentRow } from "../../../db/queries/payments/payments.ts";
import { beforeEach, describe, expect, it } from "vitest";
import {
  forgetCalls,
  calls,
  list,
  failure,
  intent,
  log,
  open,
  stripeWith,
  payment,
} from "../stripe-harness.ts";

beforeEach(forgetCalls);

describe("a payment at Stripe", () => {
  const details = { customerId: "cus_1", language: "es", receiptEmail: null } as const;
  const charged = (change: Partial<PaymentRow> = {}, mail: string | null = null) => {
    const { cards } = stripeWith({ "POST payment_intents": [[200, intent()]] }, { PRODUCT_NAME: "Turno" });
    return cards.createIntent({ ...payment, ...change }, { ...details, receiptEmail: mail });
  };

  it("is requested once per payment, with all that rebuilds the books", async () => {
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

  it.each([
    ["by its code", { code: "email_invalid" }],
    ["by its name", { param: "receipt_email" }],
  ])("is requested without the receipt's address where Stripe refuses that %s", async (_how, error) => {
    const refusal = failure(400, { type: "invalid_request_error", ...error });
    const { cards } = stripeWith({ "POST payment_intents": [refusal, [200, intent()]] });
    expect(await cards.createIntent(payment, { ...details, receiptEmail: "ana@local" })).toEqual(open);
    const [first, second] = calls;
    expect([first?.key, first?.body["receipt_email"]]).toEqual(["payment:p", "ana@local"]);
    const { receipt_email: _address, ...rest } = first?.body ?? {};
    expect([second?.key, second?.body]).toEqual(["payment:p:no_receipt", rest]);
    expect(log.mock.calls).toEqual([["warn", "payments.receipt.refused", { paymentId: "p", driverId: "d" }]]);
  });

  it("is refused where Stripe refuses it without the address too, or for something else", async () => {
    const refusal = failure(400, { type: "invalid_request_error", code: "email_invalid" });
    const { cards } = stripeWith({ "POST payment_intents": [refusal] });
    const whom = { ...details, receiptEmail: "ana@local" };
    await expect(cards.createIntent(payment, whom)).rejects.toMatchObject({ kind: "refused" });
    expect(calls).toHaveLength(2);
    const other = stripeWith({ "POST payment_intents": [failure(402, { type: "card_error" })] });
    await expect(other.cards.createIntent(payment, whom)).rejects.toMatchObject({ kind: "refused" });
    expect(calls).toHaveLength(3);
  });

  it("is read by a key that may not read what Stripe booked, without Stripe's fee", async () => {
    const charge = { object: "charge", id: "ch_1", created: 1_700_000_000, balance_transaction: "txn_1" };
    const { cards } = stripeWith({
      "GET payment_intents/pi_1": [
        failure(403, { type: "invalid_request_error" }),
        [200, intent({ status: "succeeded", amount_received: 5022, latest_charge: charge })],
      ],
      "GET refunds": [list()],
      "GET disputes": [list()],
    });
    expect(await cards.fetchIntent("pi_1")).toMatchObject({ status: "succeeded", processorFeeCents: null });
    expect(calls.slice(0, 2).map(({ body }) => body["expand[0]"])).toEqual([
      "latest_charge.balance_transaction",
      "latest_charge",
    ]);
    expect(log).not.toHaveBeenCalled();
  });

  it("is not read again where Stripe refuses for another reason", async () => {
    const call = "GET payment_intents/pi_1";
    const { cards } = stripeWith({
      [call]: [failure(400, { type: "invalid_request_error" }), [200, intent()]],
    });
    await expect(cards.fetchIntent("pi_1")).rejects.toMatchObject({ kind: "refused" });
    expect(calls).toHaveLength(1);
  });

  it("is read without a fee that Stripe booked in another currency, and with what its card is kept for", async () => {
    const charge = { object: "charge", created: 1, balance_transaction: { currency: "eur", fee: 175 } };
    const kept = intent({ latest_charge: charge, setup_future_usage: "off_session" });
    const { cards } = stripeWith({ "GET payment_intents/pi_1": [[200, kept]] });
    expect(await cards.fetchIntent("pi_1")).toMatchObject({ processorFeeCents: null, usage: "off_session" });
  });

  it.each([
    ["needs_response", "needs_response", 1_700_600_000_000],
    ["warning_needs_response", "warning_needs_response", 1_700_600_000_000],
    ["under_review", "under_review", null],
    ["another_day", "other", null],
    ["another_day", "under_review", null, [{ amount: -1, fee: 0 }]],
    ["appeal_another_day", "other", null, [{ amount: -1, fee: 0 }]],
  ])("has a dispute that is %s as %s, to be answered by %s", async (status, known, dueAt, booked = []) => {
    const evidence_details = { due_by: 1_700_600_000 };
    const dispute = {
      id: "du_1",
      amount: 1,
      created: 1,
      status,
      balance_transactions: booked,
      evidence_details,
    };
    const { cards } = stripeWith({
      "GET payment_intents/pi_1": [[200, intent({ status: "succeeded" })]],
      "GET refunds": [list()],
      "GET disputes": [list(dispute)],
    });
    const { disputes } = await cards.fetchIntent("pi_1");
    expect(disputes).toMatchObject([{ status: known, dueAt }]);
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
        balance_transaction: { currency: "usd", fee: 175 },
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
          status: "needs_response",
          reason: "fraudulent",
          balance_transactions: [{ amount: -50, fee: 1500 }],
          evidence_details: { due_by: 1_700_600_000 },
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
      disputes: [
        {
          id: "du_1",
          status: "needs_response",
          reason: "fraudulent",
          cents: 50,
          feeCents: 1500,
          dueAt: 1_700_600_000_000,
          at: 1_700_000_005_000,
        },
      ],
      processorFeeCents: 175,
      openDispute: { id: "du_1", cents: 50 },
      reports: [{ id: "du_1", kind: "dispute", at: 1_700_000_005_000, isFinal: false }],
    });
    const [read, refunds, disputes] = calls;
    expect(read?.body).toEqual({ "expand[0]": "latest_charge.balance_transaction" });
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

  it("of another maker, or paid by something other than a card, has what there is", async () => {
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
    ["another_day", [{ amount: -5022 }], false, true],
    ["another_day", [{ amount: -5022 }, { amount: 5022 }], false, false],
    ["another_day", [], false, false],
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

  it("is given back in part by an act of an operator, which may be one of goodwill, and found by it", async () => {
    const { cards } = stripeWith({
      "POST refunds": [[200, { object: "refund", id: "re_1" }]],
      "GET refunds": [list({ metadata: { act: "act-1" } }, { metadata: null })],
    });
    await cards.refundIntent("pi_1", "key", { cents: 500, actId: "act-1", isGoodwill: false });
    await cards.refundIntent("pi_1", "key", { cents: 500, actId: "act-1", isGoodwill: true });
    const part = { payment_intent: "pi_1", reason: "requested_by_customer", amount: "500" };
    expect(calls.map(({ body }) => body)).toEqual([
      { ...part, "metadata[act]": "act-1" },
      { ...part, "metadata[act]": "act-1", "metadata[goodwill]": "true" },
    ]);
    expect([await cards.hasRefund("pi_1", "act-1"), await cards.hasRefund("pi_1", "act-2")]).toEqual([
      true,
      false,
    ]);
    expect(calls.at(-1)).toMatchObject({
      call: "GET refunds",
      body: { payment_intent: "pi_1", limit: "100" },
    });
  });

  it.each(["failed", "canceled"])("is not given back by a refund of the act that has %s", async (status) => {
    const { cards } = stripeWith({ "GET refunds": [list({ status, metadata: { act: "act-1" } })] });
    expect(await cards.hasRefund("pi_1", "act-1")).toBe(false);
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
