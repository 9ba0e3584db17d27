import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { DAY_MS } from "../../db/shapes/units.ts";
import {
  bookMovements,
  reconcileBooks,
  type Reconciliation,
} from "../../worker/payments/books/reconcile-books.ts";
import { createCheckoutContext } from "../../worker/payments/checkout.ts";
import { settleIntent } from "../../worker/payments/settle-intent.ts";
import { openCheckout, prepareWeek, type Checkout } from "../payments/checkout-harness.ts";
import { START } from "../platform/sandbox-harness.ts";
import { openStripeHarness } from "./stripe-harness.ts";

const SPAN = { from: START - (START % DAY_MS), to: START - (START % DAY_MS) + DAY_MS };
const CARD = "4242424242424242";

let harness: Awaited<ReturnType<typeof openStripeHarness>>;
beforeAll(async () => {
  harness = await openStripeHarness();
});
afterAll(() => harness.server.stop());
beforeEach(() => harness.clear());

/** The product's own payments over the simulated Stripe: a settled week, one half refunded, one disputed, and a payout. */
async function openBooks() {
  const at = openCheckout({ STRIPE_URL: harness.server.url });
  at.clock.now = START;
  const { cards, ...checkout } = createCheckoutContext(at.checkout);
  if (!cards) throw new Error("there are no keys");
  const real: Checkout = { ...at, checkout: { ...checkout, cards } };
  const settle = (intentId: string) => settleIntent(real.checkout, intentId);
  const paid: { id: string; intentId: string }[] = [];
  for (const [index, driverId] of DRIVERS.entries()) {
    at.addDriver(driverId);
    const id = await prepareWeek(real, { driverId });
    const intentId = String(at.payment(id)?.["intent_id"]);
    await harness.move(intentId, "pay", { card: CARD });
    await settle(intentId);
    if (index === 1) await harness.move(intentId, "refund", { amount: 2511 });
    if (index === 2) await harness.move(intentId, "dispute", {});
    await settle(intentId);
    paid.push({ id, intentId });
  }
  const { db } = checkout;
  await moveBalance({ type: "payout", amount: 1000 });
  const compare = (): Promise<Reconciliation> => reconcileBooks({ db, fetchBooks: cards.fetchBooks }, SPAN);
  await bookMovements(db, (await cards.fetchBooks(SPAN)).movements ?? [], START);
  return { at, paid, compare, first: paid[0] ?? { id: "", intentId: "" } };
}

type Books = Awaited<ReturnType<typeof openBooks>>;
const DRIVERS = [1, 2, 3].map((count) => `6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a0${count}` as never);
const moveBalance = (body: object) => harness.control("POST", "/sandbox/stripe/movements", body);
/** Books some lines by hand, each to an account. */
const book = ({ at }: Books, entry: string, paymentId: string | null, lines: Record<string, number>) => {
  for (const [account, amount] of Object.entries(lines))
    at.run(
      `INSERT INTO journal (entry, account, unit, amount, payment_id, day, at) VALUES (?, ?, 'USD', ?, ?, ?, ?)`,
      entry,
      account,
      amount,
      paymentId,
      Math.floor(START / DAY_MS),
      START,
    );
};

it("says nothing where both books agree, to the cent", async () => {
  const books = await openBooks();
  expect(await books.compare()).toEqual({ payments: 3, paidCents: 15_066, differences: [] });
  const sums = books.at.rows(
    `SELECT entry, unit, sum(amount) AS total FROM journal GROUP BY entry, unit HAVING total <> 0`,
  );
  expect(sums).toEqual([]);
});

