import { env, SELF } from "cloudflare:test";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type {
  Payment,
  PaymentsResponse,
  PlansResponse,
  PrepareResponse,
} from "../../worker/contract/payments.ts";
import type { ErrorResponse } from "../../worker/contract/error-response.ts";
import { parseResponse } from "../support/driver-client.ts";
import { skipTimers } from "../support/skip-timers.ts";
import { injectFault, apiTarget, resetPlatform } from "./harness.ts";
import {
  pointBalanceOf,
  ledgerOf,
  callUnderSettings,
  DAY_MS,
  deliverWebhook,
  FULL,
  givePoints,
  fetchPayment,
  fetchPaidEvent,
  payIntent,
  createPayer,
  postPrepare,
  createPreparedPayment,
  fetchQuote,
  rows,
  SEVEN_DAYS_PAID,
  callStripeSandbox,
} from "./payments-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(noFaults);

const HOUR_MS = 3_600_000;

async function noFaults(): Promise<void> {
  await apiTarget.fetch(`${apiTarget.origin}/sandbox/faults`, { method: "DELETE" });
}

const codeOf = async (answer: Response) => (await answer.json<ErrorResponse>()).code;

type Arrival = {
  method: string;
  path: string;
  params: Record<string, unknown>;
  headers: Record<string, string>;
  status: number;
};

/** The requests that reached Stripe after the first `since`. */
async function arrivals(from = 0): Promise<Arrival[]> {
  const { requests } = await callStripeSandbox<{ requests: Arrival[] }>("requests");
  return requests.slice(from);
}

async function intentsOf(customerOf: { driverId: string }): Promise<{ id: string; status: string }[]> {
  const { intents } = await callStripeSandbox<{
    intents: { id: string; status: string; metadata: { driver_id?: string } }[];
  }>("intents");
  return intents.filter(({ metadata }) => metadata.driver_id === customerOf.driverId);
}

async function cut(
  change: { plan?: string; priceCents?: number; driverId?: string | null; endsAt?: number } = {},
) {
  const id = crypto.randomUUID();
  const { plan = "30days", priceCents = 9999, driverId = null, endsAt = Date.now() + HOUR_MS } = change;
  await env.DB.prepare(
    `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
    .bind(
      id,
      driverId ? "special_price" : "flash_sale",
      plan,
      priceCents,
      driverId,
      Date.now() - HOUR_MS,
      endsAt,
    )
    .run();
  return {
    end: () => env.DB.prepare(`UPDATE price_cuts SET ends_at = 1 WHERE id = ?`).bind(id).run(),
  };
}

describe("the plans", () => {
  it("have the caller's prices, points and the current raffle", async () => {
    const [driver, other] = [await createPayer({ points: 120 }), await createPayer()];
    const special = await cut({ plan: "7days", priceCents: 3000, driverId: driver.driverId });
    const now = Date.now();
    await env.DB.prepare(
      `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES ('r', '14days', ?, ?, 10, 'h')`,
    )
      .bind(now - 1, now + DAY_MS)
      .run();
    const plans = await driver.client.fetchJson<PlansResponse>("GET", "/flex/v1/plans");
    expect(plans).toMatchObject({
      currency: "USD",
      cardsReady: true,
      points: 120,
      raffle: { plan: "14days", endsAt: now + DAY_MS, winners: 10 },
    });
    expect(
      plans.plans.map(({ plan, payCents, discount: lower }) => [plan, payCents, lower?.kind ?? null]),
    ).toEqual([
      ["3days", 3499, null],
      ["7days", 3000, "special_price"],
      ["14days", 8999, null],
      ["30days", 16_999, null],
    ]);
    const others = await other.client.fetchJson<PlansResponse>("GET", "/flex/v1/plans");
    expect(others.plans[1]?.payCents).toBe(4987);
    await special.end();
  });
});

describe("a quote", () => {
  it("has the price breakdown and the new end of service", async () => {
    const driver = await createPayer({ points: 100 });
    const before = Date.now();
    const found = await fetchQuote(driver, { plan: "7days", points: 500 });
    expect(found).toEqual({
      plan: "7days",
      currency: "USD",
      priceCents: 4987,
      discountKind: null,
      discount: null,
      discountCents: 0,
      points: 100,
      pointsCents: 712,
      feeCents: 30,
      totalCents: 4305,
      serviceUntil: found.serviceUntil,
      entersRaffle: false,
    });
    expect(found.serviceUntil - before - 7 * DAY_MS).toBeLessThan(60_000);
  });

  it("includes points reserved by the driver's open payment", async () => {
    const driver = await createPayer({ points: 350 });
    await createPreparedPayment(driver, { plan: "7days", points: 350, totalCents: 2511 });
    expect(await pointBalanceOf(driver)).toBe(0);
    expect(await fetchQuote(driver, { plan: "7days", points: 350 })).toMatchObject({
      points: 350,
      totalCents: 2511,
    });
  });
});

describe("preparing a payment", () => {
  it("creates one Stripe customer and one intent, with no personal data but the id", async () => {
    const driver = await createPayer();
    const seen = (await arrivals()).length;
    const { paymentId, clientSecret } = await createPreparedPayment(driver, { plan: "7days" });
    expect(clientSecret).toMatch(/^pi_\w+_secret_\w+$/);
    const asked = await arrivals(seen);
    expect(asked.map(({ method, path, params, status }) => ({ method, path, params, status }))).toEqual([
      {
        method: "POST",
        path: "/v1/customers",
        params: { metadata: { driver_id: driver.driverId } },
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
          metadata: { payment_id: paymentId, driver_id: driver.driverId, plan: "7days" },
          automatic_payment_methods: { enabled: "true" },
        },
        status: 200,
      },
    ]);
    expect(asked.map(({ headers }) => [headers["idempotency-key"], headers["stripe-version"]])).toEqual([
      [`customer:${driver.driverId}`, "2026-10-28.endive"],
      [`payment:${paymentId}`, "2026-10-28.endive"],
    ]);
    expect(JSON.stringify(asked)).not.toContain(driver.phoneNumber.slice(2));
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
    expect(await arrivals(seen)).toEqual([]);
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
    expect((await ledgerOf(driver)).credits).toEqual([["", 7 * DAY_MS]]);
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
    ["a field too many", { currency: "EUR" }, ""],
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
      await noFaults();
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

describe("the token check", () => {
  it.each([
    ["GET", "/flex/v1/plans"],
    ["POST", "/flex/v1/payments/quote"],
    ["POST", "/flex/v1/payments/prepare"],
    ["GET", "/flex/v1/payments"],
    ["GET", "/flex/v1/payments/some"],
  ])("rejects %s %s without a token", async (method, path) => {
    const answer = await SELF.fetch(`${apiTarget.origin}${path}`, { method });
    expect([answer.status, await codeOf(answer)]).toEqual([401, "unauthenticated"]);
  });
});
