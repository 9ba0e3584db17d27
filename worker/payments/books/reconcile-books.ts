import { bookEarned, bookUsed } from "./earned.ts";
import type { Db } from "../../../db/client.ts";
import { listBookedMovements, listBookedPayments } from "../../../db/queries/payments/books.ts";
import {
  closeJournalDays,
  bookLines,
  loadLastClosedDay,
  type DatedLine,
} from "../../../db/queries/payments/journal.ts";
import { DAY_MS, type EpochMs, type Period } from "../../../db/shapes/units.ts";
import {
  compareBooks,
  compareMovements,
  type BookDifference,
  type Movement,
  type OurBooking,
} from "./compare-books.ts";
import type { CardCheckoutContext } from "../checkout.ts";
import { compareLedgers } from "./ledger-books.ts";
import { BOOKING_SLACK_MS, type StripeBooks } from "./stripe-books.ts";

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
 * Once a day is over: books what was earned and used in it and the payouts and fees that came in it, compares it with Stripe, and
 * closes it. Each difference is an error in the log.
 */
export async function closeYesterday({ db, deps, cards }: CardCheckoutContext): Promise<void> {
  const now = deps.now();
  const today = Math.floor(now / DAY_MS);
  const closedDay = await loadLastClosedDay(db);
  if (closedDay === today - 1) return;
  // Days on which nothing ran are booked one by one, each with what was used in it.
  const firstDay = Math.max((closedDay ?? today - 2) + 1, today - MAX_OPEN_DAYS);
  for (let day = firstDay; day < today; day += 1) {
    await bookEarned(db, day, now);
    await bookUsed(db, day, now);
  }
  const span = { from: (today - 1) * DAY_MS, to: today * DAY_MS };
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
