import { beforeEach, describe, expect, it } from "vitest";
import { settleIntent } from "../../worker/payments/settle-intent.ts";
import { deliverPendingChanges, deliverServiceChanges } from "../../worker/payments/service-changes.ts";
import { driverId as driverIdShape } from "../../db/shapes/units.ts";
import {
  DAY_MS,
  DRIVER,
  losePath,
  NOW,
  openCheckout,
  prepareWeek,
  refuse,
  type Checkout,
} from "./checkout-harness.ts";

let at: Checkout;
let paymentId: string;
/** A payment for a week with an intent, of a driver. */
beforeEach(async () => {
  at = openCheckout();
  at.addDriver();
  paymentId = await prepareWeek(at);
});

const EVENT = { id: "evt_1", type: "payment_intent.succeeded", intentId: "pi_2" };
const settle = (event: typeof EVENT | null = EVENT) => settleIntent(at.checkout, "pi_2", event);
const events = () => at.rows(`SELECT * FROM stripe_events`);
const STORED_EVENT = { id: "evt_1", type: EVENT.type, intent_id: "pi_2", received_at: NOW };
const alerts = () => at.rows(`SELECT kind, intent_id, payment_id, at, resolved_at FROM payment_alerts`);
const refund = (cents: number, isEffective = true) => {
  return { id: `re_${cents}`, kind: "refund", cents, at: NOW, isEffective, isGoodwill: false } as const;
};

describe("a payment at the bank", () => {
  it("paid is written once with its event, and told to the driver's object", async () => {
    at.bank.pay("pi_2");
    const [one, other] = await Promise.all([settle(), settle()]);
    const settled = { id: paymentId, status: "settled", settledAt: NOW, methodLast4: "4242", revision: 3 };
    expect(one).toMatchObject({ payment: settled, card: { status: "succeeded" } });
    expect(other).toMatchObject({ payment: settled });
    expect(at.payment()).toMatchObject({ status: "settled", revision: 3, receipt_number: 1 });
    expect(events()).toEqual([STORED_EVENT]);
    expect(at.told).toEqual([
      {
        name: `enam:${DRIVER}`,
        owner: DRIVER,
        serviceUntil: NOW + 7 * DAY_MS,
        changes: [
          {
            source: `payment:${paymentId}:settled`,
            kind: "paid",
            money: { cents: 5022, currency: "USD" },
            changedMs: 7 * DAY_MS,
          },
        ],
      },
    ]);
    expect(at.rows(`SELECT * FROM service_news`)).toEqual([]);
    expect(at.lines("info", "payments.changed")).toEqual([
      { paymentId, driverId: DRIVER, from: "open", to: "settled" },
    ]);
  });

  it("answers with the row as it is stored, without the entries of the ledgers", async () => {
    at.bank.pay("pi_2");
    const first = await settle();
    const again = await settle();
    expect(again?.payment).toEqual({ ...first?.payment, receiptNumber: 1 });
  });

  it("that lacks nothing stores its event alone, and tells nobody", async () => {
    expect(await settle({ ...EVENT, type: "payment_intent.created" })).toMatchObject({
      payment: { status: "open", revision: 2 },
    });
    expect(await settle(null)).toMatchObject({ payment: { status: "open" } });
    expect(events()).toEqual([{ ...STORED_EVENT, type: "payment_intent.created" }]);
    expect(at.told).toEqual([]);
    expect(at.log).not.toHaveBeenCalled();
  });

  it("that is with the bank is written, and told nobody", async () => {
    at.bank.change("pi_2", { status: "processing" });
    expect(await settle()).toMatchObject({ payment: { status: "processing" } });
    expect(at.told).toEqual([]);
  });

  it("with a row that was written during the fetch is checked again", async () => {
    at.bank.pay("pi_2");
    at.bank.during("fetchIntent", () => at.run(`UPDATE payments SET revision = revision + 1`));
    expect(await settle()).toMatchObject({ payment: { status: "settled", revision: 4 } });
    expect(at.bank.count("fetchIntent")).toBe(2);
  });

  it("with a row that others write in every round fails, to be repeated", async () => {
    at.bank.pay("pi_2");
    const write = () => at.run(`UPDATE payments SET revision = revision + 1`);
    at.bank.during("fetchIntent", ...Array.from({ length: 9 }, () => write));
    await expect(settle()).rejects.toThrow("a payment was written by others in every round");
    expect(at.bank.count("fetchIntent")).toBe(8);
    expect(events()).toEqual([]);
  });

  it("with an intent that isn't stored yet is found by the payment that it names", async () => {
    at.run(`UPDATE payments SET intent_id = NULL`);
    at.bank.pay("pi_2");
    expect(await settle()).toMatchObject({ payment: { id: paymentId, intentId: "pi_2", status: "settled" } });
    expect(at.payment()).toMatchObject({ intent_id: "pi_2", status: "settled" });
  });

  it("that the bank no longer knows is abandoned; its points come back", async () => {
    at.bank.during("fetchIntent", refuse({ missing: "intent" }));
    expect(await settle(null)).toMatchObject({
      payment: { status: "abandoned", intentId: "pi_2" },
      card: { intentId: "pi_2", status: "canceled", clientSecret: null, refunds: [] },
    });
    expect(at.log).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["gives no reply", losePath()],
    ["refuses for another reason", refuse()],
    ["breaks off for a reason of our own", () => Promise.reject(new TypeError("ours"))],
  ])("stays as it is where the bank %s", async (_name, failure) => {
    at.bank.during("fetchIntent", failure);
    await expect(settle()).rejects.toThrow();
    expect(at.payment()).toMatchObject({ status: "open" });
    expect(events()).toEqual([]);
  });
});

