import { and, asc, eq, isNull, ne } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { paymentAlerts, type PaymentAlertKind } from "../../schema/payments.ts";

export type PaymentAlert = typeof paymentAlerts.$inferSelect;

/** Raises an alert once; reopens one that was resolved. */
export async function raisePaymentAlert(
  db: Db,
  {
    kind,
    intentId,
    paymentId,
    now,
  }: { kind: PaymentAlertKind; intentId: string; paymentId: string | null; now: EpochMs },
): Promise<void> {
  await db
    .insert(paymentAlerts)
    .values({ id: `${kind}:${intentId}`, kind, intentId, paymentId, at: now, resolvedAt: null })
    .onConflictDoUpdate({ target: paymentAlerts.id, set: { resolvedAt: null } });
}

/** Resolves the open alerts about an intent. */
export async function resolvePaymentAlerts(db: Db, intentId: string, now: EpochMs): Promise<void> {
  await db
    .update(paymentAlerts)
    .set({ resolvedAt: now })
    .where(and(eq(paymentAlerts.intentId, intentId), isNull(paymentAlerts.resolvedAt)));
}

/** Alerts that nobody has resolved, oldest first. */
export function listOpenPaymentAlerts(db: Db, limit: number): Promise<PaymentAlert[]> {
  return db
    .select()
    .from(paymentAlerts)
    .where(isNull(paymentAlerts.resolvedAt))
    .orderBy(asc(paymentAlerts.at))
    .limit(limit);
}

/** Whether there is money without service, of which nobody has resolved the alert. */
export async function hasUnservedPayment(db: Db): Promise<boolean> {
  const found = await db
    .select({ id: paymentAlerts.id })
    .from(paymentAlerts)
    .where(and(isNull(paymentAlerts.resolvedAt), ne(paymentAlerts.kind, "fraud_warning")))
    .limit(1);
  return found.length > 0;
}
