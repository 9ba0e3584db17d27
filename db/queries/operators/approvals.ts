import { and, asc, desc, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { DAY_MS, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { users } from "../../schema/drivers.ts";
import { operatorApprovals } from "../../schema/operators.ts";
import { hasRecord } from "../accounts/has-record.ts";

export type ApprovalRow = typeof operatorApprovals.$inferSelect;
export type NewApproval = Omit<ApprovalRow, "decidedBy" | "decidedAt" | "isApproved">;

/** The statement that leaves an act to be decided, for the batch that writes who asked. */
export function approvalStatement(db: Db, approval: NewApproval, where: SQL) {
  return insertWhere(db, operatorApprovals, approval, where).onConflictDoNothing();
}

export async function loadApproval(db: Db, id: string): Promise<ApprovalRow | null> {
  const [row] = await db.select().from(operatorApprovals).where(eq(operatorApprovals.id, id));
  return row ?? null;
}

/** That an act still waits, as a condition. */
export function isWaiting(id: string, now: EpochMs): SQL {
  return sql`EXISTS (SELECT 1 FROM ${operatorApprovals} WHERE ${operatorApprovals.id} = ${id}
    AND ${operatorApprovals.decidedAt} IS NULL AND ${operatorApprovals.expiresAt} > ${now})`;
}

/**
 * That there is such a driver, and nobody's request for the same act waits, as a condition. Another reason makes no other act,
 * and neither does an end less than a day away: an operator who asks again for one in thirty days sends another instant.
 */
export function canBeAsked({ id, driverId, act, input, askedAt }: NewApproval): SQL {
  const { input: waiting } = operatorApprovals;
  const itself = (of: SQL) => sql`json_patch(${of}, '{"reason":null,"endsAt":null}')`;
  const later = (one: SQL, other: SQL) =>
    sql`coalesce(${one} ->> '$.endsAt', 0) - coalesce(${other} ->> '$.endsAt', 0)`;
  const [known, asked] = [sql`${waiting}`, sql`${input}`];
  return sql`${hasRecord(driverId)} AND NOT EXISTS (SELECT 1 FROM ${operatorApprovals}
    WHERE ${operatorApprovals.driverId} = ${driverId}
    AND ${operatorApprovals.act} = ${act} AND ${operatorApprovals.id} <> ${id}
    AND ${operatorApprovals.decidedAt} IS NULL AND ${operatorApprovals.expiresAt} > ${askedAt}
    AND ${itself(known)} = ${itself(asked)}
    AND max(${later(known, asked)}, ${later(asked, known)}) < ${DAY_MS})`;
}

/** The statement that decides, for the batch that does the act or writes that it was declined. */
export function decisionStatement(
  db: Db,
  { id, decidedBy, now, isApproved }: { id: string; decidedBy: string; now: EpochMs; isApproved: boolean },
  where: SQL,
) {
  return db
    .update(operatorApprovals)
    .set({ decidedBy, decidedAt: now, isApproved })
    .where(and(eq(operatorApprovals.id, id), isNull(operatorApprovals.decidedAt), where));
}

/**
 * Requests, each with the name of whom it is about: those that wait, the oldest first, which ends first; then the others,
 * the latest first.
 */
export function listApprovals(db: Db, { now, limit }: { now: EpochMs; limit: number }) {
  const { decidedAt, expiresAt, askedAt } = operatorApprovals;
  const waits = sql`(${and(isNull(decidedAt), gt(expiresAt, now))})`;
  return db
    .select({ approval: operatorApprovals, driverName: users.name })
    .from(operatorApprovals)
    .leftJoin(users, eq(users.id, operatorApprovals.driverId))
    .where(gt(askedAt, 0))
    .orderBy(desc(waits), asc(sql`CASE WHEN ${waits} THEN ${askedAt} END`), desc(askedAt))
    .limit(limit);
}

/** The statement that forgets what was asked about a driver. */
export function approvalsOf(db: Db, driverId: DriverId) {
  return db.update(operatorApprovals).set({ input: "{}" }).where(eq(operatorApprovals.driverId, driverId));
}

/** The batch of an act that an owner approved: it is done only while it waits, and says who approved it. */
export function approvedBatch(
  db: Db,
  { id, by: decidedBy, now }: { id: string; by: string; now: EpochMs },
  { condition, effects }: { condition: SQL; effects: (isWritten: SQL) => readonly BatchItem<"sqlite">[] },
) {
  return {
    condition: sql`(${condition}) AND ${isWaiting(id, now)}`,
    effects: (isWritten: SQL) => [
      ...effects(isWritten),
      decisionStatement(db, { id, decidedBy, now, isApproved: true }, isWritten),
    ],
  };
}
