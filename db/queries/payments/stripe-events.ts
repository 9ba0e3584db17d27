import { eq, sql, type SQL } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { stripeEvents } from "../../schema/payments.ts";

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
