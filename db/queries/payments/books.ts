import { and, eq, gte, inArray, isNull, lt, sql } from "drizzle-orm";
import { paymentStatus } from "../../shapes/money/plans.ts";
import { DAY_MS, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { qualified } from "../../expressions.ts";
import { journal } from "../../schema/money.ts";
import { serviceCredits } from "../../schema/drivers.ts";
import { paymentRefunds, payments } from "../../schema/payments.ts";

/** Payments that were begun in a span, with the ledgers' sums for each. */
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
        /** Null if the journal began after the payment was settled. */
        balanceCents: qualified(
          sql<number | null>`(SELECT sum(${journal.amount}) FROM ${journal} WHERE ${journal.paymentId} = ${id}
            AND ${journal.account} = 'stripe' AND ${journal.unit} = ${currency})`,
        ),
      })
      .from(payments)
      // One query per status, since the index begins with it.
      .where(and(inArray(status, [...paymentStatus.options]), gte(createdAt, from), lt(createdAt, to)))
  );
}

/** Movements of Stripe's balance that don't belong to a payment, in a span of Stripe's own time. */
export async function listBookedMovements(db: Db, { from, to }: { from: EpochMs; to: EpochMs }) {
  const rows = await db
    .select({ entry: journal.entry, cents: journal.amount, currency: journal.unit, at: journal.at })
    .from(journal)
    .where(
      and(
        eq(journal.account, "stripe"),
        isNull(journal.paymentId),
        gte(journal.day, Math.floor(from / DAY_MS)),
        gte(journal.at, from),
        lt(journal.at, to),
      ),
    );
  return rows.map(({ entry, ...row }) => {
    const [, type = "", id = ""] = entry.split(":");
    return { id, type, ...row };
  });
}
