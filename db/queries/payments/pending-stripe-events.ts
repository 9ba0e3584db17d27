import { asc, eq, lte } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { pendingStripeEvents } from "../../schema/payments.ts";

export type PendingStripeEvent = typeof pendingStripeEvents.$inferSelect;

/** Notes an event before it is acknowledged, to be handled at `dueAt` if it is not by then. One that is noted already stays as it is. */
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

/** Events that should have been handled by now, the longest waiting first. */
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
