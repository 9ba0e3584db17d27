import { and, asc, lt, sql, type SQL } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import type { undeliveredServiceChanges } from "../../schema/payments.ts";
import type { undeliveredNews } from "../../schema/voice.ts";

/**
 * Drivers for whom something waits since before an instant: one half waits the longest, the other is any of them, so that
 * those whose objects don't answer for hours hold up nobody else.
 */
export async function listWaitingDrivers(
  db: Db,
  table: typeof undeliveredServiceChanges | typeof undeliveredNews,
  { before, isReadable, limit }: { before: EpochMs; isReadable: SQL; limit: number },
): Promise<DriverId[]> {
  const waiting = (order: SQL, most: number) =>
    db
      .selectDistinct({ driverId: table.driverId })
      .from(table)
      .where(and(lt(table.at, before), isReadable))
      .orderBy(order)
      .limit(most);
  const drawn = await db.batch([waiting(asc(table.at), limit / 2), waiting(sql`random()`, limit)]);
  return [...new Set(drawn.flat().map(({ driverId }) => driverId))].slice(0, limit);
}
