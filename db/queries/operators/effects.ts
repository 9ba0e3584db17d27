import { and, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Cents, DriverId, DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { accountChanges, poolUsers } from "../../schema/identity.ts";
import { operatorOrders } from "../../schema/operators.ts";
import { discounts, pointEntries } from "../../schema/payments.ts";
import { serviceCredits, users } from "../../schema/drivers.ts";
import { hasRecord } from "../accounts/has-record.ts";
import { revokeSessions } from "../identity/sessions.ts";
import { pointBalance } from "../rewards/points.ts";
import { wakeRenewal } from "../payments/renewals.ts";
import { atAfterLedger } from "../payments/service-time.ts";

// The effect of an act on a driver, for the batch that writes the act. Each statement does nothing unless `where` holds.

type Effect = { driverId: DriverId; now: EpochMs; where: SQL };

/** The record of a driver as it was read: nothing that the object needs was written since. */
export function isRecordUnchanged({ id, revision }: { id: DriverId; revision: number }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${id} AND ${users.revision} = ${revision})`;
}

function bumpRevision(db: Db, { driverId, where }: Effect) {
  return db
    .update(users)
    .set({ revision: sql`${users.revision} + 1` })
    .where(and(eq(users.id, driverId), where));
}

/** Adds service time, or (negative) takes it. */
export function serviceEffects(
  db: Db,
  effect: Effect,
  { source, durationMs }: { source: string; durationMs: DurationMs },
) {
  const { driverId, now, where } = effect;
  return [
    insertWhere(
      db,
      serviceCredits,
      { source, driverId, durationMs, at: atAfterLedger(sql`${driverId}`, now) },
      where,
    ),
    bumpRevision(db, effect),
    wakeRenewal(db, driverId, { now, where }),
  ];
}

/** How many points a driver has before a change of them and after it, and that they are never less than none. */
export function pointFacts(driverId: DriverId, change: number): { before: SQL; after: SQL; condition: SQL } {
  const balance = pointBalance(driverId);
  return {
    before: sql`json_object('points', ${balance})`,
    after: sql`json_object('points', ${balance} + ${change})`,
    condition: sql`${hasRecord(driverId)} AND (${change} > 0 OR ${balance} + ${change} >= 0)`,
  };
}

/** Adds points, or (negative) takes them. */
export function pointEffects(
  db: Db,
  { driverId, now, where }: Effect,
  { source, points }: { source: string; points: number },
) {
  return [insertWhere(db, pointEntries, { source, driverId, points, at: now }, where)];
}

/** A price of the driver's own. */
export function specialPriceEffects(
  db: Db,
  { driverId, now, where }: Effect,
  price: Pick<typeof discounts.$inferSelect, "id" | "plan" | "priceCents" | "currency" | "endsAt">,
) {
  const row = { ...price, kind: "special_price", driverId, startsAt: now } as const;
  return [insertWhere(db, discounts, row, where)];
}

/** A price of the driver's own that holds now or will; null if there is none. */
export async function loadOwnPrice(
  db: Db,
  { driverId, id, now }: { driverId: DriverId; id: string; now: EpochMs },
): Promise<typeof discounts.$inferSelect | null> {
  const [row] = await db
    .select()
    .from(discounts)
    .where(and(eq(discounts.id, id), eq(discounts.driverId, driverId), gt(discounts.endsAt, now)));
  return row ?? null;
}

/** The same as a condition. */
export function isOwnPrice({ driverId, id, now }: { driverId: DriverId; id: string; now: EpochMs }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${discounts}
    WHERE ${discounts.id} = ${id} AND ${discounts.driverId} = ${driverId} AND ${discounts.endsAt} > ${now})`;
}

export function endPriceEffects(db: Db, { driverId, now, where }: Effect, id: string) {
  return [
    db
      .update(discounts)
      .set({ endsAt: now })
      .where(and(eq(discounts.id, id), eq(discounts.driverId, driverId), where)),
  ];
}

/** Ends every session, and leaves that to be followed. */
export function signOutEffects(db: Db, effect: Effect) {
  const { driverId, now, where } = effect;
  return [revokeSessions(db, { userId: driverId, now }, where), leaveChange(db, effect)];
}

/** The driver's account in the pool, open or shut, as a condition. */
export function isAccount({ driverId, isEnabled }: { driverId: DriverId; isEnabled?: boolean }): SQL {
  const state = isEnabled === undefined ? sql`1` : sql`${poolUsers.enabled} = ${Number(isEnabled)}`;
  return sql`EXISTS (SELECT 1 FROM ${poolUsers} WHERE ${poolUsers.id} = ${driverId} AND ${state})`;
}

/** Shuts an account or opens it. The driver's own switch stays as it is. */
export function accessEffects(db: Db, effect: Effect, isEnabled: boolean) {
  return [
    db
      .update(poolUsers)
      .set({ enabled: isEnabled })
      .where(and(eq(poolUsers.id, effect.driverId), effect.where)),
    bumpRevision(db, effect),
    leaveChange(db, effect),
  ];
}

/** Leaves a change of an account to be followed. */
export function leaveChange(db: Db, { driverId, now, where }: Effect) {
  const change = { userId: driverId, revision: 1, isDeleted: false, changedAt: now };
  return insertWhere(db, accountChanges, change, where).onConflictDoUpdate({
    target: accountChanges.userId,
    set: { revision: sql`${accountChanges.revision} + 1`, changedAt: now },
  });
}

/** Leaves something to be done outside of the database. */
export function orderEffects(
  db: Db,
  { driverId, now, where }: Effect,
  order:
    | { id: string; kind: "refund"; paymentId: string; cents: Cents; isGoodwill: boolean }
    | { id: string; kind: "unlink" | "erase" },
) {
  return [insertWhere(db, operatorOrders, { ...order, driverId, dueAt: now, keysUsed: 0 }, where)];
}
