import { beforeEach, describe, expect, it } from "vitest";
import type { StoredCard } from "../../worker/payments/stripe-responses.ts";
import { runDueRenewals } from "../../worker/payments/renewals.ts";
import { loadRenewalState, turnRenewal } from "../../worker/payments/renewal-state.ts";
import { settleIntent } from "../../worker/payments/settle-intent.ts";
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

const CARD: StoredCard = {
  id: "pm_1",
  type: "card",
  brand: "visa",
  last4: "4242",
  expMonth: 12,
  expYear: 2030,
  mayBeShown: false,
};
const END = NOW + 7 * DAY_MS;
const CHARGE_AT = END - 25 * HOUR_MS;
const NOTICE_AT = CHARGE_AT - DAY_MS;

let at: Checkout;
/** A driver who paid for a week, which renews. */
beforeEach(async () => {
  at = openCheckout();
  at.addDriver();
  await prepareWeek(at, { renewal: { capCents: 5022, words: 1 } });
  at.bank.pay("pi_2");
  at.bank.cards = [CARD];
  await settleIntent(at.checkout, "pi_2");
  at.told.length = 0;
  at.log.mockClear();
});

const look = () => runDueRenewals(at.checkout);
const lookAt = async (now: number) => {
  at.clock.now = now;
  await look();
};
/** Told a day ahead, and now at the instant of the charge. */
const comeToCharge = async () => {
  await lookAt(NOW);
  await lookAt(NOTICE_AT);
  at.clock.now = CHARGE_AT;
};
const renewal = () => at.rows(`SELECT * FROM renewals`)[0];
const consent = () => String(renewal()?.["consent_id"]);
/** Payments by renewal. */
const charged = () =>
  at
    .rows(`SELECT status, total_cents FROM payments WHERE renewal_of IS NOT NULL ORDER BY rowid`)
    .map((row) => row["status"]);
