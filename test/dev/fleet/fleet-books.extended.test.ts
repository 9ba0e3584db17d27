import { expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { DAY_MS, type Period } from "../../../db/shapes/units.ts";
import { reconcileBooks } from "../../../worker/payments/books/reconcile-books.ts";
import { fetchStripeBooks } from "../../../worker/payments/books/stripe-books.ts";
import { START } from "../../platform/sandbox-harness.ts";
import { openStripeHarness } from "../../stripe-sandbox/stripe-harness.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { writeFleetPast } from "./fleet-past.ts";
import { readPastPayments } from "./past-payments.ts";

it("agrees with Stripe's, which knows the same payments from the same rows", async () => {
  const database = migratedDatabase();
  await writeFleetPast(database, START);
  const past = readPastPayments(database);
  const harness = await openStripeHarness();
  await harness.clear();
  const send = () => harness.control("POST", "/sandbox/stripe/past", past);
  // Each start of the demonstration sends them.
  expect([await send(), await send()]).toEqual([{ added: past.payments.length }, { added: 0 }]);
  const db = openDb(bindD1(database) as unknown as Parameters<typeof openDb>[0]);
  const fetchBooks = (span: Period) => fetchStripeBooks(harness.stripe, span);
  const found = await reconcileBooks({ db, fetchBooks }, { from: START - 60 * DAY_MS, to: START + DAY_MS });
  await harness.server.stop();
  expect(found.payments).toBeGreaterThan(90);
  expect(found.differences).toEqual([]);
});
