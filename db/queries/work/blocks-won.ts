import { and, count, desc, eq, getTableColumns, lt, or, sql, sum } from "drizzle-orm";
import type { WonBlock, WonPosition } from "../../shapes/work/driver-log.ts";
import type { Block } from "../../shapes/work/offer.ts";
import { MINUTE_MS, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { blocksWon } from "../../schema/drivers.ts";

/** Copies a won block to D1. Idempotent; of a block that was captured again after it was given back, the latest stays. */
export function insertBlockWon(
  db: Db,
  driverId: DriverId,
  { attemptId, block }: { attemptId: string; block: Block },
) {
  const { blockId, offerId, warehouseId, serviceType, startsAt, endsAt, payCents, currency } = block;
  const capture = {
    offerId,
    attemptId,
    warehouseId,
    serviceType,
    startsAt,
    endsAt,
    payCents,
    currency,
    capturedAt: block.acceptedAt,
  };
  return db
    .insert(blocksWon)
    .values({ driverId, blockId, ...capture })
    .onConflictDoUpdate({
      target: [blocksWon.driverId, blocksWon.blockId],
      set: capture,
      setWhere: lt(blocksWon.capturedAt, block.acceptedAt),
    });
}

/**
 * One page of a driver's captured blocks after a position of their list, newest first. As they were captured: what
 * became of them is not copied, so their status is one that we don't know. `seq` is below zero, where no position of the
 * log is.
 */
export async function listBlocksWon(
  db: Db,
  driverId: DriverId,
  { after, limit }: { after: WonPosition; limit: number },
): Promise<WonBlock[]> {
  const rows = await db
    .select({ ...getTableColumns(blocksWon), rowId: sql<number>`${blocksWon}.rowid` })
    .from(blocksWon)
    .where(
      and(
        eq(blocksWon.driverId, driverId),
        or(
          lt(blocksWon.capturedAt, after.at),
          and(eq(blocksWon.capturedAt, after.at), lt(blocksWon.blockId, after.blockId)),
        ),
      ),
    )
    .orderBy(desc(blocksWon.capturedAt), desc(blocksWon.blockId))
    .limit(limit);
  return rows.map(({ rowId, capturedAt, driverId: _driver, attemptId: _attempt, ...block }) => ({
    seq: -rowId,
    at: capturedAt,
    block: { ...block, status: "other", acceptedAt: capturedAt, checkedInAt: null },
  }));
}

export type BlocksWonSum = { currency: string; count: number; payCents: number; minutes: number };

/** The sums of a driver's blocks that were captured before an instant, by currency. */
export async function sumBlocksWon(db: Db, driverId: DriverId, before: EpochMs): Promise<BlocksWonSum[]> {
  const lengthMs = sql`${blocksWon.endsAt} - ${blocksWon.startsAt}`;
  const rows = await db
    .select({
      currency: blocksWon.currency,
      count: count(),
      payCents: sum(blocksWon.payCents).mapWith(Number),
      lengthMs: sum(lengthMs).mapWith(Number),
    })
    .from(blocksWon)
    .where(and(eq(blocksWon.driverId, driverId), lt(blocksWon.capturedAt, before)))
    .groupBy(blocksWon.currency);
  return rows.map(({ lengthMs: ms, ...rest }) => ({ ...rest, minutes: ms / MINUTE_MS }));
}
