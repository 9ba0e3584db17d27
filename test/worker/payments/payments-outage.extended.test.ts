import { env } from "cloudflare:test";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { PlansResponse, PrepareResponse } from "../../../worker/contract/money/payments.ts";
import { parseResponse } from "../../support/driver-client.ts";
import { skipTimers } from "../../support/skip-timers.ts";
import { injectFault, resetPlatform } from "../harness.ts";
import {
  FULL,
  createPayer,
  postPrepare,
  createPreparedPayment,
  fetchPayment,
  payIntent,
  callUnderSettings,
  ledgerOf,
  codeOf,
  arrivals,
  intentsOf,
  clearFaults,
  rows,
  deliverWebhook,
  fetchPaidEvent,
  SEVEN_DAYS_PAID,
} from "../payments-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(clearFaults);

describe("while Stripe fails", () => {
  beforeEach(skipTimers);
  afterEach(() => vi.unstubAllGlobals());

  const sevenDays = { plan: "7days", points: 0, totalCents: FULL["7days"] } as const;

  it.each(["500", "503", "429", "broken_json", "lost_answer"])(
    "a %s on creating the intent is reported as unreachable, and a repeat leads to one intent",
    async (kind) => {
      const driver = await createPayer();
      await injectFault({ operation: "createPaymentIntent", fault: kind, times: 3, delayMs: 0 });
      const answer = await postPrepare(driver, sevenDays);
      expect([answer.status, await codeOf(answer)]).toEqual([503, "payments_unreachable"]);
      await clearFaults();
      const { intentId } = await createPreparedPayment(driver, { plan: "7days" });
      expect((await intentsOf(driver)).map(({ id }) => id)).toEqual([intentId]);
      expect((await ledgerOf(driver)).payments).toEqual(["open"]);
    },
  );

  it("one lost response is retried without an error", async () => {
    const driver = await createPayer();
    await injectFault({ operation: "createPaymentIntent", fault: "lost_answer", times: 1, delayMs: 0 });
    const { intentId } = await createPreparedPayment(driver, { plan: "7days" });
    expect((await intentsOf(driver)).map(({ id }) => id)).toEqual([intentId]);
  });

  it("a lost response on creating the customer leads to one customer", async () => {
    const driver = await createPayer();
    await injectFault({ operation: "createCustomer", fault: "lost_answer", times: 3, delayMs: 0 });
    expect((await postPrepare(driver, sevenDays)).status).toBe(503);
    await createPreparedPayment(driver, { plan: "7days" });
    const asked = (await arrivals()).filter(({ path }) => path === "/v1/payment_intents");
    const [row] = await rows(`SELECT customer_id FROM stripe_customers WHERE driver_id = ?`, driver.driverId);
    expect(asked.at(-1)?.params["customer"]).toBe(row?.["customer_id"]);
  });

  it("a 500 that Stripe stored on creating the customer is passed by under a key of the payment's own", async () => {
    const driver = await createPayer();
    await injectFault({ operation: "createCustomer", fault: "500_stored", times: 1 });
    const { intentId } = await createPreparedPayment(driver, { plan: "7days" });
    const keys = (await arrivals())
      .filter(
        ({ path, params }) => path === "/v1/customers" && JSON.stringify(params).includes(driver.driverId),
      )
      .map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
    await payIntent(intentId);
    await deliverWebhook(await fetchPaidEvent(intentId));
    expect((await ledgerOf(driver)).credits).toEqual(SEVEN_DAYS_PAID.credits);
  });

  it("a customer that no longer exists is created again", async () => {
    const driver = await createPayer();
    await env.DB.prepare(`INSERT INTO stripe_customers (driver_id, customer_id) VALUES (?, 'cus_gone')`)
      .bind(driver.driverId)
      .run();
    const { intentId } = await createPreparedPayment(driver, { plan: "7days" });
    expect((await intentsOf(driver)).map(({ id }) => id)).toEqual([intentId]);
    expect((await ledgerOf(driver)).payments.toSorted()).toEqual(["abandoned", "open"]);
  });

  it.each([
    ["the same", { plan: "7days" }],
    ["another", { plan: "14days" }],
  ] as const)(
    "an intent of another Stripe account is abandoned when preparing %s price",
    async (_name, input) => {
      const driver = await createPayer();
      const former = await createPreparedPayment(driver, { plan: "7days" });
      await env.DB.prepare(`UPDATE payments SET intent_id = ? WHERE id = ?`)
        .bind(`pi_gone_${former.paymentId}`, former.paymentId)
        .run();
      const next = await createPreparedPayment(driver, input);
      expect(next.paymentId).not.toBe(former.paymentId);
      expect((await fetchPayment(driver, former.paymentId)).payment.status).toBe("abandoned");
    },
  );

  it("a previous intent that can't be canceled stays the only one", async () => {
    const driver = await createPayer();
    const former = await createPreparedPayment(driver, { plan: "7days" });
    await injectFault({ operation: "cancelPaymentIntent", fault: "503", times: 3 });
    const answer = await postPrepare(driver, { plan: "14days", points: 0, totalCents: FULL["14days"] });
    expect([answer.status, await codeOf(answer)]).toEqual([503, "payments_unreachable"]);
    expect((await intentsOf(driver)).map(({ id }) => id)).toEqual([former.intentId]);
  });

  it("fetching a payment fails, but the history still works", async () => {
    const driver = await createPayer();
    const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId);
    await injectFault({ operation: "readPaymentIntent", fault: "503", times: 3 });
    const answer = await driver.client.call("GET", `/flex/v1/payments/${paymentId}`);
    expect([answer.status, await codeOf(answer)]).toEqual([503, "payments_unreachable"]);
    expect((await driver.client.call("GET", "/flex/v1/payments")).status).toBe(200);
    expect((await fetchPayment(driver, paymentId)).payment.status).toBe("settled");
  });
});

