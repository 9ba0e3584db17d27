import { sql, type SQL } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertWhere } from "../../insert-where.ts";
import { paymentDisputes } from "../../schema/money.ts";
import { paymentRefunds } from "../../schema/payments.ts";
import type { DisputeRow } from "./payments.ts";

/** A refund or a dispute, as it stands now. */
export type RefundRow = Omit<typeof paymentRefunds.$inferSelect, "paymentId" | "returnedAt">;

/** The statements that store a payment's refunds and disputes as they stand now, under a condition. */
export function moneyBackStatements(
  db: Db,
  paymentId: string,
  {
    refunds,
    disputes,
    now,
    where,
  }: { refunds: readonly RefundRow[]; disputes: readonly DisputeRow[]; now: EpochMs; where: SQL },
) {
  return [
    ...refunds.map((refund) =>
      insertWhere(db, paymentRefunds, { ...refund, paymentId }, where).onConflictDoUpdate({
        target: paymentRefunds.id,
        set: {
          isEffective: excluded(paymentRefunds.isEffective),
          isGoodwill: excluded(paymentRefunds.isGoodwill),
          cents: excluded(paymentRefunds.cents),
          ...tookAndReturned(now),
        },
      }),
    ),
    ...disputes.map((dispute) =>
      insertWhere(db, paymentDisputes, { ...dispute, paymentId }, where).onConflictDoUpdate({
        target: paymentDisputes.id,
        set: {
          status: excluded(paymentDisputes.status),
          cents: excluded(paymentDisputes.cents),
          feeCents: excluded(paymentDisputes.feeCents),
          dueAt: excluded(paymentDisputes.dueAt),
        },
      }),
    ),
  ];
}

/** When a refund's money left, and came back: it counts on those days, so the figures of earlier days stay as they were. */
function tookAndReturned(now: EpochMs) {
  const { tookAt, returnedAt, isEffective } = paymentRefunds;
  const nowEffective = sql`${excluded(isEffective)} = 1`;
  return {
    tookAt: sql`CASE WHEN ${nowEffective} AND ${isEffective} = 0 THEN coalesce(${tookAt}, ${now})
      WHEN ${isEffective} = 1 THEN coalesce(${tookAt}, ${paymentRefunds.at}) ELSE ${tookAt} END`,
    returnedAt: sql`CASE WHEN ${nowEffective} THEN NULL WHEN ${isEffective} = 1 THEN ${now} ELSE ${returnedAt} END`,
  };
}
