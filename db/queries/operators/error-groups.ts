import { and, desc, eq, inArray, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertWhere } from "../../insert-where.ts";
import { users } from "../../schema/drivers.ts";
import { errorGroupDrivers, errorGroups, errorGroupVersions } from "../../schema/voice.ts";

/** Beyond so many kinds of errors a new one is only logged: what calls itself an error page can report anything. */
const MAX_GROUPS = 1000;
/** Errors of visitors, which anybody can make up, have a pool of their own: a new kind takes the place of an old one. */
const MAX_VISITOR_GROUPS = 200;
/** So many of them are listed beside those of drivers. */
const LISTED_VISITOR_GROUPS = 20;

/** Whether a group is of visitors: their reports come without a message. */
const isOfVisitors = isNull(errorGroups.message);

export type ErrorGroupRow = typeof errorGroups.$inferSelect;
export type ErrorReportRow = Pick<
  ErrorGroupRow,
  "id" | "caller" | "name" | "message" | "place" | "requestId" | "stack"
> & { driverId: DriverId | null; version: string; at: EpochMs };

/** Adds a report to its group, and its driver and version to the group's. */
export async function addErrorReport(
  db: Db,
  { id, caller, name, message, place, requestId, stack, driverId, version, at }: ErrorReportRow,
): Promise<void> {
  const { groupId, driverId: reporter } = errorGroupDrivers;
  const isKnown = sql`EXISTS (SELECT 1 FROM ${errorGroups} WHERE ${errorGroups.id} = ${id})`;
  const isVisitor = message === null;
  const most = isVisitor ? MAX_VISITOR_GROUPS : MAX_GROUPS;
  const pool = isVisitor ? isOfVisitors : isNotNull(errorGroups.message);
  const hasRoom = sql`(SELECT count(*) FROM (SELECT 1 FROM ${errorGroups} WHERE ${pool} LIMIT ${most})) < ${most}`;
  // A group with one report is the cheapest to make up.
  const evicted = sql`(SELECT ${errorGroups.id} FROM ${errorGroups}
    WHERE ${pool} AND ${errorGroups.reports} = 1 AND ${isVisitor ? 1 : 0} AND NOT ${hasRoom} AND NOT ${isKnown}
    ORDER BY ${errorGroups.lastSeenAt}, ${errorGroups.id} LIMIT 1)`;
  const isNewDriver = sql`(${driverId} IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM ${errorGroupDrivers} WHERE ${groupId} = ${id} AND ${reporter} = ${driverId}))`;
  const group = {
    id,
    caller,
    name,
    message,
    place,
    reports: 1,
    firstSeenAt: at,
    lastSeenAt: at,
    requestId,
    stack,
  };
  await db.batch([
    db.delete(errorGroupVersions).where(sql`${errorGroupVersions.groupId} IN ${evicted}`),
    db.delete(errorGroups).where(sql`${errorGroups.id} IN ${evicted}`),
    insertWhere(
      db,
      errorGroups,
      { ...group, drivers: isNewDriver },
      sql`${isKnown} OR ${hasRoom}`,
    ).onConflictDoUpdate({
      target: errorGroups.id,
      set: {
        reports: sql`${errorGroups.reports} + 1`,
        drivers: sql`${errorGroups.drivers} + ${excluded(errorGroups.drivers)}`,
        lastSeenAt: at,
        requestId,
        stack,
      },
    }),
    insertWhere(
      db,
      errorGroupDrivers,
      { groupId: id, driverId: sql`${driverId}` },
      sql`${isKnown} AND EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId})`,
    ).onConflictDoNothing(),
    insertWhere(db, errorGroupVersions, { groupId: id, version, reports: 1 }, isKnown).onConflictDoUpdate({
      target: [errorGroupVersions.groupId, errorGroupVersions.version],
      set: { reports: sql`${errorGroupVersions.reports} + 1` },
    }),
  ]);
}

/** The groups that were reported last, with their versions. Those of visitors push none of drivers out. */
export async function listErrorGroups(db: Db, limit: number) {
  const latest = desc(errorGroups.lastSeenAt);
  const most = limit - LISTED_VISITOR_GROUPS;
  const [ofDrivers, ofVisitors] = await db.batch([
    db
      .select()
      .from(errorGroups)
      .where(isNotNull(errorGroups.message))
      .orderBy(latest)
      .limit(most + 1),
    db
      .select()
      .from(errorGroups)
      .where(isOfVisitors)
      .orderBy(latest)
      .limit(LISTED_VISITOR_GROUPS + 1),
  ]);
  const listed = [...ofDrivers.slice(0, most), ...ofVisitors.slice(0, LISTED_VISITOR_GROUPS)];
  const groups = listed.toSorted((one, other) => other.lastSeenAt - one.lastSeenAt);
  // A hundred parameters is the most that D1 binds.
  const ids = groups.map(({ id }) => id);
  const versions =
    ids.length === 0
      ? []
      : await db.select().from(errorGroupVersions).where(inArray(errorGroupVersions.groupId, ids));
  const byGroup = Map.groupBy(versions, ({ groupId }) => groupId);
  return {
    hasMore: listed.length < ofDrivers.length + ofVisitors.length,
    groups: groups.map((group) => ({
      ...group,
      versions: (byGroup.get(group.id) ?? []).map(({ version, reports }) => ({ version, reports })),
    })),
  };
}

export async function loadErrorGroup(db: Db, id: string): Promise<ErrorGroupRow | null> {
  const [row] = await db.select().from(errorGroups).where(eq(errorGroups.id, id));
  return row ?? null;
}

/** That a group is resolved since then, or not at all, as a condition. */
export function isResolved(id: string, resolvedAt: EpochMs | null): SQL {
  return sql`EXISTS (SELECT 1 FROM ${errorGroups} WHERE ${errorGroups.id} = ${id} AND ${errorGroups.resolvedAt} IS ${resolvedAt})`;
}

/** Resolves a group, or (null) opens it again; does nothing unless `where` holds. */
export function resolveEffects(
  db: Db,
  where: SQL,
  { id, resolvedAt }: { id: string; resolvedAt: EpochMs | null },
) {
  return [
    db
      .update(errorGroups)
      .set({ resolvedAt })
      .where(and(eq(errorGroups.id, id), where)),
  ];
}

/** The statement that forgets who reported what; the counts stay. */
export function errorGroupsOf(db: Db, driverId: DriverId) {
  return db.delete(errorGroupDrivers).where(eq(errorGroupDrivers.driverId, driverId));
}

/** Deletes groups that were last reported before an instant. */
export async function deleteOldErrorGroups(db: Db, before: EpochMs): Promise<void> {
  const isOld = sql`(SELECT ${errorGroups.id} FROM ${errorGroups} WHERE ${errorGroups.lastSeenAt} < ${before})`;
  await db.batch([
    db.delete(errorGroupDrivers).where(sql`${errorGroupDrivers.groupId} IN ${isOld}`),
    db.delete(errorGroupVersions).where(sql`${errorGroupVersions.groupId} IN ${isOld}`),
    db.delete(errorGroups).where(lt(errorGroups.lastSeenAt, before)),
  ]);
}
