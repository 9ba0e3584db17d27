import { and, eq, getTableColumns, lt, sql } from "drizzle-orm";
import type { DriverId } from "../../shapes/units.ts";
import type { CapturedBlock } from "../../shapes/log/driver-log.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertRows } from "../../insert-where.ts";
import { blocksWon, users } from "../../schema/drivers.ts";

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
