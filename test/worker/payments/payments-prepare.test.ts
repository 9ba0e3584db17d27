import { env } from "cloudflare:test";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import { resetPlatform } from "../harness.ts";
import {
  FULL,
  createPayer,
  givePoints,
  postPrepare,
  createPreparedPayment,
  fetchQuote,
  fetchPayment,
  payIntent,
  fetchPaidEvent,
  deliverWebhook,
  ledgerOf,
  SEVEN_DAYS_PAID,
  pointBalanceOf,
  codeOf,
  arrivals,
  intentsOf,
  cut,
  rows,
} from "../payments-harness.ts";

beforeAll(() => resetPlatform());

describe("preparing a payment", () => {
  it("creates one Stripe customer with name and phone, and one intent from which the books can be rebuilt", async () => {
    const driver = await createPayer();
    const seen = (await arrivals()).length;
    const { paymentId, clientSecret } = await createPreparedPayment(driver, { plan: "7days" });
    expect(clientSecret).toMatch(/^pi_\w+_secret_\w+$/);
    const asked = (await arrivals(seen)).filter(({ method }) => method === "POST");
    expect(asked.map(({ method, path, params, status }) => ({ method, path, params, status }))).toEqual([
      {
        method: "POST",
        path: "/v1/customers",
        params: { name: "Ana", phone: driver.phoneNumber, metadata: { driver_id: driver.driverId } },
        status: 200,
      },
      {
        method: "POST",
        path: "/v1/payment_intents",
        params: {
          amount: "5022",
          currency: "usd",
          customer: expect.stringMatching(/^cus_/),
          description: "Jornada, 7 days",
          metadata: {
            payment_id: paymentId,
            driver_id: driver.driverId,
            plan: "7days",
            days: "7",
            price_id: "7days-1",
            price_cents: "4987",
            discount_cents: "0",
            points: "0",
            points_cents: "0",
            fee_cents: "35",
          },
          allowed_payment_method_types: { "0": "card", "1": "link" },
          statement_descriptor_suffix: "SERVICE",
        },
        status: 200,
      },
    ]);
    expect(asked.map(({ headers }) => [headers["idempotency-key"], headers["stripe-version"]])).toEqual([
      [expect.stringMatching(`^customer:${driver.driverId}:\\d+$`), "2026-10-28.endive"],
      [`payment:${paymentId}`, "2026-10-28.endive"],
    ]);
  });

  it("returns the same intent again, and reuses the customer", async () => {
    const driver = await createPayer();
    const first = await createPreparedPayment(driver, { plan: "7days" });
    const again = await createPreparedPayment(driver, { plan: "7days" });
    expect([again.paymentId, again.clientSecret]).toEqual([first.paymentId, first.clientSecret]);
    await payIntent(first.intentId);
    await fetchPayment(driver, first.paymentId);
    const next = await createPreparedPayment(driver, { plan: "7days" });
    expect(next.paymentId).not.toBe(first.paymentId);
    expect(await rows(`SELECT * FROM stripe_customers WHERE driver_id = ?`, driver.driverId)).toHaveLength(1);
    expect(await intentsOf(driver)).toHaveLength(2);
  });

  it("returns the same intent to concurrent tabs", async () => {
    const driver = await createPayer();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => createPreparedPayment(driver, { plan: "7days" })),
    );
    expect(new Set(answers.map(({ intentId }) => intentId)).size).toBe(1);
    expect(await intentsOf(driver)).toHaveLength(1);
    expect((await ledgerOf(driver)).payments).toEqual(["open"]);
  });

  it("leaves one payable intent for concurrent tabs with different plans", async () => {
    const driver = await createPayer();
    const both = await Promise.all([
      postPrepare(driver, { plan: "7days", points: 0, totalCents: FULL["7days"] }),
      postPrepare(driver, { plan: "14days", points: 0, totalCents: FULL["14days"] }),
    ]);
    expect(both.some(({ status }) => status === 200)).toBe(true);
    const open = (await intentsOf(driver)).filter(({ status }) => status !== "canceled");
    expect(open).toHaveLength(1);
    expect((await ledgerOf(driver)).payments.filter((status) => status === "open")).toHaveLength(1);
  });

  it("leaves one payable intent for a crowd of tabs, none of which cancels another's to give up itself", async () => {
    const driver = await createPayer();
    const plans = ["7days", "14days", "30days"] as const;
    for (let time = 0; time < 3; time += 1) {
      const answers = await Promise.all(
        Array.from({ length: 9 }, (_, tab) => {
          const plan = plans[tab % plans.length]!;
          return postPrepare(driver, { plan, points: 0, totalCents: FULL[plan] });
        }),
      );
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      const open = (await intentsOf(driver)).filter(({ status }) => status !== "canceled");
      expect(open).toHaveLength(1);
    }
  });

  it("cancels the previous intent and releases its points for another price", async () => {
    const driver = await createPayer({ points: 350 });
    const former = await createPreparedPayment(driver, { plan: "7days", points: 350, totalCents: 2511 });
    const next = await createPreparedPayment(driver, { plan: "14days" });
    expect(await pointBalanceOf(driver)).toBe(350);
    expect(await intentsOf(driver)).toEqual([
      expect.objectContaining({ id: next.intentId, status: "requires_payment_method" }),
      expect.objectContaining({ id: former.intentId, status: "canceled" }),
    ]);
    expect((await fetchPayment(driver, former.paymentId)).payment.status).toBe("abandoned");
  });

  it("settles the previous intent instead if that turns out to be paid", async () => {
    const driver = await createPayer();
    const former = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(former.intentId);
    const answer = await createPreparedPayment(driver, { plan: "14days" });
    expect(answer).toMatchObject({
      paymentId: former.paymentId,
      clientSecret: null,
      quote: { plan: "7days", totalCents: FULL["7days"] },
    });
    expect(await ledgerOf(driver)).toEqual(SEVEN_DAYS_PAID);
    expect(await intentsOf(driver)).toHaveLength(1);
  });

  it("settles an intent that is already paid and requests no second payment", async () => {
    const driver = await createPayer();
    const former = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(former.intentId);
    const again = await createPreparedPayment(driver, { plan: "7days" });
    expect([again.paymentId, again.clientSecret]).toEqual([former.paymentId, null]);
    await deliverWebhook(await fetchPaidEvent(former.intentId));
    expect(await ledgerOf(driver)).toEqual(SEVEN_DAYS_PAID);
  });

  it("settles immediately, without Stripe, if points cover the price", async () => {
    const driver = await createPayer({ points: 800 });
    const seen = (await arrivals()).length;
    const { paymentId, clientSecret } = await createPreparedPayment(driver, {
      plan: "7days",
      points: 700,
      totalCents: 0,
    });
    expect(clientSecret).toBeNull();
    expect((await arrivals(seen)).filter(({ method }) => method === "POST")).toEqual([]);
    expect(await pointBalanceOf(driver)).toBe(100);
    const { payment, serviceUntil } = await fetchPayment(driver, paymentId);
    expect(payment).toMatchObject({ status: "settled", points: 700, pointsCents: 4987, totalCents: 0 });
    expect(Number(serviceUntil) - Date.now()).toBeGreaterThan(7 * DAY_MS - 60_000);
    const { Item } = await driver.client.fetchJson<{ Item: { goodStanding: boolean } }>(
      "GET",
      "/flex/v1/user",
    );
    expect(Item.goodStanding).toBe(true);
  });

  it.each([700, 1400])("buys one plan with %i points, however often it is submitted", async (points) => {
    const driver = await createPayer({ points });
    const input = { plan: "7days", points: 700, totalCents: 0, lastPaymentId: null } as const;
    const answers = await Promise.all(Array.from({ length: 6 }, () => postPrepare(driver, input)));
    const again = await postPrepare(driver, input);
    const refused = [...answers, again].filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(6);
    expect(new Set(await Promise.all(refused.map(codeOf)))).toEqual(new Set(["already_paid"]));
    expect(await pointBalanceOf(driver)).toBe(points - 700);
    expect((await ledgerOf(driver)).credits).toEqual([["", 7]]);
  });

  it("is refused to a page that doesn't know the latest payment", async () => {
    const driver = await createPayer();
    const { intentId, paymentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId);
    await fetchPayment(driver, paymentId);
    const input = { plan: "7days", points: 0, totalCents: 5022 } as const;
    const old = await postPrepare(driver, { ...input, lastPaymentId: null });
    expect([old.status, await codeOf(old)]).toEqual([409, "already_paid"]);
    expect((await ledgerOf(driver)).payments).toHaveLength(1);
    expect((await postPrepare(driver, { ...input, lastPaymentId: paymentId })).status).toBe(200);
  });

  it("spends points once if two tabs buy two plans with them", async () => {
    const driver = await createPayer({ points: 700 });
    const answers = await Promise.all([
      postPrepare(driver, { plan: "7days", points: 700, totalCents: 0 }),
      postPrepare(driver, { plan: "3days", points: 300, totalCents: 0 }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await ledgerOf(driver)).credits).toHaveLength(1);
    expect(Number(await pointBalanceOf(driver))).toBeGreaterThanOrEqual(0);
  });

  it("is refused if the points have been spent", async () => {
    const driver = await createPayer({ points: 350 });
    await givePoints(driver, -300);
    const answer = await postPrepare(driver, { plan: "7days", points: 350, totalCents: 2511 });
    expect([answer.status, await codeOf(answer)]).toEqual([409, "points_short"]);
    expect(await ledgerOf(driver)).toMatchObject({ payments: [], points: [] });
  });

  it("is refused if the price has changed", async () => {
    const driver = await createPayer();
    const sale = await cut({ plan: "14days", priceCents: 6999 });
    const { totalCents } = await fetchQuote(driver, { plan: "14days", points: 0 });
    expect(totalCents).toBe(7048);
    await sale.end();
    const answer = await postPrepare(driver, { plan: "14days", points: 0, totalCents });
    expect([answer.status, await codeOf(answer)]).toEqual([409, "price_changed"]);
    expect((await ledgerOf(driver)).payments).toEqual([]);
  });

  it("charges a discounted price and earns the full points", async () => {
    const driver = await createPayer();
    const sale = await cut({ plan: "7days", priceCents: 1000 });
    const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days", totalCents: 1007 });
    await payIntent(intentId);
    const { payment } = await fetchPayment(driver, paymentId);
    expect(payment).toMatchObject({
      status: "settled",
      discountKind: "flash_sale",
      discountCents: 3987,
      totalCents: 1007,
    });
    expect(payment.receiptUrl).toMatch(/^https?:/);
    expect(await pointBalanceOf(driver)).toBe(70);
    await sale.end();
  });

  it("is refused while the driver is on the waitlist", async () => {
    const driver = await createPayer();
    await env.DB.prepare(`UPDATE users SET waiting_for_spot = 1 WHERE id = ?`).bind(driver.driverId).run();
    const answer = await postPrepare(driver, { plan: "7days", points: 0, totalCents: FULL["7days"] });
    expect([answer.status, await codeOf(answer)]).toEqual([409, "waiting_for_spot"]);
  });

  it.each([
    ["an unknown plan", { plan: "1day" }, "plan"],
    ["negative points", { points: -1 }, "points"],
    ["a fraction of a cent", { totalCents: 5022.5 }, "totalCents"],
    ["the latest payment left out", { lastPaymentId: undefined }, "lastPaymentId"],
    ["a field too many", { surchargeCents: 1 }, ""],
  ])("is rejected with %s", async (_name, change, field) => {
    const driver = await createPayer();
    const good = { plan: "7days", points: 0, totalCents: FULL["7days"], lastPaymentId: null };
    const answer = await driver.client.sealed("POST", "/flex/v1/payments/prepare", { ...good, ...change });
    const { code, fields } = await answer.json<ErrorResponse>();
    expect([answer.status, code, Object.keys(fields ?? {})]).toEqual([400, "invalid_request", [field]]);
  });

  it("requires a sealed body", async () => {
    const driver = await createPayer();
    const body = { plan: "7days", points: 0, totalCents: FULL["7days"], lastPaymentId: null };
    const answer = await driver.client.call("POST", "/flex/v1/payments/prepare", { body });
    expect([answer.status, await codeOf(answer)]).toEqual([400, "seal_required"]);
  });
});

describe("the browser that pays", () => {
  it("is kept as a hash of the id that its page names, for the caller alone", async () => {
    const [driver, other] = [await createPayer(), await createPayer()];
    const path = "/flex/v1/payments/prepare";
    const input = { plan: "7days", points: 0, totalCents: 5022, lastPaymentId: null };
    const headers = { "x-device": crypto.randomUUID() };
    const body = await driver.client.seal("POST", path, input);
    expect((await driver.client.call("POST", path, { body, headers })).status).toBe(200);
    const kept = await rows(
      `SELECT driver_id, device_hash FROM driver_devices WHERE driver_id IN (?, ?)`,
      driver.driverId,
      other.driverId,
    );
    expect(kept).toEqual([
      { driver_id: driver.driverId, device_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(JSON.stringify(kept)).not.toContain(headers["x-device"]);
  });
});
