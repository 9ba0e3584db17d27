import { expect, it } from "vitest";
import { loadTrialBalance } from "../../../db/queries/payments/journal.ts";
import { loadJournal } from "../../../worker/console/books.ts";
import { compareLedgers, closeYesterday } from "../../../worker/payments/books/reconcile-books.ts";
import { settleIntent } from "../../../worker/payments/settle-intent.ts";
import { DAY_MS, DRIVER, losePath, NOW, openCheckout, prepareWeek } from "../checkout-harness.ts";

const operator = { name: "owner@example.com", role: "owner" } as const;

async function openPaidWeek() {
  const at = openCheckout();
  at.addDriver();
  at.givePoints(100);
  await prepareWeek(at);
  at.bank.pay("pi_2", { processorFeeCents: 176 });
  await settleIntent(at.checkout, "pi_2");
  return at;
}

it("closes a day once, and books what comes later on the day on which it came", async () => {
  const at = await openPaidWeek();
  at.clock.now = NOW + DAY_MS;
  await closeYesterday(at.checkout);
  await closeYesterday(at.checkout);
  expect(at.bank.count("fetchBooks")).toBe(2);
  const closed = at.rows(`SELECT * FROM journal ORDER BY rowid`);
  // The clock is behind: the refund of a closed day is booked on the first one that is open.
  at.clock.now = NOW;
  const refund = { id: "re_1", kind: "refund", cents: 5022, at: NOW } as const;
  at.bank.change("pi_2", { refunds: [{ ...refund, isEffective: true, isGoodwill: false }] });
  await settleIntent(at.checkout, "pi_2");
  const days = at.rows(`SELECT DISTINCT day FROM journal ORDER BY day`).map((row) => row["day"]);
  expect(days).toEqual([Math.floor(NOW / DAY_MS), Math.floor(NOW / DAY_MS) + 1]);
  expect(at.rows(`SELECT * FROM journal WHERE day = ? ORDER BY rowid`, days[0] ?? 0)).toEqual(closed);
});

it("has a trial balance in which each unit adds up to nothing", async () => {
  const at = await openPaidWeek();
  const balance = await loadTrialBalance(at.checkout.db, Math.floor(NOW / DAY_MS));
  expect(balance.toSorted((one, other) => (one.account < other.account ? -1 : 1))).toEqual([
    { account: "fees", unit: "USD", amount: 176 },
    // The points that the driver had before.
    { account: "goodwill", unit: "points", amount: 100 },
    { account: "points_given", unit: "points", amount: 70 },
    { account: "points_owed", unit: "points", amount: -170 },
    { account: "service_owed", unit: "USD", amount: -5022 },
    { account: "stripe", unit: "USD", amount: 4846 },
    { account: "time_given", unit: "ms", amount: 7 * DAY_MS },
    { account: "time_owed", unit: "ms", amount: -7 * DAY_MS },
  ]);
  const shown = await loadJournal({ ...at.checkout, operator }, { from: "2026-11-21", to: "2026-11-21" });
  expect(shown.lines).toHaveLength(10);
  expect(shown.closedUntil).toBeNull();
});

it("earns a week's money day by day, each on its own day, also where nothing ran for some", async () => {
  const at = await openPaidWeek();
  const today = Math.floor(NOW / DAY_MS);
  const earned = () =>
    at
      .rows(
        `SELECT day, -sum(amount) AS cents FROM journal WHERE account = 'revenue' GROUP BY day ORDER BY day`,
      )
      .map(({ day, cents }) => [Number(day) - today, cents]);
  at.clock.now = NOW + DAY_MS;
  await closeYesterday(at.checkout);
  // Paid at noon: half a day was used.
  expect(earned()).toEqual([[0, 359]]);
  at.clock.now = NOW + 3 * DAY_MS;
  await closeYesterday(at.checkout);
  await closeYesterday(at.checkout);
  expect(earned()).toEqual([
    [0, 359],
    [1, 717],
    [2, 718],
  ]);
  at.clock.now = NOW + 9 * DAY_MS;
  await closeYesterday(at.checkout);
  expect(earned().reduce((sum, [, cents]) => sum + Number(cents), 0)).toBe(5022);
  const [owed] = at.rows(`SELECT sum(amount) AS cents FROM journal WHERE account = 'service_owed'`);
  expect(owed).toEqual({ cents: 0 });
  const units = at.rows(`SELECT entry, unit, sum(amount) AS amount FROM journal GROUP BY entry, unit`);
  expect(units.filter(({ amount }) => amount !== 0)).toEqual([]);
  // Days on which nothing was used have no lines.
  expect(at.rows(`SELECT * FROM journal WHERE amount = 0`)).toEqual([]);
});

