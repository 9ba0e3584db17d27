import type { Deps } from "../../durable/deps.ts";
import {
  announcedStatements,
  endRetry,
  listDueRetries,
  recordAnnounced,
  recordQueued,
  postponeRetry,
  type DriverToRetry,
} from "../../db/queries/texts/announcement-retries.ts";
import {
  audienceOf,
  listAnnouncementsById,
  listDriversAfter,
  listUntoldAnnouncements,
  toAnnouncement,
  type AnnouncementRow,
} from "../../db/queries/texts/announcements.ts";
import { isInAudience, type AnnouncementPushes } from "../../db/shapes/announcement.ts";
import { MINUTE_MS, type DriverId, type DurationMs } from "../../db/shapes/units.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { doneStatement, isTaskOpen } from "../../db/queries/fleet/ended-tasks.ts";
import { partsOf } from "../../db/parts-of.ts";
import { sendTasks, type TaskOf, type TaskQueue } from "../cron/tasks.ts";

/** How many drivers a batch has, and how many batches a minute. */
const BATCH_SIZE = 250;
const BATCHES_PER_RUN = 4;
/** The same where a queue tells them: a page of drivers is cut into tasks. */
const PAGE_SIZE = 1_000;
const PAGES_PER_RUN = 20;
const DRIVERS_A_TASK = 25;
/** How many announcements a run goes on with. */
const RUN_LIMIT = 5;
/** How often failed objects and pushes are retried: for about an hour and a half. */
const MAX_RETRIES = 8;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;

/**
 * Tells the objects of drivers of the announcements that hold: by the queue as fast as that goes, and without one a
 * part of them now, the others in the next minutes. How far it came stands in the database, and an object that hears of
 * it twice notifies once.
 */
export async function sendAnnouncements(
  deps: Deps,
  { queue, batches }: { queue: TaskQueue | null; batches?: number },
): Promise<void> {
  const { db, now } = deps;
  let left = batches ?? (queue ? PAGES_PER_RUN : BATCHES_PER_RUN);
  for (const row of await listUntoldAnnouncements(db, now(), RUN_LIMIT)) {
    for (let next: AnnouncementRow | null = row; next && left > 0; left -= 1)
      next = await (queue ? queueBatch(deps, next, queue) : tellBatch(deps, next));
  }
}

/**
 * Queues the next drivers. A run that is cut off between queue and database repeats this with the same tasks, which are
 * done once.
 * @returns the announcement as it stands after this batch; null once everybody is queued
 */
async function queueBatch(
  { db }: Pick<Deps, "db">,
  row: AnnouncementRow,
  queue: TaskQueue,
): Promise<AnnouncementRow | null> {
  const drivers = await listDriversAfter(db, row.toldUpTo, PAGE_SIZE);
  const ids = meantBy(row, drivers).map(({ id }) => id);
  await sendTasks(
    queue,
    partsOf(ids, DRIVERS_A_TASK).map((some) => ({
      kind: "announce",
      version: 1,
      // Somebody who registers meanwhile makes it another task.
      id: `announce:${row.id}:${some[0]}:${some.at(-1)}:${some.length}`,
      announcementId: row.id,
      drivers: some,
    })),
  );
  const upTo = drivers.at(-1)?.id ?? row.toldUpTo;
  const isTold = drivers.length < PAGE_SIZE;
  await recordQueued(db, row, { upTo, isTold });
  return isTold ? null : { ...row, toldUpTo: upTo };
}

/** Announcements by their ids. */
export async function loadAnnouncements(
  db: Deps["db"],
  ids: readonly string[],
): Promise<ReadonlyMap<string, AnnouncementRow>> {
  if (ids.length === 0) return new Map();
  return new Map((await listAnnouncementsById(db, [...new Set(ids)])).map((row) => [row.id, row]));
}

/** Tells the drivers of a task, and counts what came of it once. One that is over by now is told to nobody else. */
export async function announceTo(
  deps: Deps,
  row: AnnouncementRow,
  { id, kind, drivers }: TaskOf<"announce">,
): Promise<void> {
  const { db, now } = deps;
  if (row.endsAt <= now()) return;
  const results = await tellAll(deps, row, drivers);
  await db.batch([
    ...announcedStatements(db, row.id, {
      ...results,
      dueAt: now() + MINUTE_MS,
      where: isTaskOpen(id),
    }),
    doneStatement(db, { id, kind, at: now() }),
  ]);
}

