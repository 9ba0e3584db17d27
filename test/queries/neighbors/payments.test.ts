import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Db } from "../../../db/client.ts";
import { beginClosing, unmarkPayment } from "../../../db/queries/payments/closing.ts";
import { loadDiscounts } from "../../../db/queries/payments/discounts.ts";
import { countPaymentLook, loadDeclines } from "../../../db/queries/payments/limits.ts";
import { listLostDays, storeLostDay } from "../../../db/queries/payments/lost-days.ts";
import { loadMoneyBack } from "../../../db/queries/payments/money-back.ts";
import { attachFirstIntent } from "../../../db/queries/payments/new-payments.ts";
import { beginPause, endPause, loadPauseStatus } from "../../../db/queries/payments/pauses.ts";
import {
  hasSettledPayments,
  listDriverPayments,
  listSettledPayments,
  loadCustomerId,
  loadLastPayment,
  loadPayment,
  loadPaymentInProgress,
  loadStoredPayment,
} from "../../../db/queries/payments/payments.ts";
import { listRaffleEntries } from "../../../db/queries/payments/raffles.ts";
import { loadConsentOfPayment, withdrawConsent } from "../../../db/queries/payments/renewal-consents.ts";
import { isRenewalCardReported } from "../../../db/queries/payments/renewal-guards.ts";
import {
  claimRenewal,
  loadRenewal,
  storeRenewal,
  turnRenewalOff,
  turnRenewalOn,
  wakeRenewal,
} from "../../../db/queries/payments/renewals.ts";
import { loadChangedDriver } from "../../../db/queries/payments/service-changes.ts";
import { DAY_MS, HOUR_MS, type DriverId } from "../../../db/shapes/units.ts";
import {
  NEIGHBOR,
  NOW,
  OWNER,
  consentOf,
  expectForeign,
  expectNoChange,
  expectOwnChange,
  expectOwnRead,
  only,
  openPaymentOf,
  paymentOf,
  type Furnish,
} from "./house.ts";

const due = { now: NOW, until: NOW + HOUR_MS };
const agreed = { driverId: OWNER, plan: "7days", capCents: 5022 } as const;
const limit = { most: 0, windowMs: HOUR_MS };
const pause = { until: null, latest: null, count: 0, pausesLeft: 4, daysLeft: 14 };
const lost = {
  driverId: OWNER,
  lostMs: 3 * HOUR_MS,
  day: { from: NOW - DAY_MS, to: NOW },
  fromMs: HOUR_MS,
  now: NOW,
};
const loseDay = (db: Db, date: string) => storeLostDay(db, { ...lost, date });

/** The card of each renewal has a report of its own. */
const reported: Furnish = ({ add, run }, id) => {
  run(`UPDATE renewals SET method_id = ?, method_fingerprint = ? WHERE driver_id = ?`, id, id, id);
  add("card_reports", { id: `report of ${id}`, payment_id: paymentOf(id), kind: "warning", fingerprint: id });
};
const paused: Furnish = ({ run }, id) =>
  run(`UPDATE renewals SET status = 'paused', pause = 'declined' WHERE driver_id = ?`, id);
/** In another city's line. */
const waiting: Furnish = only(NEIGHBOR, ({ run }) => {
  run(`UPDATE users SET waiting_for_spot = 1 WHERE id = ?`, NEIGHBOR);
  run(`UPDATE spots SET status = 'waiting', city = 'another' WHERE driver_id = ?`, NEIGHBOR);
});
const waitsForSpot: Furnish = only(OWNER, ({ run }) =>
  run(`UPDATE users SET waiting_for_spot = 1 WHERE id = ?`, OWNER),
);
const inPause: Furnish = ({ add }, id) =>
  add("service_credits", { source: `pause:${id}:1`, driver_id: id, duration_ms: DAY_MS, at: NOW - HOUR_MS });
/** Without the rows of a table. */
const without =
  (table: string, whose: DriverId): Furnish =>
  ({ run }, id) =>
    id === whose && run(`DELETE FROM ${table} WHERE driver_id = ?`, id);

