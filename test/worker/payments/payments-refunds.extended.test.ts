import { env } from "cloudflare:test";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { createDeps } from "../../../durable/deps.ts";
import { postJson } from "../../support/sandbox-client.ts";
import { reconcileBooks } from "../../../worker/payments/books/reconcile-books.ts";
import { createCardProcessor } from "../../../worker/payments/stripe/stripe.ts";
import type { PaymentsResponse } from "../../../worker/contract/money/payments.ts";
import { apiTarget, resetPlatform, type TestDriver } from "../harness.ts";
import {
  FULL,
  createPayer,
  createPreparedPayment,
  fetchPayment,
  callStripeSandbox,
  payIntent,
  fetchEvents,
  deliverWebhook,
  ledgerOf,
  SEVEN_DAYS_PAID,
  pointBalanceOf,
  fetchTexts,
  createPaid,
  createSettled,
  deliverAll,
  rows,
  runReconciliation,
} from "../payments-harness.ts";

beforeAll(() => resetPlatform());

describe("a refund or dispute", () => {
  const refund = (intentId: string, amount?: number) =>
    callStripeSandbox(`intents/${intentId}/refund`, amount === undefined ? {} : { amount });

  /** The payments screen's words for each payment. */
  const reversalsOf = async ({ client }: TestDriver) =>
    (await client.fetchJson<PaymentsResponse>("GET", "/flex/v1/payments")).items.map(
      ({ status, reversal }) => [status, reversal],
    );

  const disputesOf = ({ driverId }: TestDriver) =>
    rows(
      `SELECT status FROM payment_disputes WHERE payment_id IN (SELECT id FROM payments WHERE driver_id = ?)`,
      driverId,
    );

  it("revokes all time and points once for a full refund", async () => {
    const { driver, paymentId, intentId } = await createSettled();
    await refund(intentId);
    await Promise.all((await fetchEvents(intentId)).map((event) => deliverWebhook(event)));
    await deliverAll(intentId);
    expect(await ledgerOf(driver)).toEqual({
      credits: [
        ["", 7],
        ["re", -7],
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
    const { driver, intentId } = await createSettled();
    await refund(intentId, 1674);
    await deliverAll(intentId);

    expect(await ledgerOf(driver)).toMatchObject({ payments: ["partly_refunded"], refunded: [1674] });
    expect((await ledgerOf(driver)).credits).toEqual([
      ["", 7],
      ["re", -2.33],
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
    const { driver, intentId } = await createPaid();
    await refund(intentId, 2511);
    const events = await fetchEvents(intentId);
    for (const event of events.toReversed()) await deliverWebhook(event);
    expect(await ledgerOf(driver)).toMatchObject({
      credits: [
        ["", 7],
        ["re", -3.5],
      ],
      payments: ["partly_refunded"],
    });
  });

  it("is found by the reconciliation if no event arrives", async () => {
    const { driver, intentId } = await createSettled();
    await refund(intentId);
    await runReconciliation();
    expect(await ledgerOf(driver)).toMatchObject({ payments: ["refunded"] });
  });

  it("that is decided weeks later is found by the reconciliation, too, if no event arrives", async () => {
    const { driver, intentId } = await createSettled();
    await postJson(apiTarget, "/sandbox/world", { now: Date.now() - 10 * DAY_MS });
    await callStripeSandbox(`intents/${intentId}/dispute`, {});
    await postJson(apiTarget, "/sandbox/world", { now: null });
    await deliverAll(intentId);
    expect(await ledgerOf(driver)).toMatchObject({ payments: ["disputed"] });
    await callStripeSandbox(`intents/${intentId}/dispute`, { outcome: "lost" });
    await runReconciliation();
    expect(await ledgerOf(driver)).toMatchObject({ payments: ["dispute_lost"] });
  });

  it("revokes the time when a dispute is lost, but not when it is opened or won", async () => {
    const [lost, won] = [await createSettled(), await createSettled()];
    await callStripeSandbox(`intents/${lost.intentId}/dispute`, {});
    await deliverAll(lost.intentId);
    expect(await ledgerOf(lost.driver)).toMatchObject({ payments: ["disputed"], credits: [["", 7]] });
    await callStripeSandbox(`intents/${lost.intentId}/dispute`, { outcome: "lost" });
    await deliverAll(lost.intentId);
    await deliverAll(lost.intentId);
    expect(await ledgerOf(lost.driver)).toMatchObject({
      payments: ["dispute_lost"],
      credits: [
        ["", 7],
        ["du", -7],
      ],
    });
    await callStripeSandbox(`intents/${won.intentId}/dispute`, { outcome: "won" });
    await deliverAll(won.intentId);
    expect(await ledgerOf(won.driver)).toEqual(SEVEN_DAYS_PAID);
  });

  it("that begins as an inquiry takes nothing before the bank has decided, and then all of it", async () => {
    const { driver, intentId } = await createSettled();
    const steps: unknown[] = [];
    for (const outcome of ["inquiry", "review", "escalate", "review", "lost"]) {
      await callStripeSandbox(`intents/${intentId}/dispute`, { outcome });
      await deliverAll(intentId);
      const { payments, credits } = await ledgerOf(driver);
      const [dispute] = await disputesOf(driver);
      steps.push([dispute?.["status"], payments, credits.length]);
    }
    expect(steps).toEqual([
      ["warning_needs_response", ["settled"], 1],
      ["warning_under_review", ["settled"], 1],
      ["needs_response", ["disputed"], 1],
      ["under_review", ["disputed"], 1],
      ["lost", ["dispute_lost"], 2],
    ]);
    const closed = await createSettled();
    for (const outcome of ["inquiry", "close"]) {
      await callStripeSandbox(`intents/${closed.intentId}/dispute`, { outcome });
      await deliverAll(closed.intentId);
    }
    expect(await ledgerOf(closed.driver)).toEqual(SEVEN_DAYS_PAID);
    expect(await disputesOf(closed.driver)).toMatchObject([{ status: "warning_closed" }]);
  });

  it("leaves both books the same, with what Stripe asks for each dispute", async () => {
    const [lost, won, open, refunded] = [
      await createSettled(),
      await createSettled(),
      await createSettled(),
      await createSettled(),
    ];
    await refund(refunded.intentId, 2000);
    await callStripeSandbox(`intents/${open.intentId}/dispute`, { amount: 1000 });
    await callStripeSandbox(`intents/${lost.intentId}/dispute`, { outcome: "lost" });
    await callStripeSandbox(`intents/${won.intentId}/dispute`, { outcome: "won" });
    const paid = [lost, won, open, refunded].map(({ intentId }) => intentId);
    for (const intentId of paid) await deliverAll(intentId);
    const deps = createDeps(env);
    const cards = createCardProcessor(deps);
    if (!cards) throw new Error("there are no keys");
    const { db } = deps;
    const span = { from: Date.now() - DAY_MS, to: Date.now() + 1 };
    const { differences } = await reconcileBooks({ db, fetchBooks: cards.fetchBooks }, span);
    expect(differences.filter(({ intentId }) => paid.includes(intentId ?? ""))).toEqual([]);
  });

  it("never revokes more than the payment credited, for refund and dispute together", async () => {
    const { driver, intentId } = await createSettled();
    await refund(intentId, 2000);
    await deliverAll(intentId);
    await callStripeSandbox(`intents/${intentId}/dispute`, { outcome: "lost" });
    await deliverAll(intentId);
    const { credits } = await ledgerOf(driver);
    expect(credits.reduce((sum, [, amount]) => sum + Number(amount), 0)).toBe(0);
    expect(credits).toHaveLength(3);
  });

  it("of an old payment leaves newer paid days alone", async () => {
    const { driver, paymentId, intentId } = await createSettled();
    await env.DB.prepare(`UPDATE service_credits SET at = at - ? WHERE source = ?`)
      .bind(7 * DAY_MS, `payment:${paymentId}`)
      .run();
    const next = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(next.intentId);
    await fetchPayment(driver, next.paymentId);
    await refund(intentId);
    await deliverAll(intentId);
    const { serviceUntil } = await fetchPayment(driver, next.paymentId);
    expect(Math.round((Number(serviceUntil) - Date.now()) / DAY_MS)).toBe(7);
    expect((await fetchTexts(driver))[0]).toContain("$50.22 was refunded. We took back no days.");
  });

  it("of goodwill takes no days and no points", async () => {
    const { driver, intentId } = await createSettled();
    await callStripeSandbox(`intents/${intentId}/refund`, { amount: 2000, metadata: { goodwill: "true" } });
    await deliverAll(intentId);
    expect(await ledgerOf(driver)).toMatchObject({
      credits: [
        ["", 7],
        ["re", 0],
      ],
      points: [["earned", 70]],
      payments: ["partly_refunded"],
      refunded: [2000],
    });
    expect((await fetchTexts(driver))[0]).toContain("$20 was refunded. We took back no days.");
  });

  it("of one cent tells one cent, and the minutes that it took", async () => {
    const { driver, intentId } = await createSettled();
    await refund(intentId, 1);
    await deliverAll(intentId);
    expect((await fetchTexts(driver))[0]).toContain("$0.01 was refunded. Service taken back: 2 minutes.");
  });

  it("that fails returns the days that it took, and the driver is told", async () => {
    const driver = await createPayer();
    const { intentId, paymentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId, { card: "4000000000005126" });
    await fetchPayment(driver, paymentId);
    await refund(intentId, 2511);
    await deliverAll(intentId);
    expect((await ledgerOf(driver)).credits).toEqual([
      ["", 7],
      ["re", -3.5],
    ]);
    await postJson(apiTarget, "/sandbox/world", { now: Date.now() + 20_000 });
    await deliverAll(intentId);
    expect(await ledgerOf(driver)).toMatchObject({
      credits: [
        ["", 7],
        ["re", -3.5],
        ["re:undone", 3.5],
      ],
      payments: ["settled"],
      refunded: [0],
    });
    expect((await fetchTexts(driver))[0]).toContain("Your refund of $25.11 didn't go through.");
    expect(await reversalsOf(driver)).toEqual([["settled", "refund_failed"]]);
    await postJson(apiTarget, "/sandbox/world", { now: null });
  });

  it("that was lost and then won returns the days, and notifies of each step", async () => {
    const { driver, intentId } = await createSettled();
    const reversals: unknown[] = [];
    for (const outcome of [undefined, "lost", "won"]) {
      await callStripeSandbox(`intents/${intentId}/dispute`, outcome ? { outcome } : {});
      await deliverAll(intentId);
      reversals.push(...(await reversalsOf(driver)));
    }
    expect(reversals).toEqual([
      ["disputed", null],
      ["dispute_lost", null],
      ["settled", "dispute_won"],
    ]);
    expect(await ledgerOf(driver)).toMatchObject({
      credits: [
        ["", 7],
        ["du", -7],
        ["du:undone", 7],
      ],
      payments: ["settled"],
    });
    const texts = await fetchTexts(driver);
    expect(texts.map((text) => /dispute about|reversed|is over/.exec(text)?.[0] ?? "paid")).toEqual([
      "dispute about",
      "reversed",
      "dispute about",
      "paid",
    ]);
  });

  it.each([
    ["resolution", ["dispute_lost"], -7],
    ["block", ["settled"], null],
  ])("that is prevented by %s follows the money", async (outcome, payments, taken) => {
    const { driver, intentId } = await createSettled();
    await callStripeSandbox(`intents/${intentId}/dispute`, { outcome });
    await deliverAll(intentId);
    const ledger = await ledgerOf(driver);
    expect(ledger.payments).toEqual(payments);
    expect(ledger.credits).toEqual(
      taken === null
        ? [["", 7]]
        : [
            ["", 7],
            ["du", taken],
          ],
    );
  });

  it("in full takes the payment out of its raffle", async () => {
    const driver = await createPayer();
    const now = Date.now();
    await env.DB.prepare(
      `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES ('refunded', '14days', ?, ?, 10, 'h')`,
    )
      .bind(now - DAY_MS, now + DAY_MS)
      .run();
    const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "14days" });
    await payIntent(intentId);
    await fetchPayment(driver, paymentId);
    expect((await ledgerOf(driver)).raffle).toEqual(["refunded"]);
    await refund(intentId);
    await deliverAll(intentId);
    expect((await ledgerOf(driver)).raffle).toEqual([]);
  });
});
