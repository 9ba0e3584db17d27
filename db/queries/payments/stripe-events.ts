import { and, desc, eq, gt, inArray, isNotNull, lt, sql, type SQL, asc, lte } from "drizzle-orm";
import { DAY_MS, MINUTE_MS, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { qualified } from "../../expressions.ts";
import { insertWhere } from "../../insert-where.ts";
import { payments, stripeEvents, pendingStripeEvents } from "../../schema/payments.ts";

/** A verified webhook event. */
export type StripeEvent = { id: string; type: string; intentId: string | null };

/** The statement that records an event, under a condition. */
export function stripeEventStatement(
  db: Db,
  { id, type, intentId }: StripeEvent,
  { now, where }: { now: EpochMs; where: SQL },
) {
  return insertWhere(db, stripeEvents, { id, type, intentId, receivedAt: now }, where).onConflictDoNothing();
}

/** Records an event that changed nothing. */
export async function insertStripeEvent(db: Db, event: StripeEvent, now: EpochMs): Promise<void> {
  await stripeEventStatement(db, event, { now, where: sql`1` });
}

/** Whether an event was already processed. */
export async function isStripeEventKnown(db: Db, id: string): Promise<boolean> {
  const rows = await db.select({ id: stripeEvents.id }).from(stripeEvents).where(eq(stripeEvents.id, id));
  return rows.length > 0;
}

/**
 * Deletes the oldest events that were received before an instant. Payments keep everything that the events changed, and Stripe
 * repeats an event only for three days.
 */
export async function deleteOldStripeEvents(db: Db, before: EpochMs, limit: number): Promise<void> {
  const old = db
    .select({ id: stripeEvents.id })
    .from(stripeEvents)
    .where(lt(stripeEvents.receivedAt, before))
    .orderBy(stripeEvents.receivedAt)
    .limit(limit);
  await db.delete(stripeEvents).where(inArray(stripeEvents.id, old));
}

export type PendingStripeEvent = typeof pendingStripeEvents.$inferSelect;

/**
 * Stores an event before it is acknowledged, to be handled at `dueAt` unless it was handled by then. A stored event stays as it
 * is.
 */
export async function notePendingEvent(db: Db, event: PendingStripeEvent): Promise<void> {
  await db.insert(pendingStripeEvents).values(event).onConflictDoNothing();
}

export async function deletePendingEvent(db: Db, id: string): Promise<void> {
  await db.delete(pendingStripeEvents).where(eq(pendingStripeEvents.id, id));
}

export async function postponePendingEvent(
  db: Db,
  { id, tries }: PendingStripeEvent,
  dueAt: EpochMs,
): Promise<void> {
  await db
    .update(pendingStripeEvents)
    .set({ tries: tries + 1, dueAt })
    .where(eq(pendingStripeEvents.id, id));
}

/** Events that should have been handled by now, longest waiting first. */
export function listDueEvents(
  db: Db,
  { now, limit }: { now: EpochMs; limit: number },
): Promise<PendingStripeEvent[]> {
  return db
    .select()
    .from(pendingStripeEvents)
    .where(lte(pendingStripeEvents.dueAt, now))
    .orderBy(asc(pendingStripeEvents.dueAt))
    .limit(limit);
}

/** So many payments without an event are no accident. */
const SILENT_PAYMENTS = 3;
/** Stripe sends an event within seconds, and repeats it for three days where it isn't taken. */
const EVENT_DUE_MS = 15 * MINUTE_MS;
const SILENT_WITHIN_MS = 3 * DAY_MS;

/** Whether no event has come of the last payments by card that went through: each of them makes one. */
export async function haveEventsCeased(db: Db, now: EpochMs): Promise<boolean> {
  const paid = await db
    .select({
      hasEvent: qualified(
        sql<number>`(EXISTS (SELECT 1 FROM ${stripeEvents} WHERE ${stripeEvents.intentId} = ${payments.intentId})
          OR EXISTS (SELECT 1 FROM ${pendingStripeEvents}))`,
      ),
    })
    .from(payments)
    .where(
      and(
        gt(payments.settledAt, now - SILENT_WITHIN_MS),
        lte(payments.settledAt, now - EVENT_DUE_MS),
        isNotNull(payments.intentId),
      ),
    )
    .orderBy(desc(payments.settledAt))
    .limit(SILENT_PAYMENTS);
  return paid.length === SILENT_PAYMENTS && paid.every(({ hasEvent }) => hasEvent === 0);
}