it.each<[string, (books: Books) => unknown, string[]]>([
  [
    "a payment that was paid twice",
    ({ first }) => harness.pay(CARD, { amount: 5022, metadata: { payment_id: first.id, days: "7" } }),
    ["second_intent"],
  ],
  ["an intent that was made by hand", () => harness.pay(CARD, { amount: 700 }), ["unknown_intent"]],
  [
    "a payment that we don't have",
    () => harness.pay(CARD, { metadata: { payment_id: "gone" } }),
    ["missing_here"],
  ],
  ["a payout that was never booked", () => moveBalance({ type: "payout", amount: 500 }), ["movement"]],
  [
    "a payout that Stripe lost",
    (books) => book(books, "movement:payout:txn_lost", null, { stripe: -700, bank: 700 }),
    ["movement"],
  ],
  ["a fee of Stripe's own", () => moveBalance({ type: "stripe_fee", amount: 25 }), ["movement"]],
  [
    "a fee that drifted",
    (books) => book(books, "drift", books.first.id, { stripe: -3, fees: 3 }),
    ["balance"],
  ],
  [
    "a refund of which no event came",
    ({ first }) => harness.move(first.intentId, "refund", { amount: 100 }),
    ["returned_cents", "balance"],
  ],
  [
    "a dispute that was lost without an event",
    ({ paid }) => harness.move(paid[2]?.intentId ?? "", "dispute", { outcome: "lost" }),
    ["returned_cents"],
  ],
  [
    "a dispute of which no event came",
    ({ first }) => harness.move(first.intentId, "dispute", {}),
    ["balance"],
  ],
  [
    "a dispute of a part of which no event came",
    ({ first }) => harness.move(first.intentId, "dispute", { amount: 1000 }),
    ["balance"],
  ],
  [
    "a dispute of a part that was lost without an event",
    ({ first }) => harness.move(first.intentId, "dispute", { amount: 1000, outcome: "lost" }),
    ["returned_cents", "balance"],
  ],
  [
    "another currency",
    ({ at, first }) => at.run(`UPDATE payments SET currency = 'MXN' WHERE id = ?`, first.id),
    ["currency"],
  ],
  [
    "another amount",
    ({ at, first }) => at.run(`UPDATE payments SET total_cents = 5021 WHERE id = ?`, first.id),
    ["cents"],
  ],
  [
    "days that were never credited",
    ({ at, first }) => at.run(`DELETE FROM service_credits WHERE source = ?`, `payment:${first.id}`),
    ["days", "time"],
  ],
  [
    "days that were credited twice",
    ({ at }) =>
      at.run(`UPDATE service_credits SET duration_ms = 2 * duration_ms WHERE source LIKE 'payment:%'
        AND rowid = (SELECT max(rowid) FROM service_credits WHERE duration_ms > 0)`),
    ["days", "time"],
  ],
  [
    "points that only the ledger has",
    ({ at }) => at.run(`UPDATE point_entries SET points = points + 1 WHERE rowid = 1`),
    ["points"],
  ],
  ["an entry of one side", (books) => book(books, "half:1", null, { bank: 500 }), ["entry"]],
  [
    "a payment that is unsettled here",
    ({ at, first }) => at.run(`UPDATE payments SET settled_at = NULL WHERE id = ?`, first.id),
    ["paid"],
  ],
])("finds %s", async (_what, plant, found) => {
  const books = await openBooks();
  await plant(books);
  const { differences } = await books.compare();
  expect(differences.map(({ what }) => what)).toEqual(found);
});

it("keeps the journal as it was written, and books nothing on a closed day", async () => {
  const { at } = await openBooks();
  expect(() => at.run(`UPDATE journal SET amount = 1`)).toThrow("the journal is never changed");
  expect(() => at.run(`DELETE FROM journal`)).toThrow("the journal is never changed");
  at.run(`INSERT INTO journal_days (day, closed_at) VALUES (?, ?)`, Math.floor(START / DAY_MS), START);
  expect(() =>
    at.run(
      `INSERT INTO journal (entry, account, unit, amount, day, at) VALUES ('late', 'bank', 'USD', 0, 1, 1)`,
    ),
  ).toThrow("the day is closed");
});
