import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { DAY_MS } from "../../db/shapes/units.ts";
import { openDb } from "../../db/client.ts";
import { reconcileBooks } from "../../worker/payments/books/reconcile-books.ts";
import { fetchStripeBooks } from "../../worker/payments/books/stripe-books.ts";
import { START } from "../platform/sandbox-harness.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { openStripeHarness } from "./stripe-harness.ts";

let harness: Awaited<ReturnType<typeof openStripeHarness>>;
beforeAll(async () => {
  harness = await openStripeHarness();
});
afterAll(() => harness.server.stop());
beforeEach(() => harness.clear());

const SPAN = { from: START - (START % DAY_MS), to: START - (START % DAY_MS) + DAY_MS };

/** Our database, and payments in it. */
function openBooks() {
  const database = migratedDatabase();
  let count = 0;
  const db = openDb(bindD1(database));
  /** A payment of seven days that was paid at Stripe and settled here. */
  const addPaid = async (change: { at?: number; returnedCents?: number } = {}) => {
    count += 1;
    const [id, at] = [`pay-${count}`, change.at ?? START];
    const paid = await harness.pay("4242424242424242", {
      amount: 5022,
      metadata: { payment_id: id, days: "7" },
    });
    database
      .prepare(
        `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
         VALUES (?, 'ana', ?, '7days', 'settled', 'USD', 4987, 0, 0, 0, 35, 5022, 0, ?, ?, 1)`,
      )
      .run(id, paid.id, at, at);
    database
      .prepare(`INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, 'ana', ?, ?)`)
      .run(`payment:${id}`, 7 * DAY_MS, at);
    if (change.returnedCents) {
      const { id: refund } = await harness.stripe.refunds.create({
        payment_intent: paid.id,
        amount: change.returnedCents,
      });
      database
        .prepare(
          `INSERT INTO payment_refunds (id, payment_id, kind, cents, at, is_effective) VALUES (?, ?, 'refund', ?, ?, 1)`,
        )
        .run(refund, id, change.returnedCents, at);
    }
    return { id, intentId: paid.id };
  };
  const change = (sql: string) => database.exec(sql);
  const compare = () =>
    reconcileBooks({ db, fetchBooks: (span) => fetchStripeBooks(harness.stripe, span) }, SPAN);
  return { addPaid, change, compare };
}

it("finds nothing where both books agree, refunds and unpaid intents included", async () => {
  const books = openBooks();
  await books.addPaid();
  await books.addPaid({ returnedCents: 2000 });
  await harness.order({ metadata: { payment_id: "never-paid" } });
  expect(await books.compare()).toEqual({ payments: 2, paidCents: 10_044, differences: [] });
});

it.each([
  ["a payment that is missing here", "DELETE FROM payments WHERE id = 'pay-1'", ["missing_here"]],
  [
    "a payment that is not settled here",
    "UPDATE payments SET settled_at = NULL WHERE id = 'pay-1'",
    ["paid"],
  ],
  ["another amount", "UPDATE payments SET total_cents = 5021 WHERE id = 'pay-1'", ["cents"]],
  ["another currency", "UPDATE payments SET currency = 'EUR' WHERE id = 'pay-1'", ["currency"]],
  [
    "days that were never credited",
    "DELETE FROM service_credits WHERE source = 'payment:pay-1'",
    ["days", "time"],
  ],
  ["a refund that is missing here", "DELETE FROM payment_refunds", ["returned_cents"]],
  [
    "an intent that Stripe does not have",
    "UPDATE payments SET intent_id = 'pi_gone' WHERE id = 'pay-1'; DELETE FROM payment_refunds",
    ["second_intent", "missing_at_stripe"],
  ],
])("finds %s", async (_name, planted, found) => {
  const books = openBooks();
  await books.addPaid({ returnedCents: 22 });
  await books.addPaid();
  books.change(planted);
  const { differences } = await books.compare();
  expect(differences.map(({ what }) => what)).toEqual(found);
  // The journal as a whole is of no one payment.
  const ofPayments = differences.filter(({ what }) => what !== "time");
  expect(new Set(ofPayments.map(({ paymentId }) => paymentId))).toEqual(new Set(["pay-1"]));
});

it("leaves out a payment that was begun before the span, though its intent was made in it", async () => {
  const books = openBooks();
  await books.addPaid({ at: SPAN.from - 1 });
  books.change("UPDATE payments SET total_cents = 1");
  expect(await books.compare()).toEqual({ payments: 0, paidCents: 0, differences: [] });
});
