import { and, eq, gt, lt, lte, or, sql } from "drizzle-orm";
import type { DriverId, DurationMs, EpochMs } from "../shapes/units.ts";
import type { Db } from "../client.ts";
import { poolAttempts, poolCodes, poolNonces, type CodePurpose } from "../identity-schema.ts";

/** After how many wrong tries in a row the lock begins, how long it may grow, and after how much quiet all is forgotten. */
export type LockPolicy = { freeTries: number; maxLockMs: DurationMs; resetAfterMs: DurationMs };

/** Sending a code again: no sooner than `gapMs`, and at most `most` in a window. */
export type SendPolicy = { minIntervalMs: DurationMs; windowMs: DurationMs; maxSends: number };

/** Whether the subject must wait. */
export async function isLocked(db: Db, subject: string, now: EpochMs): Promise<boolean> {
  const [row] = await db
    .select({ lockedUntil: poolAttempts.lockedUntil })
    .from(poolAttempts)
    .where(eq(poolAttempts.subject, subject));
  return row !== undefined && row.lockedUntil > now;
}

/**
 * Takes a try before it is known whether it is a right one, so that many at once can't outrun the lock:
 * the n-th wrong one in a row locks for 2^(n − freeTries) seconds. A right one clears them.
 * @returns false where the subject is locked; then nothing is counted
 */
export async function consumeTry(
  db: Db,
  { subject, now, rule }: { subject: string; now: EpochMs; rule: LockPolicy },
): Promise<boolean> {
  const { failures, lockedUntil, lastAt } = poolAttempts;
  const isQuiet = sql`${lastAt} <= ${now - rule.resetAfterMs}`;
  const lockMs = sql`min(${rule.maxLockMs}, 1000 << min(${failures} + 1 - ${rule.freeTries}, 20))`;
  const [[taken]] = await db.batch([
    db
      .insert(poolAttempts)
      .values({ subject, failures: 1, lockedUntil: 0, lastAt: now })
      .onConflictDoUpdate({
        target: poolAttempts.subject,
        set: {
          failures: sql`case when ${isQuiet} then 1 else ${failures} + 1 end`,
          lockedUntil: sql`case when ${isQuiet} or ${failures} + 1 < ${rule.freeTries} then 0 else ${now} + ${lockMs} end`,
          lastAt: now,
        },
        setWhere: lte(lockedUntil, now),
      })
      .returning({ failures }),
    // Names of accounts that don't exist leave rows too: the quiet ones are swept.
    db.delete(poolAttempts).where(and(lt(lastAt, now - rule.resetAfterMs), lte(lockedUntil, now))),
  ]);
  return taken !== undefined;
}

/** A right try: the ones before are forgotten. */
export async function clearTries(db: Db, subject: string): Promise<void> {
  await db.delete(poolAttempts).where(eq(poolAttempts.subject, subject));
}

/** Uses what may be used once. @returns false where it was used before */
export async function consumeNonce(
  db: Db,
  { nonce, expiresAt, now }: { nonce: string; expiresAt: EpochMs; now: EpochMs },
): Promise<boolean> {
  const [inserted] = await db.batch([
    db
      .insert(poolNonces)
      .values({ nonce, expiresAt })
      .onConflictDoNothing()
      .returning({ nonce: poolNonces.nonce }),
    db.delete(poolNonces).where(lt(poolNonces.expiresAt, now)),
  ]);
  return inserted.length === 1;
}

/** Whether something was used before, without using it. */
export async function isNonceUsed(db: Db, nonce: string): Promise<boolean> {
  const [row] = await db.select().from(poolNonces).where(eq(poolNonces.nonce, nonce));
  return row !== undefined;
}

/** A code of an account, for one purpose. */
export type CodeKey = { userId: DriverId; purpose: CodePurpose };

function matchesKey({ userId, purpose }: CodeKey) {
  return and(eq(poolCodes.userId, userId), eq(poolCodes.purpose, purpose));
}

