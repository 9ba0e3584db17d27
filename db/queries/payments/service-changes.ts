import { driverQueries, readDriver, type DriverRecord } from "../accounts/drivers.ts";
import { and, asc, eq, inArray, sql, type SQL } from "drizzle-orm";
import { serviceChangeKind, type ServiceChange } from "../../shapes/profile.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { isAmong, jsonRows } from "../../expressions.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import { undeliveredServiceChanges } from "../../schema/payments.ts";
import { listWaitingDrivers } from "../texts/waiting-drivers.ts";

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

/** The same for several drivers, each under a condition on the row's own driver and revision. */
export function serviceChangesStatement(
  db: Db,
  changes: readonly { driverId: DriverId; revision: number; news: ServiceChange }[],
  { now, where }: { now: EpochMs; where: (driverId: SQL, revision: SQL) => SQL },
) {
  const rows = changes.map(({ driverId, revision, news }) => ({
    driverId,
    revision,
    source: news.source,
    kind: news.kind,
    amountCents: news.money?.cents ?? null,
    currency: news.money?.currency ?? null,
    changedMs: news.changedMs,
    chargeAt: news.chargeAt ?? null,
  }));
  const { source: given, field } = jsonRows(rows);
  return insertFrom(
    db,
    undeliveredServiceChanges,
    {
      source: field("source"),
      driverId: field("driverId"),
      kind: field("kind"),
      at: now,
      amountCents: field("amountCents"),
      currency: field("currency"),
      changedMs: field("changedMs"),
      chargeAt: field("chargeAt"),
    },
    sql`FROM ${given} WHERE ${where(field("driverId"), field("revision"))}`,
  ).onConflictDoNothing();
}

/** Service changes that a driver's object has not received yet, oldest first, with the changed driver. */
export async function loadChangedDriver(
  db: Db,
  driverId: DriverId,
): Promise<{ record: DriverRecord | null; serviceChanges: ServiceChange[] }> {
  const [rows, ...driver] = await db.batch([
    serviceChangesQuery(db, driverId),
    ...driverQueries(db, driverId),
  ]);
  return { record: readDriver(driver), serviceChanges: rows.map(toServiceChange) };
}

function serviceChangesQuery(db: Db, driverId: DriverId) {
  return db
    .select()
    .from(undeliveredServiceChanges)
    .where(and(eq(undeliveredServiceChanges.driverId, driverId), isReadable))
    .orderBy(asc(undeliveredServiceChanges.at));
}

/** The same for several drivers. */
export async function loadServiceChangesOf(
  db: Db,
  driverIds: readonly DriverId[],
): Promise<ReadonlyMap<DriverId, ServiceChange[]>> {
  const rows = await db
    .select()
    .from(undeliveredServiceChanges)
    .where(and(isAmong(undeliveredServiceChanges.driverId, driverIds), isReadable))
    .orderBy(asc(undeliveredServiceChanges.at));
  const byDriver = Map.groupBy(rows, ({ driverId }) => driverId);
  return new Map([...byDriver].map(([driverId, own]) => [driverId, own.map(toServiceChange)]));
}

function toServiceChange({
  source,
  kind,
  amountCents,
  currency,
  changedMs,
  chargeAt,
}: typeof undeliveredServiceChanges.$inferSelect): ServiceChange {
  return {
    source,
    kind,
    money: amountCents === null || currency === null ? null : { cents: amountCents, currency },
    changedMs,
    ...(chargeAt !== null && { chargeAt }),
  };
}

/** Drivers with undelivered service changes from before an instant. */
export function listDriversWithServiceChanges(
  db: Db,
  { before, limit }: { before: EpochMs; limit: number },
): Promise<DriverId[]> {
  return listWaitingDrivers(db, undeliveredServiceChanges, { before, isReadable, limit });
}

/** Deletes service changes that the object has received. */
export async function deleteServiceChanges(db: Db, sources: readonly string[]): Promise<void> {
  if (sources.length > 0)
    await db.delete(undeliveredServiceChanges).where(isAmong(undeliveredServiceChanges.source, sources));
}
