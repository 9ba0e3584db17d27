import { and, asc, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { paymentStatus, plan } from "../../shapes/money/plans.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolUsers } from "../../schema/identity.ts";
import { discounts, payments } from "../../schema/payments.ts";
import { sentTexts } from "../../schema/texts.ts";
import { orderedCents } from "./orders.ts";
import { serviceLedgerQuery } from "../payments/service-ledger.ts";

/** How much of each list an operator sees. */
const LIMIT = 50;
/** Each costs a call of Stripe. */
const UNSETTLED_LIMIT = 10;

const paymentColumns = {
  id: payments.id,
  driverId: payments.driverId,
  intentId: payments.intentId,
  plan: payments.plan,
  status: payments.status,
  currency: payments.currency,
  totalCents: payments.totalCents,
  refundedCents: payments.refundedCents,
  orderedCents: orderedCents(payments.id),
  method: payments.method,
  methodBrand: payments.methodBrand,
  methodLast4: payments.methodLast4,
  receiptNumber: payments.receiptNumber,
  settledAt: payments.settledAt,
  createdAt: payments.createdAt,
  revision: payments.revision,
};

/** An operator's view of a driver beside record, filters and points, in one round trip. */
export async function loadDriverForOperator(db: Db, driverId: DriverId, now: EpochMs) {
  const [service, paid, prices, texts, [account]] = await db.batch([
    serviceLedgerQuery(db, driverId),
    db
      .select(paymentColumns)
      .from(payments)
      .where(
        and(
          eq(payments.driverId, driverId),
          inArray(payments.status, paymentStatus.options),
          inArray(payments.plan, plan.options),
        ),
      )
      .orderBy(desc(payments.createdAt))
      .limit(LIMIT),
    db
      .select()
      .from(discounts)
      .where(
        and(
          eq(discounts.driverId, driverId),
          gt(discounts.endsAt, now),
          inArray(discounts.plan, plan.options),
        ),
      )
      .orderBy(asc(discounts.endsAt)),
    db
      .select()
      .from(sentTexts)
      .where(eq(sentTexts.account, driverId))
      .orderBy(desc(sentTexts.sentAt))
      .limit(LIMIT),
    db.select({ enabled: poolUsers.enabled }).from(poolUsers).where(eq(poolUsers.id, driverId)),
  ]);
  return { service, payments: paid, prices, texts, isEnabled: account?.enabled ?? null };
}

/** A payment with what was ordered to be given back of it. */
export type PaymentForOperator = Awaited<ReturnType<typeof loadDriverForOperator>>["payments"][number];

/** A payment of a driver that money can be given back of; null if there is none. */
export async function loadPaymentForRefund(
  db: Db,
  { driverId, id }: { driverId: DriverId; id: string },
): Promise<PaymentForOperator | null> {
  const [row] = await db
    .select(paymentColumns)
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.driverId, driverId)));
  return row ?? null;
}

/** Payments of a driver that began since an instant and did not go through, as far as we know. */
export function listUnsettledPayments(db: Db, driverId: DriverId, since: EpochMs) {
  return db
    .select({ id: payments.id, intentId: payments.intentId })
    .from(payments)
    .where(and(eq(payments.driverId, driverId), gt(payments.createdAt, since), isNull(payments.settledAt)))
    .orderBy(desc(payments.createdAt))
    .limit(UNSETTLED_LIMIT);
}

/** That a payment is as it was read, and so much of it can be given back beside what is ordered already. */
export function canRefund({ id, revision }: { id: string; revision: number }, cents: number) {
  return sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.id} = ${id} AND ${payments.revision} = ${revision}
    AND ${payments.intentId} IS NOT NULL AND ${payments.status} IN ('settled', 'partly_refunded')
    AND ${payments.totalCents} - ${payments.refundedCents} - ${orderedCents(id)} >= ${cents})`;
}
