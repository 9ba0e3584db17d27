import { env } from "cloudflare:test";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { resetPlatform } from "../harness.ts";
import {
  FULL,
  createPayer,
  postPrepare,
  createPreparedPayment,
  fetchPayment,
  callStripeSandbox,
  payIntent,
  fetchEvents,
  fetchPaidEvent,
  deliverWebhook,
  ledgerOf,
  SEVEN_DAYS_PAID,
  pointBalanceOf,
  revisionOf,
  fetchTexts,
  createPaid,
  runReconciliation,
  followPayments,
  rows,
} from "../payments-harness.ts";

beforeAll(() => resetPlatform());

describe("a payment", () => {
  it("is settled once by an event that is delivered a hundred times concurrently", async () => {
    const { driver, intentId } = await createPaid();
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
    return: async ({ driver, paymentId }: Awaited<ReturnType<typeof createPaid>>) =>
      void (await fetchPayment(driver, paymentId)),
    reconciliation: () => runReconciliation(),
  };
  const names = ["webhook", "return", "reconciliation"] as const;
  const orders = names.flatMap((first) =>
    names.flatMap((second) => names.map((third) => [first, second, third] as const)),
  );

  it.each(orders)("is settled once by %s, then %s, then %s", async (...order) => {
    const payment = await createPaid();
    for (const name of order) await triggers[name](payment);
    expect(await ledgerOf(payment.driver)).toEqual(SEVEN_DAYS_PAID);
    expect(await fetchTexts(payment.driver)).toHaveLength(1);
  });

  it("is settled once by concurrent webhook, return and reconciliation", async () => {
    const payment = await createPaid();
    await Promise.all(names.map((name) => triggers[name](payment)));
    expect(await ledgerOf(payment.driver)).toEqual(SEVEN_DAYS_PAID);
  });

  it("is delivered to the driver's object within a minute if that was unreachable", async () => {
    const { driver, intentId } = await createPaid();
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
    await followPayments();
    await followPayments();
    expect(await fetchTexts(driver)).toHaveLength(1);
    expect(await rows(`SELECT source FROM service_news WHERE driver_id = ?`, driver.driverId)).toEqual([]);
  });

  it("leads to one text if it is delivered to the object twice", async () => {
    const { driver, intentId, paymentId } = await createPaid();
    await deliverWebhook(await fetchPaidEvent(intentId));
    await env.DB.prepare(`INSERT INTO service_news (source, driver_id, kind, at) VALUES (?, ?, 'paid', 1)`)
      .bind(`payment:${paymentId}:settled`, driver.driverId)
      .run();
    await followPayments();
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
    await runReconciliation();
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
