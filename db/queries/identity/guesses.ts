import { and, eq, inArray, lte, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { jsonRows } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { guesses } from "../../schema/security.ts";

/**
 * A ladder: the `free`-th wrong guess locks for `firstLockMs`, each further one for twice as long, `maxLockMs` at most. A
 * guess is forgotten after each `forgetOneMs` without another, a lock not counted.
 */
export type GuessPolicy = {
  free: number;
  firstLockMs: DurationMs;
  maxLockMs: DurationMs;
  forgetOneMs: DurationMs;
};

/** The targets that guesses are counted for, each with its ladder. */
export type GuessLimit = { subject: string; policy: GuessPolicy };

/** `counted`: of the first subject, how many are wrong by now, and until when that locks it. */
export type GuessCount =
  | { kind: "counted"; wrong: number; lockedUntil: EpochMs }
  | { kind: "locked"; until: EpochMs };

/** The longest of the locks of some subjects; null if none is locked. */
export async function guessLock(db: Db, subjects: readonly string[], now: EpochMs): Promise<EpochMs | null> {
  const [row] = await db
    .select({ until: sql<number | null>`max(${guesses.lockedUntil})` })
    .from(guesses)
    .where(inArray(guesses.subject, [...subjects]));
  return row?.until != null && row.until > now ? row.until : null;
}

/** The condition that none of some subjects is locked, for the statements of a batch before those that count a guess. */
export function areUnlocked(limits: readonly GuessLimit[], now: EpochMs): SQL {
  const { source, field } = jsonRows(limits);
  return sql`not exists (select 1 from ${guesses} where ${guesses.lockedUntil} > ${now}
    and ${guesses.subject} in (select ${field("subject")} from ${source}))`;
}

/**
 * The statements that count a guess as wrong for each of the subjects, or for none if one is locked, with a condition of the
 * caller's. Sent before the guess is checked, so that parallel guesses can't outrun the ladder: `takeGuessBack` undoes it after
 * a right one.
 */
export function countGuessStatements(
  db: Db,
  limits: readonly GuessLimit[],
  now: EpochMs,
  condition: SQL = sql`true`,
) {
  const subjects = limits.map(({ subject }) => subject);
  const isUnlocked = sql`${areUnlocked(limits, now)} and ${condition}`;
  return [
    db
      .select({ until: sql<number | null>`max(${guesses.lockedUntil})` })
      .from(guesses)
      .where(inArray(guesses.subject, subjects)),
    addWrong(db, limits, { now, where: isUnlocked }),
    db.delete(guesses).where(and(lte(guesses.forgottenAt, now), lte(guesses.lockedUntil, now))),
  ] as const;
}

/** Reads the results of `countGuessStatements`. */
export function readGuessCount(
  [locks, counted]: readonly [
    readonly { until: number | null }[],
    readonly { subject: string; wrong: number; lockedUntil: EpochMs }[],
    ...unknown[],
  ],
  limits: readonly GuessLimit[],
  now: EpochMs,
): GuessCount {
  const own = counted.find(({ subject }) => subject === limits[0]?.subject);
  if (own) return { kind: "counted", wrong: own.wrong, lockedUntil: own.lockedUntil };
  return { kind: "locked", until: locks[0]?.until ?? now };
}

/** Counts a guess that was wrong, locked or not: for what has limits of its own and can't be held up by this one. */
export async function addWrongGuess(
  db: Db,
  limit: GuessLimit,
  now: EpochMs,
): Promise<{ lockedUntil: EpochMs }> {
  const [[counted]] = await db.batch([
    addWrong(db, [limit], { now, where: sql`true` }),
    db.delete(guesses).where(and(lte(guesses.forgottenAt, now), lte(guesses.lockedUntil, now))),
  ]);
  return { lockedUntil: counted?.lockedUntil ?? 0 };
}

function addWrong(
  db: Db,
  limits: readonly GuessLimit[],
  { now, where }: { now: EpochMs; where: ReturnType<typeof sql> },
) {
  const { source, field } = jsonRows(limits.map(({ subject, policy }) => ({ subject, ...policy })));
  const policyOf = (name: keyof GuessPolicy) =>
    sql`(select ${field(name)} from ${source} where ${field("subject")} = ${guesses.subject})`;
  const wrong = sql`(${remaining(now, policyOf("forgetOneMs"))} + 1)`;
  const lockedUntil = sql`case when ${wrong} < ${policyOf("free")} then 0 else ${now} + min(${policyOf("maxLockMs")},
    ${policyOf("firstLockMs")} << min(${wrong} - ${policyOf("free")}, 20)) end`;
  return insertFrom(
    db,
    guesses,
    {
      subject: field("subject"),
      wrong: 1,
      lockedUntil: sql`case when ${field("free")} <= 1 then ${now} + ${field("firstLockMs")} else 0 end`,
      lastAt: now,
      forgottenAt: sql`${now} + ${field("forgetOneMs")}`,
    },
    sql`from ${source} where ${where}`,
  )
    .onConflictDoUpdate({
      target: guesses.subject,
      set: {
        wrong,
        lockedUntil,
        lastAt: now,
        forgottenAt: sql`max(${now}, ${lockedUntil}) + ${wrong} * ${policyOf("forgetOneMs")}`,
      },
    })
    .returning({ subject: guesses.subject, wrong: guesses.wrong, lockedUntil: guesses.lockedUntil });
}

function remaining(now: EpochMs, forgetOneMs: ReturnType<typeof sql> | DurationMs) {
  // D1 binds every number as a REAL, and a part of a time forgets nothing.
  const clean = sql`cast((${now} - max(${guesses.lastAt}, ${guesses.lockedUntil})) / ${forgetOneMs} as integer)`;
  return sql`max(0, ${guesses.wrong} - max(0, ${clean}))`;
}

/** The condition that of a subject's wrong guesses so many aren't forgotten that none is free. */
export function areUsedUp({ subject, policy }: GuessLimit, now: EpochMs): SQL {
  return sql`EXISTS (SELECT 1 FROM ${guesses}
    WHERE ${guesses.subject} = ${subject} AND ${remaining(now, policy.forgetOneMs)} >= ${policy.free})`;
}

/** Takes a guess back that was right, or that nobody checked. It lifts the lock that it would have been the reason of. */
export async function takeGuessBack(db: Db, subjects: readonly string[]): Promise<void> {
  await takeGuessBackStatement(db, subjects);
}

/** The same as a statement, for the batch of what ends the try. */
export function takeGuessBackStatement(db: Db, subjects: readonly string[]) {
  return db
    .update(guesses)
    .set({ wrong: sql`max(0, ${guesses.wrong} - 1)`, lockedUntil: 0 })
    .where(inArray(guesses.subject, [...subjects]));
}

/** Forgets every wrong guess of some subjects. */
export async function forgetGuesses(db: Db, subjects: readonly string[]): Promise<void> {
  await forgetGuessesStatement(db, subjects);
}

/** The same as a statement, for the batch of what lifts the locks. */
export function forgetGuessesStatement(db: Db, subjects: readonly string[], condition?: SQL) {
  return db.delete(guesses).where(and(inArray(guesses.subject, [...subjects]), condition));
}

const part = alias(guesses, "part");

/** Forgets what a part of a subject's guesses was, and all guesses of some others. */
export async function forgetOwnGuesses(
  db: Db,
  { of, own, others }: { of: string; own: string; others: readonly string[] },
): Promise<void> {
  const share = sql`coalesce((select ${part.wrong} from ${guesses} ${part} where ${part.subject} = ${own}), 0)`;
  await db.batch([
    db
      .update(guesses)
      .set({ wrong: sql`max(0, ${guesses.wrong} - ${share})` })
      .where(eq(guesses.subject, of)),
    db.delete(guesses).where(inArray(guesses.subject, [own, ...others])),
  ]);
}
