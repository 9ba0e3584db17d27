import type Stripe from "stripe";
import * as z from "zod/mini";
import { DAY_MS, type EpochMs } from "../../db/shapes/units.ts";
import { compareBooks, type BookDifference, type OurBooking, type StripeBooking } from "./compare-books.ts";

/** Days from the first to before the last, as instants. */
export type Period = { from: EpochMs; to: EpochMs };

/** Runs one statement on our database. */
export type Query = (sql: string) => Promise<unknown>;

/** An intent is made within a day of its payment: the key that repeats it lives no longer. */
const SLACK_MS = DAY_MS;
const PAGE_SIZE = 100;

const ourRows = z.array(
  z.object({
    id: z.string(),
    intent_id: z.nullable(z.string()),
    settled_at: z.nullable(z.number()),
    created_at: z.number(),
    total_cents: z.number(),
    currency: z.string(),
    credited_ms: z.number(),
    returned_cents: z.number(),
  }),
);

/** What the books of a span hold, and where the two sides disagree. */
export type Reconciliation = { payments: number; paidCents: number; differences: BookDifference[] };

/** Compares a span of days: each payment begun in it, at Stripe and in our database. */
export async function reconcileSpan(
  { stripe, query }: { stripe: Stripe; query: Query },
  span: Period,
): Promise<Reconciliation> {
  const { bookings, begunAt } = await loadOurBooks(query, span);
  const stripeBooks = await fetchStripeBooks(stripe, span);
  const isInSpan = (paymentId: string) => {
    const at = begunAt.get(paymentId) ?? stripeBooks.begunAt.get(paymentId) ?? 0;
    return at >= span.from && at < span.to;
  };
  const inSpan = bookings.filter(({ paymentId, isPaid }) => isPaid && isInSpan(paymentId));
  return {
    payments: inSpan.length,
    paidCents: inSpan.reduce((total, { cents }) => total + cents, 0),
    differences: compareBooks({ stripe: stripeBooks.bookings, ours: bookings }, isInSpan),
  };
}

async function loadOurBooks(query: Query, { from, to }: Period) {
  const rows = z.parse(
    ourRows,
    await query(
      `SELECT id, intent_id, settled_at, created_at, total_cents, currency,
        (SELECT coalesce(sum(duration_ms), 0) FROM service_credits WHERE source = 'payment:' || p.id) AS credited_ms,
        (SELECT coalesce(sum(cents), 0) FROM payment_refunds WHERE payment_id = p.id AND is_effective = 1) AS returned_cents
      FROM payments p WHERE created_at >= ${from - SLACK_MS} AND created_at < ${to}`,
    ),
  );
  const bookings = rows.map((row): OurBooking => {
    return {
      intentId: row.intent_id,
      paymentId: row.id,
      isPaid: row.settled_at !== null,
      cents: row.total_cents,
      currency: row.currency,
      creditedDays: row.credited_ms / DAY_MS,
      returnedCents: row.returned_cents,
    };
  });
  return { bookings, begunAt: new Map(rows.map((row) => [row.id, row.created_at])) };
}

async function fetchStripeBooks(stripe: Stripe, { from, to }: Period) {
  const created = { gte: Math.floor(from / 1000), lt: Math.ceil((to + SLACK_MS) / 1000) };
  const intents = await Array.fromAsync(stripe.paymentIntents.list({ created, limit: PAGE_SIZE }));
  // Money goes back long after it came: up to now, whatever the span.
  const since = { created: { gte: created.gte }, limit: PAGE_SIZE };
  const refunds = await Array.fromAsync(stripe.refunds.list(since));
  const disputes = await Array.fromAsync(stripe.disputes.list(since));
  const returned = new Map<string, number>();
  const add = (intent: string | { id: string } | null, cents: number) => {
    const id = typeof intent === "string" ? intent : intent?.id;
    if (id) returned.set(id, (returned.get(id) ?? 0) + cents);
  };
  for (const { payment_intent: intent, amount, status } of refunds) {
    if (status !== "failed" && status !== "canceled") add(intent, amount);
  }
  for (const dispute of disputes) if (isDisputeLost(dispute)) add(dispute.payment_intent, dispute.amount);
  const ours = intents.flatMap((intent) => {
    const paymentId = intent.metadata["payment_id"];
    return paymentId ? [{ intent, paymentId }] : [];
  });
  return {
    bookings: ours.map(({ intent, paymentId }) =>
      toBooking(intent, { paymentId, returnedCents: returned.get(intent.id) ?? 0 }),
    ),
    begunAt: new Map(ours.map(({ intent, paymentId }) => [paymentId, intent.created * 1000])),
  };
}

function toBooking(
  intent: Stripe.PaymentIntent,
  { paymentId, returnedCents }: { paymentId: string; returnedCents: number },
): StripeBooking {
  const { days } = intent.metadata;
  const isPaid = intent.status === "succeeded";
  return {
    intentId: intent.id,
    paymentId,
    isPaid,
    cents: isPaid ? intent.amount_received : intent.amount,
    currency: intent.currency.toUpperCase(),
    // Intents from before the days stood in their metadata.
    days: days === undefined ? null : Number(days),
    returnedCents,
  };
}

/** As settling reads it: lost, under appeal, or prevented with the money withdrawn. */
function isDisputeLost({ status, balance_transactions: transactions }: Stripe.Dispute): boolean {
  if (status !== "prevented") return status === "lost" || status.startsWith("appeal_");
  return transactions.reduce((total, { amount }) => total + amount, 0) < 0;
}