/**
 * Puts a new code in the place of the one before, where the rule allows to send one.
 * @returns false where it doesn't; then the code before stays in force
 */
export async function saveCode(
  db: Db,
  name: CodeKey,
  code: { hash: string; expiresAt: EpochMs; tries: number; now: EpochMs; rule: SendPolicy },
): Promise<boolean> {
  const { now, rule } = code;
  const isNewWindow = lte(poolCodes.windowStartedAt, now - rule.windowMs);
  const [saved] = await db.batch([
    db
      .insert(poolCodes)
      .values({
        ...name,
        hash: code.hash,
        expiresAt: code.expiresAt,
        triesLeft: code.tries,
        sentAt: now,
        windowStartedAt: now,
        sentInWindow: 1,
      })
      .onConflictDoUpdate({
        target: [poolCodes.userId, poolCodes.purpose],
        set: {
          hash: code.hash,
          expiresAt: code.expiresAt,
          triesLeft: code.tries,
          sentAt: now,
          windowStartedAt: sql`case when ${isNewWindow} then ${now} else ${poolCodes.windowStartedAt} end`,
          sentInWindow: sql`case when ${isNewWindow} then 1 else ${poolCodes.sentInWindow} + 1 end`,
        },
        setWhere: and(
          lte(poolCodes.sentAt, now - rule.minIntervalMs),
          or(isNewWindow, lt(poolCodes.sentInWindow, rule.maxSends)),
        ),
      })
      .returning({ userId: poolCodes.userId }),
    // Rows that limit nothing any more; those of accounts that don't exist are among them.
    db
      .delete(poolCodes)
      .where(and(lte(poolCodes.windowStartedAt, now - rule.windowMs), lte(poolCodes.expiresAt, now))),
  ]);
  return saved.length === 1;
}

/** The text could not be sent: another may be asked for at once. */
export async function undoSend(db: Db, name: CodeKey, hash: string): Promise<void> {
  await db
    .update(poolCodes)
    .set({ sentAt: 0, expiresAt: 0 })
    .where(and(matchesKey(name), eq(poolCodes.hash, hash)));
}

/** Whether a code is in force that still has tries. */
export async function isCodeActive(db: Db, name: CodeKey, now: EpochMs): Promise<boolean> {
  const [row] = await db
    .select({ hash: poolCodes.hash })
    .from(poolCodes)
    .where(and(matchesKey(name), gt(poolCodes.expiresAt, now), gt(poolCodes.triesLeft, 0)));
  return row !== undefined;
}

/**
 * Takes one of the code's tries, before it is known whether it is the right one.
 * @returns the hash to compare with; `none` where no code is in force, `spent` where its tries are used up
 */
export async function consumeCodeTry(
  db: Db,
  name: CodeKey,
  now: EpochMs,
): Promise<{ kind: "hash"; hash: string } | { kind: "none" } | { kind: "spent" }> {
  const [taken] = await db
    .update(poolCodes)
    .set({ triesLeft: sql`${poolCodes.triesLeft} - 1` })
    .where(and(matchesKey(name), gt(poolCodes.triesLeft, 0), gt(poolCodes.expiresAt, now)))
    .returning({ hash: poolCodes.hash });
  if (taken) return { kind: "hash", hash: taken.hash };
  const [row] = await db.select({ expiresAt: poolCodes.expiresAt }).from(poolCodes).where(matchesKey(name));
  return { kind: row !== undefined && row.expiresAt > now ? "spent" : "none" };
}

/** Uses the code up. @returns false where another caller did so first */
export async function consumeCode(db: Db, name: CodeKey, hash: string): Promise<boolean> {
  const consumed = await db
    .update(poolCodes)
    .set({ hash: "", expiresAt: 0, triesLeft: 0 })
    .where(and(matchesKey(name), eq(poolCodes.hash, hash)))
    .returning({ userId: poolCodes.userId });
  return consumed.length === 1;
}
