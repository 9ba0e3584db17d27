import { beforeEach, describe, expect, it } from "vitest";
import { driverId } from "../../../db/shapes/units.ts";
import { runLeasedRenewals } from "../../../worker/payments/renewals/renewals.ts";
import { settleIntent } from "../../../worker/payments/settle-intent.ts";
import {
  DAY_MS,
  DRIVER,
  HOUR_MS,
  losePath,
  MINUTE_MS,
  NOW,
  prepareWeek,
  refuse,
  type Checkout,
} from "../checkout-harness.ts";
import { CARD, CHARGE_AT, END, NOTICE_AT, openRenewedWeek, renewalsOf } from "../renewals-harness.ts";

const FRIEND = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a02");

let at: Checkout;
beforeEach(async () => {
  at = await openRenewedWeek();
});
const { look, lookAt, comeToCharge, confirmNotices, renewal, consent, charged, news, asked, change, paused } =
  renewalsOf(() => at);

describe("a renewal", () => {
  it("waits for the notice, tells what it will cost and when, and is charged then", async () => {
    await lookAt(NOW);
    expect(renewal()).toMatchObject({ due_at: NOTICE_AT, tries: 0, noticed_end: null });
    expect(at.told).toEqual([]);
    await lookAt(NOTICE_AT);
    expect(renewal()).toMatchObject({
      status: "on",
      noticed_end: END,
      noticed_at: NOTICE_AT,
      noticed_cents: 5022,
      due_at: NOTICE_AT + 5 * MINUTE_MS,
      tries: 0,
    });
    confirmNotices();
    expect(news()).toEqual([
      {
        source: `renewal:${consent()}:${END}:ahead:5022`,
        kind: "renewal_ahead",
        money: { cents: 5022, currency: "USD" },
        changedMs: 7 * DAY_MS,
        chargeAt: CHARGE_AT,
      },
    ]);
    expect(asked("createIntent")).toHaveLength(1);
    await lookAt(CHARGE_AT);
    const id = `${consent()}-${END.toString(36)}`;
    expect(at.payment(id)).toMatchObject({
      status: "settled",
      plan: "7days",
      total_cents: 5022,
      renewal_of: consent(),
      renewal_cap_cents: null,
      created_at: CHARGE_AT,
    });
    expect(asked("createIntent")[1]).toEqual([
      "createIntent",
      id,
      { customerId: "cus_1", language: "en", receiptEmail: null },
    ]);
    expect(asked("confirmWithoutDriver")).toEqual([["confirmWithoutDriver", "pi_3", "pm_1", `renew:${id}`]]);
    expect(asked("cancelIntent")).toEqual([]);
    // It is on for the next week, without a notice so far.
    expect(renewal()).toMatchObject({ status: "on", tries: 0, due_at: CHARGE_AT });
    await look();
    expect(renewal()).toMatchObject({ due_at: NOTICE_AT + 7 * DAY_MS });
    expect(charged()).toEqual(["settled"]);
  });

  it.each([
    ["by itself", () => look()],
    [
      "with others",
      () =>
        runLeasedRenewals(at.checkout, {
          kind: "renew",
          version: 1,
          id: "renew:1",
          dueAt: 0,
          drivers: [{ driverId: DRIVER, revision: Number(renewal()?.["revision"]) }],
        }),
    ],
  ])("shows the card that will be charged from its notice on, %s", async (_how, lookForNotice) => {
    await lookAt(NOW);
    // The bank gave the driver another card, which Stripe put in the place of the former.
    at.bank.cards = [{ ...CARD, brand: "mastercard", last4: "4444" }];
    at.clock.now = NOTICE_AT;
    await lookForNotice();
    expect(renewal()).toMatchObject({ noticed_end: END, method_brand: "mastercard", method_last4: "4444" });
  });

  it("is charged once, however many look at once", async () => {
    await comeToCharge();
    await Promise.all([look(), look(), look()]);
    expect(at.lines("warn", "payments.renewal.failed")).toEqual([]);
    expect(charged()).toEqual(["settled"]);
    expect(asked("confirmWithoutDriver")).toHaveLength(1);
  });

  it("holds still in the driver's quiet hours, a quarter of an hour at a time", async () => {
    const quietHours = { fromMinute: 0, toMinute: 1439 };
    await lookAt(NOW);
    change(`users SET notifications = ?`, JSON.stringify({ ...PREFERENCES, quietHours }));
    await lookAt(NOTICE_AT);
    expect(renewal()).toMatchObject({ due_at: NOTICE_AT + 15 * MINUTE_MS, noticed_end: null });
  });
  const channels = { text: true, push: true };
  const PREFERENCES = { capture: channels, won: channels, service: channels, needs_you: channels };

  it("stops looking at what is gone", async () => {
    change(`users SET id = 'gone'`);
    await lookAt(NOW);
    expect(renewal()).toMatchObject({ due_at: NOW + 5 * MINUTE_MS });
    expect(at.log).not.toHaveBeenCalled();
  });

  it("that can't be checked is checked again, later each time, and keeps no other from it", async () => {
    await comeToCharge();
    at.bank.during("listSavedCards", losePath(), losePath());
    await look();
    expect(at.lines("warn", "payments.renewal.failed")).toMatchObject([
      { driverId: DRIVER, kind: "unreachable" },
    ]);
    expect(renewal()).toMatchObject({ due_at: CHARGE_AT + 5 * MINUTE_MS, tries: 1 });
    await lookAt(CHARGE_AT + 5 * MINUTE_MS);
    expect(renewal()).toMatchObject({ due_at: CHARGE_AT + 15 * MINUTE_MS, tries: 2 });
    await lookAt(CHARGE_AT + 15 * MINUTE_MS);
    expect(charged()).toEqual(["settled"]);
  });

  it("takes twenty in a minute", async () => {
    const column = `plan, cap_cents, currency, consent_id, method_id, method, due_at, tries, revision`;
    at.run(
      `INSERT INTO renewals (driver_id, status, ${column}) SELECT j.value, 'on', plan, cap_cents, currency, consent_id, method_id, method, 1, 0, 1 FROM renewals, json_each(?) j`,
      JSON.stringify(Array.from({ length: 21 }, (_one, index) => `d${index}`)),
    );
    await lookAt(NOW);
    expect(at.rows(`SELECT count(*) AS left FROM renewals WHERE due_at = 1`)).toEqual([{ left: 1 }]);
  });
});

