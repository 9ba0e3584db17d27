import { describe, expect, it } from "vitest";
import { RENEWAL_WORDS } from "../../db/shapes/money/renewal.ts";
import { prepareIntent } from "../../worker/payments/prepare.ts";
import { DAY_MS, DRIVER, losePath, NOW, open } from "./checkout-harness.ts";
import { prepare, requestOf, statuses } from "./prepare-harness.ts";

describe("a payment that is prepared", () => {
  it("is stored with all that the driver agreed to, before the bank is asked", async () => {
    const at = open({ TAX_NAME: "VAT", TAX_RATE: "0.2" });
    let stored: unknown;
    at.bank.during("createIntent", () => {
      stored = at.payment();
    });
    const renewal = { capCents: 5022, words: RENEWAL_WORDS };
    const prepared = await prepare(at, { renewal });
    const row = at.payment();
    expect(prepared).toMatchObject({
      kind: "ready",
      clientSecret: "pi_2_secret",
      payment: { id: row?.["id"], intentId: "pi_2" },
    });
    expect(stored).toEqual({ ...row, intent_id: null, revision: 1 });
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      driver_id: DRIVER,
      intent_id: "pi_2",
      plan: "7days",
      status: "open",
      currency: "USD",
      price_cents: 4987,
      price_id: expect.any(String),
      cut_id: null,
      cut_kind: null,
      cut_ends_at: null,
      cut_cents: 0,
      points: 0,
      points_cents: 0,
      fee_cents: 35,
      total_cents: 5022,
      refunded_cents: 0,
      receipt_url: null,
      created_at: NOW,
      settled_at: null,
      revision: 2,
      processing_at: null,
      receipt_number: null,
      tax_name: "VAT",
      tax_millionths: 200_000,
      method: null,
      method_brand: null,
      method_last4: null,
      orphaned_at: null,
      method_id: null,
      renewal_cap_cents: 5022,
      renewal_words: RENEWAL_WORDS,
      renewal_of: null,
      processor_fee_cents: null,
      method_fingerprint: null,
    });
    expect(at.bank.asked).toEqual([
      ["createCustomer", DRIVER, `customer:${DRIVER}:${Math.floor(NOW / DAY_MS)}`],
      ["createIntent", row?.["id"], { customerId: "cus_1", language: "en", receiptEmail: null }],
    ]);
    expect(at.rows(`SELECT * FROM stripe_customers`)).toEqual([{ driver_id: DRIVER, customer_id: "cus_1" }]);
  });

  it("holds no tax and no renewal where there is none", async () => {
    const at = open();
    await prepare(at);
    expect(at.payment()).toMatchObject({
      tax_name: null,
      tax_millionths: null,
      renewal_cap_cents: null,
      renewal_words: null,
    });
  });

  it("is the same one with the same intent for the same wish, in two tabs at once too", async () => {
    const at = open();
    const [one, other] = await Promise.all([prepare(at), prepare(at)]);
    expect(other).toEqual(one);
    const again = await prepare(at);
    expect(again).toMatchObject({ kind: "ready", clientSecret: "pi_2_secret" });
    expect(statuses(at)).toEqual(["open"]);
    expect(at.bank.intents.size).toBe(1);
    expect(at.bank.count("cancelIntent")).toBe(0);
  });

  it("keeps the card for what was ticked at the moment of paying, whatever was ticked at an earlier try", async () => {
    const at = open();
    const usages = () => [...at.bank.intents.values()].map(({ status, usage }) => [status, usage]);
    await prepare(at, { savesCard: true });
    expect(usages()).toEqual([["open", "on_session"]]);
    await prepare(at, { savesCard: false });
    expect(usages()).toEqual([["open", null]]);
    await prepare(at, { savesCard: false });
    expect(at.bank.count("setMethodUsage")).toBe(2);
    const renewal = { capCents: 5022, words: RENEWAL_WORDS };
    await prepare(at, { renewal, savesCard: true });
    await prepare(at, { savesCard: true });
    expect(usages()).toEqual([
      ["canceled", null],
      ["canceled", "off_session"],
      ["open", "on_session"],
    ]);
  });

  it.each([
    ["another plan", { plan: "3days" }],
    ["an earlier price of the plan", { price_id: "earlier" }],
    ["a price from before prices had rows", { price_id: null }],
    ["another discount", { cut_id: "sale" }],
    ["other points", { points: 7 }],
    ["another total", { total_cents: 5021 }],
    ["another currency", { currency: "EUR" }],
    ["a charge by renewal", { renewal_of: "consent" }],
    ["consent to another cap", { renewal_cap_cents: 1 }],
    ["consent to other words", { renewal_words: RENEWAL_WORDS - 1 }],
  ])("is another one than one with %s, which is called off at the bank first", async (_name, former) => {
    const at = open();
    const { payment } = Object(await prepare(at));
    const [[column, value] = ["", null]] = Object.entries(former);
    at.run(`UPDATE payments SET ${column} = ?`, value);
    if (column === "total_cents") at.bank.change("pi_2", { cents: 5021 });
    if (column === "currency") at.bank.change("pi_2", { currency: "EUR" });
    at.bank.during("createIntent", () => expect(at.bank.intents.get("pi_2")?.status).toBe("canceled"));
    const next = Object(await prepare(at));
    expect(next.kind).toBe("ready");
    expect(next.payment.id).not.toBe(payment.id);
    expect(statuses(at)).toEqual(["abandoned", "open"]);
    expect(at.bank.count("createIntent")).toBe(2);
  });

  it("is another one with consent than without", async () => {
    const at = open();
    await prepare(at);
    await prepare(at, { renewal: { capCents: 5022, words: RENEWAL_WORDS } });
    await prepare(at);
    expect(statuses(at)).toEqual(["abandoned", "abandoned", "open"]);
  });

  it("paid by points is settled at once, delivered, and asks no bank", async () => {
    const at = open();
    at.givePoints(700);
    const prepared = await prepare(at, { points: 700 });
    expect(prepared).toMatchObject({
      kind: "settled",
      payment: { status: "settled", settledAt: NOW, totalCents: 0 },
    });
    expect(at.payment()).toMatchObject({ status: "settled", settled_at: NOW, method: "points" });
    expect(at.bank.asked).toEqual([]);
    expect(at.told).toHaveLength(1);
    expect(at.lines("info", "payments.changed")).toEqual([
      { paymentId: at.payment()?.["id"], driverId: DRIVER, from: "open", to: "settled" },
    ]);
  });

  it("is refused to a page that did not know of the last payment", async () => {
    const at = open();
    at.givePoints(700);
    await prepare(at, { points: 700 });
    expect(await prepare(at)).toEqual({ kind: "already_paid" });
    expect(statuses(at)).toEqual(["settled"]);
  });

  it("is refused where its points are gone", async () => {
    const at = open();
    at.givePoints(100);
    const request = await requestOf(at, { points: 100 });
    at.run(`DELETE FROM point_entries`);
    expect(await prepareIntent(at.checkout, request)).toEqual({ kind: "points_short" });
    expect(statuses(at)).toEqual([]);
  });
});

