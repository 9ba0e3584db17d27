import { and, asc, eq, isNotNull, isNull, lte, or } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { incidents } from "../../schema/fleet.ts";

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
