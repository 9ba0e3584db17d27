import { and, asc, eq, inArray } from "drizzle-orm";
import { driverNewsKind, type DriverNews } from "../../shapes/driver-news.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { isAmong } from "../../expressions.ts";
import { undeliveredNews } from "../../schema/voice.ts";
import { listWaitingDrivers } from "./waiting-drivers.ts";

/** News of an unknown kind stays undelivered until a deployment knows it. */
const isReadable = inArray(undeliveredNews.kind, driverNewsKind.options);

/** The news that a driver's object hasn't received yet, oldest first. */
export function loadNews(db: Db, driverId: DriverId): Promise<DriverNews[]> {
  return db
    .select({
      source: undeliveredNews.source,
      kind: undeliveredNews.kind,
      subject: undeliveredNews.subject,
      until: undeliveredNews.until,
    })
    .from(undeliveredNews)
    .where(and(eq(undeliveredNews.driverId, driverId), isReadable))
    .orderBy(asc(undeliveredNews.at));
}

/** Drivers with undelivered news from before an instant. */
export function listDriversWithNews(
  db: Db,
  { before, limit }: { before: EpochMs; limit: number },
): Promise<DriverId[]> {
  return listWaitingDrivers(db, undeliveredNews, { before, isReadable, limit });
}

/** Deletes news that the object has received. */
export async function deleteNews(db: Db, sources: readonly string[]): Promise<void> {
  if (sources.length > 0) await db.delete(undeliveredNews).where(isAmong(undeliveredNews.source, sources));
}