describe("a renewal pauses", () => {
  it.each([
    ["the plan is not sold any more", `renewals SET plan = '1day'`, "plan_gone", null],
    ["it costs more than was agreed to", `renewals SET cap_cents = 5021`, "over_cap", 5022],
    ["it is in another currency", `renewals SET currency = 'EUR'`, "over_cap", 5022],
    ["the card is another", `renewals SET method_id = 'pm_2'`, "method_gone", null],
  ])("and says so once where %s", async (_name, sql, pause, cents) => {
    await lookAt(NOW);
    change(sql);
    await lookAt(NOTICE_AT);
    paused(pause);
    const { revision, currency } = Object(renewal());
    expect(news()).toMatchObject([
      {
        source: `renewal:${consent()}:${revision - 1}:${pause}`,
        kind: `renewal_${pause}`,
        money: cents === null ? null : { cents, currency },
      },
    ]);
    expect(at.lines("info", "payments.renewal.paused")).toEqual([
      { driverId: DRIVER, consentId: consent(), reason: pause },
    ]);
    await lookAt(END);
    expect(news()).toHaveLength(1);
    expect(charged()).toEqual([]);
  });

  it("where the card has expired, and not in its last month", async () => {
    at.bank.cards = [{ ...CARD, expMonth: 11, expYear: 2026 }];
    await lookAt(NOW);
    await lookAt(NOTICE_AT);
    expect(renewal()).toMatchObject({ status: "on", noticed_end: END });
    confirmNotices();
    at.bank.cards = [{ ...CARD, expMonth: 10, expYear: 2026 }];
    await lookAt(CHARGE_AT);
    paused("method_gone");
  });

  it.each([
    ["off", { switched_on: 0 }, "polling"],
    ["waiting for a spot", { waiting_for_spot: 1 }, "polling"],
    ["not linked", {}, "needs_link"],
    ["off at the object", {}, "off"],
  ])("where service ends while the driver is %s, and charges nothing", async (_name, user, phase) => {
    await comeToCharge();
    for (const [column, value] of Object.entries(user)) change(`users SET ${column} = ?`, value);
    at.object.phase = phase;
    await look();
    expect(renewal()).toMatchObject({ status: "on", due_at: CHARGE_AT + 30 * MINUTE_MS, tries: 0 });
    await lookAt(END);
    paused("not_served");
    expect(charged()).toEqual([]);
  });

  it("where service ended before it could be charged", async () => {
    await comeToCharge();
    await lookAt(END);
    paused("failed");
    expect(charged()).toEqual([]);
  });

  it.each([
    ["declines", { failure: "card_declined" }, "declined"],
    ["asks for the driver", { failure: "authentication_required" }, "needs_bank"],
    ["says nothing", {}, "failed"],
  ])("where the bank %s, and calls the charge off", async (_name, failed, pause) => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", () => {
      at.bank.change("pi_3", failed);
      refuse()();
    });
    await look();
    paused(pause);
    expect(charged()).toEqual(["abandoned"]);
    expect(at.bank.last.status).toBe("canceled");
    expect(news().at(-1)).toMatchObject({ kind: `renewal_${pause}`, money: { cents: 5022 } });
  });

  it("where there is no customer any more", async () => {
    await comeToCharge();
    at.bank.during("listSavedCards", () => at.run(`DELETE FROM stripe_customers`));
    await look();
    paused("failed");
    expect(charged()).toEqual(["abandoned"]);
    expect(asked("createIntent")).toHaveLength(1);
  });

  it.each([
    ["refuses the charge", refuse()],
    ["keeps a failure under its key", losePath({ isReplayed: true })],
  ])("where the bank %s before there is one", async (_name, failure) => {
    await comeToCharge();
    at.bank.during("createIntent", failure);
    await look();
    paused("failed");
    expect(charged()).toEqual(["abandoned"]);
  });
});

