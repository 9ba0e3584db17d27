import { asc, eq, inArray, lt } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../durable/engine/units.ts";
import type { Db } from "../client.ts";
import { serviceNews } from "../money-schema.ts";

/** What a driver's object has not heard yet, oldest first. */
export function readNews(db: Db, driverId: DriverId) {
  return db
    .select({ source: serviceNews.source, kind: serviceNews.kind })
    .from(serviceNews)
    .where(eq(serviceNews.driverId, driverId))
    .orderBy(asc(serviceNews.at));
}

/** Drivers with news from before an instant, the longest waiting first. */
export async function driversWithNews(
  db: Db,
  { before, limit }: { before: EpochMs; limit: number },
): Promise<DriverId[]> {
  const rows = await db
    .select({ driverId: serviceNews.driverId })
    .from(serviceNews)
    .where(lt(serviceNews.at, before))
    .groupBy(serviceNews.driverId)
    .orderBy(asc(serviceNews.at))
    .limit(limit);
  return rows.map(({ driverId }) => driverId);
}

/** The object has heard. */
export async function deleteNews(db: Db, sources: readonly string[]): Promise<void> {
  if (sources.length > 0) await db.delete(serviceNews).where(inArray(serviceNews.source, [...sources]));
}