describe("money that is not what we asked for", () => {
  it.each([
    ["another amount", { cents: 5021 }],
    ["another currency", { currency: "EUR" }],
    ["another payment", { paymentId: "other" }],
  ])("%s gives no service, and is an alert until it is given back", async (_name, change) => {
    at.bank.pay("pi_2", { ...change, clientSecret: "secret" });
    expect(await settle()).toMatchObject({
      payment: { status: "open" },
      card: { status: "open", clientSecret: null },
    });
    const open = { kind: "mismatch", intent_id: "pi_2", payment_id: paymentId, at: NOW, resolved_at: null };
    expect(alerts()).toEqual([open]);
    expect(events()).toEqual([STORED_EVENT]);
    const { cents, currency, paymentId: namedPaymentId } = at.bank.last;
    expect(at.log.mock.calls).toEqual([
      [
        "error",
        "payments.intent.mismatch",
        {
          intentId: "pi_2",
          paymentId,
          driverId: DRIVER,
          status: "succeeded",
          cents,
          expectedCents: 5022,
          currency,
          expectedCurrency: "USD",
          namedPaymentId,
        },
      ],
    ]);
    at.bank.change("pi_2", { refunds: [refund(cents - 1), refund(cents, false)] });
    await settle(null);
    expect(alerts()).toEqual([open]);
    at.clock.now = NOW + 1;
    at.bank.change("pi_2", { refunds: [refund(cents - 1), refund(1)] });
    await settle(null);
    expect(alerts()).toEqual([{ ...open, resolved_at: NOW + 1 }]);
    expect(events()).toHaveLength(1);
    // Nobody can pay it any more, and its driver can pay anew.
    expect(at.payment()).toMatchObject({ status: "abandoned" });
    expect(await prepareWeek(at)).not.toBe(paymentId);
  });

  it("holds up no other payment once its intent is canceled", async () => {
    at.bank.change("pi_2", { cents: 1, status: "canceled" });
    expect(await settle(null)).toMatchObject({ payment: { status: "abandoned" } });
    expect(await prepareWeek(at)).not.toBe(paymentId);
  });

  it("is no alert before it is paid", async () => {
    at.bank.change("pi_2", { cents: 1 });
    await settle(null);
    expect(alerts()).toEqual([]);
  });

  it("resolves the alert where it is what we asked for after all", async () => {
    at.bank.pay("pi_2", { cents: 1 });
    await settle();
    at.bank.change("pi_2", { cents: 5022 });
    await settle(null);
    expect(at.payment()).toMatchObject({ status: "settled" });
    expect(alerts()).toMatchObject([{ resolved_at: NOW }]);
  });

  it("stays an alert while the payment is only processing", async () => {
    at.bank.pay("pi_2", { cents: 1 });
    await settle();
    at.bank.change("pi_2", { cents: 5022, status: "processing" });
    await settle(null);
    expect(alerts()).toMatchObject([{ resolved_at: null }]);
  });

  it.each([
    ["a payment that is not ours", "gone", "pi_2"],
    ["no payment", null, "pi_2"],
  ])("that names %s gives no service", async (_name, named, intentId) => {
    at.run(`DELETE FROM payments`);
    at.bank.pay(intentId, { paymentId: named });
    expect(await settle()).toBeNull();
    const alert = {
      kind: named === null ? "unknown_intent" : "unknown_payment",
      intent_id: "pi_2",
      payment_id: named,
      at: NOW,
      resolved_at: null,
    };
    expect(alerts()).toEqual([alert]);
    expect(events()).toEqual([STORED_EVENT]);
    expect(at.lines("warn", "payments.intent.unknown")).toEqual([{ intentId: "pi_2", status: "succeeded" }]);
    expect(await settle(null)).toBeNull();
    expect(events()).toHaveLength(1);
  });

  it("can't be looked up where neither side knows it", async () => {
    at.run(`DELETE FROM payments`);
    at.bank.during("fetchIntent", refuse({ missing: "intent" }));
    await expect(settle()).rejects.toMatchObject({ missing: "intent" });
  });
});

