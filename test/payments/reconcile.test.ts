import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { driverId as driverIdShape } from "../../db/shapes/units.ts";
import { closePayments } from "../../worker/payments/close-payments.ts";
import { prepareIntent } from "../../worker/payments/prepare.ts";
import { priceForDriver } from "../../worker/payments/quote.ts";
import { reconcilePayments } from "../../worker/payments/reconcile.ts";
import { HANDLED_EVENTS, handleDueEvents, handleEvent } from "../../worker/payments/stripe-events.ts";
import {
  DAY_MS,
  DRIVER,
  HOUR_MS,
  losePath,
  MINUTE_MS,
  NOW,
  openCheckout,
  prepareWeek,
  refuse,
  type Checkout,
} from "./checkout-harness.ts";

const OTHER = driverIdShape.parse("11111111-1111-4111-8111-111111111111");
let at: Checkout;
beforeEach(() => {
  at = openCheckout();
  at.addDriver();
});

const reconcile = () => reconcilePayments(at.checkout);
const status = (id?: string) => at.payment(id)?.["status"];

/** A payment whose intent was never made. */
async function prepareWithoutIntent(): Promise<void> {
  at.bank.during("createIntent", losePath());
  const driver = await at.driver();
  const { order } = await priceForDriver(at.checkout, driver, { plan: "7days", points: 0, priceId: null });
  const request = { driver, order, knownPaymentId: null, renewal: null, savesCard: false };
  await expect(prepareIntent(at.checkout, request)).rejects.toThrow();
}

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
    await prepareWithoutIntent();
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
    at.bank.pay("pi_2");
    // As long as it is young, only what changed at the bank leads to it.
    at.bank.changed = { succeeded: ["pi_2", "pi_of_nobody"], refunded: [] };
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

describe("a noted event", () => {
  it("is of a kind that README tells operators to send", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const [list = ""] = /with these events:[^.]*(?:\.[a-z_]+[^.]*)*\./.exec(readme) ?? [];
    const named = [...list.matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name);
    expect(named).toHaveLength(13);
    expect([...HANDLED_EVENTS]).toEqual(named);
  });

  const event = (change: object = {}) => {
    return {
      id: "evt_1",
      type: "payment_intent.succeeded",
      intentId: "pi_2",
      tries: 0,
      dueAt: NOW,
      ...change,
    };
  };
  const note = (change: object = {}) => {
    const { id, type, intentId, tries, dueAt } = event(change);
    at.run(`INSERT INTO pending_stripe_events VALUES (?, ?, ?, ?, ?)`, id, type, intentId, tries, dueAt);
  };
  const noted = () => at.rows(`SELECT id, tries, due_at FROM pending_stripe_events`);

  it("settles its payment, and is gone", async () => {
    await prepareWeek(at);
    at.bank.pay("pi_2");
    note();
    await handleDueEvents(at.checkout);
    expect(status()).toBe("settled");
    expect(noted()).toEqual([]);
    expect(at.rows(`SELECT id FROM stripe_events`)).toEqual([{ id: "evt_1" }]);
  });

  it("that was handled before asks no bank, and is gone", async () => {
    await prepareWeek(at);
    at.run(`INSERT INTO stripe_events VALUES ('evt_1', 'payment_intent.succeeded', 'pi_2', 1)`);
    note();
    await handleDueEvents(at.checkout);
    expect(at.bank.count("fetchIntent")).toBe(0);
    expect(noted()).toEqual([]);
  });

  it("is handled when it is due, fifty in a minute", async () => {
    note({ dueAt: NOW + 1 });
    await handleDueEvents(at.checkout);
    expect(noted()).toHaveLength(1);
    at.run(`INSERT INTO stripe_events SELECT value, 'x', NULL, 1 FROM json_each(?)`, JSON.stringify(ids(51)));
    at.run(
      `INSERT INTO pending_stripe_events SELECT value, 'x', 'pi', 0, 1 FROM json_each(?)`,
      JSON.stringify(ids(51)),
    );
    await handleDueEvents(at.checkout);
    expect(noted()).toHaveLength(2);
  });
  const ids = (count: number) => Array.from({ length: count }, (_one, index) => `e${index}`);

  it.each([
    [0, 1],
    [1, 2],
    [5, 32],
    [6, 60],
    [77, 60],
  ])("that fails after %i tries is repeated in %i minutes", async (tries, minutes) => {
    await prepareWeek(at);
    note({ tries });
    at.bank.during("fetchIntent", losePath());
    await handleEvent(at.checkout, event({ tries }));
    expect(noted()).toEqual([{ id: "evt_1", tries: tries + 1, due_at: NOW + minutes * MINUTE_MS }]);
    expect(at.lines("warn", "payments.event.failed")).toMatchObject([
      { type: "payment_intent.succeeded", kind: "unreachable" },
    ]);
  });

  it("is given up after three days, or where the bank has no such intent", async () => {
    await prepareWeek(at);
    note({ tries: 78 });
    at.bank.during("fetchIntent", losePath());
    await handleEvent(at.checkout, event({ tries: 78 }));
    expect(noted()).toEqual([]);
    note({ intentId: "pi_none" });
    at.bank.during("fetchIntent", refuse({ missing: "intent" }));
    await handleEvent(at.checkout, event({ intentId: "pi_none" }));
    expect(noted()).toEqual([]);
    note();
    at.bank.during("fetchIntent", refuse());
    await handleEvent(at.checkout, event());
    expect(noted()).toHaveLength(1);
  });

  it.each([
    ["the fifth decline", 5, "payment_intent.payment_failed", {}, "abandoned", "canceled"],
    ["the fourth decline", 4, "payment_intent.payment_failed", {}, "open", "open"],
    ["another event", 5, "payment_intent.created", {}, "open", "open"],
    [
      "a decline before what is processing",
      5,
      "payment_intent.payment_failed",
      { status: "processing" as const },
      "processing",
      "processing",
    ],
  ])("of %s leaves the payment as it should", async (_name, declines, type, change, stored, there) => {
    await prepareWeek(at);
    at.bank.change("pi_2", change);
    for (let index = 1; index < declines; index += 1)
      at.run(
        `INSERT INTO stripe_events VALUES (?, 'payment_intent.payment_failed', 'pi_2', ?)`,
        `evt_d${index}`,
        NOW - index,
      );
    // Declines before this one are of the same payment; another event counts none of its own.
    if (type !== "payment_intent.payment_failed")
      at.run(
        `INSERT INTO stripe_events VALUES ('evt_d', 'payment_intent.payment_failed', 'pi_2', ?)`,
        NOW - 9,
      );
    await handleEvent(at.checkout, event({ type }));
    expect(status()).toBe(stored);
    expect(at.bank.last.status).toBe(there);
    if (stored !== "abandoned") expect(at.bank.count("cancelIntent")).toBe(0);
  });

  it("of a decline of what is not ours breaks nothing", async () => {
    await prepareWeek(at);
    at.run(`DELETE FROM payments`);
    note({ type: "payment_intent.payment_failed" });
    await handleEvent(at.checkout, event({ type: "payment_intent.payment_failed" }));
    expect(noted()).toEqual([]);
    expect(at.lines("warn", "payments.event.failed")).toEqual([]);
  });
});

