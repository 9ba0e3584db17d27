import { env } from "cloudflare:test";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import { owner, support } from "../console-harness.ts";
import { advanceClock, driverObject, injectFault, resetPlatform, type TestDriver } from "../harness.ts";
import {
  callStripeSandbox,
  clearFaults,
  codeOf,
  createPaid,
  createSettled,
  deliverAll,
  fetchTexts,
  ledgerOf,
  rows,
  followPayments,
  SEVEN_DAYS_PAID,
} from "../payments-harness.ts";

const reason = "the driver called";
const HALF = 2511;
const WHOLE = 5022;

beforeAll(() => resetPlatform());
beforeEach(async () => {
  await resetPlatform();
  await clearFaults();
});

const refund = (paymentId: string, cents: number, keepsDays = false): DriverAct => ({
  act: "refund",
  paymentId,
  cents,
  keepsDays,
  reason,
});
const orders = ({ driverId }: TestDriver) =>
  rows(`SELECT kind, cents FROM operator_orders WHERE driver_id = ?`, driverId);

it("gives half of a payment back through Stripe, and the ledgers follow as they do for a webhook", async () => {
  const { driver, paymentId, intentId } = await createSettled();
  const before = (await driverObject(driver).snapshot()).serviceUntil ?? 0;
  const { act, status } = await owner.do(driver, refund(paymentId, HALF));
  expect(status).toBe("done");
  const followed = {
    credits: [
      ["", 7],
      ["re", -3.5],
    ],
    points: [
      ["earned", 70],
      ["re", -35],
    ],
    payments: ["partly_refunded"],
    refunded: [HALF],
    raffle: [],
  };
  expect(await ledgerOf(driver)).toEqual(followed);
  expect([act.before, act.after]).toEqual([
    { refundedCents: 0, currency: "USD" },
    { refundedCents: HALF, currency: "USD" },
  ]);
  // An open dashboard has it at once, and the driver is told.
  const after = (await driverObject(driver).snapshot()).serviceUntil ?? 0;
  expect(Math.round(((before - after) / 86_400_000) * 10) / 10).toBe(3.5);
  await expect.poll(async () => (await fetchTexts(driver)).join()).toContain("25.11");
  // The webhooks that Stripe sends of it change nothing more.
  await deliverAll(intentId);
  expect(await ledgerOf(driver)).toEqual(followed);
  expect(await orders(driver)).toEqual([]);
  const [line] = (await owner.page(driver)).payments;
  expect(line).toMatchObject({
    status: "partly_refunded",
    refundedCents: HALF,
    refundableCents: WHOLE - HALF,
  });
});

it("gives the rest back as well, and nothing beyond it", async () => {
  const { driver, paymentId } = await createSettled();
  await owner.do(driver, refund(paymentId, HALF));
  const tooMuch = await owner.act(driver, refund(paymentId, WHOLE));
  expect([tooMuch.status, await tooMuch.json()]).toMatchObject([400, { fields: { cents: "too_large" } }]);
  await owner.do(driver, refund(paymentId, WHOLE - HALF));
  expect(await ledgerOf(driver)).toMatchObject({ payments: ["refunded"], refunded: [WHOLE] });
  expect((await owner.act(driver, refund(paymentId, 1))).status).toBe(409);
});

it("leaves days and points to the driver where it is goodwill", async () => {
  const { driver, paymentId } = await createSettled();
  const { act } = await owner.do(driver, refund(paymentId, HALF, true));
  expect(act.what).toEqual({ paymentId, cents: HALF, keepsDays: true });
  expect(await ledgerOf(driver)).toMatchObject({
    credits: [
      ["", 7],
      ["re", 0],
    ],
    points: [["earned", 70]],
    payments: ["partly_refunded"],
  });
});

it("never gives back more than was paid, however many ask at once", async () => {
  const { driver, paymentId } = await createSettled();
  const answers = await Promise.all([1, 2, 3].map(() => owner.act(driver, refund(paymentId, 2000))));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(1);
  expect(await ledgerOf(driver)).toMatchObject({ refunded: [4000], payments: ["partly_refunded"] });
  expect(await owner.log(driver)).toHaveLength(2);
});

