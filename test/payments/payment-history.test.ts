import { beforeEach, describe, expect, it } from "vitest";
import { loadMoneyBack } from "../../db/queries/payments/money-back.ts";
import { driverId as driverIdShape } from "../../db/shapes/units.ts";
import {
  cancelPayment,
  listPageRows,
  lookAtPayment,
  showPayment,
  showPaymentAsRead,
  toPaymentPage,
  type Looked,
} from "../../worker/payments/payment-history.ts";
import type { CheckoutContext } from "../../worker/payments/checkout.ts";
import { taxOf } from "../../worker/payments/books/journal.ts";
import { loadReceipt } from "../../worker/payments/receipt.ts";
import { settleIntent } from "../../worker/payments/settle-intent.ts";
import { DRIVER, losePath, NOW, openCheckout, prepareWeek, type Checkout } from "./checkout-harness.ts";

const OTHER = driverIdShape.parse("11111111-1111-4111-8111-111111111111");
let at: Checkout;
let id: string;
beforeEach(async () => {
  at = openCheckout({ SELLER_NAME: "Jornada LLC", SELLER_ADDRESS: "1 Main St", SELLER_TAX_ID: "12-3" });
  at.addDriver();
  id = await prepareWeek(at);
});

/** As it is read anew. A payment that stands alone is shown the same with entries that were read before the look. */
const show = async (looked: Looked | null, before: Awaited<ReturnType<typeof loadMoneyBack>>) => {
  if (!looked) return null;
  const anew = await showPayment(at.checkout.db, looked.payment);
  if (looked.isAlone) expect(showPaymentAsRead(looked.payment, before)).toEqual(anew);
  return anew;
};
const readBack = () => loadMoneyBack(at.checkout.db, DRIVER, [id]);
const fetch = async (change: object = {}, checkout: CheckoutContext = at.checkout) => {
  const before = await readBack();
  const look = { driverId: DRIVER, id, mayAsk: async () => true, ...change };
  return show(await lookAtPayment(checkout, look), before);
};
const cancel = async (change: object = {}, checkout: CheckoutContext = at.checkout) => {
  const before = await readBack();
  return show(await cancelPayment(checkout, { driverId: DRIVER, id, ...change }), before);
};
const fetches = () => at.bank.count("fetchIntent");

const inProgress = () => ({
  id,
  status: "open",
  plan: "7days",
  currency: "USD",
  totalCents: 5022,
  since: NOW,
  canCancel: true,
});
const figures = {
  plan: "7days",
  currency: "USD",
  priceCents: 4987,
  discountKind: null,
  discountCents: 0,
  points: 0,
  pointsCents: 0,
  feeCents: 35,
  totalCents: 5022,
};
const shown = () => ({
  ...figures,
  id,
  status: "open",
  refundedCents: 0,
  receiptUrl: null,
  receiptNumber: null,
  isRenewal: false,
  reversal: null,
  back: [],
  inProgress: inProgress(),
  at: NOW,
});