describe("a payment of a deleted account", () => {
  beforeEach(() => at.run(`UPDATE payments SET orphaned_at = 1`));

  it("that was charged is given back, once", async () => {
    at.bank.pay("pi_2");
    expect(await settle()).toMatchObject({ payment: { status: "refunded", refundedCents: 5022 } });
    expect(at.bank.asked.filter(([name]) => name === "refundIntent")).toEqual([
      ["refundIntent", "pi_2", `refund:${paymentId}:orphaned`],
    ]);
    expect(at.payment()).toMatchObject({ status: "refunded" });
    await settle(null);
    expect(at.bank.count("refundIntent")).toBe(1);
  });

  it("that was not charged is not", async () => {
    await settle(null);
    at.bank.change("pi_2", { status: "canceled" });
    await settle(null);
    expect(at.bank.count("refundIntent")).toBe(0);
  });

  it("is an alert where the bank refuses, and is tried again where it can't be reached", async () => {
    at.bank.pay("pi_2");
    at.bank.during("refundIntent", losePath(), refuse());
    await expect(settle()).rejects.toMatchObject({ kind: "unreachable" });
    expect(alerts()).toEqual([]);
    expect(await settle(null)).toMatchObject({ payment: { status: "settled" } });
    expect(alerts()).toEqual([
      { kind: "unrefunded", intent_id: "pi_2", payment_id: paymentId, at: NOW, resolved_at: null },
    ]);
    at.bank.during("refundIntent", () => Promise.reject(new TypeError("ours")));
    await expect(settle(null)).rejects.toThrow("ours");
    expect(alerts()).toHaveLength(1);
  });

  it("is an alert where the bank takes the refund first and fails it later, until the money is back", async () => {
    at.bank.pay("pi_2");
    await settle();
    expect(alerts()).toEqual([]);
    at.bank.change("pi_2", { refunds: [{ ...refund(5022), isEffective: false }] });
    expect(await settle(null)).toMatchObject({ payment: { status: "settled", refundedCents: 0 } });
    const open = { kind: "unrefunded", intent_id: "pi_2", payment_id: paymentId, at: NOW, resolved_at: null };
    expect(alerts()).toEqual([open]);
    await settle(null);
    expect(alerts()).toEqual([open]);
    const again = { ...refund(5022), id: "re_again" };
    at.bank.change("pi_2", { refunds: [{ ...refund(5022), isEffective: false }, again] });
    await settle(null);
    expect(alerts()).toEqual([{ ...open, resolved_at: NOW }]);
  });

  it("of an account that is still there is kept", async () => {
    at.run(`UPDATE payments SET orphaned_at = NULL`);
    at.bank.pay("pi_2");
    expect(await settle()).toMatchObject({ payment: { status: "settled" } });
    expect(at.bank.count("refundIntent")).toBe(0);
  });
});

