import { beforeEach, describe, expect, it } from "vitest";
import { reconcilePayments } from "../../../worker/payments/books/reconcile.ts";
import { settleIntent } from "../../../worker/payments/settle-intent.ts";
import { driverId as driverIdShape } from "../../../db/shapes/units.ts";
import {
  DAY_MS,
  HOUR_MS,
  losePath,
  MINUTE_MS,
  NOW,
  openCheckout,
  prepareWeek,
  prepareWithoutIntent,
  type Checkout,
} from "../checkout-harness.ts";

const OTHER = driverIdShape.parse("11111111-1111-4111-8111-111111111111");
let at: Checkout;
beforeEach(() => {
  at = openCheckout();
  at.addDriver();
});

const reconcile = () => reconcilePayments(at.checkout);
const status = (id?: string) => at.payment(id)?.["status"];

describe("the hourly reconciliation", () => {
  it("settles what was paid without word, and leaves who is still at the card form alone", async () => {
    await prepareWeek(at);
    at.bank.pay("pi_2");
    at.clock.now = NOW + 10 * MINUTE_MS;
    await reconcile();
    expect(status()).toBe("open");
    at.clock.now += 1;
    await reconcile();
    expect(status()).toBe("settled");
    expect(at.bank.count("cancelIntent")).toBe(0);
  });

  it("calls off after a day what nobody will pay, and not sooner", async () => {
    await prepareWeek(at);
    at.clock.now = NOW + DAY_MS;
    await reconcile();
    expect(status()).toBe("open");
    at.clock.now += 1;
    await reconcile();
    expect(status()).toBe("abandoned");
    expect(at.bank.last.status).toBe("canceled");
  });

  it.each([["processing" as const], ["succeeded" as const]])(
    "calls off nothing after a day that is %s at the bank",
    async (state) => {
      await prepareWeek(at);
      at.bank.change("pi_2", { status: state });
      at.clock.now = NOW + 2 * DAY_MS;
      await reconcile();
      expect(at.bank.count("cancelIntent")).toBe(0);
    },
  );

  it("breaks nothing where a payment that nobody will pay is gone in that moment", async () => {
    await prepareWeek(at);
    at.bank.pay("pi_2");
    at.clock.now = NOW + 2 * DAY_MS;
    at.bank.during("fetchIntent", () => at.run(`DELETE FROM payments`));
    await reconcile();
    expect(at.lines("warn", "payments.reconcile.failed")).toEqual([]);
  });

  it("abandons a payment without intent after a day, and asks no bank about it", async () => {
    await prepareWithoutIntent(at);
    at.clock.now = NOW + DAY_MS;
    await reconcile();
    expect(status()).toBe("open");
    at.clock.now += 1;
    await reconcile();
    expect(status()).toBe("abandoned");
    expect(at.bank.count("fetchIntent")).toBe(0);
  });

  it("goes on after a payment that fails, and says which", async () => {
    const first = await prepareWeek(at);
    at.addDriver(OTHER);
    at.clock.now += 1;
    await prepareWeek(at, { driverId: OTHER });
    at.bank.pay(at.bank.last.intentId);
    at.bank.during("fetchIntent", losePath());
    at.clock.now += HOUR_MS;
    await reconcile();
    expect(status()).toBe("settled");
    expect(at.lines("warn", "payments.reconcile.failed")).toMatchObject([
      { what: first, kind: "unreachable" },
    ]);
  });

  it("finds what was paid or refunded of the last three days, and asks for nothing twice", async () => {
    const paid = await prepareWeek(at);
    at.bank.pay("pi_2", { processorFeeCents: 176 });
    // As long as it is young, only what changed at the bank leads to it.
    at.bank.changed = { succeeded: ["pi_2"], refunded: [] };
    await reconcile();
    expect(status(paid)).toBe("settled");
    expect(at.bank.asked.at(-2)).toEqual(["listChangedIntents", NOW - 3 * DAY_MS]);
    const asked = at.bank.count("fetchIntent");
    await reconcile();
    expect(at.bank.count("fetchIntent")).toBe(asked);
    const refund = {
      id: "re_1",
      kind: "refund",
      cents: 5022,
      at: NOW,
      isEffective: true,
      isGoodwill: false,
    } as const;
    at.bank.change("pi_2", { refunds: [refund] });
    at.bank.changed = { succeeded: ["pi_2"], refunded: ["pi_2"] };
    await reconcile();
    expect(status(paid)).toBe("refunded");
  });

  it("learns the fee of a payment that the bank had not booked when it settled", async () => {
    const paid = await prepareWeek(at);
    at.bank.pay("pi_2");
    await settleIntent(at.checkout, "pi_2");
    const fee = () => at.payment(paid)?.["processor_fee_cents"];
    at.bank.changed = { succeeded: ["pi_2"], refunded: [] };
    await reconcile();
    expect(fee()).toBeNull();
    at.bank.change("pi_2", { processorFeeCents: 176 });
    await reconcile();
    expect(fee()).toBe(176);
    const asked = at.bank.count("fetchIntent");
    await reconcile();
    expect(at.bank.count("fetchIntent")).toBe(asked);
  });

  it("asks for the fees of fifty payments at once, the latest first", async () => {
    await prepareWeek(at);
    at.bank.pay("pi_2");
    await settleIntent(at.checkout, "pi_2");
    const insert = `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
     SELECT value, value, 'pi_' || value, '7days', 'settled', 'USD', 4987, 0, 0, 0, 35, 5022, 0, 0, 0, 1 FROM json_each(?)`;
    const latest = Array.from({ length: 50 }, (_one, index) => `latest${index}`);
    at.run(insert, JSON.stringify(latest));
    for (const id of latest)
      at.bank.intents.set(`pi_${id}`, { ...at.bank.last, intentId: `pi_${id}`, paymentId: id });
    at.bank.changed = { succeeded: [...latest.map((id) => `pi_${id}`), "pi_2"], refunded: [] };
    const asked = at.bank.count("fetchIntent");
    await reconcile();
    expect(at.bank.count("fetchIntent")).toBe(asked + 50);
    expect(at.bank.asked.slice(-50).some(([, id]) => id === "pi_2")).toBe(false);
  });

  it.each([
    ["a second one of a payment", "second_intent"],
    ["one that names a payment that we don't have", "unknown_payment"],
    ["one that names none", "unknown_intent"],
  ])("raises an alert for a paid intent whose event was lost: %s", async (_what, kind) => {
    const id = await prepareWeek(at);
    at.bank.pay("pi_2");
    await settleIntent(at.checkout, "pi_2");
    const paymentId = kind === "second_intent" ? id : kind === "unknown_payment" ? "strange" : null;
    at.bank.intents.set("pi_9", { ...at.bank.last, intentId: "pi_9", paymentId });
    at.bank.changed = { succeeded: ["pi_2", "pi_9"], refunded: [] };
    await reconcile();
    const alerts = () =>
      at.rows(`SELECT kind, intent_id, resolved_at IS NULL AS is_open FROM payment_alerts`);
    expect(alerts()).toEqual([{ kind, intent_id: "pi_9", is_open: 1 }]);
    const refund = { id: "re_1", kind: "refund", cents: 5022, at: NOW } as const;
    at.bank.change("pi_9", { refunds: [{ ...refund, isEffective: true, isGoodwill: false }] });
    await reconcile();
    expect(alerts()).toEqual([{ kind, intent_id: "pi_9", is_open: 0 }]);
  });

  it("names the intent that it could not read", async () => {
    await prepareWeek(at);
    at.bank.changed = { succeeded: ["pi_2"], refunded: [] };
    at.bank.during("fetchIntent", losePath());
    await reconcile();
    expect(at.lines("warn", "payments.reconcile.failed")).toMatchObject([{ what: "pi_2" }]);
  });

  it("takes two hundred payments at once", async () => {
    const insert = `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, revision)
     SELECT value, value, NULL, '7days', 'open', 'USD', 4987, 0, 0, 0, 35, 5022, 0, 0, 1 FROM json_each(?)`;
    at.run(insert, JSON.stringify(Array.from({ length: 201 }, (_one, index) => `p${index}`)));
    await reconcile();
    expect(at.rows(`SELECT count(*) AS open FROM payments WHERE status = 'open'`)).toEqual([{ open: 1 }]);
  });
});
