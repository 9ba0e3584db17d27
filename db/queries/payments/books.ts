import { and, gte, inArray, lt, sql } from "drizzle-orm";
import { paymentStatus } from "../../shapes/money/plans.ts";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { qualified } from "../../expressions.ts";
import { serviceCredits } from "../../schema/drivers.ts";
import { paymentRefunds, payments } from "../../schema/payments.ts";

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
        creditedMs: qualified(
          sql<number>`(SELECT coalesce(sum(${serviceCredits.durationMs}), 0) FROM ${serviceCredits}
            WHERE ${serviceCredits.source} = 'payment:' || ${id})`,
        ),
        returnedCents: qualified(
          sql<number>`(SELECT coalesce(sum(${paymentRefunds.cents}), 0) FROM ${paymentRefunds}
            WHERE ${paymentRefunds.paymentId} = ${id} AND ${paymentRefunds.isEffective} = 1)`,
        ),
      })
      .from(payments)
      // Each status by itself, since the index begins with it.
      .where(and(inArray(status, [...paymentStatus.options]), gte(createdAt, from), lt(createdAt, to)))
  );
}