describe("a driver beside a neighbor reads of the own money alone", () => {
  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    ["declined cards", (db) => loadDeclines(db, OWNER, { since: 0, limit: 9 })],
    ["money that went back", async (db) => [...(await loadMoneyBack(db, OWNER, [paymentOf(OWNER)]))]],
    ["the payment in progress", (db) => loadPaymentInProgress(db, OWNER)],
    ["payments that went through", (db) => listSettledPayments(db, OWNER)],
    ["the latest of them", (db) => loadLastPayment(db, OWNER)],
    ["whether any did", (db) => hasSettledPayments(db, OWNER)],
    ["a page of payments", (db) => listDriverPayments(db, OWNER, { before: null, limit: 9 })],
    ["a further page", (db) => listDriverPayments(db, OWNER, { before: { at: NOW + 1, id: "" }, limit: 9 })],
    ["the customer", (db) => loadCustomerId(db, OWNER)],
    ["prices", (db) => loadDiscounts(db, { driverId: OWNER, currency: "USD", now: NOW })],
    ["entries in raffles", (db) => listRaffleEntries(db, OWNER, NOW)],
    ["the renewal", (db) => loadRenewal(db, OWNER)],
    ["whether its card was reported", (db) => isRenewalCardReported(db, OWNER), reported],
    [
      "the consent of a payment",
      (db) => loadConsentOfPayment(db, { driverId: OWNER, paymentId: paymentOf(OWNER) }),
    ],
    ["service changes and the record", (db) => loadChangedDriver(db, OWNER)],
    ["lost days", (db) => listLostDays(db, OWNER)],
    [
      "whether a lost day is stored",
      (db) => loseDay(db, "2026-11-20").catch((error: unknown) => String(error)),
    ],
    ["the pause", (db) => loadPauseStatus(db, OWNER, NOW), inPause],
    [
      "whether a pause is possible, which the neighbor waits for",
      (db) => loadPauseStatus(db, OWNER, NOW),
      waiting,
    ],
    [
      "points of a refund, where a neighbor's entry names it",
      async (db) => [...(await loadMoneyBack(db, OWNER, [paymentOf(OWNER)]))],
      only(NEIGHBOR, ({ add }) => {
        const source = `payment:${paymentOf(OWNER)}:refund of ${OWNER}`;
        add("point_entries", { source, driver_id: NEIGHBOR, points: -10 });
      }),
    ],
  ])("%s", async (_what, read, furnish) => {
    expect.hasAssertions();
    await expectOwnRead(read, furnish);
  });
});

describe("a driver beside a neighbor changes the own money alone", () => {
  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    ["has the renewal looked at", (db) => claimRenewal(db, OWNER, due)],
    [
      "has the renewal's look stored",
      async (db) => {
        const renewal = await loadRenewal(db, OWNER);
        return renewal && storeRenewal(db, renewal, { change: { tries: 0 }, news: null, now: NOW });
      },
    ],
    ["turns the renewal off", (db) => turnRenewalOff(db, OWNER, NOW)],
    ["turns the renewal on", (db) => turnRenewalOn(db, agreed, { words: 1, now: NOW }), paused],
    [
      "turns the renewal off by a link",
      (db) => withdrawConsent(db, { id: consentOf(OWNER), driverId: OWNER }, NOW),
    ],
    ["has the end of service moved", async (db) => wakeRenewal(db, OWNER, { now: NOW, where: sql`1` })],
    ["pauses", (db) => beginPause(db, OWNER, { days: 2, time: pause, now: NOW })],
    [
      "pauses, where the neighbor's ledger is ahead",
      (db) => beginPause(db, OWNER, { days: 2, time: pause, now: NOW }),
      only(NEIGHBOR, ({ add }) =>
        add("service_credits", { source: "later", driver_id: NEIGHBOR, duration_ms: DAY_MS, at: NOW + 1 }),
      ),
    ],
    [
      "ends a pause",
      (db) => {
        const running = { latest: `pause:${OWNER}:1`, until: NOW + 23 * HOUR_MS };
        return endPause(db, OWNER, { pause: running, now: NOW });
      },
      inPause,
    ],
    ["gets a lost day back", (db) => loseDay(db, "2026-11-21").catch((error: unknown) => String(error))],
    ["leaves", (db) => beginClosing(db, OWNER, NOW)],
    [
      "stays after all",
      (db) => unmarkPayment(db, OWNER),
      ({ run }) => run(`UPDATE payments SET orphaned_at = 1, intent_id = id WHERE status = 'open'`),
    ],
    [
      "gets a first customer",
      (db) =>
        attachFirstIntent(
          db,
          { id: openPaymentOf(OWNER), driverId: OWNER },
          { intentId: `open intent of ${OWNER}`, customerId: "customer" },
        ),
      without("stripe_customers", OWNER),
    ],
  ])("%s", async (_what, act, furnish) => {
    expect.hasAssertions();
    await expectOwnChange(act, furnish);
  });
});

