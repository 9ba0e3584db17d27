import { expect, it } from "vitest";
import { loadTrialBalance } from "../../db/queries/payments/journal.ts";
import { loadJournal } from "../../worker/console/books.ts";
import { closeYesterday } from "../../worker/payments/books/reconcile-books.ts";
import { settleIntent } from "../../worker/payments/settle-intent.ts";
import { DAY_MS, NOW, openCheckout, prepareWeek } from "./checkout-harness.ts";

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
    { account: "points_given", unit: "points", amount: 70 },
    { account: "points_owed", unit: "points", amount: -70 },
    { account: "service_owed", unit: "USD", amount: -5022 },
    { account: "stripe", unit: "USD", amount: 4846 },
    { account: "time_given", unit: "ms", amount: 7 * DAY_MS },
    { account: "time_owed", unit: "ms", amount: -7 * DAY_MS },
  ]);
  const shown = await loadJournal({ ...at.checkout, operator }, { from: "2026-11-21", to: "2026-11-21" });
  expect(shown.lines).toHaveLength(8);
  expect(shown.closedUntil).toBeNull();
});
