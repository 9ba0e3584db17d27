import {
  audienceOf,
  listDriversAfter,
  listUntoldAnnouncements,
  noteTold,
  toAnnouncement,
  type AnnouncementRow,
} from "../db/queries/announcements.ts";
import { isInAudience } from "../db/shapes/announcement.ts";
import type { DriverId } from "../db/shapes/units.ts";
import { driverStub } from "../durable/driver/stub.ts";
import { describeError } from "../durable/runtime/describe-error.ts";
import type { NewsContext } from "./driver-news.ts";

/** How many drivers are looked at in one go, and how many goes a minute has. */
const BATCH_SIZE = 250;
const BATCHES_PER_RUN = 4;
/** How many announcements a run goes on with. */
const RUN_LIMIT = 5;

/**
 * Tells the objects of drivers of the announcements that hold: a part of them now, the others in the next minutes. How far it
 * came stands in the database, and an object that is told twice notifies once. An object that can't be told is left out: its
 * driver reads the line on the dashboard all the same.
 */
export async function sendAnnouncements(
  context: NewsContext,
  { batches = BATCHES_PER_RUN }: { batches?: number } = {},
): Promise<void> {
  const { db, now } = context.deps;
  let left = batches;
  for (const row of await listUntoldAnnouncements(db, now(), RUN_LIMIT)) {
    for (let next: AnnouncementRow | null = row; next && left > 0; left -= 1)
      next = await tellBatch(context, next);
  }
}

/** @returns the announcement as it stands after this batch; null once everybody was told */
async function tellBatch({ env, deps }: NewsContext, row: AnnouncementRow): Promise<AnnouncementRow | null> {
  const { db, config, log } = deps;
  const drivers = await listDriversAfter(db, row.toldUpTo, BATCH_SIZE);
  const audience = audienceOf(row);
  const meant = audience === null ? [] : drivers.filter((driver) => isInAudience(audience, driver));
  const { startsAt: _startsAt, ...announcement } = toAnnouncement(row);
  const tell = (driverId: DriverId) =>
    driverStub(env, config.platform.region, driverId).announce(announcement);
  const results = await Promise.allSettled(meant.map(({ id }) => tell(id)));
  for (const [index, result] of results.entries()) {
    if (result.status === "fulfilled") continue;
    const driverId = meant[index]?.id ?? null;
    log("warn", "announcement.tell.failed", { driverId, ...describeError(result.reason) });
  }
  const upTo = drivers.at(-1)?.id ?? row.toldUpTo;
  const isTold = drivers.length < BATCH_SIZE;
  await noteTold(db, row, { upTo, drivers: meant.length, isTold });
  return isTold ? null : { ...row, toldUpTo: upTo };
}
