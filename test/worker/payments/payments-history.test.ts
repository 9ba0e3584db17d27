import { env, SELF } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import type {
  Payment,
  PaymentResponse,
  PaymentsResponse,
  PlansResponse,
  Receipt,
} from "../../../worker/contract/money/payments.ts";
import { apiTarget, resetPlatform, type TestDriver } from "../harness.ts";
import {
  createPayer,
  createPreparedPayment,
  fetchPayment,
  payIntent,
  ledgerOf,
  codeOf,
  pointBalanceOf,
  FULL,
  postPrepare,
  callStripeSandbox,
  createSettled,
  deliverAll,
  givePoints,
} from "../payments-harness.ts";

beforeAll(() => resetPlatform());

describe("the payment history", () => {
  it("lists paid payments newest first, twenty per page", async () => {
    const driver = await createPayer();
    const at = Date.now();
    await env.DB.batch(
      Array.from({ length: 45 }, (_, index) =>
        env.DB.prepare(
          `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
           VALUES (?, ?, '7days', ?, 'USD', 4987, 0, 0, 0, 35, 5022, 0, ?, ?, 1)`,
        ).bind(
          `pay-${String(index).padStart(2, "0")}-${driver.driverId.slice(0, 8)}`,
          driver.driverId,
          index % 9 === 8 ? "abandoned" : "settled",
          at + Math.floor(index / 3),
          at + Math.floor(index / 3),
        ),
      ),
    );
    const seen: Payment[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `?cursor=${cursor}`;
      const page: PaymentsResponse = await driver.client.fetchJson("GET", `/flex/v1/payments${query}`);
      expect(page.items.length).toBeLessThanOrEqual(20);
      seen.push(...page.items);
      cursor = page.cursor;
    }
    expect(seen.map(({ id }) => id.slice(4, 6))).toEqual(
      Array.from({ length: 45 }, (_, index) => 44 - index)
        .filter((index) => index % 9 !== 8)
        .map((index) => String(index).padStart(2, "0")),
    );
  });

  it("is visible to its driver only", async () => {
    const [driver, other] = [await createPayer(), await createPayer()];
    const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId);
    const answer = await other.client.call("GET", `/flex/v1/payments/${paymentId}`);
    expect([answer.status, await codeOf(answer)]).toEqual([404, "not_found"]);
    expect((await ledgerOf(driver)).payments).toEqual(["open"]);
    await fetchPayment(driver, paymentId);
    expect((await other.client.fetchJson<PaymentsResponse>("GET", "/flex/v1/payments")).items).toEqual([]);
    expect((await driver.client.fetchJson<PaymentsResponse>("GET", "/flex/v1/payments")).items).toHaveLength(
      1,
    );
  });

  it.each(["x", "-1", "1.é", "1.a.b"])("rejects a cursor like %s", async (cursor) => {
    const driver = await createPayer();
    const answer = await driver.client.call("GET", `/flex/v1/payments?cursor=${encodeURIComponent(cursor)}`);
    expect(answer.status).toBe(400);
  });
});

describe("a payment in progress", () => {
  it("is shown with its state and since when, and can be called off", async () => {
    const driver = await createPayer({ points: 350 });
    const { paymentId } = await createPreparedPayment(driver, {
      plan: "7days",
      points: 350,
      totalCents: 2511,
    });
    const { inProgress } = await driver.client.fetchJson<PlansResponse>("GET", "/flex/v1/plans");
    expect(inProgress).toEqual({
      id: paymentId,
      status: "open",
      plan: "7days",
      currency: "USD",
      totalCents: 2511,
      since: expect.any(Number),
      canCancel: true,
    });
    const { payment } = await driver.client.fetchJson<PaymentResponse>(
      "POST",
      `/flex/v1/payments/${paymentId}/cancel`,
    );
    expect([payment.status, payment.inProgress]).toEqual(["abandoned", null]);
    expect(await pointBalanceOf(driver)).toBe(350);
  });

  it("that the bank has is shown as such, and no second one is begun", async () => {
    const driver = await createPayer();
    const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId, { hold: true });
    await fetchPayment(driver, paymentId);
    const { inProgress } = await driver.client.fetchJson<PlansResponse>("GET", "/flex/v1/plans");
    expect(inProgress).toMatchObject({ id: paymentId, status: "processing", canCancel: true });
    expect(Math.abs(Number(inProgress?.since) - Date.now())).toBeLessThan(60_000);
    const again = await postPrepare(driver, { plan: "7days", points: 0, totalCents: FULL["7days"] });
    expect([again.status, await codeOf(again)]).toEqual([409, "payment_processing"]);
    await callStripeSandbox(`intents/${intentId}/settle`, { outcome: "succeeded" });
    await fetchPayment(driver, paymentId);
  });

  it("that the bank has not taken yet can be canceled, and another can be begun", async () => {
    const driver = await createPayer();
    const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId, { hold: true });
    await fetchPayment(driver, paymentId);
    const { payment } = await driver.client.fetchJson<PaymentResponse>(
      "POST",
      `/flex/v1/payments/${paymentId}/cancel`,
    );
    expect([payment.status, payment.inProgress]).toEqual(["abandoned", null]);
    const again = await postPrepare(driver, { plan: "7days", points: 0, totalCents: FULL["7days"] });
    expect(again.status).toBe(200);
  });

  it("of another driver can't be called off", async () => {
    const [driver, other] = [await createPayer(), await createPayer()];
    const { paymentId } = await createPreparedPayment(driver, { plan: "7days" });
    const answer = await other.client.call("POST", `/flex/v1/payments/${paymentId}/cancel`);
    expect([answer.status, await codeOf(answer)]).toEqual([404, "not_found"]);
    expect((await fetchPayment(driver, paymentId)).payment.status).toBe("open");
  });
});