function meantBy<Driver extends Parameters<typeof isInAudience>[1]>(
  row: AnnouncementRow,
  drivers: readonly Driver[],
): readonly Driver[] {
  const audience = audienceOf(row);
  return audience === null ? [] : drivers.filter((driver) => isInAudience(audience, driver));
}

/** @returns the announcement as it stands after this batch; null once it reached everybody */
async function tellBatch(deps: Deps, row: AnnouncementRow): Promise<AnnouncementRow | null> {
  const { db, now } = deps;
  const drivers = await listDriversAfter(db, row.toldUpTo, BATCH_SIZE);
  const results = await tellAll(
    deps,
    row,
    meantBy(row, drivers).map(({ id }) => id),
  );
  const upTo = drivers.at(-1)?.id ?? row.toldUpTo;
  const isTold = drivers.length < BATCH_SIZE;
  await recordAnnounced(db, row, { upTo, isTold, ...results, dueAt: now() + MINUTE_MS });
  return isTold ? null : { ...row, toldUpTo: upTo };
}

/** Tells some drivers' objects. @returns what came of it, and whom to come back to */
async function tellAll(deps: Deps, row: AnnouncementRow, drivers: readonly DriverId[]) {
  const answers = await Promise.all(
    drivers.map(async (driverId) => ({ driverId, pushes: await tell(deps, driverId, row) })),
  );
  const ended = answers.flatMap(({ pushes }) => (pushes && pushes.pending === 0 ? [pushes] : []));
  const retries = answers.flatMap(({ driverId, pushes }): DriverToRetry[] => {
    // Nobody knows how many browsers listen at an object that can't be reached.
    if (pushes === null) return [{ driverId, pending: 0 }];
    return pushes.pending > 0 ? [{ driverId, pending: pushes.pending }] : [];
  });
  const sum = (of: "sent" | "failed") => ended.reduce((total, pushes) => total + pushes[of], 0);
  return {
    drivers: answers.filter(({ pushes }) => pushes !== null).length,
    pushes: { sent: sum("sent"), failed: sum("failed") },
    retries,
  };
}

/**
 * Retries drivers whose objects couldn't be reached or whose pushes were still on their way. An announcement that is over
 * is pushed to nobody else.
 */
export async function retryAnnouncements(deps: Deps): Promise<void> {
  const { db, now } = deps;
  const due = await listDueRetries(db, now(), BATCH_SIZE);
  await Promise.all(
    due.map(async ({ retry, announcement }) => {
      const isOver = announcement.endsAt <= now();
      const pushes = isOver ? null : await tell(deps, retry.driverId, announcement);
      const told = pushes !== null && retry.pending === 0 ? 1 : 0;
      if (pushes?.pending === 0)
        return endRetry(db, retry, { told, sent: pushes.sent, failed: pushes.failed });
      const pending = pushes?.pending ?? retry.pending;
      if (isOver || retry.tries + 1 >= MAX_RETRIES) {
        const failed = (pushes?.failed ?? 0) + Math.max(pending, 1);
        return endRetry(db, retry, { told, sent: pushes?.sent ?? 0, failed });
      }
      return postponeRetry(db, retry, { told, pending, dueAt: now() + waitAfter(retry.tries) });
    }),
  );
}

function waitAfter(tries: number): DurationMs {
  return Math.min(MINUTE_MS * 2 ** tries, LONGEST_WAIT_MS);
}

/** The results of a driver's pushes so far; null if the object can't be reached. */
async function tell(
  deps: Deps,
  driverId: DriverId,
  row: AnnouncementRow,
): Promise<AnnouncementPushes | null> {
  const { startsAt: _startsAt, ...announcement } = toAnnouncement(row);
  try {
    return await deps.driver(driverId).announce(announcement);
  } catch (error) {
    deps.log("warn", "announcement.tell.failed", { driverId, ...describeError(error) });
    return null;
  }
}
