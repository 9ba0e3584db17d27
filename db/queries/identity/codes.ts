import { and, eq, exists, gt, gte, inArray, lt, lte, notExists, or, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { DriverId, DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import { poolCodes, poolCodeTries, type CodePurpose } from "../../schema/identity.ts";
import type { CodeStore } from "../texts/limits.ts";
import type { OneTimeProof } from "./one-time-proofs.ts";

/** Sending codes: `promptSends` per window without a wait, the others `minIntervalMs` apart, and at most `maxSends`. */
export type SendPolicy = {
  promptSends: number;
  minIntervalMs: DurationMs;
  windowMs: DurationMs;
  maxSends: number;
};

/** The condition that there is a code that can be entered. */
export function hasCode(db: Db, key: CodeSubject, now: EpochMs): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(poolCodes)
      .where(and(matchesKey(key), gt(poolCodes.expiresAt, now), gt(poolCodes.triesLeft, 0))),
  );
}

/** Identifies a code: an account has one per purpose. */
export type CodeKey = { userId: DriverId; purpose: CodePurpose };

/** The same, where a statement finds the account by itself. */
export type CodeSubject = { userId: DriverId | SQL; purpose: CodePurpose };

function matchesKey({ userId, purpose }: CodeSubject) {
  return and(eq(poolCodes.userId, userId), eq(poolCodes.purpose, purpose));
}

/**
 * `isActive`: there is a code that can be entered, this one or an earlier one, and this one's text may be sent. `isSaved`: this
 * one was stored.
 */
export type CodeConditions = { isActive: SQL; isSaved: SQL };

/** More to store in the trip that stores a code. */
export type CodeCompanions<Known extends keyof CodeConditions = keyof CodeConditions> = (
  conditions: Pick<CodeConditions, Known>,
) => readonly BatchItem<"sqlite">[];

/** The hash of a code, and how many tries at it there may be. */
type CodeForm = { hash: string; tries: number };

/** A new code: another of its forms is stored on a condition. */
export type NewCode = {
  usual: CodeForm;
  other: (CodeForm & { condition: SQL }) | null;
  expiresAt: EpochMs;
  now: EpochMs;
  /** How many sends a new window begins with. */
  sendsBefore: number;
  policy: SendPolicy;
};

/**
 * The way to replace the code for a purpose, if its text may be sent and the policy allows another; else the previous
 * one stays.
 */
export function codeStore(
  db: Db,
  key: CodeKey,
  { usual, other, expiresAt, now, sendsBefore, policy }: NewCode,
  alongside: CodeCompanions = () => [],
): CodeStore {
  const isNewWindow = lte(poolCodes.windowStartedAt, now - policy.windowMs);
  const choose = (name: keyof CodeForm) =>
    other
      ? sql`case when ${other.condition} then ${other[name]} else ${usual[name]} end`
      : sql`${usual[name]}`;
  const hashes = other ? [usual.hash, other.hash] : [usual.hash];
  const isSaved = exists(
    db
      .select({ one: sql`1` })
      .from(poolCodes)
      .where(and(matchesKey(key), inArray(poolCodes.hash, hashes))),
  );
  const row = {
    ...key,
    hash: choose("hash"),
    expiresAt,
    triesLeft: choose("tries"),
    sentAt: now,
    windowStartedAt: now,
    sentInWindow: sendsBefore + 1,
  };
  return {
    isStored: isSaved,
    statements: (isOpen) => [
      insertWhere(db, poolCodes, row, isOpen)
        .onConflictDoUpdate({
          target: [poolCodes.userId, poolCodes.purpose],
          set: {
            hash: excluded(poolCodes.hash),
            expiresAt,
            triesLeft: excluded(poolCodes.triesLeft),
            sentAt: now,
            windowStartedAt: sql`case when ${isNewWindow} then ${now} else ${poolCodes.windowStartedAt} end`,
            sentInWindow: sql`case when ${isNewWindow} then ${sendsBefore + 1} else ${poolCodes.sentInWindow} + 1 end`,
          },
          setWhere: or(
            isNewWindow,
            and(
              lt(poolCodes.sentInWindow, policy.maxSends),
              or(
                lt(poolCodes.sentInWindow, policy.promptSends),
                lte(poolCodes.sentAt, now - policy.minIntervalMs),
              ),
            ),
          ),
        })
        .returning({ hash: poolCodes.hash }),
      // Deletes rows that no longer limit anything, those of names without an account included.
      db
        .delete(poolCodes)
        .where(and(lte(poolCodes.windowStartedAt, now - policy.windowMs), lte(poolCodes.expiresAt, now))),
      ...alongside({ isActive: sql`${isOpen} AND ${hasCode(db, key, now)}`, isSaved }),
    ],
  };
}

/**
 * Stores a code that no text is counted for.
 * @returns false if the policy doesn't allow it; the previous code then stays valid
 */
export async function saveCode(db: Db, store: CodeStore): Promise<boolean> {
  const [first, ...others] = store.statements(sql`true`);
  const [saved] = await db.batch([first, ...others]);
  return saved.length === 1;
}