it("is put off by the days that a friend's payment brings", async () => {
  at.addDriver(FRIEND);
  at.run(
    `INSERT INTO invitations (id, inviter_id, friend_id, has_trial, revocations, created_at) VALUES ('i', ?, ?, 0, 0, 1)`,
    DRIVER,
    FRIEND,
  );
  await prepareWeek(at, { driverId: FRIEND });
  const { intentId } = at.bank.last;
  at.bank.pay(intentId, { fingerprint: "print_2" });
  await settleIntent(at.checkout, intentId);
  await lookAt(NOTICE_AT);
  await lookAt(CHARGE_AT);
  expect(charged()).toEqual([]);
  expect(renewal()).toMatchObject({ status: "on", due_at: NOTICE_AT + 7 * DAY_MS });
});

describe("the price of a renewal", () => {
  const raise = (cents: number) =>
    at.run(
      `INSERT INTO plans (id, plan, price_cents, valid_from) VALUES ('7days-2', '7days', ?, ?)`,
      cents,
      at.clock.now,
    );

  it("is announced anew where it has risen under the cap since its notice", async () => {
    change(`renewals SET cap_cents = 9000`);
    await comeToCharge();
    raise(5500);
    await look();
    expect(renewal()).toMatchObject({ status: "on", noticed_end: null, due_at: CHARGE_AT });
    expect(charged()).toEqual([]);
    await look();
    const chargeAt = CHARGE_AT + 12 * HOUR_MS;
    expect(renewal()).toMatchObject({ noticed_end: END, noticed_cents: 5539 });
    confirmNotices();
    await lookAt(chargeAt - 1);
    expect(charged()).toEqual([]);
    await lookAt(chargeAt);
    expect(charged()).toEqual(["settled"]);
    expect(news().map(({ kind }) => kind)).toEqual(["renewal_ahead", "renewal_ahead", "paid"]);
  });

  it("is the lower one where it has fallen", async () => {
    await comeToCharge();
    raise(4000);
    await look();
    expect(at.rows(`SELECT total_cents FROM payments WHERE renewal_of IS NOT NULL`)).toEqual([
      { total_cents: 4028 },
    ]);
  });

  it("spends no points", async () => {
    at.givePoints(700);
    await comeToCharge();
    await look();
    expect(at.rows(`SELECT points, total_cents FROM payments WHERE renewal_of IS NOT NULL`)).toEqual([
      { points: 0, total_cents: 5022 },
    ]);
  });
});
