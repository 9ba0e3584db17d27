import { describe, expect, it } from "vitest";
import { loadMoney } from "../../../db/queries/operators/money.ts";
import { listPaymentRefunds } from "../../../db/queries/payments/payments.ts";
import { loadReceipt } from "../../../worker/payments/receipt.ts";
import { settleIntent } from "../../../worker/payments/settle-intent.ts";
import { DAY_MS, NOW, openCheckout, prepareWeek } from "../checkout-harness.ts";

const INTENT = "pi_2";

async function openPaid(settings: Record<string, unknown> = {}) {
  const at = openCheckout(settings);
  at.addDriver();
  at.givePoints(100);
  await prepareWeek(at);
  at.bank.pay(INTENT);
  await settleIntent(at.checkout, INTENT);
  return at;
}

type Harness = Awaited<ReturnType<typeof openPaid>>;

/** The money that went back on each day of three weeks, in refunds and disputes. */
async function backByDay({ checkout }: Harness): Promise<[number, number, number][]> {
  const days = Array.from({ length: 21 }, (_, day) => ({
    day: `${day}`,
    from: NOW + day * DAY_MS,
    to: NOW + (day + 1) * DAY_MS,
  }));
  const span = { from: NOW, to: NOW + 21 * DAY_MS };
  const { returned } = await loadMoney(checkout.db, { days, span, now: span.to });
  return returned
    .map(({ day, refundedCents, disputedCents }): [number, number, number] => [
      Number(day),
      // SQLite knows a negative zero.
      refundedCents + 0,
      disputedCents + 0,
    ])
    .toSorted(([one], [other]) => one - other);
}

async function learn(at: Harness, day: number, change: Parameters<Harness["bank"]["change"]>[1]) {
  at.clock.now = NOW + day * DAY_MS;
  at.bank.change(INTENT, change);
  await settleIntent(at.checkout, INTENT);
}

const dispute = { id: "du_1", kind: "dispute", cents: 5022, at: NOW + DAY_MS, isGoodwill: false } as const;
const refund = { id: "re_1", kind: "refund", cents: 2511, at: NOW + DAY_MS, isGoodwill: false } as const;

describe("money that goes back", () => {
  it("counts on the day on which a dispute was lost, and comes back on the day on which it was won", async () => {
    const at = await openPaid();
    await learn(at, 1, { refunds: [{ ...dispute, isEffective: false }] });
    expect(await backByDay(at)).toEqual([]);
    await learn(at, 9, { refunds: [{ ...dispute, isEffective: true }] });
    expect(await backByDay(at)).toEqual([[9, 0, 5022]]);
    await learn(at, 15, { refunds: [{ ...dispute, isEffective: false }] });
    expect(await backByDay(at)).toEqual([
      [9, 0, 5022],
      [15, 0, -5022],
    ]);
  });

  it("leaves a refund on its own day where it fails later", async () => {
    const at = await openPaid();
    await learn(at, 2, { refunds: [{ ...refund, isEffective: true }] });
    expect(await backByDay(at)).toEqual([[1, 2511, 0]]);
    await learn(at, 5, { refunds: [{ ...refund, isEffective: false }] });
    expect(await backByDay(at)).toEqual([
      [1, 2511, 0],
      [5, -2511, 0],
    ]);
  });

  it("is counted in rows of before, which have no such days", async () => {
    const at = await openPaid();
    await learn(at, 2, { refunds: [{ ...refund, isEffective: true }] });
    at.run(`UPDATE payment_refunds SET took_at = NULL`);
    expect(await backByDay(at)).toEqual([[1, 2511, 0]]);
    await learn(at, 5, { refunds: [{ ...refund, isEffective: false }] });
    expect(await backByDay(at)).toEqual([
      [1, 2511, 0],
      [5, -2511, 0],
    ]);
  });
});

it("leaves the tax of what is kept on a receipt, to the cent after any parts", async () => {
  const at = await openPaid({ SELLER_NAME: "Jornada LLC", TAX_NAME: "VAT", TAX_RATE: "0.16" });
  const { row } = await at.driver();
  const id = String(at.payment()?.["id"]);
  const taxOnReceipt = async () => (await loadReceipt(at.checkout, { row }, id))?.tax;
  expect(await taxOnReceipt()).toEqual({ name: "VAT", millionths: 160_000, cents: 693, keptCents: 693 });
  const parts = [1674, 1674, 1674].map((cents, part) => ({
    ...refund,
    id: `re_${part}`,
    cents,
    isEffective: true,
  }));
  for (const count of [1, 2, 3]) await learn(at, count, { refunds: parts.slice(0, count) });
  expect(await taxOnReceipt()).toEqual({ name: "VAT", millionths: 160_000, cents: 693, keptCents: 0 });
  const [tax] = at.rows(`SELECT sum(amount) AS owed FROM journal WHERE account = 'tax'`);
  expect(tax).toEqual({ owed: 0 });
  expect(await listPaymentRefunds(at.checkout.db, [id])).toHaveLength(3);
});
