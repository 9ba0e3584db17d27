import { and, asc, eq, lt, sql } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { partsOf } from "../../parts-of.ts";
import { driverStates } from "../../schema/fleet.ts";
import { heartbeats, users } from "../../schema/drivers.ts";

/** An object that has not woken by its deadline, and what it threw when it was woken. */
type OverdueObject = { driverId: DriverId; objectName: string; dueAt: EpochMs; failure: string | null };

/**
 * The objects that operators see as overdue, the longest overdue first, and those of a release whose objects told D1
 * themselves by when they would wake. `isOwned`: whether there still is a driver.
 */
export function listReportedObjects(db: Db, now: EpochMs, limit: number) {
  return db
    .select({
      driverId: heartbeats.driverId,
      objectName: heartbeats.objectName,
      dueAt: heartbeats.dueAt,
      isOwned: sql<number>`${users.id} is not null`,
    })
    .from(heartbeats)
    .leftJoin(users, eq(users.id, heartbeats.driverId))
    .where(lt(heartbeats.dueAt, now))
    .orderBy(asc(heartbeats.dueAt))
    .limit(limit);
}

/** So many of them, each with what it threw, are far below the most that D1 takes as one value. */
const OBJECTS_A_VALUE = 4_000;

/**
 * Replaces what operators see of overdue objects.
 * @param over those seen until now that are overdue no longer
 * @param overdue those of now
 * @returns the drivers among these of whom there is no record: nobody has to wake for them
 */
export async function replaceReportedObjects(
  db: Db,
  { over, overdue }: { over: readonly DriverId[]; overdue: readonly OverdueObject[] },
): Promise<DriverId[]> {
  const [first = [], ...others] = partsOf(overdue, OBJECTS_A_VALUE);
  const strangers = await replacePart(db, { over, overdue: first });
  for (const some of others) strangers.push(...(await replacePart(db, { over: [], overdue: some })));
  return strangers;
}

async function replacePart(
  db: Db,
  { over, overdue }: { over: readonly DriverId[]; overdue: readonly OverdueObject[] },
): Promise<DriverId[]> {
  const rows = JSON.stringify(overdue);
  const isOwned = sql`exists (select 1 from ${users} where ${users.id} = value ->> 'driverId')`;
  const [, , strangers] = await db.batch([
    db.delete(heartbeats).where(isIn(heartbeats.driverId, over)),
    insertFrom(
      db,
      heartbeats,
      {
        driverId: sql`value ->> 'driverId'`,
        objectName: sql`value ->> 'objectName'`,
        dueAt: sql`value ->> 'dueAt'`,
        failure: sql`value ->> 'failure'`,
      },
      sql`from json_each(${rows}) where ${isOwned}`,
    ).onConflictDoUpdate({
      target: heartbeats.driverId,
      set: {
        objectName: excluded(heartbeats.objectName),
        dueAt: excluded(heartbeats.dueAt),
        failure: excluded(heartbeats.failure),
      },
    }),
    db
      .select({ driverId: sql<DriverId>`value ->> 'driverId'` })
      .from(sql`json_each(${rows})`)
      .where(sql`not ${isOwned}`),
  ]);
  return strangers.map(({ driverId }) => driverId);
}

/** Forgets objects of which no driver is left, and what they last reported. */
export async function forgetOrphans(db: Db, driverIds: readonly DriverId[]): Promise<void> {
  if (driverIds.length === 0) return;
  const isLeft = (column: typeof heartbeats.driverId | typeof driverStates.driverId) =>
    and(isIn(column, driverIds), sql`not exists (select 1 from ${users} where ${users.id} = ${column})`);
  await db.batch([
    db.delete(heartbeats).where(isLeft(heartbeats.driverId)),
    db.delete(driverStates).where(isLeft(driverStates.driverId)),
  ]);
}

function isIn(
  column: typeof heartbeats.driverId | typeof driverStates.driverId,
  driverIds: readonly DriverId[],
) {
  return sql`${column} in (select value from json_each(${JSON.stringify(driverIds)}))`;
}