describe("a friend's payment", () => {
  const INVITER = driverIdShape.parse("11111111-1111-4111-8111-111111111111");
  const FRIENDS_NEWS = { kind: "friend_paid", money: null };

  it("reaches the inviter's object too", async () => {
    at.addDriver(INVITER);
    at.run(
      `INSERT INTO invitations (id, inviter_id, friend_id, has_trial, revocations, created_at) VALUES ('i', ?, ?, 0, 0, 1)`,
      INVITER,
      DRIVER,
    );
    at.bank.pay("pi_2");
    await settle();
    expect(at.told.map(({ owner }) => owner)).toEqual([DRIVER, INVITER]);
    expect(at.told[1]).toMatchObject({
      name: `enam:${INVITER}`,
      serviceUntil: NOW + 7 * DAY_MS,
      changes: [FRIENDS_NEWS],
    });
  });
});

describe("the driver's object", () => {
  it("that is down hears of it a minute later", async () => {
    at.object.isDown = true;
    at.bank.pay("pi_2");
    expect(await settle()).toMatchObject({ payment: { status: "settled" } });
    expect(at.lines("warn", "payments.deliver.failed")).toMatchObject([{ driverId: DRIVER, error: "Error" }]);
    at.object.isDown = false;
    at.clock.now = NOW + 60_000;
    await deliverPendingChanges(at.checkout);
    expect(at.told).toEqual([]);
    at.clock.now += 1;
    await deliverPendingChanges(at.checkout);
    expect(at.told).toHaveLength(1);
    await deliverPendingChanges(at.checkout);
    expect(at.told).toHaveLength(1);
  });

  it("gets a link with the news of a consent, and with no other", async () => {
    for (const [source, kind] of [
      ["consent:6f0c6f6e-5f0e-4c0c-9d56-0123456789ab", "renewal_on"],
      ["payment:6f0c6f6e-5f0e-4c0c-9d56-0123456789ac", "paid"],
    ] as const)
      at.run(
        `INSERT INTO service_news (source, driver_id, kind, at) VALUES (?, ?, ?, 1)`,
        source,
        DRIVER,
        kind,
      );
    await deliverServiceChanges(at.checkout, DRIVER);
    const changes = at.told.flatMap((told) => told.changes);
    expect(changes.map((change) => [change.kind, "link" in change])).toEqual([
      ["renewal_on", true],
      ["paid", false],
    ]);
  });

  it("that is down keeps no other driver's from hearing", async () => {
    const OTHER = driverIdShape.parse("11111111-1111-4111-8111-111111111111");
    at.addDriver(OTHER);
    for (const id of [DRIVER, OTHER])
      at.run(`INSERT INTO service_news (source, driver_id, kind, at) VALUES (?, ?, 'paid', 1)`, id, id);
    await deliverPendingChanges(at.checkout);
    expect(at.told.map(({ owner }) => owner).toSorted()).toEqual([OTHER, DRIVER].toSorted());
  });

  it("of a driver who is gone hears nothing, and nothing is kept for it", async () => {
    at.bank.pay("pi_2");
    at.run(`DELETE FROM users`);
    await settle();
    expect(at.told).toEqual([]);
    expect(at.rows(`SELECT * FROM service_news`)).toEqual([]);
    expect(at.lines("warn", "payments.deliver.failed")).toEqual([]);
  });

  it("hears the end of service where there is nothing else to tell", async () => {
    await deliverServiceChanges(at.checkout, DRIVER);
    expect(at.told).toMatchObject([{ owner: DRIVER, serviceUntil: null, changes: [] }]);
  });
});