const news = () => at.told.flatMap(({ changes }) => changes);
const asked = (name: string) => at.bank.asked.filter(([operation]) => operation === name);
const change = (sql: string, ...values: (string | number | null)[]) => at.run(`UPDATE ${sql}`, ...values);
const paused = (pause: string, at_: Partial<Record<string, unknown>> = {}) =>
  expect(renewal()).toMatchObject({ status: "paused", pause, due_at: null, ...at_ });

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
      due_at: CHARGE_AT,
      tries: 0,
    });
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
    // It is on for the next week, of which nothing was told yet.
    expect(renewal()).toMatchObject({ status: "on", tries: 0, due_at: CHARGE_AT });
    await look();
    expect(renewal()).toMatchObject({ due_at: NOTICE_AT + 7 * DAY_MS });
    expect(charged()).toEqual(["settled"]);
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

  it("that can't be looked at is looked at again, later each time, and keeps no other from it", async () => {
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

describe("the price of a renewal", () => {
  const raise = (cents: number) =>
    at.run(`INSERT INTO plans VALUES ('7days-2', '7days', ?, ?)`, cents, at.clock.now);

  it("is told anew where it has risen under the cap since it was told", async () => {
    change(`renewals SET cap_cents = 9000`);
    await comeToCharge();
    raise(5500);
    await look();
    expect(renewal()).toMatchObject({ status: "on", noticed_end: null, due_at: CHARGE_AT });
    expect(charged()).toEqual([]);
    await look();
    const chargeAt = CHARGE_AT + 12 * HOUR_MS;
    expect(renewal()).toMatchObject({ noticed_end: END, noticed_cents: 5539, due_at: chargeAt });
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

describe("a charge without the driver", () => {
  it("that the bank has is waited for, and not made again", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", () => at.bank.change("pi_3", { status: "processing" }));
    await look();
    expect(renewal()).toMatchObject({ status: "on", due_at: CHARGE_AT + 30 * MINUTE_MS, tries: 0 });
    await lookAt(CHARGE_AT + 30 * MINUTE_MS);
    expect(asked("confirmWithoutDriver")).toHaveLength(1);
    at.bank.pay("pi_3");
    await lookAt(CHARGE_AT + HOUR_MS);
    expect(charged()).toEqual(["settled"]);
    expect(asked("cancelIntent")).toEqual([]);
    expect(renewal()).toMatchObject({ status: "on" });
  });

  it("without a reply is asked again under its key", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", losePath());
    await look();
    expect(charged()).toEqual(["open"]);
    expect(renewal()).toMatchObject({ status: "on", due_at: CHARGE_AT + 5 * MINUTE_MS });
    await lookAt(CHARGE_AT + 5 * MINUTE_MS);
    expect(charged()).toEqual(["settled"]);
    const [first, second] = asked("confirmWithoutDriver");
    expect(second).toEqual(first);
  });

  it("that breaks off for a reason of our own is looked at again", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", () => Promise.reject(new TypeError("ours")));
    await look();
    expect(charged()).toEqual(["open"]);
    expect(at.lines("warn", "payments.renewal.failed")).toMatchObject([{ error: "TypeError" }]);
    await lookAt(CHARGE_AT + 5 * MINUTE_MS);
    expect(charged()).toEqual(["settled"]);
  });

  it("whose reply is lost for good is read from the bank", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", () => {
      at.bank.pay("pi_3");
      losePath({ isReplayed: true })();
    });
    await look();
    expect(charged()).toEqual(["settled"]);
    expect(renewal()).toMatchObject({ status: "on" });
  });

  it("whose intent is lost on its way is asked for under the same payment", async () => {
    await comeToCharge();
    at.bank.during("createIntent", losePath());
    await look();
    expect(charged()).toEqual(["open"]);
    await lookAt(CHARGE_AT + 5 * MINUTE_MS);
    expect(charged()).toEqual(["settled"]);
  });

  it("whose intent breaks off for a reason of our own is tried again", async () => {
    await comeToCharge();
    at.bank.during("createIntent", () => Promise.reject(new TypeError("ours")));
    await look();
    expect(charged()).toEqual(["open"]);
    await lookAt(CHARGE_AT + 5 * MINUTE_MS);
    expect(charged()).toEqual(["settled"]);
  });

  it("is not made where the payment was called off meanwhile", async () => {
    await comeToCharge();
    at.bank.during("createIntent", () =>
      change(`payments SET status = 'abandoned' WHERE renewal_of IS NOT NULL`),
    );
    await look();
    paused("failed");
    expect(at.bank.last.status).toBe("canceled");
    expect(asked("confirmWithoutDriver")).toEqual([]);
  });

  it("that was paid in the moment of calling it off is paid", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", refuse());
    at.bank.during("cancelIntent", () => at.bank.pay("pi_3"));
    await look();
    expect(charged()).toEqual(["settled"]);
    expect(renewal()).toMatchObject({ status: "on" });
  });

  it("that went to the bank in the moment of calling it off is waited for", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", refuse());
    at.bank.during("cancelIntent", () => at.bank.change("pi_3", { status: "processing" }));
    await look();
    expect(charged()).toEqual(["processing"]);
    expect(renewal()).toMatchObject({ status: "on", due_at: CHARGE_AT + 30 * MINUTE_MS });
  });

  it("that is canceled at the bank does not go through", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", losePath());
    await look();
    at.bank.change("pi_3", { status: "canceled" });
    await lookAt(CHARGE_AT + 5 * MINUTE_MS);
    paused("failed");
    expect(asked("confirmWithoutDriver")).toHaveLength(1);
  });

  it("is not made after the driver turned it off", async () => {
    await comeToCharge();
    at.bank.during("createIntent", () => change(`renewals SET status = 'off', due_at = NULL`));
    await look();
    expect(charged()).toEqual(["abandoned"]);
    expect(at.bank.last.status).toBe("canceled");
    expect(asked("confirmWithoutDriver")).toEqual([]);
    expect(renewal()).toMatchObject({ status: "off" });
    expect(at.lines("info", "payments.renewal.paused")).toEqual([]);
  });

  it("is not made where all of the driver's is gone", async () => {
    await comeToCharge();
    at.bank.during("createIntent", () => at.run(`DELETE FROM renewals`));
    await look();
    expect(at.bank.last.status).toBe("canceled");
    expect(asked("confirmWithoutDriver")).toEqual([]);
    expect(at.lines("warn", "payments.renewal.failed")).toEqual([]);
  });

  it("whose payment is gone is looked at by an operator", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", () => {
      at.bank.pay("pi_3");
      at.run(`DELETE FROM payments WHERE renewal_of IS NOT NULL`);
    });
    await look();
    paused("failed");
    expect(at.rows(`SELECT kind FROM payment_alerts`)).toEqual([{ kind: "unknown_payment" }]);
  });

  it("is not made by a consent that was replaced", async () => {
    await comeToCharge();
    at.bank.during("createIntent", () => change(`renewals SET consent_id = 'newer'`));
    await look();
    expect(asked("confirmWithoutDriver")).toEqual([]);
    expect(charged()).toEqual(["abandoned"]);
  });

  it("is not begun where it was turned off while cards were read", async () => {
    await comeToCharge();
    at.bank.during("listSavedCards", () =>
      change(`renewals SET status = 'off', due_at = NULL, revision = revision + 1`),
    );
    await look();
    expect(charged()).toEqual([]);
    expect(renewal()).toMatchObject({ status: "off", due_at: null });
    expect(at.log).not.toHaveBeenCalled();
  });

  it("of an end of service that was tried before is not made again", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", refuse());
    await look();
    change(`renewals SET status = 'on', pause = NULL, due_at = ?`, CHARGE_AT);
    await look();
    paused("failed");
    expect(asked("createIntent")).toHaveLength(2);
  });

  it("of an end of service that was paid for is not made again", async () => {
    await comeToCharge();
    await look();
    // As if the object and the ledger had not heard of it yet.
    at.run(`DELETE FROM service_credits WHERE source LIKE ?`, `payment:${consent()}%`);
    change(`renewals SET noticed_end = ?, noticed_cents = 5022, due_at = ?`, END, CHARGE_AT);
    await look();
    expect(charged()).toEqual(["settled"]);
    expect(renewal()).toMatchObject({ status: "on", due_at: CHARGE_AT, tries: 0 });
  });
});

