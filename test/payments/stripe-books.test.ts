import { fetchStripeBooks } from "../../worker/payments/books/stripe-books.ts";
import { pickAll } from "../../worker/payments/stripe/pick-all.ts";
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

  it("hold the payouts and fees of the span, beside what moved with a payment", async () => {
    const moved = (id: string, change: object) => ({
      id,
      type: "payout",
      net: -700,
      currency: "usd",
      source: null,
      created: NOW / 1000 - 60,
      ...change,
    });
    const charge = { object: "charge", payment_intent: "pi_1" };
    const balance = list(
      moved("txn_charge", { type: "charge", net: 4_846, source: charge }),
      moved("txn_refund", { type: "refund", net: -846, source: { ...charge, object: "refund" } }),
      moved("txn_first", { created: span.from / 1000 }),
      moved("txn_fee", { type: "stripe_fee", net: -25 }),
      moved("txn_after", { created: span.to / 1000 }),
    );
    expect(await books(balance)).toMatchObject({
      bookings: [{ intentId: "pi_1", balanceCents: 4_000 }],
      movements: [
        { id: "txn_first", type: "payout", cents: -700, currency: "USD", at: span.from },
        { id: "txn_fee", type: "stripe_fee", cents: -25, currency: "USD", at: NOW - 60_000 },
      ],
    });
  });

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

/** A list whose items are one object, which is another one each time: who keeps it for later has the last alone. */
async function* oneByOne<Item extends object>(items: readonly Item[]): AsyncGenerator<Item> {
  const only = {} as Item;
  for (const item of items) yield Object.assign(only, item);
}

describe("thousands of Stripe's objects", () => {
  const numbered = [1, 2, 3].map((count) => `pi_${count}`);

  it("are read for the books one by one, and none is kept", async () => {
    const created = NOW / 1000;
    const balance = { type: "charge", net: 4_846, currency: "usd", created };
    const stripe = {
      paymentIntents: {
        list: () => oneByOne(numbered.map((id) => intent({ id, status: "succeeded", created }))),
      },
      refunds: {
        list: () =>
          oneByOne(numbered.map((id) => ({ payment_intent: id, amount: 100, status: "succeeded" }))),
      },
      disputes: {
        list: () => oneByOne(numbered.map((id) => ({ payment_intent: id, amount: 7, status: "lost" }))),
      },
      balanceTransactions: {
        list: () => oneByOne(numbered.map((id) => ({ ...balance, id, source: { payment_intent: id } }))),
      },
    };
    const span = { from: NOW - 86_400_000, to: NOW };
    const { bookings, begunAt } = await fetchStripeBooks(stripe as never, span);
    expect(bookings).toMatchObject(
      numbered.map((intentId) => ({ intentId, returnedCents: 107, balanceCents: 4_846 })),
    );
    expect([...begunAt.keys()]).toEqual(numbered);
  });

  it("end after as many as the caller wants", async () => {
    const read = pickAll(oneByOne(numbered.map((id) => ({ id }))), ({ id }) => [id], 2);
    expect(await read).toEqual(["pi_1", "pi_2"]);
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