describe("a payment of a driver's own", () => {
  it("is what the bank says it is", async () => {
    expect(await fetch()).toEqual(shown());
    at.clock.now = NOW + 5;
    at.bank.pay("pi_2", { receiptUrl: "https://stripe.example/r" });
    expect(await fetch()).toEqual({
      ...shown(),
      status: "settled",
      receiptUrl: "https://stripe.example/r",
      receiptNumber: 1,
      inProgress: null,
      at: NOW + 5,
    });
    const asked = fetches();
    await fetch();
    expect(fetches()).toBe(asked);
  });

  it("that has just gone through is shown with what is read after it, since Stripe's call may have settled it beside the look", async () => {
    at.bank.pay("pi_2");
    await settleIntent(at.checkout, "pi_2");
    const isAlone = async () => {
      const look = { driverId: DRIVER, id, mayAsk: async () => true };
      const looks = [await lookAtPayment(at.checkout, look), await cancelPayment(at.checkout, look)];
      return looks.map((looked) => looked?.isAlone);
    };
    expect(await isAlone()).toEqual([false, false]);
    at.clock.now += 61_000;
    expect(await isAlone()).toEqual([true, true]);
  });

  it("that the bank has says since when", async () => {
    at.bank.change("pi_2", { status: "processing", paidAt: NOW - 5 });
    const processing = { ...inProgress(), status: "processing", since: NOW - 5 };
    expect(await fetch()).toEqual({ ...shown(), status: "processing", inProgress: processing });
    at.run(`UPDATE payments SET processing_at = NULL`);
    expect((await fetch())?.inProgress?.since).toBe(NOW);
    at.run(`UPDATE payments SET status = 'open', processing_at = 1`);
    at.bank.change("pi_2", { status: "open" });
    expect((await fetch())?.inProgress?.since).toBe(NOW);
  });

  it("says whether the renewal made it", async () => {
    at.run(`UPDATE payments SET renewal_of = 'consent'`);
    expect(await fetch()).toMatchObject({ isRenewal: true });
  });

  it.each([
    ["refund", "settled", 0, "refund_failed"],
    ["refund", "refunded", 1, null],
    ["dispute", "settled", 0, "dispute_won"],
    ["dispute", "disputed", 0, null],
    ["dispute", "dispute_lost", 1, null],
  ])("says of a %s, with it %s, what came of that", async (kind, status, isEffective, reversal) => {
    at.run(`UPDATE payments SET status = ?, settled_at = ?, receipt_number = 1`, status, NOW);
    at.run(
      `INSERT INTO payment_refunds (id, payment_id, kind, cents, at, is_effective) VALUES ('x', ?, ?, 100, ?, ?)`,
      id,
      kind,
      NOW,
      isEffective,
    );
    expect(await fetch()).toMatchObject({ status, reversal });
  });

  it("is nobody else's", async () => {
    expect(await fetch({ driverId: OTHER })).toBeNull();
    expect(await cancel({ driverId: OTHER })).toBeNull();
    expect(await fetch({ id: "none" })).toBeNull();
    expect(at.payment()).toMatchObject({ status: "open" });
  });

  it("is what we know of it where the driver looks too often, no keys are set, or there is no intent", async () => {
    at.bank.pay("pi_2");
    expect(await fetch({ mayAsk: async () => false })).toEqual(shown());
    expect(await fetch({}, at.cardless)).toEqual(shown());
    at.run(`UPDATE payments SET intent_id = NULL`);
    let isAsked = false;
    const mayAsk = async () => (isAsked = true);
    expect(await fetch({ mayAsk })).toEqual(shown());
    expect(isAsked).toBe(false);
    expect(fetches()).toBe(0);
  });

  it("says that the bank can't be reached", async () => {
    at.bank.during("fetchIntent", losePath());
    await expect(fetch()).rejects.toMatchObject({ kind: "unreachable" });
  });
});

describe("calling a payment off", () => {
  it("cancels it at the bank", async () => {
    expect(await cancel()).toEqual({ ...shown(), status: "abandoned", inProgress: null });
    expect(at.bank.last.status).toBe("canceled");
  });

  it("does not where it was paid in that moment", async () => {
    at.bank.during("cancelIntent", () => at.bank.pay("pi_2"));
    expect(await cancel()).toMatchObject({ status: "settled" });
  });

  it("asks no bank about what is decided, or was never there", async () => {
    at.bank.pay("pi_2");
    await settleIntent(at.checkout, "pi_2");
    expect(await cancel()).toMatchObject({ status: "settled" });
    at.run(`UPDATE payments SET status = 'open', settled_at = NULL, receipt_number = NULL, intent_id = NULL`);
    expect(await cancel()).toMatchObject({ status: "abandoned" });
    expect(at.bank.count("cancelIntent")).toBe(0);
  });

  it("can't be done where no keys are set", async () => {
    expect(await cancel({}, at.cardless)).toEqual(shown());
  });

  it("can be done while the bank has it, if the bank allows it", async () => {
    at.bank.change("pi_2", { status: "processing" });
    await fetch();
    at.bank.during("cancelIntent", () => at.bank.change("pi_2", { status: "canceled" }));
    expect(await cancel()).toMatchObject({ status: "abandoned" });
  });
});

