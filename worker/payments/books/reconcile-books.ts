import type { Db } from "../../../db/client.ts";
import { listBookedPayments } from "../../../db/queries/payments/books.ts";
import { DAY_MS, type Period } from "../../../db/shapes/units.ts";
import { compareBooks, type BookDifference, type OurBooking } from "./compare-books.ts";
import { BOOKING_SLACK_MS, type StripeBooks } from "./stripe-books.ts";

/** The books of a span, and where the two sides disagree. */
export type Reconciliation = { payments: number; paidCents: number; differences: BookDifference[] };

/** Compares a span of days: each payment that was begun in it, at Stripe and in our database. Changes nothing. */
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
    } = row;
    const creditedDays = creditedMs / DAY_MS;
    return { intentId, paymentId, isPaid: settledAt !== null, cents, currency, creditedDays, returnedCents };
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
    differences: compareBooks({ stripe: stripeBooks.bookings, ours: bookings }, isInSpan),
  };
}