describe("leaving", () => {
  const leave = () => closePayments(at.checkout, DRIVER);

  it("calls off what can be called off, and deletes the customer with the cards", async () => {
    await prepareWeek(at);
    await leave();
    expect(at.payment()).toMatchObject({ status: "abandoned", orphaned_at: NOW });
    expect(at.bank.last.status).toBe("canceled");
    expect(at.bank.asked.at(-1)).toEqual(["deleteCustomer", "cus_1"]);
    await leave();
    expect(at.bank.count("cancelIntent")).toBe(1);
  });

  it("is given back what is charged in that moment", async () => {
    await prepareWeek(at);
    at.bank.during("cancelIntent", () => at.bank.pay("pi_2"));
    await leave();
    expect(at.payment()).toMatchObject({ status: "refunded" });
    expect(at.bank.count("refundIntent")).toBe(1);
  });

  it("deletes nothing while the bank can't be reached", async () => {
    await prepareWeek(at);
    at.bank.during("cancelIntent", losePath());
    await expect(leave()).rejects.toMatchObject({ kind: "unreachable" });
    expect(at.bank.count("deleteCustomer")).toBe(0);
  });

  it("needs no bank for a payment without intent, and none without payments", async () => {
    await leave();
    expect(at.bank.asked).toEqual([]);
    await prepareWithoutIntent();
    await leave();
    expect(at.payment()).toMatchObject({ status: "abandoned", orphaned_at: null });
    expect(at.bank.asked.slice(2)).toEqual([["deleteCustomer", "cus_1"]]);
  });

  it("marks what is in progress where no keys are set", async () => {
    await prepareWeek(at);
    await closePayments(at.cardless, DRIVER);
    expect(at.payment()).toMatchObject({ status: "open", orphaned_at: NOW });
    expect(at.bank.count("cancelIntent")).toBe(0);
    expect(at.bank.count("deleteCustomer")).toBe(0);
  });

  it("turns the renewal off", async () => {
    await prepareWeek(at, { renewal: { capCents: 5022, words: 1 } });
    at.bank.pay("pi_2");
    at.clock.now += HOUR_MS;
    await reconcile();
    expect(at.rows(`SELECT status FROM renewals`)).toEqual([{ status: "on" }]);
    await leave();
    expect(at.rows(`SELECT status FROM renewals`)).toEqual([{ status: "off" }]);
  });
});
