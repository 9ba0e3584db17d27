import { expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { loadTrialBalance } from "../../../db/queries/payments/journal.ts";
import { hourSteps } from "../../../worker/cron/hourly-cron.ts";
import { closeYesterday } from "../../../worker/payments/books/reconcile-books.ts";
import { settleIntent } from "../../../worker/payments/settle-intent.ts";
import { DRIVERS, NOW as LATEST, openTenThousand } from "../../console/fleet/ten-thousand.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { DAY_MS, DRIVER, NOW, openCheckout, prepareWeek } from "../checkout-harness.ts";

const OTHER = "6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a02" as typeof DRIVER;

async function payWeek(at: ReturnType<typeof openCheckout>, driverId: typeof DRIVER) {
  at.addDriver(driverId);
  const id = await prepareWeek(at, { driverId });
  const intentId = String(at.payment(id)?.["intent_id"]);
  at.bank.pay(intentId);
  await settleIntent(at.checkout, intentId);
}

/** The kinds of differences that were logged: this bank keeps no books. */
const differencesOf = (at: ReturnType<typeof openCheckout>) =>
  new Set(at.lines("error", "payments.books.differ").map((line) => Object(line).what as string));

const byAccount = (one: { account: string; unit: string }, other: { account: string; unit: string }) =>
  `${one.account} ${one.unit}` < `${other.account} ${other.unit}` ? -1 : 1;

it("adds up each closed day once: nothing reads its lines again, but those of payments whose service still runs", async () => {
  const at = openCheckout();
  const { db } = at.checkout;
  await payWeek(at, DRIVER);
  const closeDays = async (from: number, to: number) => {
    for (let day = from; day <= to; day += 1) {
      at.clock.now = NOW + day * DAY_MS;
      await closeYesterday(at.checkout);
    }
  };
  await closeDays(1, 9);
  await payWeek(at, OTHER);
  await closeDays(10, 11);
  const today = Math.floor(at.clock.now / DAY_MS);
  const before = await loadTrialBalance(db, today);
  // Lines of days that nobody has a reason to read, which the triggers keep from everybody.
  at.run(`DROP TRIGGER journal_unchanged`);
  at.run(`UPDATE journal SET amount = amount + 1000000 WHERE day < ?`, Math.floor(NOW / DAY_MS) + 9);
  await closeDays(12, 12);
  expect(differencesOf(at)).toEqual(new Set(["missing_at_stripe"]));
  const earned = at.rows(
    `SELECT -sum(amount) AS cents FROM journal WHERE account = 'revenue' AND day = ?`,
    today,
  );
  expect(earned).toEqual([{ cents: 718 }]);
  const after = await loadTrialBalance(db, today - 1);
  expect(after.toSorted(byAccount)).toEqual(before.toSorted(byAccount));
});

it("adds up the days that a former release closed without their sums", async () => {
  const at = openCheckout();
  const { db } = at.checkout;
  await payWeek(at, DRIVER);
  for (let day = 1; day <= 9; day += 1) {
    at.clock.now = NOW + day * DAY_MS;
    await closeYesterday(at.checkout);
    if (day > 3) at.run(`DELETE FROM journal_balances WHERE day > ?`, Math.floor(NOW / DAY_MS) + 2);
  }
  const sums = () =>
    at.rows(`SELECT account, unit, sum(amount) AS amount FROM journal GROUP BY account, unit`);
  const found = await loadTrialBalance(db, Math.floor(at.clock.now / DAY_MS));
  expect(found.toSorted(byAccount)).toEqual((sums() as typeof found).toSorted(byAccount));
  expect(differencesOf(at)).toEqual(new Set(["missing_at_stripe"]));
});

it("books a day once that two crons close at once, while a payment comes", async () => {
  const at = openCheckout();
  const { db } = at.checkout;
  await payWeek(at, DRIVER);
  for (let day = 1; day <= 3; day += 1) {
    at.clock.now = NOW + day * DAY_MS;
    const pays = day === 2 ? [payWeek(at, OTHER)] : [];
    await Promise.all([closeYesterday(at.checkout), ...pays, closeYesterday(at.checkout)]);
    expect(differencesOf(at)).toEqual(new Set(["missing_at_stripe"]));
  }
  const revenue = at.rows(
    `SELECT day, -sum(amount) AS cents FROM journal WHERE account = 'revenue' GROUP BY day ORDER BY day`,
  );
  expect(revenue.map(({ cents }) => cents)).toEqual([359, 717, 718 + 359]);
  const sums = at.rows(
    `SELECT account, unit, sum(amount) AS amount FROM journal GROUP BY account, unit`,
  ) as Awaited<ReturnType<typeof loadTrialBalance>>;
  const found = await loadTrialBalance(db, Math.floor(at.clock.now / DAY_MS));
  expect(found.toSorted(byAccount)).toEqual(sums.toSorted(byAccount));
});

it("closes a day of ten thousand drivers with a long history within its statements, none of which reads the journal or all ledgers", async () => {
  const { database } = openTenThousand();
  const day = Math.floor(LATEST / DAY_MS);
  const earlier = Array.from({ length: 5 }, (_, index) => index + 1);
  database.exec(`
    INSERT INTO service_credits (source, driver_id, duration_ms, at)
      SELECT 'payment:' || users.id || '-' || value, users.id, 604800000, ${LATEST} - (value + 2) * ${7 * DAY_MS}
      FROM users, json_each('${JSON.stringify(earlier)}');
    INSERT INTO journal (entry, account, unit, amount, payment_id, day, at)
      SELECT payments.id || ':1:paid', value, 'USD', iif(value = 'stripe', 1, -1) * total_cents, payments.id,
        settled_at / ${DAY_MS}, settled_at
      FROM payments, json_each('["stripe","service_owed"]')`);
  const counted = { statements: 0, most: 0, queries: new Set<string>() };
  const at = openCheckout();
  const db = openDb(
    bindD1(database, undefined, undefined, (query, run) => {
      const rows = run();
      counted.statements += 1;
      counted.queries.add(query);
      counted.most = Math.max(counted.most, Array.isArray(rows) ? rows.length : 0);
      return rows;
    }) as unknown as Parameters<typeof openDb>[0],
  );
  at.clock.now = (day + 1) * DAY_MS;
  // The first closing reads the whole journal.
  const fetchBooks = async () => ({ bookings: [], begunAt: new Map(), movements: [] });
  const checkout = { ...at.checkout, db, cards: { ...at.checkout.cards, fetchBooks } };
  await closeYesterday(checkout);
  counted.statements = 0;
  counted.most = 0;
  counted.queries.clear();
  at.clock.now += DAY_MS;
  await closeYesterday(checkout);
  const earned = database
    .prepare(`SELECT count(*) AS lines FROM journal WHERE account = 'revenue' AND day = ?`)
    .get(day + 1);
  expect(Number(earned?.["lines"])).toBeGreaterThan(DRIVERS * 0.7);
  const stated = hourSteps(at.env as never).find(({ name }) => name === "books");
  expect(counted.statements).toBeLessThanOrEqual(stated?.statements ?? 0);
  // A thousand drivers' ledgers of half a dozen entries, or the ids of the day's payments.
  expect(counted.most).toBeLessThanOrEqual(DRIVERS);
  const whole = [...counted.queries].filter((query) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${query}`)
      .all()
      .some(({ detail }) => /^SCAN journal\b/.test(String(detail))),
  );
  expect(whole).toEqual([]);
});
