import { and, eq, gt, inArray, lt, lte, notExists, sql, type SQL } from "drizzle-orm";
import type { DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolAttempts } from "../../schema/identity.ts";

/** The number of wrong tries in a row that starts a lock, its maximum length, and the pause that resets the count. */
export type LockPolicy = { freeTries: number; maxLockMs: DurationMs; resetAfterMs: DurationMs };

/** When the lock of a subject ends; null if it isn't locked. */
export async function lockEnd(db: Db, subject: string, now: EpochMs): Promise<EpochMs | null> {
  const [row] = await db
    .select({ lockedUntil: poolAttempts.lockedUntil })
    .from(poolAttempts)
    .where(eq(poolAttempts.subject, subject));
  return row !== undefined && row.lockedUntil > now ? row.lockedUntil : null;
}

/**
 * Counts a try as wrong before it is checked, so that parallel tries can't outrun the lock; `clearTries` undoes it after a
 * right one. The nth wrong try in a row locks for 2^(n − freeTries) seconds.
 * @returns false if the subject is locked; such a try isn't counted
 */
export async function consumeTry(
  db: Db,
  attempt: { subject: string; now: EpochMs; policy: LockPolicy },
): Promise<boolean> {
  const [counted] = await db.batch(consumeTryStatements(db, attempt));
  return counted.length === 1;
}

/** The statements of `consumeTry`; the first returns a row if the try counts. */
export function consumeTryStatements(
  db: Db,
  { subject, now, policy }: { subject: string; now: EpochMs; policy: LockPolicy },
) {
  const { failures, lockedUntil, lastAt } = poolAttempts;
  const isReset = sql`${lastAt} <= ${now - policy.resetAfterMs}`;
  const lockMs = sql`min(${policy.maxLockMs}, 1000 << min(${failures} + 1 - ${policy.freeTries}, 20))`;
  return [
    db
      .insert(poolAttempts)
      .values({ subject, failures: 1, lockedUntil: 0, lastAt: now })
      .onConflictDoUpdate({
        target: poolAttempts.subject,
        set: {
          failures: sql`case when ${isReset} then 1 else ${failures} + 1 end`,
          lockedUntil: sql`case when ${isReset} or ${failures} + 1 < ${policy.freeTries} then 0 else ${now} + ${lockMs} end`,
          lastAt: now,
        },
        setWhere: lte(lockedUntil, now),
      })
      .returning({ failures }),
    // Names without an account leave rows as well, so rows that no longer matter are deleted here.
    db.delete(poolAttempts).where(and(lt(lastAt, now - policy.resetAfterMs), lte(lockedUntil, now))),
  ] as const;
}

/** Whether a subject isn't locked, for the statements of a batch before those of `consumeTry`. */
export function isSubjectUnlocked(db: Db, subject: string, now: EpochMs): SQL {
  return notExists(
    db
      .select({ one: sql`1` })
      .from(poolAttempts)
      .where(and(eq(poolAttempts.subject, subject), gt(poolAttempts.lockedUntil, now))),
  );
}

/** Forgets the wrong tries of a subject. */
export async function clearTries(db: Db, subject: string): Promise<void> {
  await clearTriesStatement(db, [subject]);
}

/** The statement that does so for several subjects, for the batch that lifts their locks. */
export function clearTriesStatement(db: Db, subjects: readonly string[], condition?: SQL) {
  return db.delete(poolAttempts).where(and(inArray(poolAttempts.subject, [...subjects]), condition));
}