describe("a driver changes nothing where only a neighbor", () => {
  it.each<[string, Parameters<typeof expectNoChange>[0], Furnish]>([
    [
      "has a spot, and may pause",
      (db) => beginPause(db, OWNER, { days: 2, time: pause, now: NOW }),
      waitsForSpot,
    ],
    [
      "gets this lost day back",
      (db) => loseDay(db, "2026-11-20").catch((error: unknown) => String(error)),
      only(NEIGHBOR, ({ run }) =>
        run(`UPDATE lost_days SET at = ?, given_ms = 1 WHERE driver_id = ?`, NOW, NEIGHBOR),
      ),
    ],
    [
      "has the renewal as it was read",
      async (db) => {
        const renewal = await loadRenewal(db, OWNER);
        const news = { source: "new", kind: "renewal_ahead", money: null, changedMs: null } as const;
        const save = { change: { tries: 0 }, news, now: NOW };
        return renewal && storeRenewal(db, { ...renewal, revision: 1 }, save);
      },
      only(OWNER, ({ run }) => run(`UPDATE renewals SET revision = 2 WHERE driver_id = ?`, OWNER)),
    ],
    [
      "has the customer of a payment",
      (db) => {
        const intent = { intentId: `open intent of ${OWNER}`, customerId: "customer" };
        return attachFirstIntent(db, { id: openPaymentOf(OWNER), driverId: OWNER }, intent);
      },
      ({ run }, id) => {
        if (id === OWNER) run(`UPDATE payments SET intent_id = NULL WHERE id = ?`, openPaymentOf(id));
        else run(`UPDATE stripe_customers SET customer_id = 'customer' WHERE driver_id = ?`, id);
      },
    ],
  ])("%s", async (_what, act, furnish) => {
    expect.hasAssertions();
    await expectNoChange(act, furnish);
  });
});

describe("a driver comes to nothing with a neighbor's", () => {
  it.each<[string, (db: Db, id: DriverId) => Promise<unknown>, Furnish?]>([
    ["payment", (db, id) => loadPayment(db, { driverId: id, id: paymentOf(NEIGHBOR) })],
    ["payment and its ledger", (db, id) => loadStoredPayment(db, { driverId: id, id: paymentOf(NEIGHBOR) })],
    [
      "payment that is looked at",
      (db, id) =>
        countPaymentLook(db, { call: "sync", driverId: id, id: openPaymentOf(NEIGHBOR), limit, now: NOW }),
    ],
    [
      "consent of a payment",
      (db, id) => loadConsentOfPayment(db, { driverId: id, paymentId: paymentOf(NEIGHBOR) }),
    ],
    [
      "refund, and the points that it took",
      async (db, id) => [...(await loadMoneyBack(db, id, [paymentOf(NEIGHBOR)]))],
      ({ add }, id) =>
        add("point_entries", {
          source: `payment:${paymentOf(id)}:refund of ${id}`,
          driver_id: id,
          points: -10,
        }),
    ],
    ["consent", (db, id) => withdrawConsent(db, { id: consentOf(NEIGHBOR), driverId: id }, NOW)],
  ])("%s", async (_what, act, furnish) => {
    expect.hasAssertions();
    await expectForeign(act, furnish);
  });
});
