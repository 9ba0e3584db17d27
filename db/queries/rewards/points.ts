import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { DriverId } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { isAmong, qualified } from "../../expressions.ts";
import { payments, pointEntries } from "../../schema/payments.ts";

/** The ledger's balance, as an expression. */
export function pointBalance(driverId: DriverId): SQL<number> {
  return qualified(
    sql<number>`(SELECT coalesce(sum(${pointEntries.points}), 0) FROM ${pointEntries} WHERE ${pointEntries.driverId} = ${driverId})`,
  );
}

/**
 * Points that a driver can spend on a plan: the ledger's balance plus what an open payment has reserved, since
 * a new quote would release those. Never negative.
 */
export async function loadSpendablePoints(db: Db, driverId: DriverId): Promise<number> {
  const [[balance], [held]] = await db.batch([
    db
      .select({ points: sql<number>`coalesce(sum(${pointEntries.points}), 0)` })
      .from(pointEntries)
      .where(eq(pointEntries.driverId, driverId)),
    db
      .select({ points: sql<number>`coalesce(sum(${payments.points}), 0)` })
      .from(payments)
      .where(and(eq(payments.driverId, driverId), inArray(payments.status, ["open"]))),
  ]);
  return Math.max(0, (balance?.points ?? 0) + (held?.points ?? 0));
}

/** The same of several drivers; of those without any there is none. */
export async function loadSpendablePointsOf(
  db: Db,
  driverIds: readonly DriverId[],
): Promise<ReadonlyMap<DriverId, number>> {
  const [balances, helds] = await db.batch([
    db
      .select({ driverId: pointEntries.driverId, points: sql<number>`sum(${pointEntries.points})` })
      .from(pointEntries)
      .where(isAmong(pointEntries.driverId, driverIds))
      .groupBy(pointEntries.driverId),
    db
      .select({ driverId: payments.driverId, points: sql<number>`sum(${payments.points})` })
      .from(payments)
      .where(and(isAmong(payments.driverId, driverIds), inArray(payments.status, ["open"])))
      .groupBy(payments.driverId),
  ]);
  const held = new Map(helds.map(({ driverId, points }) => [driverId, points]));
  return new Map(
    balances.map(({ driverId, points }) => [driverId, Math.max(0, points + (held.get(driverId) ?? 0))]),
  );
}
