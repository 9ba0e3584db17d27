import { and, asc, eq, lte, sql, type SQL } from "drizzle-orm";
import type { Cents, DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { qualified } from "../../expressions.ts";
import { operatorActs, operatorOrders } from "../../schema/operators.ts";
import type { payments } from "../../schema/payments.ts";

export type OrderRow = typeof operatorOrders.$inferSelect;

/** Orders that are due, the longest waiting first. */
export function listDueOrders(db: Db, now: EpochMs, limit: number): Promise<OrderRow[]> {
  return db
    .select()
    .from(operatorOrders)
    .where(lte(operatorOrders.dueAt, now))
    .orderBy(asc(operatorOrders.dueAt))
    .limit(limit);
}

/**
 * The orders that failed for so long after their act, by kind, and since when. Counts up to the last try: a closed deployment
 * tries none.
 */
export function countLeftOrders(
  db: Db,
  patienceMs: DurationMs,
): Promise<{ kind: OrderRow["kind"]; orders: number; since: EpochMs }[]> {
  return (
    db
      .select({
        kind: operatorOrders.kind,
        orders: sql<number>`count(*)`,
        since: sql<EpochMs>`min(${operatorActs.at})`,
      })
      .from(operatorOrders)
      // Crossed, since SQLite would otherwise begin with all acts of before, each minute.
      .crossJoin(operatorActs)
      .where(
        and(
          eq(operatorActs.id, operatorOrders.id),
          sql`${operatorOrders.dueAt} - ${operatorActs.at} > ${patienceMs}`,
        ),
      )
      .groupBy(operatorOrders.kind)
      .orderBy(asc(operatorOrders.kind))
  );
}

export async function loadOrder(db: Db, id: string): Promise<OrderRow | null> {
  const [row] = await db.select().from(operatorOrders).where(eq(operatorOrders.id, id));
  return row ?? null;
}

/** That an order is still to be carried out, as a condition. */
export function isOrdered(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${operatorOrders} WHERE ${operatorOrders.id} = ${id})`;
}

export function deleteOrderStatement(db: Db, id: string, where: SQL = sql`1`) {
  return db.delete(operatorOrders).where(sql`${operatorOrders.id} = ${id} AND ${where}`);
}

export async function deleteOrder(db: Db, id: string): Promise<void> {
  await deleteOrderStatement(db, id);
}

/** An order that could not be carried out is tried again later, under another of Stripe's keys if this one is used up. */
export async function postponeOrder(
  db: Db,
  id: string,
  { dueAt, isKeyUsed }: { dueAt: EpochMs; isKeyUsed: boolean },
): Promise<void> {
  await db
    .update(operatorOrders)
    .set({ dueAt, keysUsed: sql`${operatorOrders.keysUsed} + ${Number(isKeyUsed)}` })
    .where(eq(operatorOrders.id, id));
}

/** The refunds ordered for a payment, as an expression: they count as ours until Stripe says that it is done. */
export function orderedCents(paymentId: string | typeof payments.id): SQL<Cents> {
  const { cents, paymentId: orderedFor } = operatorOrders;
  return qualified(
    sql<Cents>`(SELECT coalesce(sum(${cents}), 0) FROM ${operatorOrders} WHERE ${orderedFor} = ${paymentId})`,
  );
}