describe("a receipt", () => {
  const fetchReceipt = ({ client }: TestDriver, id: string) =>
    client.fetchJson<Receipt>("GET", `/flex/v1/payments/${id}/receipt`);

  it("has number, seller, driver, plan, discount, fee, total, method and refunds", async () => {
    const { driver, paymentId, intentId } = await createSettled();
    await callStripeSandbox(`intents/${intentId}/refund`, { amount: 22 });
    await deliverAll(intentId);
    expect(await fetchReceipt(driver, paymentId)).toEqual({
      paymentId,
      number: expect.any(Number),
      renewal: null,
      seller: { name: "Jornada", address: null, taxId: null },
      driverName: "Ana",
      paidAt: expect.any(Number),
      plan: "7days",
      days: 7,
      status: "partly_refunded",
      currency: "USD",
      priceCents: 4987,
      discountKind: null,
      discountCents: 0,
      points: 0,
      pointsCents: 0,
      feeCents: 35,
      totalCents: 5022,
      tax: null,
      method: { type: "card", brand: "visa", last4: "4242" },
      refunds: [{ kind: "refund", cents: 22, at: expect.any(Number) }],
      refundedCents: 22,
    });
  });

  it("has the next number, for a payment by points too", async () => {
    const { driver, paymentId } = await createSettled();
    await givePoints(driver, 700);
    const byPoints = await createPreparedPayment(driver, { plan: "7days", points: 700, totalCents: 0 });
    const [first, second] = [
      await fetchReceipt(driver, paymentId),
      await fetchReceipt(driver, byPoints.paymentId),
    ];
    expect(second.number).toBe(first.number + 1);
    expect(second.method).toEqual({ type: "points", brand: null, last4: null });
    expect((await fetchPayment(driver, paymentId)).payment.receiptNumber).toBe(first.number);
  });

  it("gives concurrent payments numbers of their own", async () => {
    const payments = await Promise.all(Array.from({ length: 6 }, () => createSettled()));
    const numbers = await Promise.all(
      payments.map(async ({ driver, paymentId }) => (await fetchReceipt(driver, paymentId)).number),
    );
    const sorted = numbers.toSorted((one, other) => one - other);
    expect(sorted).toEqual(Array.from({ length: 6 }, (_, index) => Number(sorted[0]) + index));
  });

  it("is for its driver only, and for what was paid", async () => {
    const [{ paymentId }, other] = [await createSettled(), await createPayer()];
    const open = await createPreparedPayment(other, { plan: "7days" });
    for (const id of [paymentId, open.paymentId, "none"]) {
      expect((await other.client.call("GET", `/flex/v1/payments/${id}/receipt`)).status).toBe(404);
    }
  });

  it.each(["..%2Fuser%2Fexport", "a.b", "x".repeat(65)])("is not looked for by an id like %s", async (id) => {
    const driver = await createPayer();
    expect((await driver.client.call("GET", `/flex/v1/payments/${id}`)).status).toBe(400);
  });
});

describe("the token check", () => {
  it.each([
    ["GET", "/flex/v1/plans"],
    ["POST", "/flex/v1/payments/quote"],
    ["POST", "/flex/v1/payments/prepare"],
    ["GET", "/flex/v1/payments"],
    ["GET", "/flex/v1/payments/some"],
    ["GET", "/flex/v1/payments/some/receipt"],
    ["POST", "/flex/v1/payments/some/cancel"],
  ])("rejects %s %s without a token", async (method, path) => {
    const answer = await SELF.fetch(`${apiTarget.origin}${path}`, { method });
    expect([answer.status, await codeOf(answer)]).toEqual([401, "unauthenticated"]);
  });
});