it("gives money back once per key", async () => {
  const { driver, paymentId } = await createSettled();
  const key = crypto.randomUUID();
  const answers = await Promise.all([1, 2].map(() => owner.act(driver, refund(paymentId, HALF), key)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await owner.act(driver, refund(paymentId, HALF), key)).status).toBe(200);
  expect(await ledgerOf(driver)).toMatchObject({ refunded: [HALF] });
  expect(await owner.log(driver)).toHaveLength(1);
});

it("waits for a Stripe that does not answer, counts what is ordered, and comes to its end without the operator", async () => {
  const { driver, paymentId } = await createSettled();
  await injectFault({ operation: "createRefund", fault: "500" });
  const { status } = await owner.do(driver, refund(paymentId, HALF));
  expect(status).toBe("pending");
  expect(await ledgerOf(driver)).toEqual(SEVEN_DAYS_PAID);
  expect((await owner.page(driver)).payments).toMatchObject([
    { orderedCents: HALF, refundableCents: WHOLE - HALF },
  ]);
  expect((await owner.act(driver, refund(paymentId, WHOLE))).status).toBe(400);
  await clearFaults();
  advanceClock(130_000);
  await followPayments(["orders"]);
  expect(await orders(driver)).toEqual([]);
  expect(await ledgerOf(driver)).toMatchObject({ refunded: [HALF], payments: ["partly_refunded"] });
});

it("gives money back once where Stripe fails for good under a key, whether or not it had given it back", async () => {
  const { driver, paymentId } = await createSettled();
  for (const fault of ["500_stored", "500_after_effect", "lost_answer"]) {
    await injectFault({ operation: "createRefund", fault });
    expect((await owner.do(driver, refund(paymentId, 1000))).status).toBe("pending");
    await clearFaults();
    for (let minute = 0; minute < 3; minute += 1) {
      advanceClock(130_000);
      await followPayments(["orders"]);
    }
    expect(await orders(driver)).toEqual([]);
  }
  expect(await ledgerOf(driver)).toMatchObject({ refunded: [3000] });
});

it("writes down that Stripe refused, and lets another be tried", async () => {
  const { driver, paymentId, intentId } = await createSettled();
  // Somebody gave most of it back at Stripe, which we have not heard of.
  await callStripeSandbox(`intents/${intentId}/refund`, { amount: 4000 });
  expect((await owner.act(driver, refund(paymentId, HALF))).status).toBe(409);
  const log = await owner.log(driver);
  expect(log.map(({ act, after }) => [act, after])).toEqual([
    ["refund_failed", { refundedCents: 0, currency: "USD" }],
    ["refund", { refundedCents: HALF, currency: "USD" }],
  ]);
  expect(await orders(driver)).toEqual([]);
  await owner.do(driver, refund(paymentId, 1000));
  expect(await ledgerOf(driver)).toMatchObject({ refunded: [5000] });
});

it("is refused where nothing was paid, or by way of another driver", async () => {
  const { driver, paymentId } = await createPaid();
  const open = await owner.act(driver, refund(paymentId, 100));
  expect([open.status, await codeOf(open)]).toEqual([409, "conflict"]);
  const other = await createSettled();
  expect((await owner.act(driver, refund(other.paymentId, 100))).status).toBe(404);
  await env.DB.prepare(`UPDATE payments SET status = 'disputed' WHERE id = ?`).bind(other.paymentId).run();
  expect((await owner.act(other.driver, refund(other.paymentId, 100))).status).toBe(409);
  expect(await owner.log(driver)).toEqual([]);
});

it("is limited for support, and not for owners", async () => {
  const { driver, paymentId } = await createSettled();
  expect((await support.do(driver, refund(paymentId, 5001))).status).toBe("waiting");
  expect((await support.do(driver, refund(paymentId, 3000))).status).toBe("done");
  expect((await support.do(driver, refund(paymentId, 2001))).status).toBe("waiting");
  expect((await owner.act(driver, refund(paymentId, 2022))).status).toBe(200);
  expect(await ledgerOf(driver)).toMatchObject({ payments: ["refunded"] });
});