it("owes each day the service that is unused, whoever gave it, and says where the ledgers differ", async () => {
  const at = await openPaidWeek();
  const today = Math.floor(NOW / DAY_MS);
  const give = (source: string, days: number) =>
    at.run(
      `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, ?, ?)`,
      source,
      DRIVER,
      days * DAY_MS,
      NOW,
    );
  give("operator:1", 2);
  give("invitation:1", 7);
  give(`trial:${DRIVER}`, 1);
  const time = () =>
    Object.fromEntries(
      at
        .rows(`SELECT account, sum(amount) AS ms FROM journal WHERE unit = 'ms' GROUP BY account`)
        .map(({ account, ms }) => [account, Number(ms) / DAY_MS]),
    );
  expect(time()).toEqual({ goodwill: 2, rewards: 8, time_given: 7, time_owed: -17 });
  at.clock.now = NOW + DAY_MS;
  await closeYesterday(at.checkout);
  expect(time()).toMatchObject({ time_owed: -16.5, time_used: -0.5 });
  expect(await compareLedgers(at.checkout.db)).toEqual([]);
  at.clock.now = NOW + 30 * DAY_MS;
  await closeYesterday(at.checkout);
  expect(time()).toMatchObject({ time_owed: 0, time_used: -17 });
  const used = at.rows(`SELECT day, -amount AS ms FROM journal WHERE account = 'time_used' ORDER BY day`);
  expect(used.map(({ day, ms }) => [Number(day) - today, Number(ms) / DAY_MS]).slice(0, 1)).toEqual([
    [0, 0.5],
  ]);
  expect(await compareLedgers(at.checkout.db)).toEqual([]);
  at.run(
    `UPDATE service_credits SET duration_ms = duration_ms + 60000 * 60 * 24 * 30 WHERE source = 'operator:1'`,
  );
  expect((await compareLedgers(at.checkout.db)).map(({ what }) => what)).toEqual(["time", "time_owed"]);
});

it("says of which payment more or less is owed than is unused", async () => {
  const at = await openPaidWeek();
  at.clock.now = NOW + DAY_MS;
  await closeYesterday(at.checkout);
  at.run(`UPDATE service_credits SET duration_ms = duration_ms - ? WHERE source LIKE 'payment:%'`, DAY_MS);
  expect(await compareLedgers(at.checkout.db)).toMatchObject([
    { what: "time" },
    { what: "time_owed" },
    { what: "service_owed", paymentId: at.payment()?.["id"], stripe: "journal 4663", ours: "ledger 3946" },
  ]);
});

it("earns nothing of a payment from before the journal", async () => {
  const at = await openPaidWeek();
  at.run(`DROP TRIGGER journal_undeleted`);
  at.run(`DELETE FROM journal`);
  at.clock.now = NOW + DAY_MS;
  const refund = { id: "re_1", kind: "refund", cents: 1000, at: at.clock.now } as const;
  at.bank.change("pi_2", { refunds: [{ ...refund, isEffective: true, isGoodwill: false }] });
  await settleIntent(at.checkout, "pi_2");
  at.clock.now = NOW + 2 * DAY_MS;
  await closeYesterday(at.checkout);
  expect(at.rows(`SELECT * FROM journal WHERE entry LIKE 'earned:%'`)).toEqual([]);
});

it("says in the log what Stripe has otherwise, but not of movements that are booked as they come", async () => {
  const at = await openPaidWeek();
  at.clock.now = NOW + DAY_MS;
  const fetchBooks: typeof at.checkout.cards.fetchBooks = async () => ({
    bookings: [],
    begunAt: new Map(),
    movements: [{ id: "po_1", type: "payout", cents: -4_846, currency: "USD", at: NOW }],
  });
  await closeYesterday({ ...at.checkout, cards: { ...at.checkout.cards, fetchBooks } });
  expect(at.lines("error", "payments.books.differ")).toEqual([
    expect.objectContaining({ intentId: "pi_2", paymentId: expect.any(String) }),
  ]);
});

it("books movements of every day since the last closed one, and compares those days too", async () => {
  const at = await openPaidWeek();
  at.clock.now = NOW + DAY_MS;
  await closeYesterday(at.checkout);
  // For more than a day Stripe can't be read.
  at.clock.now = NOW + 2 * DAY_MS;
  at.bank.during("fetchBooks", losePath());
  await expect(closeYesterday(at.checkout)).rejects.toThrow();
  at.clock.now = NOW + 4 * DAY_MS;
  const payouts = [1, 2, 3, 4].map((day) => {
    return { id: `po_${day}`, type: "payout", cents: -day, currency: "USD", at: NOW + day * DAY_MS };
  });
  const fetchBooks: typeof at.checkout.cards.fetchBooks = async ({ from, to }) => ({
    bookings: [],
    begunAt: new Map(),
    movements: payouts.filter((payout) => payout.at >= from && payout.at < to),
  });
  await closeYesterday({ ...at.checkout, cards: { ...at.checkout.cards, fetchBooks } });
  const booked = () =>
    at.rows(`SELECT amount FROM journal WHERE account = 'bank' ORDER BY amount`).map(({ amount }) => amount);
  expect(booked()).toEqual([1, 2, 3]);
  at.clock.now = NOW + 5 * DAY_MS;
  await closeYesterday({ ...at.checkout, cards: { ...at.checkout.cards, fetchBooks } });
  expect(booked()).toEqual([1, 2, 3, 4]);
});
