import type { Deps } from "../../durable/deps.ts";
import {
  endRetry,
  listDueRetries,
  recordAnnounced,
  postponeRetry,
  type DriverToRetry,
} from "../../db/queries/texts/announcement-retries.ts";
import {
  audienceOf,
  listDriversAfter,
  listUntoldAnnouncements,
  toAnnouncement,
  type AnnouncementRow,
} from "../../db/queries/texts/announcements.ts";
import { isInAudience, type AnnouncementPushes } from "../../db/shapes/announcement.ts";
import { MINUTE_MS, type DriverId, type DurationMs } from "../../db/shapes/units.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";

/** How many drivers a batch has, and how many batches a minute. */
const BATCH_SIZE = 250;
const BATCHES_PER_RUN = 4;
/** How many announcements a run goes on with. */
const RUN_LIMIT = 5;
/** How often failed objects and pushes are retried: for about an hour and a half. */
const MAX_RETRIES = 8;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;

/**
 * Tells the objects of drivers of the announcements that hold: a part of them now, the others in the next minutes. How far it
 * came stands in the database, and an object that hears of it twice notifies once.
 */
export async function sendAnnouncements(
  deps: Deps,
  { batches = BATCHES_PER_RUN }: { batches?: number } = {},
): Promise<void> {
  const { db, now } = deps;
  let left = batches;
  for (const row of await listUntoldAnnouncements(db, now(), RUN_LIMIT)) {
    for (let next: AnnouncementRow | null = row; next && left > 0; left -= 1)
      next = await tellBatch(deps, next);
  }
}

/** @returns the announcement as it stands after this batch; null once it reached everybody */
async function tellBatch(deps: Deps, row: AnnouncementRow): Promise<AnnouncementRow | null> {
  const { db, now } = deps;
  const drivers = await listDriversAfter(db, row.toldUpTo, BATCH_SIZE);
  const audience = audienceOf(row);
  const meant = audience === null ? [] : drivers.filter((driver) => isInAudience(audience, driver));
  const answers = await Promise.all(
    meant.map(async ({ id }) => ({ driverId: id, pushes: await tell(deps, id, row) })),
  );
  const ended = answers.flatMap(({ pushes }) => (pushes && pushes.pending === 0 ? [pushes] : []));
  const retries = answers.flatMap(({ driverId, pushes }): DriverToRetry[] => {
    // Nobody knows how many browsers listen at an object that can't be reached.
    const pending = pushes?.pending ?? 1;
    return pending > 0 ? [{ driverId, pending }] : [];
  });
  const upTo = drivers.at(-1)?.id ?? row.toldUpTo;
  const isTold = drivers.length < BATCH_SIZE;
  const sum = (of: "sent" | "failed") => ended.reduce((total, pushes) => total + pushes[of], 0);
  await recordAnnounced(db, row, {
    upTo,
    drivers: answers.filter(({ pushes }) => pushes !== null).length,
    isTold,
    pushes: { sent: sum("sent"), failed: sum("failed") },
    retries,
    dueAt: now() + MINUTE_MS,
  });
  return isTold ? null : { ...row, toldUpTo: upTo };
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
      if (pushes?.pending === 0) return endRetry(db, retry, pushes);
      const pending = pushes?.pending ?? retry.pending;
      if (isOver || retry.tries + 1 >= MAX_RETRIES)
        return endRetry(db, retry, { sent: pushes?.sent ?? 0, failed: (pushes?.failed ?? 0) + pending });
      return postponeRetry(db, retry, { pending, dueAt: now() + waitAfter(retry.tries) });
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
