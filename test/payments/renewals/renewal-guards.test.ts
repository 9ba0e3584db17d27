import { beforeEach, describe, expect, it } from "vitest";
import { RENEWAL_WORDS } from "../../../db/shapes/money/renewal.ts";
import { driverId } from "../../../db/shapes/units.ts";
import { settleIntent } from "../../../worker/payments/settle-intent.ts";
import { turnRenewal } from "../../../worker/payments/renewals/renewal-state.ts";
import type { CardPayment } from "../../../worker/payments/card-payment.ts";
import { DAY_MS, DRIVER, HOUR_MS, prepareWeek, type Checkout } from "../checkout-harness.ts";
import { CHARGE_AT, END, NOTICE_AT, openRenewedWeek, renewalsOf } from "../renewals-harness.ts";

let at: Checkout;
beforeEach(async () => {
  at = await openRenewedWeek();
});
const { look, lookAt, comeToCharge, confirmNotices, renewal, charged, news, asked, paused } = renewalsOf(
  () => at,
);

const OTHER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a02");
const report = (kind: "dispute" | "warning", isFinal = false) => ({
  id: kind === "dispute" ? "du_1" : "issfr_1",
  kind,
  at: at.clock.now,
  isFinal,
});
const settle = async (change: Partial<CardPayment>, intentId = "pi_2") => {
  at.bank.change(intentId, change);
  await settleIntent(at.checkout, intentId);
};
const turnOn = async () => {
  const turned = await turnRenewal(at.checkout, await at.driver(), {
    on: true,
    plan: "7days",
    capCents: 5022,
    words: RENEWAL_WORDS,
  });
  return turned.ok ? "done" : turned.code;
};

describe("a reported card", () => {
  it.each(["dispute", "warning"] as const)("is not renewed with from the moment of a %s", async (kind) => {
    await comeToCharge();
    await settle({ reports: [report(kind)] });
    paused("card_disputed");
    expect(news().map((change) => change.kind)).toEqual(["renewal_ahead", "renewal_card_disputed"]);
    expect(news().at(-1)?.source).toMatch(/^renewal:[^:]+:\d+:card_disputed$/);
    await look();
    await lookAt(END - HOUR_MS);
    expect(charged()).toEqual([]);
  });

  it("is not renewed with where nobody told us of the dispute", async () => {
    await comeToCharge();
    at.bank.change("pi_2", { reports: [report("dispute")] });
    await look();
    paused("card_disputed");
    expect(charged()).toEqual([]);
  });

  it("pauses the renewals of everybody who uses it", async () => {
    at.addDriver(OTHER);
    await prepareWeek(at, { driverId: OTHER, renewal: { capCents: 5022, words: RENEWAL_WORDS } });
    at.bank.pay("pi_4", { methodId: "pm_other" });
    await settleIntent(at.checkout, "pi_4");
    await settle({ reports: [report("warning")] });
    expect(at.rows(`SELECT status, pause FROM renewals`)).toEqual([
      { status: "paused", pause: "card_disputed" },
      { status: "paused", pause: "card_disputed" },
    ]);
  });

  it("leaves a renewal off that its driver turned off, and tells nobody", async () => {
    await turnRenewal(at.checkout, await at.driver(), { on: false });
    const before = renewal();
    await settle({ reports: [report("dispute")] });
    expect(renewal()).toEqual(before);
    expect(news()).toEqual([]);
  });

  it("is logged with its reports, and whether one is final", async () => {
    await settle({ reports: [report("warning")] });
    await settle({ reports: [report("warning"), report("dispute", true)] });
    const paymentId = String(at.payment()?.["id"]);
    expect(at.lines("warn", "payments.card.reported")).toEqual([
      { paymentId, driverId: DRIVER, kinds: ["warning"], isFinal: false },
      { paymentId, driverId: DRIVER, kinds: ["dispute"], isFinal: true },
    ]);
  });

  it("is told of once, though it is reported twice", async () => {
    await settle({ reports: [report("warning")] });
    const before = renewal();
    await settle({ reports: [report("warning"), report("dispute")] });
    expect(renewal()).toEqual(before);
    expect(news().map((change) => change.kind)).toEqual(["renewal_card_disputed"]);
  });

  it("leaves the renewals of another card on", async () => {
    at.addDriver(OTHER);
    await prepareWeek(at, { driverId: OTHER, renewal: { capCents: 5022, words: RENEWAL_WORDS } });
    at.bank.pay("pi_4", { methodId: "pm_other", fingerprint: "print_2" });
    await settleIntent(at.checkout, "pi_4");
    await settle({ reports: [report("dispute")] });
    expect(at.rows(`SELECT status FROM renewals ORDER BY driver_id`)).toEqual([
      { status: "paused" },
      { status: "on" },
    ]);
  });

  it("is turned on again only after its owner paid with it", async () => {
    await settle({ reports: [report("warning")] });
    expect(await turnOn()).toBe("card_disputed");
    at.clock.now += HOUR_MS;
    await prepareWeek(at);
    at.bank.pay("pi_3");
    await settleIntent(at.checkout, "pi_3");
    expect(await turnOn()).toBe("done");
    expect(renewal()).toMatchObject({ status: "on", pause: null });
  });

  it("stays off where the report came after its owner's payment began, until they pay again", async () => {
    await prepareWeek(at);
    at.clock.now += HOUR_MS;
    await settle({ reports: [report("warning")] });
    at.bank.pay("pi_3");
    await settleIntent(at.checkout, "pi_3");
    expect(await turnOn()).toBe("card_disputed");
  });

  it("stays off where its owner paid with another card", async () => {
    await settle({ reports: [report("warning")] });
    at.clock.now += HOUR_MS;
    await prepareWeek(at);
    at.bank.pay("pi_3", { methodId: "pm_other", fingerprint: "print_2" });
    await settleIntent(at.checkout, "pi_3");
    expect(await turnOn()).toBe("card_disputed");
  });

  it("is never renewed with again after a dispute was lost as fraud", async () => {
    await settle({ reports: [report("dispute", true)] });
    at.clock.now += HOUR_MS;
    await prepareWeek(at, { renewal: { capCents: 5022, words: RENEWAL_WORDS } });
    at.bank.pay("pi_3", { methodId: "pm_again" });
    await settleIntent(at.checkout, "pi_3");
    paused("card_disputed");
    expect(at.rows(`SELECT cleared_at FROM card_reports`)).toEqual([{ cleared_at: null }]);
    expect(await turnOn()).toBe("card_disputed");
  });

  it("raises an alert for a warning, until the money is back", async () => {
    await settle({ reports: [report("warning")] });
    const alerts = () => at.rows(`SELECT kind, resolved_at IS NULL AS is_open FROM payment_alerts`);
    expect(alerts()).toEqual([{ kind: "fraud_warning", is_open: 1 }]);
    const refund = { id: "re_1", kind: "refund", cents: 5022, at: at.clock.now } as const;
    await settle({ refunds: [{ ...refund, isEffective: true, isGoodwill: false }] });
    expect(alerts()).toEqual([{ kind: "fraud_warning", is_open: 0 }]);
  });
});