describe("a payment that is prepared again", () => {
  it.each([
    ["paid meanwhile is settled", { status: "succeeded" as const }, "settled", "settled"],
    ["with the bank is told as that", { status: "processing" as const }, "payment_processing", "processing"],
    ["without a secret can't be shown", { clientSecret: null }, "busy", "open"],
    ["at a bank that says another amount can't be shown", { cents: 1 }, "busy", "open"],
  ])("%s", async (_name, change, kind, status) => {
    const at = open();
    await prepare(at);
    at.bank.change("pi_2", change);
    const again = Object(await prepare(at));
    expect(again.kind).toBe(kind);
    expect(again.clientSecret).toBeUndefined();
    expect(again.payment?.status).toBe(kind === "settled" ? status : undefined);
    expect(at.payment()?.["status"]).toBe(status);
  });

  it("and whose row is gone in that moment is given up", async () => {
    const at = open();
    const remove = () => at.run(`DELETE FROM payments`);
    await prepare(at);
    at.bank.pay("pi_2");
    at.bank.during("fetchIntent", remove);
    expect(await prepare(at)).toEqual({ kind: "busy" });
    await prepare(at);
    at.bank.during("fetchIntent", remove);
    expect(await prepare(at, { plan: "3days" })).toEqual({ kind: "busy" });
  });

  it("and was canceled at the bank begins anew", async () => {
    const at = open();
    await prepare(at);
    at.bank.change("pi_2", { status: "canceled" });
    expect(await prepare(at)).toMatchObject({ kind: "ready", payment: { intentId: "pi_3" } });
    expect(statuses(at)).toEqual(["abandoned", "open"]);
  });

  it("has no answer while no keys are set", async () => {
    const at = open();
    const request = await requestOf(at);
    await prepareIntent(at.checkout, request);
    await expect(prepareIntent(at.cardless, request)).rejects.toMatchObject({ kind: "refused" });
    const other = await requestOf(at, { plan: "3days" });
    await expect(prepareIntent(at.cardless, other)).rejects.toMatchObject({ kind: "refused" });
    expect(statuses(at)).toEqual(["open"]);
  });
});

describe("another wish", () => {
  it.each([
    [
      "does not call off what was paid in that moment",
      { status: "succeeded" as const },
      "settled",
      "settled",
    ],
    ["waits for what the bank has", { status: "processing" as const }, "payment_processing", "processing"],
    ["waits where the bank took another amount", { cents: 1, status: "succeeded" as const }, "busy", "open"],
  ])("%s", async (_name, change, kind, status) => {
    const at = open();
    const { payment } = Object(await prepare(at));
    at.bank.during("cancelIntent", () => at.bank.change("pi_2", change));
    const other = Object(await prepare(at, { plan: "3days" }));
    expect(other.kind).toBe(kind);
    if (kind === "settled") expect(other.payment).toMatchObject({ id: payment.id, plan: "7days" });
    expect(statuses(at)).toEqual([status]);
    expect(at.bank.count("createIntent")).toBe(1);
  });

  it("calls off a payment whose intent was never made without asking the bank", async () => {
    const at = open();
    at.bank.during("createIntent", losePath());
    await expect(prepare(at)).rejects.toMatchObject({ kind: "unreachable" });
    await prepare(at, { plan: "3days" });
    expect(statuses(at)).toEqual(["abandoned", "open"]);
    expect(at.bank.count("cancelIntent")).toBe(0);
  });
});