describe("the history", () => {
  const pay = (count: number) =>
    at.run(
      `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
       SELECT 'p' || substr('0' || value, -2), ?, '7days', 'settled', 'USD', 4987, 0, 0, 0, 35, 5022, 0, 1, 1000 + value, 1 FROM json_each(?)`,
      DRIVER,
      JSON.stringify(Array.from({ length: count }, (_one, index) => index)),
    );
  const page = async (cursor?: string) =>
    toPaymentPage(at.checkout.db, DRIVER, await listPageRows(at.checkout.db, DRIVER, cursor));

  it("comes in pages of twenty, newest first, without what was never paid", async () => {
    pay(41);
    const first = await page();
    expect(first.items.map(({ id: one }) => one)).toEqual(
      Array.from({ length: 20 }, (_one, index) => `p${40 - index}`),
    );
    expect(first.items[0]).toMatchObject({ ...figures, at: 1040, inProgress: null });
    expect(first.cursor).toBe("1021.p21");
    const second = await page("1021.p21");
    expect(second.items.at(0)?.id).toBe("p20");
    expect(second.cursor).toBe("1001.p01");
    expect(await page("1001.p01")).toMatchObject({ items: [{ id: "p00" }], cursor: null });
  });

  it("ends with a page that is full", async () => {
    pay(20);
    expect((await page()).cursor).toBeNull();
    at.run(`DELETE FROM payments`);
    expect(await page()).toEqual({ items: [], cursor: null });
  });

  it("goes on from payments of one instant, and from what the bank has", async () => {
    at.run(`DELETE FROM payments`);
    pay(21);
    at.run(`UPDATE payments SET settled_at = NULL, status = 'processing', created_at = 5 WHERE id = 'p01'`);
    at.run(`UPDATE payments SET settled_at = 5 WHERE id <> 'p01' AND id LIKE 'p__'`);
    const first = await page();
    expect(first.items.map(({ id: one }) => one)).toContain("p01");
    expect(first.cursor).toBe("5.p01");
    expect((await page("5.p01")).items.map(({ id: one }) => one)).toEqual(["p00"]);
    expect((await page("6")).items).toHaveLength(20);
    expect((await page("5")).items).toEqual([]);
  });
});

describe("a receipt", () => {
  const receiptOf = async (paymentId = id) => {
    const { row } = await at.driver();
    return loadReceipt(at.checkout, { row }, paymentId);
  };

  it("holds all that a driver's books need", async () => {
    at.bank.pay("pi_2", {
      refunds: [
        { id: "re_1", kind: "refund", cents: 100, at: NOW + 1, isEffective: true, isGoodwill: true },
        { id: "re_2", kind: "refund", cents: 50, at: NOW + 2, isEffective: false, isGoodwill: false },
      ],
    });
    await settleIntent(at.checkout, "pi_2");
    expect(await receiptOf()).toEqual({
      ...figures,
      paymentId: id,
      number: 1,
      seller: { name: "Jornada LLC", address: "1 Main St", taxId: "12-3" },
      driverName: "Ana",
      paidAt: NOW,
      days: 7,
      status: "partly_refunded",
      tax: null,
      renewal: null,
      method: { type: "card", brand: "visa", last4: "4242" },
      refunds: [{ kind: "refund", cents: 100, at: NOW + 1 }],
      refundedCents: 100,
    });
  });

  it("names the tax that is in it, and no method where none is stored", async () => {
    at.bank.pay("pi_2");
    await settleIntent(at.checkout, "pi_2");
    at.run(`UPDATE payments SET tax_name = 'VAT', tax_millionths = 200000, method = NULL`);
    expect(await receiptOf()).toMatchObject({
      tax: { name: "VAT", millionths: 200_000, cents: 837 },
      method: null,
    });
    at.run(`UPDATE payments SET tax_millionths = NULL`);
    expect(await receiptOf()).toMatchObject({ tax: null });
    at.run(`UPDATE payments SET tax_name = NULL, tax_millionths = 200000`);
    expect(await receiptOf()).toMatchObject({ tax: null });
  });

  it("is there for one's own payments that went through", async () => {
    expect(await receiptOf()).toBeNull();
    expect(await receiptOf("none")).toBeNull();
    at.bank.pay("pi_2");
    await settleIntent(at.checkout, "pi_2");
    at.addDriver(OTHER);
    const { row } = await at.driver(OTHER);
    expect(await loadReceipt(at.checkout, { row }, id)).toBeNull();
    at.run(`UPDATE payments SET receipt_number = NULL`);
    expect(await receiptOf()).toBeNull();
  });

  it.each([
    [5022, 200_000, 837],
    [3, 1_000_000, 2],
    [1, 1_000_000, 1],
    [100, 0, 0],
    [103, 30_000, 3],
    [17, 30_000, 0],
    [18, 30_000, 1],
  ])("includes in %i cents at %i millionths %i cents of tax, halves up", (total, millionths, cents) => {
    expect(taxOf({ taxMillionths: millionths }, total)).toBe(cents);
  });
});
