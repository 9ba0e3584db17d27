import { and, asc, eq, inArray, lt, type SQL } from "drizzle-orm";
import { serviceChangeKind, type ServiceChange } from "../../shapes/profile.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { undeliveredServiceChanges } from "../../schema/payments.ts";

/** Changes of an unknown kind stay undelivered until a deployment knows it. */
const isReadable = inArray(undeliveredServiceChanges.kind, serviceChangeKind.options);

/** The statement that leaves a service change for the driver's object, under a condition. */
export function serviceChangeStatement(
  db: Db,
  driverId: DriverId,
  { news, now, where }: { news: ServiceChange; now: EpochMs; where: SQL },
) {
  const { source, kind, money, changedMs, chargeAt } = news;
  const row = {
    source,
    driverId,
    kind,
    at: now,
    amountCents: money?.cents,
    currency: money?.currency,
    changedMs,
    chargeAt,
  };
  return insertWhere(db, undeliveredServiceChanges, row, where).onConflictDoNothing();
}

/** Service changes that a driver's object has not received yet, oldest first. */
export async function loadServiceChanges(db: Db, driverId: DriverId): Promise<ServiceChange[]> {
  const rows = await db
    .select()
    .from(undeliveredServiceChanges)
    .where(and(eq(undeliveredServiceChanges.driverId, driverId), isReadable))
    .orderBy(asc(undeliveredServiceChanges.at));
  return rows.map(({ source, kind, amountCents, currency, changedMs, chargeAt }) => ({
    source,
    kind,
    money: amountCents === null || currency === null ? null : { cents: amountCents, currency },
    changedMs,
    ...(chargeAt !== null && { chargeAt }),
  }));
}

/** Drivers with undelivered service changes from before an instant, the longest waiting first. */
export async function listDriversWithServiceChanges(
  db: Db,
  { before, limit }: { before: EpochMs; limit: number },
): Promise<DriverId[]> {
  const rows = await db
    .selectDistinct({ driverId: undeliveredServiceChanges.driverId })
    .from(undeliveredServiceChanges)
    .where(and(lt(undeliveredServiceChanges.at, before), isReadable))
    .orderBy(asc(undeliveredServiceChanges.at))
    .limit(limit);
  return rows.map(({ driverId }) => driverId);
}

/** Deletes service changes that the object has received. */
export async function deleteServiceChanges(db: Db, sources: readonly string[]): Promise<void> {
  if (sources.length > 0)
    await db.delete(undeliveredServiceChanges).where(inArray(undeliveredServiceChanges.source, [...sources]));
}
