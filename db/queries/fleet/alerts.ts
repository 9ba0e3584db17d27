import { asc, eq, gt, lte, and, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { serviceAlerts } from "../../schema/texts.ts";
import { incidents } from "../../schema/fleet.ts";

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
      .onConflictDoUpdate({
        target: serviceAlerts.name,
        // One that was over begins anew, though the hour's cron has not deleted it yet.
        set: {
          reason,
          until,
          since: sql`CASE WHEN ${serviceAlerts.until} <= ${since} THEN ${since} ELSE ${serviceAlerts.since} END`,
        },
      }),
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

export type Incident = typeof incidents.$inferSelect;

/** All incidents, those that are over included. */
export async function listIncidents(db: Db): Promise<Incident[]> {
  return db.select().from(incidents).orderBy(asc(incidents.begunAt));
}

/** Stores an incident in place of the last one of its name. */
export async function saveIncident(db: Db, incident: Incident): Promise<void> {
  await db.insert(incidents).values(incident).onConflictDoUpdate({ target: incidents.name, set: incident });
}

/** Stores that an incident is still seen, or ended. */
export async function updateIncident(
  db: Db,
  { name, id }: Pick<Incident, "name" | "id">,
  change: Partial<Pick<Incident, "seenAt" | "endedAt" | "beginToldAt" | "endToldAt" | "dueAt" | "reason">>,
): Promise<void> {
  await db
    .update(incidents)
    .set(change)
    .where(and(eq(incidents.name, name), eq(incidents.id, id)));
}

/** Takes the next message of an incident, so that no other run sends it before `until`. @returns null if another took it */
export async function claimIncident(
  db: Db,
  { name, id }: Pick<Incident, "name" | "id">,
  { now, until }: { now: EpochMs; until: EpochMs },
): Promise<Incident | null> {
  const isOpen = or(
    isNull(incidents.beginToldAt),
    and(isNotNull(incidents.endedAt), isNull(incidents.endToldAt)),
  );
  const [claimed] = await db
    .update(incidents)
    .set({ dueAt: until })
    .where(and(eq(incidents.name, name), eq(incidents.id, id), lte(incidents.dueAt, now), isOpen))
    .returning();
  return claimed ?? null;
}