describe("without valid Stripe keys", () => {
  const none = { STRIPE_SECRET_KEY: "", STRIPE_PUBLISHABLE_KEY: "" };

  it("plans, quotes and history work and report that cards are unavailable", async () => {
    const driver = await createPayer();
    const plans = await callUnderSettings(none, driver, { method: "GET", path: "/flex/v1/plans" });
    expect(await plans.json<PlansResponse>()).toMatchObject({ cardsReady: false });
    const body = { plan: "7days", points: 0 };
    const quoted = await callUnderSettings(none, driver, {
      method: "POST",
      path: "/flex/v1/payments/quote",
      body,
    });
    expect(quoted.status).toBe(200);
    expect((await callUnderSettings(none, driver, { method: "GET", path: "/flex/v1/payments" })).status).toBe(
      200,
    );
  });

  it("payments by card are refused, payments by points succeed", async () => {
    const driver = await createPayer({ points: 700 });
    const path = "/flex/v1/payments/prepare";
    const sealedBody = (body: unknown) => driver.client.seal("POST", path, body);
    const card = await callUnderSettings(none, driver, {
      method: "POST",
      path,
      body: await sealedBody({ plan: "7days", points: 0, totalCents: FULL["7days"], lastPaymentId: null }),
    });
    expect([card.status, await codeOf(card)]).toEqual([503, "cards_unavailable"]);
    const points = await callUnderSettings(none, driver, {
      method: "POST",
      path,
      body: await sealedBody({ plan: "7days", points: 700, totalCents: 0, lastPaymentId: null }),
    });
    expect(await parseResponse<PrepareResponse>(points, "prepare")).toMatchObject({ clientSecret: null });
  });

  it("a secret key that Stripe refuses makes cards unready before anybody presses", async () => {
    const driver = await createPayer();
    const wrong = { STRIPE_SECRET_KEY: "sk_test_wrong" };
    const plans = await callUnderSettings(wrong, driver, { method: "GET", path: "/flex/v1/plans" });
    expect((await plans.json<PlansResponse>()).cardsReady).toBe(false);
  });

  it("rejected keys are reported like missing ones, and no payment is left open", async () => {
    const driver = await createPayer();
    const path = "/flex/v1/payments/prepare";
    const body = await driver.client.seal("POST", path, {
      plan: "7days",
      points: 0,
      totalCents: FULL["7days"],
      lastPaymentId: null,
    });
    const wrong = { STRIPE_SECRET_KEY: "sk_test_wrong" };
    const answer = await callUnderSettings(wrong, driver, { method: "POST", path, body });
    expect([answer.status, await codeOf(answer)]).toEqual([503, "cards_unavailable"]);
    expect((await ledgerOf(driver)).payments).not.toContain("open");
  });
});
