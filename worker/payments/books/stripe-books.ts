import type Stripe from "stripe";
import { DAY_MS, type EpochMs, type Period } from "../../../db/shapes/units.ts";
import { pickAll } from "../stripe/pick-all.ts";
import { referenceId, toCardProcessorError } from "../stripe/responses.ts";
import type { Movement, StripeBooking } from "./compare-books.ts";

/** An intent is made within a day of its payment: the key that repeats it lives no longer. */
export const BOOKING_SLACK_MS = DAY_MS;
const PAGE_SIZE = 100;

/** Stripe's intents of a span, and when each was begun there. */
export type StripeBooks = {
  bookings: StripeBooking[];
  begunAt: ReadonlyMap<string, EpochMs>;
  /** Payouts and fees of the span; null where a restricted key may not read them. */
  movements: Movement[] | null;
};

/** Our payments that were begun at Stripe in a span, with what went back of them by now. */
export async function fetchStripeBooks(stripe: Stripe, { from, to }: Period): Promise<StripeBooks> {
  const created = { gte: Math.floor(from / 1000), lt: Math.ceil((to + BOOKING_SLACK_MS) / 1000) };
  const intents = await pickAll(stripe.paymentIntents.list({ created, limit: PAGE_SIZE }), (intent) => [
    { at: intent.created * 1000, booking: toBooking(intent) },
  ]);
  // Money goes back long after it came: up to now, whatever the span.
  const since = { created: { gte: created.gte }, limit: PAGE_SIZE };
  const refunds = await pickAll(stripe.refunds.list(since), ({ payment_intent: intent, amount, status }) =>
    status === "failed" || status === "canceled" ? [] : [{ intentId: referenceId(intent), cents: amount }],
  );
  const disputes = await pickAll(stripe.disputes.list(since), (dispute) =>
    isDisputeLost(dispute) ? [{ intentId: referenceId(dispute.payment_intent), cents: dispute.amount }] : [],
  );
  const returned = new Map<string, number>();
  for (const { intentId, cents } of [...refunds, ...disputes])
    if (intentId !== null) returned.set(intentId, (returned.get(intentId) ?? 0) + cents);
  const balance = await fetchBalance(stripe, since.created);
  const balanceOf = (id: string) => balance && (balance.byIntent.get(id) ?? 0);
  return {
    bookings: intents.map(({ booking }) => ({
      ...booking,
      returnedCents: returned.get(booking.intentId) ?? 0,
      balanceCents: balanceOf(booking.intentId),
    })),
    begunAt: new Map(intents.map(({ at, booking: { intentId } }) => [intentId, at])),
    movements: balance && balance.movements.filter(({ at }) => at >= from && at < to),
  };
}

/** Stripe's balance transactions since an instant: by intent, and those of none. Null where the key may not read them. */
async function fetchBalance(
  stripe: Stripe,
  created: { gte: number },
): Promise<{ byIntent: Map<string, number>; movements: Movement[] } | null> {
  const params = { created, limit: PAGE_SIZE, expand: ["data.source"] };
  try {
    const byIntent = new Map<string, number>();
    const movements = await pickAll(stripe.balanceTransactions.list(params), (transaction): Movement[] => {
      const { id, type, net, currency, source, created: at } = transaction;
      const intentId = intentOf(source);
      if (intentId === null)
        return [{ id, type, cents: net, currency: currency.toUpperCase(), at: at * 1000 }];
      byIntent.set(intentId, (byIntent.get(intentId) ?? 0) + net);
      return [];
    });
    return { byIntent, movements };
  } catch (error) {
    if (toCardProcessorError(error)?.reference.status !== 403) throw error;
    return null;
  }
}

/** The intent of the charge, refund or dispute that moved the balance. */
function intentOf(source: Stripe.BalanceTransaction["source"]): string | null {
  if (source === null || typeof source === "string" || !("payment_intent" in source)) return null;
  return referenceId(source.payment_intent);
}

function toBooking(intent: Stripe.PaymentIntent): Omit<StripeBooking, "returnedCents" | "balanceCents"> {
  const { days } = intent.metadata;
  const isPaid = intent.status === "succeeded";
  return {
    intentId: intent.id,
    paymentId: intent.metadata["payment_id"] ?? null,
    isPaid,
    cents: isPaid ? intent.amount_received : intent.amount,
    currency: intent.currency.toUpperCase(),
    // Intents from before the days stood in their metadata.
    days: days === undefined ? null : Number(days),
  };
}

/** As settling reads it: lost, under appeal, or prevented with the money withdrawn. */
function isDisputeLost({ status, balance_transactions: transactions }: Stripe.Dispute): boolean {
  if (status !== "prevented") return status === "lost" || status.startsWith("appeal_");
  return transactions.reduce((total, { amount }) => total + amount, 0) < 0;
}