describe("a payment by hand beside a renewal", () => {
  const openForm = async (ago: number) => {
    at.clock.now = CHARGE_AT - ago;
    const id = await prepareWeek(at);
    at.clock.now = CHARGE_AT;
    return id;
  };

  it("that was begun within half an hour is waited for", async () => {
    await comeToCharge();
    const form = await openForm(30 * MINUTE_MS - 1);
    await look();
    expect(at.payment(form)).toMatchObject({ status: "open" });
    expect(charged()).toEqual([]);
    expect(renewal()).toMatchObject({ status: "on", due_at: CHARGE_AT + 30 * MINUTE_MS, tries: 0 });
  });

  it("that was left is called off first", async () => {
    await comeToCharge();
    const form = await openForm(30 * MINUTE_MS);
    await look();
    expect(at.payment(form)).toMatchObject({ status: "abandoned" });
    expect(at.bank.intents.get("pi_3")?.status).toBe("canceled");
    expect(charged()).toEqual(["settled"]);
  });

  it("that was left without an intent is called off without the bank", async () => {
    await comeToCharge();
    at.clock.now = CHARGE_AT - HOUR_MS;
    at.bank.during("createIntent", losePath());
    await expect(prepareWeek(at)).rejects.toThrow();
    at.clock.now = CHARGE_AT;
    await look();
    expect(charged()).toEqual(["settled"]);
    expect(asked("cancelIntent")).toEqual([]);
  });

  it.each([
    ["the bank has", "processing" as const, "processing"],
    ["was paid in that moment", "succeeded" as const, "settled"],
  ])("that %s is not paid twice", async (_name, status, stored) => {
    await comeToCharge();
    const form = await openForm(HOUR_MS);
    at.bank.during("cancelIntent", () => at.bank.change("pi_3", { status }));
    await look();
    expect(at.payment(form)).toMatchObject({ status: stored });
    expect(charged()).toEqual([]);
  });

  it("that is gone in that moment is waited for", async () => {
    await comeToCharge();
    await openForm(HOUR_MS);
    at.bank.during("cancelIntent", () => at.run(`DELETE FROM payments WHERE intent_id = 'pi_3'`));
    await look();
    expect(renewal()).toMatchObject({ status: "on", due_at: CHARGE_AT + 30 * MINUTE_MS, tries: 0 });
  });

  it("that is known to be with the bank is not called off", async () => {
    await comeToCharge();
    await openForm(HOUR_MS);
    at.bank.change("pi_3", { status: "processing" });
    await settleIntent(at.checkout, "pi_3");
    await look();
    expect(asked("cancelIntent")).toEqual([]);
    expect(renewal()).toMatchObject({ due_at: CHARGE_AT + 30 * MINUTE_MS });
  });

  it("that goes through while cards are read is the only one", async () => {
    await comeToCharge();
    await openForm(HOUR_MS);
    at.bank.pay("pi_3");
    at.bank.during("listSavedCards", async () => {
      await settleIntent(at.checkout, "pi_3");
    });
    await look();
    expect(charged()).toEqual([]);
    expect(renewal()).toMatchObject({ status: "on", due_at: CHARGE_AT + 30 * MINUTE_MS, tries: 0 });
    await lookAt(CHARGE_AT + 30 * MINUTE_MS);
    expect(renewal()).toMatchObject({ status: "on", due_at: NOTICE_AT + 7 * DAY_MS });
    expect(charged()).toEqual([]);
  });
});

