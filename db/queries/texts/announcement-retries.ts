import { and, asc, eq, lte, sql, type SQL } from "drizzle-orm";
import type { AnnouncementPushes } from "../../shapes/announcement.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { jsonRows } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { announcementRetries, announcements } from "../../schema/voice.ts";
import type { AnnouncementRow } from "./announcements.ts";

/** A driver to come back to, and the browsers of theirs that are still to be reached; 0 where the object wasn't. */
export type DriverToRetry = { driverId: DriverId; pending: number };

/** The results of telling some drivers. */
type Announced = {
  /** The objects that were notified. */
  drivers: number;
  pushes: Pick<AnnouncementPushes, "sent" | "failed">;
  retries: readonly DriverToRetry[];
  dueAt: EpochMs;
};

/** The statements that count the results of telling some drivers, under a condition. */
export function announcedStatements(
  db: Db,
  announcementId: string,
  { drivers, pushes, retries, dueAt, where }: Announced & { where: SQL },
) {
  const { source, field } = jsonRows(retries);
  return [
    insertFrom(
      db,
      announcementRetries,
      { announcementId, driverId: field("driverId"), pending: field("pending"), tries: 0, dueAt },
      sql`FROM ${source} WHERE ${where}`,
    ).onConflictDoNothing(),
    db
      .update(announcements)
      .set(counted(drivers, pushes))
      .where(and(eq(announcements.id, announcementId), where)),
  ] as const;
}

function counted(drivers: number, { sent, failed }: Announced["pushes"] = { sent: 0, failed: 0 }) {
  return {
    told: sql`${announcements.told} + ${drivers}`,
    pushesSent: sql`${announcements.pushesSent} + ${sent}`,
    pushesFailed: sql`${announcements.pushesFailed} + ${failed}`,
  };
}

type Progress = { upTo: string; isTold: boolean };

/**
 * Counts the results of telling a batch and notes how far it went, unless another run was faster. The statement that other runs
 * look at comes last.
 */
export async function recordAnnounced(
  db: Db,
  row: Pick<AnnouncementRow, "id" | "toldUpTo">,
  { upTo, isTold, ...announced }: Progress & Announced,
): Promise<void> {
  const { id, toldUpTo } = row;
  const isOurs = sql`EXISTS (SELECT 1 FROM ${announcements}
    WHERE ${announcements.id} = ${id} AND ${announcements.toldUpTo} = ${toldUpTo})`;
  await db.batch([
    ...announcedStatements(db, id, { ...announced, where: isOurs }),
    progressStatement(db, row, { upTo, isTold }),
  ]);
}

/** Notes how far the drivers to tell are queued, unless another run was faster. */
export async function recordQueued(
  db: Db,
  row: Pick<AnnouncementRow, "id" | "toldUpTo">,
  progress: Progress,
): Promise<void> {
  await progressStatement(db, row, progress);
}

function progressStatement(
  db: Db,
  { id, toldUpTo }: Pick<AnnouncementRow, "id" | "toldUpTo">,
  { upTo, isTold }: Progress,
) {
  return db
    .update(announcements)
    .set({ toldUpTo: upTo, isTold })
    .where(and(eq(announcements.id, id), eq(announcements.toldUpTo, toldUpTo)));
}

/** Drivers to retry now, with their announcements. */
export function listDueRetries(db: Db, now: EpochMs, limit: number) {
  return db
    .select({ retry: announcementRetries, announcement: announcements })
    .from(announcementRetries)
    .innerJoin(announcements, eq(announcements.id, announcementRetries.announcementId))
    .where(lte(announcementRetries.dueAt, now))
    .orderBy(asc(announcementRetries.dueAt))
    .limit(limit);
}

type RetryRow = typeof announcementRetries.$inferSelect;

/**
 * Counts what a driver's pushes came to and leaves them alone from now on, once.
 * @param told 1 where the object was reached for the first time
 */
export async function endRetry(
  db: Db,
  retry: RetryRow,
  { told, ...pushes }: { told: number } & Pick<AnnouncementPushes, "sent" | "failed">,
): Promise<void> {
  await db.batch([
    countRetry(db, retry, counted(told, pushes)),
    db.delete(announcementRetries).where(isRetry(retry)),
  ]);
}

/** Comes back to a driver later. */
export async function postponeRetry(
  db: Db,
  retry: RetryRow,
  { told, pending, dueAt }: { told: number; pending: number; dueAt: EpochMs },
): Promise<void> {
  const postponed = db
    .update(announcementRetries)
    .set({ tries: retry.tries + 1, pending, dueAt })
    .where(isRetry(retry));
  await (told === 0 ? postponed : db.batch([countRetry(db, retry, counted(told)), postponed]));
}

/** Counts the result of a retry, unless another run was faster. The statement that other runs look at comes after it. */
function countRetry(db: Db, retry: RetryRow, results: ReturnType<typeof counted>) {
  const isOurs = sql`EXISTS (SELECT 1 FROM ${announcementRetries} WHERE ${isRetry(retry)})`;
  return db
    .update(announcements)
    .set(results)
    .where(and(eq(announcements.id, retry.announcementId), isOurs));
}

function isRetry({
  announcementId,
  driverId,
  tries,
}: Pick<RetryRow, "announcementId" | "driverId" | "tries">) {
  return and(
    eq(announcementRetries.announcementId, announcementId),
    eq(announcementRetries.driverId, driverId),
    eq(announcementRetries.tries, tries),
  );
}

/** How many pushes of each announcement are still to be sent; one for each object that was not reached. */
export function countPendingPushes(db: Db) {
  return db
    .select({
      id: announcementRetries.announcementId,
      pending: sql<number>`sum(max(${announcementRetries.pending}, 1))`,
    })
    .from(announcementRetries)
    .groupBy(announcementRetries.announcementId);
}
