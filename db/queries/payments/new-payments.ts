import { and, eq, inArray, isNull, or, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { payments, pointEntries, stripeCustomers } from "../../schema/payments.ts";
import { renewals } from "../../schema/renewal.ts";
import { mayPayCondition } from "../spots/spots.ts";
import { pointBalance } from "../rewards/points.ts";
import { changeStatements, type PaymentChange } from "./payment-changes.ts";
import { firstCustomerStatements, lastPaymentIdQuery, IN_PROGRESS, type PaymentRow } from "./payments.ts";
import type { RenewalRow } from "./renewals.ts";

/**
 * Inserts a payment before Stripe is called and reserves its points, in one batch. Applies only if the driver has no other
 * payment in progress, has a spot and the points, and `knownPaymentId` is still the latest payment that went through. A charge
 * without the driver also needs the renewal to be as it was claimed. With a `settlement` the payment is settled in the same
 * batch.
 * @returns false if nothing was written
 */
export async function insertPayment(
  db: Db,
  payment: PaymentRow,
  {
    settlement,
    knownPaymentId,
    renewal = null,
  }: {
    settlement: PaymentChange | null;
    knownPaymentId: string | null;
    renewal?: Pick<RenewalRow, "revision"> | null;
  },
): Promise<boolean> {
  const { id, driverId, points, createdAt } = payment;
  const isRenewable = renewal
    ? sql`EXISTS (SELECT 1 FROM ${renewals} WHERE ${renewals.driverId} = ${driverId}
        AND ${renewals.revision} = ${renewal.revision} AND ${renewals.status} = 'on')`
    : sql`1`;
  const claim = insertWhere(
    db,
    payments,
    payment,
    sql`${lastPaymentIdQuery(driverId)} IS ${knownPaymentId}
      AND ${mayPayCondition(driverId)}
      AND ${isRenewable}
      AND (${points} = 0 OR ${pointBalance(driverId)} >= ${points})`,
  )
    .onConflictDoNothing()
    .returning({ id: payments.id });
  const hold = insertWhere(
    db,
    pointEntries,
    { source: `payment:${id}:reserved`, driverId, points: -points, at: createdAt },
    sql`${points} > 0 AND EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.id} = ${id})`,
  );
  const settlementStatements = settlement
    ? await changeStatements(db, payment, { change: settlement, now: createdAt })
    : [];
  const [claimed] = await db.batch([claim, hold, ...settlementStatements]);
  return claimed.length === 1;
}

/**
 * Stores the id of the intent that was created for a payment.
 * @returns false if the payment is no longer in progress or has another intent
 */
export async function attachIntent(
  db: Db,
  payment: Pick<PaymentRow, "id">,
  intentId: string,
): Promise<boolean> {
  return (await attachStatement(db, payment, { intentId, where: sql`1` })).length === 1;
}

/**
 * Stores the intent that was created for a payment together with its customer, the first of the driver's. Another call may
 * have stored another customer meanwhile, or the account was deleted: then the intent is not stored.
 */
export async function attachFirstIntent(
  db: Db,
  { id, driverId }: Pick<PaymentRow, "id" | "driverId">,
  { intentId, customerId }: { intentId: string; customerId: string },
): Promise<"attached" | "other_customer" | "not_in_progress"> {
  const where = sql`EXISTS (SELECT 1 FROM ${stripeCustomers}
    WHERE ${stripeCustomers.driverId} = ${driverId} AND ${stripeCustomers.customerId} = ${customerId})`;
  const [, [stored], attached] = await db.batch([
    ...firstCustomerStatements(db, driverId, customerId),
    attachStatement(db, { id }, { intentId, where }),
  ]);
  if (attached.length === 1) return "attached";
  return stored?.customerId === customerId ? "not_in_progress" : "other_customer";
}

function attachStatement(
  db: Db,
  { id }: Pick<PaymentRow, "id">,
  { intentId, where }: { intentId: string; where: SQL },
) {
  return db
    .update(payments)
    .set({ intentId, revision: sql`${payments.revision} + 1` })
    .where(
      and(
        eq(payments.id, id),
        inArray(payments.status, IN_PROGRESS),
        or(isNull(payments.intentId), eq(payments.intentId, intentId)),
        where,
      ),
    )
    .returning({ id: payments.id });
}