describe("a notice", () => {
  it("that nothing confirmed is not followed by a charge", async () => {
    await lookAt(NOTICE_AT);
    for (let hour = 1; hour <= 49; hour += 1) await lookAt(NOTICE_AT + hour * HOUR_MS);
    expect(charged()).toEqual([]);
    paused("untold");
    expect(news().map(({ kind }) => kind)).toEqual(["renewal_ahead", "renewal_untold"]);
  });

  it("counts from when it was confirmed", async () => {
    await lookAt(NOTICE_AT);
    at.clock.now = CHARGE_AT + HOUR_MS;
    at.run(`UPDATE renewals SET noticed_at = ?`, at.clock.now);
    confirmNotices();
    await look();
    expect(charged()).toEqual([]);
    await lookAt(CHARGE_AT + 13 * HOUR_MS - 1);
    expect(charged()).toEqual([]);
    await lookAt(CHARGE_AT + 13 * HOUR_MS);
    expect(charged()).toEqual(["settled"]);
  });

  it.each([
    ["sent", 1],
    ["delivered", 1],
    ["queued", 0],
    ["undelivered", 0],
  ])("by a text that is %s is confirmed %i times", async (status, charges) => {
    await lookAt(NOTICE_AT);
    at.run(
      `INSERT INTO sent_texts (id, phone_number, account, status, sent_at, reported_at, about) VALUES ('t', '+1', ?, ?, ?, ?, ?)`,
      DRIVER,
      status,
      NOTICE_AT,
      NOTICE_AT,
      news()[0]?.source ?? "",
    );
    await lookAt(CHARGE_AT);
    expect(charged()).toHaveLength(charges);
  });
});

describe("a refund of a renewal", () => {
  const refund = (cents: number, isGoodwill = false) => ({
    id: "re_1",
    kind: "refund" as const,
    cents,
    at: at.clock.now,
    isEffective: true,
    isGoodwill,
  });

  it.each([
    ["in full", 5022, false],
    ["in half", 2511, false],
    ["in goodwill", 2511, true],
  ])("%s pauses it, and says so once", async (_how, cents, isGoodwill) => {
    await comeToCharge();
    await look();
    expect(charged()).toEqual(["settled"]);
    await settle({ refunds: [refund(cents, isGoodwill)] }, "pi_3");
    paused("refunded");
    expect(news().filter(({ kind }) => kind === "renewal_refunded")).toHaveLength(1);
    const calls = asked("fetchIntent").length;
    for (let minute = 0; minute < 5; minute += 1) await lookAt(at.clock.now + 60_000);
    await lookAt(END + 7 * DAY_MS);
    expect(asked("fetchIntent")).toHaveLength(calls);
    expect(charged()).toHaveLength(1);
  });

  it.each([
    ["that failed at once", "refund", false],
    ["that a dispute took", "dispute", true],
  ] as const)("%s is no sign that its owner wants it off", async (_how, kind, isEffective) => {
    await comeToCharge();
    await look();
    await settle({ refunds: [{ ...refund(5022), kind, isEffective }] }, "pi_3");
    expect(news().map((change) => change.kind)).not.toContain("renewal_refunded");
    expect(renewal()).toMatchObject({ status: "on", pause: null });
  });

  it("that a former release did not pause for pauses it at the next look", async () => {
    await comeToCharge();
    await look();
    await settle({ refunds: [refund(5022)] }, "pi_3");
    at.run(`UPDATE renewals SET status = 'on', pause = NULL, due_at = ?`, at.clock.now);
    await look();
    paused("refunded");
    expect(charged()).toEqual(["refunded"]);
  });
});
