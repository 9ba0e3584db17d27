import { env } from "cloudflare:test";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openDb } from "../../../db/client.ts";
import { compareLedgers } from "../../../worker/payments/books/reconcile-books.ts";
import { skipTimers } from "../../support/skip-timers.ts";
import { injectFault, resetPlatform, type TestDriver } from "../harness.ts";
import {
  arrivals,
  callStripeSandbox,
  clearFaults,
  codeOf,
  createPayer,
  createPreparedPayment,
  deliverAll,
  deliverWebhook,
  fetchPaidEvent,
  fetchTexts,
  intentsOf,
  ledgerOf,
  payIntent,
  rows,
  followPayments,
  runReconciliation,
} from "../payments-harness.ts";
import { watchedRows } from "../watched.ts";

beforeAll(() => resetPlatform());
beforeEach(skipTimers);
afterEach(async () => {
  vi.unstubAllGlobals();
  await clearFaults();
});

const deleteAccount = ({ client }: TestDriver) => client.call("DELETE", "/flex/v1/user");

describe("deleting an account", () => {
  it("cancels the payment in progress, so that it can't be charged any more", async () => {
    const driver = await createPayer();
    const { intentId } = await createPreparedPayment(driver, { plan: "14days" });
    expect((await deleteAccount(driver)).status).toBe(204);
    expect(await intentsOf(driver)).toEqual([expect.objectContaining({ id: intentId, status: "canceled" })]);
    await expect(payIntent(intentId)).rejects.toThrow();
    expect(await ledgerOf(driver)).toMatchObject({ payments: ["abandoned"], credits: [] });
  });

  it("deletes the customer at Stripe", async () => {
    const driver = await createPayer();
    await createPreparedPayment(driver, { plan: "7days" });
    const [row] = await rows(`SELECT customer_id FROM stripe_customers WHERE driver_id = ?`, driver.driverId);
    const seen = (await arrivals()).length;
    await deleteAccount(driver);
    const deleted = (await arrivals(seen)).filter(({ method }) => method === "DELETE");
    expect(deleted.map(({ path, status }) => [path, status])).toContainEqual([
      `/v1/customers/${row?.["customer_id"]}`,
      200,
    ]);
  });

  it("refunds a payment that the bank has, once it is charged", async () => {
    const driver = await createPayer();
    const { intentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId, { hold: true });
    await env.DB.prepare(`UPDATE payments SET status = 'processing' WHERE intent_id = ?`)
      .bind(intentId)
      .run();
    await callStripeSandbox(`intents/${intentId}/settle`, { outcome: "succeeded" });
    expect((await deleteAccount(driver)).status).toBe(204);
    await deliverWebhook(await fetchPaidEvent(intentId));
    await deliverAll(intentId);
    const { payments, refunded, credits } = await ledgerOf(driver);
    expect([payments, refunded]).toEqual([["refunded"], [5022]]);
    expect(credits.reduce((total, [, days]) => total + Number(days), 0)).toBe(0);
  });

  it("leaves a dispute to be lost later: the books have it, and nobody is told", async () => {
    const driver = await createPayer();
    const { intentId, paymentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId);
    await deliverAll(intentId);
    await callStripeSandbox(`intents/${intentId}/dispute`, {});
    await deliverAll(intentId);
    const texts = async () => (await fetchTexts(driver)).length;
    const before = await texts();
    expect((await deleteAccount(driver)).status).toBe(204);
    // The text of the deletion leaves after the answer.
    await expect.poll(texts).toBe(before + 1);
    await callStripeSandbox(`intents/${intentId}/dispute`, { outcome: "lost" });
    await deliverAll(intentId);
    await followPayments();
    expect(await rows(`SELECT status FROM payments WHERE id = ?`, paymentId)).toEqual([
      { status: "dispute_lost" },
    ]);
    const sums = await rows(
      `SELECT unit, sum(amount) AS amount FROM journal WHERE payment_id = ? GROUP BY unit`,
      paymentId,
    );
    expect(sums.filter(({ amount }) => amount !== 0)).toEqual([]);
    expect(await compareLedgers(openDb(env.DB))).toEqual([]);
    expect(await rows(`SELECT source FROM service_news WHERE driver_id = ?`, driver.driverId)).toEqual([]);
    expect(await texts()).toBe(before + 1);
    expect(await watchedRows(driver)).toEqual([]);
  });

  it("is refunded by the reconciliation where the refund failed before", async () => {
    const driver = await createPayer();
    const { intentId } = await createPreparedPayment(driver, { plan: "7days" });
    await env.DB.prepare(`UPDATE payments SET orphaned_at = 1 WHERE intent_id = ?`).bind(intentId).run();
    await payIntent(intentId);
    await injectFault({ operation: "createRefund", fault: "503", times: 3 });
    await deliverWebhook(await fetchPaidEvent(intentId));
    expect((await ledgerOf(driver)).payments).toEqual(["settled"]);
    await clearFaults();
    await env.DB.prepare(`UPDATE payments SET created_at = created_at - 660000 WHERE intent_id = ?`)
      .bind(intentId)
      .run();
    await runReconciliation();
    expect((await ledgerOf(driver)).payments).toEqual(["refunded"]);
  });

  it("deletes nothing while Stripe can't be reached, since the driver could still be charged", async () => {
    const driver = await createPayer();
    await createPreparedPayment(driver, { plan: "7days" });
    await injectFault({ operation: "cancelPaymentIntent", fault: "503", times: 3 });
    const answer = await deleteAccount(driver);
    expect([answer.status, await codeOf(answer)]).toEqual([503, "payments_unreachable"]);
    expect(await rows(`SELECT id FROM users WHERE id = ?`, driver.driverId)).toHaveLength(1);
    expect(await rows(`SELECT orphaned_at FROM payments WHERE driver_id = ?`, driver.driverId)).toEqual([
      { orphaned_at: null },
    ]);
    await clearFaults();
    expect((await deleteAccount(driver)).status).toBe(204);
  });
});