/**
 * Takes a send back whose text failed, so that another may follow at once.
 * @param mayArrive the text may have been sent all the same: its code stays valid
 */
export async function undoSend(
  db: Db,
  key: CodeKey,
  { hash, mayArrive }: { hash: string; mayArrive: boolean },
): Promise<void> {
  await db
    .update(poolCodes)
    .set({
      sentAt: 0,
      sentInWindow: sql`max(0, ${poolCodes.sentInWindow} - 1)`,
      ...(mayArrive ? {} : { expiresAt: 0 }),
    })
    .where(and(matchesKey(key), eq(poolCodes.hash, hash)));
}

/** The network that tries a code, and how many tries it has. */
export type CodeTry = { network: string; most: number; now: EpochMs };

/** The row of a network that has no tries left at a code. */
function usedUpTries(db: Db, { network, most }: Pick<CodeTry, "network" | "most">) {
  return db
    .select({ tries: poolCodeTries.tries })
    .from(poolCodeTries)
    .where(
      and(
        eq(poolCodeTries.userId, poolCodes.userId),
        eq(poolCodeTries.purpose, poolCodes.purpose),
        eq(poolCodeTries.hash, poolCodes.hash),
        eq(poolCodeTries.network, network),
        gte(poolCodeTries.tries, most),
      ),
    );
}

/** Whether there is a valid code that a network has tries left for. */
export async function isCodeActive(db: Db, key: CodeKey, { network, most, now }: CodeTry): Promise<boolean> {
  const usedUp = usedUpTries(db, { network, most });
  const [row] = await db
    .select({ hash: poolCodes.hash })
    .from(poolCodes)
    .where(and(matchesKey(key), gt(poolCodes.expiresAt, now), gt(poolCodes.triesLeft, 0), notExists(usedUp)));
  return row !== undefined;
}

/**
 * Uses up one of the tries that a network has at a code, and one of all that the code has, before it is checked, so that
 * parallel tries can't exceed a limit.
 * @param condition the condition on which there is anything to use up
 * @returns the hash to compare with; `none` if no code is valid, `exhausted` if no tries are left
 */
export async function consumeCodeTry(
  db: Db,
  key: CodeKey,
  attempt: CodeTry,
  condition?: SQL,
): Promise<CodeTryResult> {
  return readCodeTry(await db.batch(codeTryStatements(db, key, attempt, condition)), attempt.now);
}

/** The hash to compare with; `none` if no code is valid, `exhausted` if no tries are left. */
export type CodeTryResult = { kind: "hash"; hash: string } | { kind: "none" } | { kind: "exhausted" };

/** The statements of `consumeCodeTry`, with a condition of the caller's. */
export function codeTryStatements(
  db: Db,
  key: CodeSubject,
  { network, most, now }: CodeTry,
  condition: SQL = sql`true`,
) {
  const isValid = and(matchesKey(key), gt(poolCodes.expiresAt, now), condition);
  const isNewer = sql`${poolCodeTries.hash} <> ${excluded(poolCodeTries.hash)}`;
  const usedUp = usedUpTries(db, { network, most });
  return [
    db
      .update(poolCodes)
      .set({ triesLeft: sql`${poolCodes.triesLeft} - 1` })
      .where(and(isValid, gt(poolCodes.triesLeft, 0), notExists(usedUp)))
      .returning({ hash: poolCodes.hash }),
    insertFrom(
      db,
      poolCodeTries,
      { ...key, network, hash: sql`${poolCodes.hash}`, tries: 1 },
      sql`from ${poolCodes} where ${isValid}`,
    ).onConflictDoUpdate({
      target: [poolCodeTries.userId, poolCodeTries.purpose, poolCodeTries.network],
      set: {
        hash: excluded(poolCodeTries.hash),
        tries: sql`case when ${isNewer} then 1 else ${poolCodeTries.tries} + 1 end`,
      },
      setWhere: or(isNewer, lt(poolCodeTries.tries, most)),
    }),
    db.select({ expiresAt: poolCodes.expiresAt }).from(poolCodes).where(matchesKey(key)),
  ] as const;
}

/** Reads the results of `codeTryStatements`. */
export function readCodeTry(
  [consumed, , codes]: readonly [
    readonly { hash: string }[],
    unknown,
    readonly { expiresAt: EpochMs }[],
    ...unknown[],
  ],
  now: EpochMs,
): CodeTryResult {
  const [own] = consumed;
  if (own) return { kind: "hash", hash: own.hash };
  const [code] = codes;
  return { kind: code !== undefined && code.expiresAt > now ? "exhausted" : "none" };
}

/** A code that was entered right, as the proof of a batch. */
export function codeProof(db: Db, key: CodeKey, hash: string): OneTimeProof {
  const own = and(matchesKey(key), eq(poolCodes.hash, hash));
  return {
    isUnused: exists(
      db
        .select({ one: sql`1` })
        .from(poolCodes)
        .where(own),
    ),
    use: db
      .update(poolCodes)
      .set({ hash: "", expiresAt: 0, triesLeft: 0 })
      .where(own)
      .returning({ userId: poolCodes.userId }),
  };
}
