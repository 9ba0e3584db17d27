import type { Db } from "../../../db/client.ts";
import {
  listBookedMovements,
  listBookedPayments,
  closeJournalDays,
  bookLines,
  loadLastClosedDay,
  type DatedLine,
  hasLateTime,
  listUnbalancedEntries,
  loadBookedTotals,
} from "../../../db/queries/payments/journal.ts";
import { DAY_MS, type EpochMs, type Period } from "../../../db/shapes/units.ts";
import { loadOwedTime } from "../../../db/queries/payments/owed-service.ts";
import type { CardCheckoutContext } from "../checkout.ts";
import { bookDay, eachOwedPayment, loadServiceTime } from "./earned.ts";
import {
  compareBooks,
  compareMovements,
  type BookDifference,
  type Movement,
  type OurBooking,
} from "./compare-books.ts";
import { BOOKING_SLACK_MS, type StripeBooks } from "./stripe-books.ts";
import { worthOf } from "./journal.ts";

/** The books of a span, and where the two sides disagree. */
export type Reconciliation = { payments: number; paidCents: number; differences: BookDifference[] };

/**
 * Compares a span of days: each payment that was begun in it, at Stripe and in our database; and the whole journal with the
 * ledgers of days and points. Changes nothing.
 */
export async function reconcileBooks(
  { db, fetchBooks }: { db: Db; fetchBooks: (span: Period) => Promise<StripeBooks> },
  span: Period,
): Promise<Reconciliation> {
  const rows = await listBookedPayments(db, { ...span, from: span.from - BOOKING_SLACK_MS });
  const begunAt = new Map(rows.map(({ id, createdAt }) => [id, createdAt]));
  const bookings = rows.map((row): OurBooking => {
    const {
      id: paymentId,
      intentId,
      settledAt,
      totalCents: cents,
      currency,
      creditedMs,
      returnedCents,
      balanceCents,
    } = row;
    const creditedDays = creditedMs / DAY_MS;
    const isPaid = settledAt !== null;
    return { intentId, paymentId, isPaid, cents, currency, creditedDays, returnedCents, balanceCents };
  });
  const stripeBooks = await fetchBooks(span);
  const isInSpan = ({ paymentId, intentId }: { paymentId: string | null; intentId: string | null }) => {
    const at = begunAt.get(paymentId ?? "") ?? stripeBooks.begunAt.get(intentId ?? "") ?? 0;
    return at >= span.from && at < span.to;
  };
  const inSpan = bookings.filter((booking) => booking.isPaid && isInSpan(booking));
  return {
    payments: inSpan.length,
    paidCents: inSpan.reduce((total, { cents }) => total + cents, 0),
    differences: [
      ...compareBooks({ stripe: stripeBooks.bookings, ours: bookings }, isInSpan),
      ...(stripeBooks.movements === null
        ? []
        : compareMovements(stripeBooks.movements, await listBookedMovements(db, span))),
      ...(await compareLedgers(db)),
    ],
  };
}

/** Books payouts and fees of Stripe's own that are new, on the day on which they are learned of. Safe to repeat. */
export async function bookMovements(db: Db, movements: readonly Movement[], now: EpochMs): Promise<void> {
  const lines = movements.flatMap(({ id, type, cents, currency: unit, at }): DatedLine[] => {
    const line = { entry: `movement:${type}:${id}`, unit, paymentId: null, at };
    const account = type.startsWith("payout") ? "bank" : "fees";
    return [
      { ...line, account: "stripe", amount: cents },
      { ...line, account, amount: -cents },
    ];
  });
  await bookLines(db, lines, now);
}

/** After a longer pause the rest is booked on the first of so many days. */
const MAX_OPEN_DAYS = 10;

/**
 * Once a day is over: books what was earned and used in it and the payouts and fees that came in it, compares it with
 * Stripe, and closes it, with the days before that are not closed yet. Each difference is an error in the log.
 */
export async function closeYesterday({ db, deps, cards }: CardCheckoutContext): Promise<void> {
  const now = deps.now();
  const today = Math.floor(now / DAY_MS);
  const closedDay = await loadLastClosedDay(db);
  if (closedDay === today - 1) return;
  // Days on which nothing ran are booked one by one, each with what was used in it.
  const firstDay = Math.max((closedDay ?? today - 2) + 1, today - MAX_OPEN_DAYS);
  for (let day = firstDay; day < today; day += 1) {
    await bookDay(db, day, now);
  }
  // All of these days: no later closing asks Stripe about them.
  const span = { from: Math.min(firstDay, today - 1) * DAY_MS, to: today * DAY_MS };
  const { movements } = await cards.fetchBooks(span);
  await bookMovements(db, movements ?? [], now);
  const { differences } = await reconcileBooks({ db, fetchBooks: cards.fetchBooks }, span);
  // Movements are booked now, on the day on which they came to us.
  for (const { what, paymentId, intentId, stripe, ours } of differences.filter(
    (one) => one.what !== "movement",
  ))
    deps.log("error", "payments.books.differ", { what, paymentId, intentId, stripe, ours });
  await closeJournalDays(db, now);
}

/**
 * Where the journal disagrees with itself or with the ledgers of days and points: entries that don't add up to nothing,
 * days and points that only one side has, and service that is owed otherwise than it is unused. Of days that were closed
 * before the last one, whose lines never change, it reads the sums.
 */
export async function compareLedgers(db: Db): Promise<BookDifference[]> {
  const closed = await loadLastClosedDay(db);
  const [unbalanced, totals] = await Promise.all([
    listUnbalancedEntries(db, closed ?? 0),
    loadBookedTotals(db),
  ]);
  return [
    ...unbalanced.map(({ entry, unit, amount }) => differ("entry", `${entry} ${amount} ${unit}`, 0)),
    ...(totals.journalMs === totals.ledgerMs ? [] : [differ("time", totals.journalMs, totals.ledgerMs)]),
    ...(totals.journalPoints === totals.ledgerPoints
      ? []
      : [differ("points", totals.journalPoints, totals.ledgerPoints)]),
    ...(closed === null ? [] : await compareOwed(db, closed)),
  ];
}

/**
 * Compares what was owed at the end of a closed day, unless a clock that was behind wrote to it since: the next day
 * says then.
 */
async function compareOwed(db: Db, day: number): Promise<BookDifference[]> {
  const from = day * DAY_MS;
  if (await hasLateTime(db, day)) return [];
  const owedMs = await loadOwedTime(db, day);
  const { unusedMs, ofPayments } = await loadServiceTime(db, { from, to: from + DAY_MS, since: from });
  const unearned: BookDifference[] = [];
  await eachOwedPayment(db, ofPayments, { after: day - 1, day }, (owed) => {
    for (const { payment, owedCents } of owed) {
      const worth = worthOf(payment, ofPayments.get(payment.id) ?? 0);
      const { id: paymentId, intentId } = payment;
      if (-owedCents !== worth)
        unearned.push({ ...differ("service_owed", -owedCents, worth), paymentId, intentId });
    }
  });
  return [...(owedMs === unusedMs ? [] : [differ("time_owed", owedMs, unusedMs)]), ...unearned];
}

function differ(what: BookDifference["what"], journal: string | number, ledger: number): BookDifference {
  return { paymentId: null, intentId: null, what, stripe: `journal ${journal}`, ours: `ledger ${ledger}` };
}
