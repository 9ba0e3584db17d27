import { and, asc, eq, inArray, like, sql, type SQL } from "drizzle-orm";
import { ledgerSource } from "../../shapes/money/ledger-source.ts";
import { type MoneyBack, OPEN_DISPUTE_STATUSES } from "../../shapes/money/money-back.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { paymentDisputes } from "../../schema/money.ts";
import { paymentRefunds, payments, pointEntries } from "../../schema/payments.ts";
import { serviceLedgerQuery, readServiceLedger, type ServiceEntry } from "./service-time.ts";
import { excluded } from "../../expressions.ts";
import { insertWhere } from "../../insert-where.ts";
import type { DisputeRow } from "./payments.ts";

type StoredRefund = Omit<typeof paymentRefunds.$inferSelect, "tookAt" | "returnedAt">;

/** Refunds and disputes of a driver's payments, each with its entries in the ledgers; oldest first, by payment. */
export async function loadMoneyBack(
  db: Db,
  driverId: DriverId,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, MoneyBack[]>> {
  if (paymentIds.length === 0) return new Map();
  // A route may ask before it knows who owns a payment.
  const own = db
    .select({ id: payments.id })
    .from(payments)
    .where(and(inArray(payments.id, [...paymentIds]), eq(payments.driverId, driverId)));
  const [service, points, refunds, disputes] = await db.batch([
    serviceLedgerQuery(db, driverId),
    db
      .select({ source: pointEntries.source, points: pointEntries.points })
      .from(pointEntries)
      .where(and(eq(pointEntries.driverId, driverId), like(pointEntries.source, "payment:%"))),
    db
      .select()
      .from(paymentRefunds)
      .where(inArray(paymentRefunds.paymentId, own))
      .orderBy(asc(paymentRefunds.at), asc(paymentRefunds.id)),
    db
      .select({ id: paymentDisputes.id })
      .from(paymentDisputes)
      .where(
        and(
          inArray(paymentDisputes.paymentId, own),
          inArray(paymentDisputes.status, [...OPEN_DISPUTE_STATUSES]),
        ),
      ),
  ]);
  const ledgers = {
    service,
    points: new Map(points.map((entry) => [entry.source, entry.points])),
    openDisputes: new Set(disputes.map(({ id }) => id)),
  };
  return Map.groupBy(readMoneyBack(refunds, ledgers), ({ paymentId }) => paymentId);
}

/** Each refund and dispute with its entries in the ledgers. */
export function readMoneyBack(
  refunds: readonly StoredRefund[],
  {
    service,
    points,
    openDisputes,
  }: {
    service: readonly ServiceEntry[];
    points: ReadonlyMap<string, number>;
    openDisputes: ReadonlySet<string>;
  },
): (MoneyBack & { paymentId: string })[] {
  const { appliedMs } = readServiceLedger(service);
  return refunds.map(({ id, paymentId, kind, cents, at, isEffective }) => {
    const source = ledgerSource({ id: paymentId }, id);
    const undone = `${source}:undone`;
    return {
      id,
      paymentId,
      kind,
      state: isEffective ? "back" : openDisputes.has(id) ? "open" : "void",
      cents,
      at,
      takenMs: Math.abs(appliedMs.get(source) ?? 0),
      returnedMs: appliedMs.get(undone) ?? 0,
      points: points.get(source) ?? 0,
      undonePoints: points.get(undone) ?? 0,
    };
  });
}

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
