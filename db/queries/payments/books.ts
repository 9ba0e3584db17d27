import { and, gte, inArray, lt, sql } from "drizzle-orm";
import { paymentStatus } from "../../shapes/money/plans.ts";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { payments } from "../../schema/payments.ts";

/** Payments that were begun in a span, with what the ledgers have of each. */
export function listBookedPayments(db: Db, { from, to }: { from: EpochMs; to: EpochMs }) {
  const { id, intentId, settledAt, createdAt, totalCents, currency, status } = payments;
  return (
    db
      .select({
        id,
        intentId,
        settledAt,
        createdAt,
        totalCents,
        currency,
        creditedMs: sql<number>`(SELECT coalesce(sum(duration_ms), 0) FROM service_credits WHERE source = 'payment:' || payments.id)`,
        returnedCents: sql<number>`(SELECT coalesce(sum(cents), 0) FROM payment_refunds WHERE payment_id = payments.id AND is_effective = 1)`,
      })
      .from(payments)
      // Each status by itself, since the index begins with it.
      .where(and(inArray(status, [...paymentStatus.options]), gte(createdAt, from), lt(createdAt, to)))
  );
}
