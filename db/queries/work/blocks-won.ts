import { and, eq, getTableColumns, lt, sql } from "drizzle-orm";
import type { DriverId } from "../../shapes/units.ts";
import type { CapturedBlock, WonDay } from "../../shapes/log/driver-log.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertRows } from "../../insert-where.ts";
import { blocksWon, users, wonDays } from "../../schema/drivers.ts";

/** A page of the captured blocks that wait for a driver's object. Their status is one that we don't know. */
export async function listWaitingBlocks(
  db: Db,
  driverId: DriverId,
  limit: number,
): Promise<(CapturedBlock & { rowId: number })[]> {
  const rows = await db
    .select({ ...getTableColumns(blocksWon), rowId: sql<number>`${blocksWon}.rowid` })
    .from(blocksWon)
    .where(eq(blocksWon.driverId, driverId))
    .limit(limit);
  return rows.map(({ rowId, attemptId, capturedAt, driverId: _driver, ...block }) => ({
    rowId,
    attemptId,
    block: { ...block, status: "other", acceptedAt: capturedAt, checkedInAt: null },
  }));
}

/** Deletes blocks that the object has stored, unless one was captured again since. */
export async function deleteTakenBlocks(
  db: Db,
  driverId: DriverId,
  taken: readonly CapturedBlock[],
): Promise<void> {
  const ids = JSON.stringify(taken.map(({ block }) => [block.blockId, block.acceptedAt]));
  await db
    .delete(blocksWon)
    .where(
      and(
        eq(blocksWon.driverId, driverId),
        sql`(${blocksWon.blockId}, ${blocksWon.capturedAt}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${ids}))`,
      ),
    );
}

/** Leaves blocks for another object of the driver. Idempotent; of a block that was captured again, the latest stays. */
export async function leaveBlocks(
  db: Db,
  driverId: DriverId,
  captured: readonly CapturedBlock[],
): Promise<void> {
  const rows = captured.map(({ attemptId, block }) => {
    const { acceptedAt: capturedAt, status: _status, checkedInAt: _checkedInAt, ...terms } = block;
    return { driverId, attemptId, capturedAt, ...terms };
  });
  const { driverId: _driver, blockId: _block, ...columns } = getTableColumns(blocksWon);
  await insertRows(
    db,
    blocksWon,
    rows,
    sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId})`,
  ).onConflictDoUpdate({
    target: [blocksWon.driverId, blocksWon.blockId],
    set: Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, excluded(column)])),
    setWhere: lt(blocksWon.capturedAt, excluded(blocksWon.capturedAt)),
  });
}

/** The sums of all of a driver's days. */
export async function listWonDays(db: Db, driverId: DriverId): Promise<WonDay[]> {
  const { day, currency, blocks, payCents, minutes } = wonDays;
  return db
    .select({ day, currency, blocks, payCents, minutes })
    .from(wonDays)
    .where(eq(wonDays.driverId, driverId));
}

/** Replaces the sums of days by these, one for each day and currency: they are never added to what is there. */
export async function replaceWonDays(
  db: Db,
  { driverId, days }: { driverId: DriverId; days: readonly number[] },
  sums: readonly WonDay[],
): Promise<void> {
  const { blocks, payCents, minutes } = wonDays;
  const kept = JSON.stringify(sums.map(({ day, currency }) => [day, currency]));
  await db.batch([
    db
      .delete(wonDays)
      .where(
        and(
          eq(wonDays.driverId, driverId),
          sql`${wonDays.day} IN (SELECT value FROM json_each(${JSON.stringify(days)}))`,
          sql`(${wonDays.day}, ${wonDays.currency}) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(${kept}))`,
        ),
      ),
    // Sums that arrive after the account was deleted bring nothing back.
    insertRows(
      db,
      wonDays,
      sums.map((sum) => ({ driverId, ...sum })),
      sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId})`,
    ).onConflictDoUpdate({
      target: [wonDays.driverId, wonDays.day, wonDays.currency],
      set: { blocks: excluded(blocks), payCents: excluded(payCents), minutes: excluded(minutes) },
    }),
  ]);
}
