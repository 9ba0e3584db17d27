import { and, avg, count, desc, eq, gte, isNotNull, lt, or, sql } from "drizzle-orm";
import { DAY_MS, type EpochMs, type DriverId, type DurationMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { feedback } from "../../schema/rewards.ts";
import { users, blocksWon, wonDays } from "../../schema/drivers.ts";
import { insertWhere } from "../../insert-where.ts";

export const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY = 4 * DAY_MS;

/** The Monday, at midnight UTC, of the week in which an instant is. */
export function weekOf(at: EpochMs): EpochMs {
  return Math.floor((at - FIRST_MONDAY) / WEEK_MS) * WEEK_MS + FIRST_MONDAY;
}

/** Drivers' feedback from a week on, by week, the latest first. Answers without a score were skipped. */
export function countFeedbackByWeek(db: Db, from: EpochMs) {
  const { score, at } = feedback;
  // Written out, since D1 binds every number as a fraction, which divides to fractions.
  const [monday, length] = [sql.raw(String(FIRST_MONDAY)), sql.raw(String(WEEK_MS))];
  const week = sql<number>`(${at} - ${monday}) / ${length}`;
  const share = (condition: ReturnType<typeof sql>) =>
    sql<number>`coalesce(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`;
  return db
    .select({
      at: sql<number>`${week} * ${length} + ${monday}`,
      answers: count(score),
      skipped: share(sql`${score} IS NULL`),
      average: avg(score).mapWith(Number),
      promoters: share(sql`${score} >= 9`),
      detractors: share(sql`${score} <= 6`),
    })
    .from(feedback)
    .where(gte(at, from))
    .groupBy(week)
    .orderBy(desc(week));
}

/** A place in the list of comments: the instant and the id of the last one on the page before. */
export type CommentCursor = { at: EpochMs; id: string };

/** Comments, the latest first. */
export function listComments(db: Db, before: CommentCursor | null, limit: number) {
  const { id, driverId, score, comment, at } = feedback;
  return db
    .select({ id, at, score, comment, driverId, name: users.name, phone: users.phoneNumber })
    .from(feedback)
    .leftJoin(users, eq(users.id, driverId))
    .where(
      and(
        isNotNull(comment),
        before ? and(sql`${at} <= ${before.at}`, or(lt(at, before.at), lt(id, before.id))) : undefined,
      ),
    )
    .orderBy(desc(at), desc(id))
    .limit(limit);
}

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

type FeedbackScore = { score: number; comment: string | null } | { score: null; comment: null };

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
