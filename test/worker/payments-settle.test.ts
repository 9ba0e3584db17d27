import { createScheduledController, env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import worker from "../../worker/index.ts";
import { resetPlatform } from "./harness.ts";
import {
  pointBalanceOf,
  ledgerOf,
  DAY_MS,
  deliverWebhook,
  fetchEvents,
  FULL,
  fetchPayment,
  fetchPaidEvent,
  payIntent,
  createPayer,
  postPrepare,
  createPreparedPayment,
  revisionOf,
  rows,
  SEVEN_DAYS_PAID,
  callStripeSandbox,
  fetchTexts,
  type SignedEvent,
} from "./payments-harness.ts";

beforeAll(() => resetPlatform());

async function paid(change: { points?: number } = {}) {
  const driver = await createPayer(change);
  const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days" });
  await payIntent(intentId);
  return { driver, paymentId, intentId };
}

/** Runs the hourly reconciliation, some minutes after the payment was prepared. */
async function reconcile(): Promise<void> {
  await env.DB.prepare(`UPDATE payments SET created_at = created_at - 660000 WHERE status = 'open'`).run();
  await worker.scheduled(createScheduledController({ cron: "7 * * * *" }), env);
}

describe("a payment", () => {
  it("is settled once by an event that is delivered a hundred times concurrently", async () => {
    const { driver, intentId } = await paid();
    const before = await revisionOf(driver);
    const event = await fetchPaidEvent(intentId);
    const answers = await Promise.all(Array.from({ length: 100 }, () => deliverWebhook(event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await ledgerOf(driver)).toEqual(SEVEN_DAYS_PAID);
    expect(await revisionOf(driver)).toBe(Number(before) + 1);
    expect(await rows(`SELECT id FROM stripe_events WHERE id = ?`, event.id)).toHaveLength(1);
    expect(await fetchTexts(driver)).toHaveLength(1);
  });

  const triggers = {
    webhook: async ({ intentId }: { intentId: string }) =>
      void (await deliverWebhook(await fetchPaidEvent(intentId))),
    return: async ({ driver, paymentId }: Awaited<ReturnType<typeof paid>>) =>
      void (await fetchPayment(driver, paymentId)),
    reconciliation: () => reconcile(),
  };
  const names = ["webhook", "return", "reconciliation"] as const;
  const orders = names.flatMap((first) =>
    names.flatMap((second) => names.map((third) => [first, second, third] as const)),
  );

  it.each(orders)("is settled once by %s, then %s, then %s", async (...order) => {
    const payment = await paid();
    for (const name of order) await triggers[name](payment);
    expect(await ledgerOf(payment.driver)).toEqual(SEVEN_DAYS_PAID);
    expect(await fetchTexts(payment.driver)).toHaveLength(1);
  });

  it("is settled once by concurrent webhook, return and reconciliation", async () => {
    const payment = await paid();
    await Promise.all(names.map((name) => triggers[name](payment)));
    expect(await ledgerOf(payment.driver)).toEqual(SEVEN_DAYS_PAID);
  });

  it("is delivered to the driver's object within a minute if that was unreachable", async () => {
    const { driver, intentId } = await paid();
    const event = await fetchPaidEvent(intentId);
    const unreachable = {
      getByName: () => {
        throw new Error("unreachable");
      },
    };
    await deliverWebhook(event, { DRIVER: unreachable });
    expect(await ledgerOf(driver)).toEqual(SEVEN_DAYS_PAID);
    expect(await fetchTexts(driver)).toEqual([]);
    await deliverWebhook(event);
    expect(await fetchTexts(driver)).toEqual([]);
    await env.DB.prepare(`UPDATE service_news SET at = at - 60001`).run();
    await minute();
    await minute();
    expect(await fetchTexts(driver)).toHaveLength(1);
    expect(await rows(`SELECT source FROM service_news WHERE driver_id = ?`, driver.driverId)).toEqual([]);
  });

  it("leads to one text if it is delivered to the object twice", async () => {
    const { driver, intentId, paymentId } = await paid();
    await deliverWebhook(await fetchPaidEvent(intentId));
    await env.DB.prepare(`INSERT INTO service_news (source, driver_id, kind, at) VALUES (?, ?, 'paid', 1)`)
      .bind(`payment:${paymentId}:settled`, driver.driverId)
      .run();
    await minute();
    expect(await fetchTexts(driver)).toHaveLength(1);
  });

  it("stays processing until the bank completes it", async () => {
    const driver = await createPayer();
    const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId, { hold: true });
    expect((await fetchPayment(driver, paymentId)).payment.status).toBe("processing");
    expect((await postPrepare(driver, { plan: "7days", points: 0, totalCents: FULL["7days"] })).status).toBe(
      409,
    );
    await callStripeSandbox(`intents/${intentId}/settle`, { outcome: "succeeded" });
    await deliverWebhook(await fetchPaidEvent(intentId));
    expect(await ledgerOf(driver)).toEqual(SEVEN_DAYS_PAID);
  });

  it("can be paid again after the bank has refused it", async () => {
    const driver = await createPayer();
    const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId, { hold: true });
    await fetchPayment(driver, paymentId);
    await callStripeSandbox(`intents/${intentId}/settle`, { outcome: "failed" });
    expect((await fetchPayment(driver, paymentId)).payment.status).toBe("open");
    expect((await createPreparedPayment(driver, { plan: "7days" })).intentId).toBe(intentId);
  });

  it("is unchanged if the card is declined", async () => {
    const driver = await createPayer();
    const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId, { card: "4000000000000002" });
    for (const event of await fetchEvents(intentId)) await deliverWebhook(event);
    const { payment, serviceUntil } = await fetchPayment(driver, paymentId);
    expect([payment.status, Number(serviceUntil) <= Date.now()]).toEqual(["open", true]);
    expect((await ledgerOf(driver)).credits).toEqual([]);
  });

  it("is canceled after a day if it is unpaid, and releases its points", async () => {
    const driver = await createPayer({ points: 350 });
    const { intentId } = await createPreparedPayment(driver, {
      plan: "7days",
      points: 350,
      totalCents: 2511,
    });
    expect(await pointBalanceOf(driver)).toBe(0);
    await env.DB.prepare(`UPDATE payments SET created_at = created_at - 86400001 WHERE intent_id = ?`)
      .bind(intentId)
      .run();
    await reconcile();
    expect(await ledgerOf(driver)).toMatchObject({ payments: ["abandoned"], credits: [] });
    expect(await pointBalanceOf(driver)).toBe(350);
    const { intents } = await callStripeSandbox<{ intents: { id: string; status: string }[] }>("intents");
    expect(intents.find(({ id }) => id === intentId)?.status).toBe("canceled");
  });

  it("enters a raffle if it is paid in full, for the raffle's plan and within its dates", async () => {
    const now = Date.now();
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES ('now', '14days', ?, ?, 10, 'h')`,
      ).bind(now - DAY_MS, now + DAY_MS),
      env.DB.prepare(
        `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES ('over', '14days', ?, ?, 10, 'h')`,
      ).bind(now - 2 * DAY_MS, now - DAY_MS),
    ]);
    const [full, other, withPoints] = [
      await createPayer(),
      await createPayer(),
      await createPayer({ points: 700 }),
    ];
    for (const [driver, input] of [
      [full, { plan: "14days" }],
      [other, { plan: "7days" }],
      [withPoints, { plan: "14days", points: 700, totalCents: 4532 }],
    ] as const) {
      const { paymentId, intentId } = await createPreparedPayment(driver, input);
      await payIntent(intentId);
      await deliverWebhook(await fetchPaidEvent(intentId));
      await fetchPayment(driver, paymentId);
    }
    expect((await ledgerOf(full)).raffle).toEqual(["now"]);
    expect((await ledgerOf(other)).raffle).toEqual([]);
    expect((await ledgerOf(withPoints)).raffle).toEqual([]);
  });
});

describe("a refund or dispute", () => {
  const whole = 7 * DAY_MS;
  const settledPayment = async (change: { points?: number } = {}) => {
    const payment = await paid(change);
    await fetchPayment(payment.driver, payment.paymentId);
    return payment;
  };
  const refund = (intentId: string, amount?: number) =>
    callStripeSandbox(`intents/${intentId}/refund`, amount === undefined ? {} : { amount });
  const deliverAll = async (intentId: string) => {
    for (const event of await fetchEvents(intentId)) await deliverWebhook(event);
  };

  it("revokes all time and points once for a full refund", async () => {
    const { driver, paymentId, intentId } = await settledPayment();
    await refund(intentId);
    await Promise.all((await fetchEvents(intentId)).map((event) => deliverWebhook(event)));
    await deliverAll(intentId);
    expect(await ledgerOf(driver)).toEqual({
      credits: [
        ["", whole],
        ["re", -whole],
      ],
      points: [
        ["earned", 70],
        ["re", -70],
      ],
      payments: ["refunded"],
      refunded: [FULL["7days"]],
      raffle: [],
    });
    const { serviceUntil } = await fetchPayment(driver, paymentId);
    expect(Number(serviceUntil)).toBeLessThanOrEqual(Date.now());
    const user = await driver.client.fetchJson<{ Item: { goodStanding: boolean } }>("GET", "/flex/v1/user");
    expect(user.Item.goodStanding).toBe(false);
    expect((await fetchTexts(driver)).filter((text) => text.includes("refunded"))).toHaveLength(1);
  });

  it("revokes time and points in proportion for partial refunds", async () => {
    const { driver, intentId } = await settledPayment();
    await refund(intentId, 1674);
    await deliverAll(intentId);
    const third = Math.floor((whole * 1674) / FULL["7days"]);
    expect(await ledgerOf(driver)).toMatchObject({ payments: ["partly_refunded"], refunded: [1674] });
    expect((await ledgerOf(driver)).credits).toEqual([
      ["", whole],
      ["re", -third],
    ]);
    await refund(intentId);
    await deliverAll(intentId);
    const { credits, points, payments } = await ledgerOf(driver);
    expect(payments).toEqual(["refunded"]);
    const total = (entries: readonly (readonly unknown[])[]) =>
      entries.reduce((sum, [, amount]) => sum + Number(amount), 0);
    expect([total(credits), total(points)]).toEqual([0, 0]);
  });

  it("returns spent points in proportion to the refund", async () => {
    const driver = await createPayer({ points: 350 });
    const { paymentId, intentId } = await createPreparedPayment(driver, {
      plan: "7days",
      points: 350,
      totalCents: 2511,
    });
    await payIntent(intentId);
    await fetchPayment(driver, paymentId);
    expect(await pointBalanceOf(driver)).toBe(35);
    await refund(intentId);
    await deliverAll(intentId);
    expect(await pointBalanceOf(driver)).toBe(350);
  });

  it("is applied correctly if the refund's event comes before the settlement", async () => {
    const { driver, intentId } = await paid();
    await refund(intentId, 2511);
    const events = await fetchEvents(intentId);
    for (const event of events.toReversed()) await deliverWebhook(event);
    const half = Math.floor((whole * 2511) / FULL["7days"]);
    expect(await ledgerOf(driver)).toMatchObject({
      credits: [
        ["", whole],
        ["re", -half],
      ],
      payments: ["partly_refunded"],
    });
  });

  it("is found by the reconciliation if no event arrives", async () => {
    const { driver, intentId } = await settledPayment();
    await refund(intentId);
    await reconcile();
    expect(await ledgerOf(driver)).toMatchObject({ payments: ["refunded"] });
  });

  it("revokes the time when a dispute is lost, but not when it is opened or won", async () => {
    const [lost, won] = [await settledPayment(), await settledPayment()];
    await callStripeSandbox(`intents/${lost.intentId}/dispute`, {});
    await deliverAll(lost.intentId);
    expect(await ledgerOf(lost.driver)).toMatchObject({ payments: ["disputed"], credits: [["", whole]] });
    await callStripeSandbox(`intents/${lost.intentId}/dispute`, { outcome: "lost" });
    await deliverAll(lost.intentId);
    await deliverAll(lost.intentId);
    expect(await ledgerOf(lost.driver)).toMatchObject({
      payments: ["dispute_lost"],
      credits: [
        ["", whole],
        ["du", -whole],
      ],
    });
    await callStripeSandbox(`intents/${won.intentId}/dispute`, { outcome: "won" });
    await deliverAll(won.intentId);
    expect(await ledgerOf(won.driver)).toEqual(SEVEN_DAYS_PAID);
  });

  it("never revokes more than the payment credited, for refund and dispute together", async () => {
    const { driver, intentId } = await settledPayment();
    await refund(intentId, 2000);
    await deliverAll(intentId);
    await callStripeSandbox(`intents/${intentId}/dispute`, { outcome: "lost" });
    await deliverAll(intentId);
    const { credits } = await ledgerOf(driver);
    expect(credits.reduce((sum, [, amount]) => sum + Number(amount), 0)).toBe(0);
    expect(credits).toHaveLength(3);
  });
});

describe("a webhook event", () => {
  it.each([
    [
      "one byte was changed",
      (event: SignedEvent) => ({ ...event, body: event.body.replace("succeeded", "succeedec") }),
    ],
    [
      "it was signed with another secret",
      (event: SignedEvent) => ({ ...event, signature: event.signature.replace(/v1=\w{6}/, "v1=000000") }),
    ],
    ["it has no signature", (event: SignedEvent) => ({ ...event, signature: "" })],
    ["its signature is malformed", (event: SignedEvent) => ({ ...event, signature: "t=1,v1" })],
  ])("is rejected if %s", async (_name, spoil) => {
    const { driver, intentId } = await paid();
    const answer = await deliverWebhook(spoil(await fetchPaidEvent(intentId)));
    expect(answer.status).toBe(400);
    expect((await ledgerOf(driver)).credits).toEqual([]);
  });

  it("is rejected if it was signed more than five minutes ago", async () => {
    const { driver, intentId } = await paid();
    const signedAt = (secondsAgo: number) => Date.now() - secondsAgo * 1000;
    const query = (secondsAgo: number) => `&type=payment_intent.succeeded&signedAt=${signedAt(secondsAgo)}`;
    const [old] = await fetchEvents(intentId, query(310));
    expect((await deliverWebhook(old ?? fail())).status).toBe(400);
    expect((await ledgerOf(driver)).credits).toEqual([]);
    const [young] = await fetchEvents(intentId, query(290));
    expect((await deliverWebhook(young ?? fail())).status).toBe(200);
    expect(await ledgerOf(driver)).toEqual(SEVEN_DAYS_PAID);
  });

  it("is accepted with either secret during a rotation, and with no other", async () => {
    const { driver, intentId } = await paid();
    const event = await fetchPaidEvent(intentId);
    expect((await deliverWebhook(event, { STRIPE_WEBHOOK_SECRETS: "whsec_other" })).status).toBe(400);
    expect((await ledgerOf(driver)).credits).toEqual([]);
    const both = { STRIPE_WEBHOOK_SECRETS: "whsec_next, whsec_sandbox" };
    expect((await deliverWebhook(event, both)).status).toBe(200);
    expect(await ledgerOf(driver)).toEqual(SEVEN_DAYS_PAID);
  });

  it("is answered with 503 while no secret is set, so that Stripe retries", async () => {
    const { intentId } = await paid();
    const event = await fetchPaidEvent(intentId);
    expect((await deliverWebhook(event, { STRIPE_WEBHOOK_SECRETS: "" })).status).toBe(503);
    expect((await deliverWebhook(event, { STRIPE_SECRET_KEY: "", STRIPE_PUBLISHABLE_KEY: "" })).status).toBe(
      503,
    );
  });

  it("is ignored if it is about an unknown intent or object", async () => {
    const before = await rows(`SELECT * FROM payments`);
    for (const object of [
      { object: "payment_intent", id: "pi_other" },
      { object: "charge", id: "ch_1", payment_intent: null },
      { object: "balance", id: null },
    ]) {
      const body = JSON.stringify({
        id: `evt_${object.object}`,
        object: "event",
        type: object.object === "charge" ? "charge.refunded" : "payment_intent.succeeded",
        data: { object },
      });
      expect((await deliverWebhook({ body, signature: await sign(body) })).status).toBe(200);
    }
    expect(await rows(`SELECT * FROM payments`)).toEqual(before);
  });

  it("is rejected if it is too large", async () => {
    const body = " ".repeat(256 * 1024 + 1);
    expect((await deliverWebhook({ body, signature: await sign(body) })).status).toBe(413);
  });
});

function fail(): never {
  throw new Error("the sandbox has no such event");
}

async function minute(): Promise<void> {
  await worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);
}

async function sign(body: string): Promise<string> {
  const at = Math.floor(Date.now() / 1000);
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode("whsec_sandbox"),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(`${at}.${body}`)));
  return `t=${at},v1=${[...mac].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