describe("a driver's renewal", () => {
  const state = async () => loadRenewalState(at.checkout, await at.driver());
  const turn = async (input: Parameters<typeof turnRenewal>[2]) =>
    turnRenewal(at.checkout, await at.driver(), input);
  const card = { type: "card", brand: "visa", last4: "4242" };
  const on = { on: true, plan: "7days", capCents: 5022, words: 1 } as const;

  it("is shown with its card, its cap and its next charge", async () => {
    const shown = { status: "on", pause: null, plan: "7days", currency: "USD", capCents: 5022, card };
    expect(await state()).toEqual({ ...shown, chargeAt: CHARGE_AT });
    await turn({ on: false });
    expect(await state()).toEqual({ ...shown, status: "off", chargeAt: null });
    change(`renewals SET status = 'paused', pause = 'declined'`);
    expect(await state()).toEqual({ ...shown, status: "paused", pause: "declined", chargeAt: null });
    change(`renewals SET status = 'on'`);
    expect(await state()).toEqual({ ...shown, chargeAt: CHARGE_AT });
    change(`renewals SET plan = '1day'`);
    expect(await state()).toBeNull();
    at.run(`DELETE FROM renewals`);
    expect(await state()).toBeNull();
  });

  it("turned off is off, and on again only for the same plan, cap and words", async () => {
    expect(await turn({ on: false })).toBe(true);
    expect(await turn({ ...on, words: 2 })).toBe(false);
    expect(await turn({ ...on, capCents: 5021 })).toBe(false);
    expect(renewal()).toMatchObject({ status: "off" });
    expect(await turn(on)).toBe(true);
    expect(renewal()).toMatchObject({ status: "on", due_at: NOW });
  });

  it("turned off calls off what is being charged, and nothing by hand", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", losePath());
    await look();
    await turn({ on: false });
    expect(charged()).toEqual(["abandoned"]);
    expect(at.bank.last.status).toBe("canceled");
    await prepareWeek(at);
    await turn({ on: false });
    expect(at.bank.last.status).toBe("open");
  });

  it("turned off calls off what never reached the bank", async () => {
    await comeToCharge();
    at.bank.during("createIntent", losePath());
    await look();
    await turn({ on: false });
    expect(charged()).toEqual(["abandoned"]);
    expect(asked("cancelIntent")).toEqual([]);
  });

  it("turned off needs no keys", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", losePath());
    await look();
    expect(await turnRenewal(at.cardless, await at.driver(), { on: false })).toBe(true);
    expect(renewal()).toMatchObject({ status: "off" });
    expect(charged()).toEqual(["open"]);
  });

  it.each([
    ["abandoned", {}, "paused"],
    ["paid", { status: "succeeded" as const }, "on"],
    ["with the bank", { status: "processing" as const }, "on"],
  ])("whose charge is %s when service ends is %3$s", async (_name, there, status) => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", losePath());
    await look();
    at.bank.change("pi_3", there);
    await lookAt(END);
    expect(renewal()).toMatchObject({ status });
    if (status === "on") expect(renewal()).toMatchObject({ due_at: END, tries: 0 });
  });
});
