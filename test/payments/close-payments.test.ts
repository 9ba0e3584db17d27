import { beforeEach, describe, expect, it } from "vitest";
import { RENEWAL_WORDS } from "../../db/shapes/money/renewal.ts";
import { closePayments, closePaymentsFirst } from "../../worker/payments/close-payments.ts";
import { reconcilePayments } from "../../worker/payments/books/reconcile.ts";
import {
  DRIVER,
  HOUR_MS,
  losePath,
  NOW,
  openCheckout,
  prepareWeek,
  prepareWithoutIntent,
  type Checkout,
} from "./checkout-harness.ts";

let at: Checkout;
beforeEach(() => {
  at = openCheckout();
  at.addDriver();
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

  it.each([["cancelIntent"], ["deleteCustomer"]] as const)(
    "that fails at %s while the account is there leaves the payment to its driver, who keeps what the bank charges",
    async (call) => {
      await prepareWeek(at);
      at.bank.change("pi_2", { status: "processing" });
      at.bank.during(call, losePath());
      await expect(closePaymentsFirst(at.checkout, DRIVER)).rejects.toMatchObject({ kind: "unreachable" });
      at.bank.pay("pi_2");
      at.clock.now += HOUR_MS;
      await reconcilePayments(at.checkout);
      expect(at.payment()).toMatchObject({ status: "settled", orphaned_at: null });
      expect(at.bank.count("refundIntent")).toBe(0);
    },
  );

  it("that fails once the account is deleted still gives back what the bank charges", async () => {
    await prepareWeek(at);
    at.bank.change("pi_2", { status: "processing" });
    at.bank.during("cancelIntent", losePath());
    at.run(`DELETE FROM users WHERE id = ?`, DRIVER);
    await expect(closePaymentsFirst(at.checkout, DRIVER)).rejects.toMatchObject({ kind: "unreachable" });
    at.bank.pay("pi_2");
    at.clock.now += HOUR_MS;
    await reconcilePayments(at.checkout);
    expect(at.payment()).toMatchObject({ status: "refunded", orphaned_at: NOW });
  });

  it("needs no bank for a payment without intent, and none without payments", async () => {
    await leave();
    expect(at.bank.asked).toEqual([]);
    await prepareWithoutIntent(at);
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
    await prepareWeek(at, { renewal: { capCents: 5022, words: RENEWAL_WORDS } });
    at.bank.pay("pi_2");
    at.clock.now += HOUR_MS;
    await reconcilePayments(at.checkout);
    expect(at.rows(`SELECT status FROM renewals`)).toEqual([{ status: "on" }]);
    await leave();
    expect(at.rows(`SELECT status FROM renewals`)).toEqual([{ status: "off" }]);
  });
});
