import { eq, sql } from "drizzle-orm";
import type { DriverId, DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { feedback } from "../../schema/rewards.ts";
import { blocksWon, users, wonDays } from "../../schema/drivers.ts";

/** The facts that decide whether to ask a driver: captures, and when they were asked last. */
export async function loadFeedbackHistory(
  db: Db,
  driverId: DriverId,
  { captures: most }: { captures: number },
): Promise<{ captures: number; lastAskedAt: EpochMs | null }> {
  const [[counted], captured, [last]] = await db.batch([
    db
      .select({ captures: sql<number>`coalesce(sum(${wonDays.blocks}), 0)` })
      .from(wonDays)
      .where(eq(wonDays.driverId, driverId)),
    // Those that the object has not taken yet.
    db.select({ id: blocksWon.blockId }).from(blocksWon).where(eq(blocksWon.driverId, driverId)).limit(most),
    db
      .select({ at: sql<number | null>`max(${feedback.at})` })
      .from(feedback)
      .where(eq(feedback.driverId, driverId)),
  ]);
  return { captures: (counted?.captures ?? 0) + captured.length, lastAskedAt: last?.at ?? null };
}

export type FeedbackScore = { score: number; comment: string | null } | { score: null; comment: null };

/** Stores an answer, or that the question was skipped; nothing if one is stored within `everyMs`, as from a second tab. */
export async function insertFeedback(
  db: Db,
  {
    id,
    driverId,
    score,
    comment,
    at,
    everyMs,
  }: FeedbackScore & { id: string; driverId: DriverId; at: EpochMs; everyMs: DurationMs },
): Promise<void> {
  await insertWhere(
    db,
    feedback,
    { id, driverId, score, comment, at },
    sql`NOT EXISTS (SELECT 1 FROM ${feedback} WHERE ${feedback.driverId} = ${driverId} AND ${feedback.at} > ${at - everyMs})
      AND EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId})`,
  );
}
