import { asc, eq, gt, lte } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { serviceAlerts } from "../../schema/texts.ts";

/** Alerts that an operator must look at. */
export type ServiceAlert = typeof serviceAlerts.$inferSelect;

/**
 * Raises an alert, or renews one that stands.
 * @returns whether it is new, or stands for another reason than before
 */
export async function raiseAlert(db: Db, { name, reason, since, until }: ServiceAlert): Promise<boolean> {
  const [[known]] = await db.batch([
    db.select().from(serviceAlerts).where(eq(serviceAlerts.name, name)),
    db
      .insert(serviceAlerts)
      .values({ name, reason, since, until })
      .onConflictDoUpdate({ target: serviceAlerts.name, set: { reason, until } }),
  ]);
  return known === undefined || known.until <= since || known.reason !== reason;
}

/** Ends an alert. @returns whether it stood */
export async function clearAlert(db: Db, name: string): Promise<boolean> {
  const cleared = await db
    .delete(serviceAlerts)
    .where(eq(serviceAlerts.name, name))
    .returning({ name: serviceAlerts.name });
  return cleared.length > 0;
}

/** The alerts that stand. */
export async function loadAlerts(db: Db, now: EpochMs): Promise<ServiceAlert[]> {
  return db.select().from(serviceAlerts).where(gt(serviceAlerts.until, now)).orderBy(asc(serviceAlerts.name));
}

/** Deletes the alerts that are over. */
export async function deletePastAlerts(db: Db, now: EpochMs): Promise<void> {
  await db.delete(serviceAlerts).where(lte(serviceAlerts.until, now));
}
