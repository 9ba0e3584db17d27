import { and, asc, desc, eq, lt, notInArray, or, sql } from "drizzle-orm";
import type { SecurityEventName } from "../../shapes/security.ts";
import { HOUR_MS, type DriverId, type DurationMs, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolUsers } from "../../schema/identity.ts";
import { insertWhere } from "../../insert-where.ts";
import { users } from "../../schema/drivers.ts";
import { securityEvents } from "../../schema/security.ts";

/** Networks of an hour that get a row of their own for an event; all further ones share one. */
const MAX_NETWORKS = 10;
/** Rows of an account; the ones that were added to longest ago make room. */
const MAX_ROWS = 200;
const OTHERS = "others";

export type SecurityEventRow = typeof securityEvents.$inferSelect;

/** Adds an event to the row of its network and hour. For a name without an account nothing is stored. */
export async function addSecurityEvent(
  db: Db,
  event: Pick<SecurityEventRow, "userId" | "network" | "browser" | "system" | "country"> & {
    event: SecurityEventName;
    now: EpochMs;
  },
): Promise<void> {
  const { userId, now, browser, system, country } = event;
  const hour = Math.floor(now / HOUR_MS);
  const network = sql`case when (select count(*) from ${securityEvents} where ${securityEvents.userId} = ${userId}
    and ${securityEvents.hour} = ${hour} and ${securityEvents.event} = ${event.event}
    and ${securityEvents.network} <> ${event.network}) < ${MAX_NETWORKS}
    then ${event.network} else ${OTHERS} end`;
  const hasAccount = sql`exists (select 1 from ${poolUsers} where ${poolUsers.id} = ${userId})`;
  const hasRecord = sql`exists (select 1 from ${users} where ${users.id} = ${userId})`;
  const device = { browser, system, country };
  const newest = db
    .select({ id: securityEvents.id })
    .from(securityEvents)
    .where(eq(securityEvents.userId, userId))
    .orderBy(desc(securityEvents.lastAt), desc(securityEvents.id))
    .limit(MAX_ROWS);
  await db.batch([
    insertWhere(
      db,
      securityEvents,
      { userId, event: event.event, hour, network, ...device, times: 1, firstAt: now, lastAt: now },
      sql`${hasAccount} or ${hasRecord}`,
    ).onConflictDoUpdate({
      target: [securityEvents.userId, securityEvents.hour, securityEvents.event, securityEvents.network],
      set: { times: sql`${securityEvents.times} + 1`, lastAt: now, ...device },
    }),
    db
      .delete(securityEvents)
      .where(and(eq(securityEvents.userId, userId), notInArray(securityEvents.id, newest))),
  ]);
}

/** A place in the list of an account's events: the last one that was shown. */
export type SecurityCursor = Pick<SecurityEventRow, "lastAt" | "id">;

/** The events of an account, the latest first. */
export async function listSecurityEvents(
  db: Db,
  userId: DriverId,
  { after, limit }: { after: SecurityCursor | null; limit: number },
): Promise<SecurityEventRow[]> {
  const isAfter =
    after &&
    or(
      lt(securityEvents.lastAt, after.lastAt),
      and(eq(securityEvents.lastAt, after.lastAt), lt(securityEvents.id, after.id)),
    );
  return db
    .select()
    .from(securityEvents)
    .where(and(eq(securityEvents.userId, userId), isAfter ?? undefined))
    .orderBy(desc(securityEvents.lastAt), desc(securityEvents.id))
    .limit(limit);
}

/** Forgets events that are older than this. */
export async function deleteOldSecurityEvents(db: Db, now: EpochMs, ageMs: DurationMs): Promise<void> {
  await db.delete(securityEvents).where(lt(securityEvents.lastAt, now - ageMs));
}

/** The statement that deletes an account's events. */
export function securityRowsOf(db: Db, userId: DriverId) {
  return db.delete(securityEvents).where(eq(securityEvents.userId, userId));
}

/** The query of an account's events for its owner's export, without the network's hash. */
export function securityExportQuery(db: Db, userId: DriverId) {
  const { event, browser, system, country, times, firstAt, lastAt } = securityEvents;
  return db
    .select({ event, browser, system, country, times, firstAt, lastAt })
    .from(securityEvents)
    .where(eq(securityEvents.userId, userId))
    .orderBy(asc(securityEvents.lastAt));
}
