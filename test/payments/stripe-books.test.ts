import { beforeEach, describe, expect, it } from "vitest";
import { failure, forgetCalls, intent, list, log, NOW, stripeWith } from "./stripe-harness.ts";

beforeEach(forgetCalls);

/** A restricted key may not read something; another refusal. */
const NOT_ALLOWED = failure(403, { type: "invalid_request_error" });
const REFUSED = failure(400, { type: "invalid_request_error" });

describe("the books at Stripe", () => {
  const span = { from: NOW - 86_400_000, to: NOW };
  const books = (balance: ReturnType<typeof list>) =>
    stripeWith({
      "GET payment_intents": [list(intent({ created: NOW / 1000 - 60 }))],
      "GET refunds": [list()],
      "GET disputes": [list()],
      "GET balance_transactions": [balance],
    }).cards.fetchBooks(span);

  it("are read without the balance where the key may not read that", async () => {
    expect(await books(NOT_ALLOWED)).toMatchObject({
      bookings: [{ intentId: "pi_1", balanceCents: null }],
      movements: null,
    });
    expect(log).not.toHaveBeenCalled();
  });

  it("are not read without it where Stripe refuses for another reason", async () => {
    await expect(books(REFUSED)).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("the warnings of a payment", () => {
  const fetched = (warnings: ReturnType<typeof list>) =>
    stripeWith({
      "GET payment_intents/pi_1": [[200, intent({ status: "succeeded", amount_received: 5022 })]],
      "GET refunds": [list()],
      "GET disputes": [list()],
      "GET radar/early_fraud_warnings": [warnings],
    }).cards.fetchIntent("pi_1");

  it("are none where the key may not read them", async () => {
    expect(await fetched(NOT_ALLOWED)).toMatchObject({ status: "succeeded", reports: [] });
    expect(log).not.toHaveBeenCalled();
  });

  it("are not taken for none where Stripe refuses for another reason", async () => {
    await expect(fetched(REFUSED)).rejects.toMatchObject({ kind: "refused" });
  });
});
