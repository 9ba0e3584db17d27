import { beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS, losePath, MINUTE_MS, refuse, type Checkout } from "../checkout-harness.ts";
import { CHARGE_AT, END, openRenewedWeek, renewalsOf } from "../renewals-harness.ts";

let at: Checkout;
beforeEach(async () => {
  at = await openRenewedWeek();
});
const { look, lookAt, comeToCharge, renewal, consent, charged, asked, change, paused } = renewalsOf(() => at);

describe("a charge without the driver", () => {
  it("that the bank has isn't made again", async () => {
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

  it("that breaks off for a reason of our own is checked again", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", () => Promise.reject(new TypeError("ours")));
    await look();
    expect(charged()).toEqual(["open"]);
    expect(at.lines("warn", "payments.renewal.failed")).toMatchObject([{ error: "TypeError" }]);
    await lookAt(CHARGE_AT + 5 * MINUTE_MS);
    expect(charged()).toEqual(["settled"]);
  });

  it("with a reply that is lost for good is read from the bank", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", () => {
      at.bank.pay("pi_3");
      losePath({ isReplayed: true })();
    });
    await look();
    expect(charged()).toEqual(["settled"]);
    expect(renewal()).toMatchObject({ status: "on" });
  });

  it("with an intent that is lost on its way requests it again under the same payment", async () => {
    await comeToCharge();
    at.bank.during("createIntent", losePath());
    await look();
    expect(charged()).toEqual(["open"]);
    await lookAt(CHARGE_AT + 5 * MINUTE_MS);
    expect(charged()).toEqual(["settled"]);
  });

  it("with an intent that breaks off for a reason of our own is tried again", async () => {
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

  it("that went to the bank in the moment of its cancellation runs to its end", async () => {
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

  it("without its payment alerts an operator", async () => {
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
