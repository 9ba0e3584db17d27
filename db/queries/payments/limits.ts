import { and, desc, eq, gt, inArray, isNotNull, lt, sql, type SQL } from "drizzle-orm";
import type { DriverId, DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { paymentCalls, payments, stripeEvents } from "../../schema/payments.ts";
import { IN_PROGRESS } from "./payments.ts";

/** The number of calls allowed in a window. */
export type CallLimit = { most: number; windowMs: DurationMs };

/**
 * Counts a driver's call exactly, wherever it arrives.
 * @param call.where the condition under which the call counts
 * @returns when the next one is allowed, or null if this one is
 */
export async function countPaymentCall(
  db: Db,
  {
    call,
    driverId,
    limit,
    now,
    where = sql`1`,
  }: { call: string; driverId: DriverId; limit: CallLimit; now: EpochMs; where?: SQL },
): Promise<EpochMs | null> {
  const { windowEndsAt, calls } = paymentCalls;
  const isOver = sql`${windowEndsAt} <= ${now}`;
  const [[counted]] = await db.batch([
    insertWhere(
      db,
      paymentCalls,
      { subject: `${call}:${driverId}`, windowEndsAt: now + limit.windowMs, calls: 1 },
      where,
    )
      .onConflictDoUpdate({
        target: paymentCalls.subject,
        set: {
          calls: sql`case when ${isOver} then 1 else ${calls} + 1 end`,
          windowEndsAt: sql`case when ${isOver} then ${now + limit.windowMs} else ${windowEndsAt} end`,
        },
      })
      .returning(),
    db.delete(paymentCalls).where(lt(windowEndsAt, now)),
  ]);
  return counted && counted.calls > limit.most ? counted.windowEndsAt : null;
}

/** The same for a check of a payment, which counts only while the payment waits for the card or the bank. */
export function countPaymentLook(
  db: Db,
  { id, ...call }: { call: string; driverId: DriverId; id: string; limit: CallLimit; now: EpochMs },
): Promise<EpochMs | null> {
  const { driverId } = call;
  const isOwn = and(eq(payments.id, id), eq(payments.driverId, driverId), isNotNull(payments.intentId));
  const isWaiting = sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${isOwn} AND ${inArray(payments.status, IN_PROGRESS)})`;
  return countPaymentCall(db, { ...call, where: isWaiting });
}

/** When a driver's latest declined attempts since an instant became known, newest first. */
export async function loadDeclines(
  db: Db,
  driverId: DriverId,
  { since, limit }: { since: EpochMs; limit: number },
): Promise<EpochMs[]> {
  const rows = await db
    .select({ at: stripeEvents.receivedAt })
    .from(stripeEvents)
    .innerJoin(payments, eq(payments.intentId, stripeEvents.intentId))
    .where(
      and(
        eq(payments.driverId, driverId),
        eq(stripeEvents.type, "payment_intent.payment_failed"),
        gt(stripeEvents.receivedAt, since),
      ),
    )
    .orderBy(desc(stripeEvents.receivedAt))
    .limit(limit);
  return rows.map(({ at }) => at);
}
