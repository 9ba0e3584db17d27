import { and, asc, eq, inArray, like } from "drizzle-orm";
import { ledgerSource } from "../../shapes/money/ledger-source.ts";
import { OPEN_DISPUTE_STATUSES } from "../../shapes/money/disputes.ts";
import type { MoneyBack } from "../../shapes/money/money-back.ts";
import type { DriverId } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { paymentDisputes } from "../../schema/money.ts";
import { paymentRefunds, payments, pointEntries } from "../../schema/payments.ts";
import { serviceLedgerQuery } from "./service-ledger.ts";
import { readServiceLedger, type ServiceEntry } from "./service-time.ts";

type RefundRow = Omit<typeof paymentRefunds.$inferSelect, "tookAt" | "returnedAt">;

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
  refunds: readonly RefundRow[],
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
