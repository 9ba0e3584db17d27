import {
  addWrongGuess,
  areUnlocked,
  areUsedUp,
  countGuessStatements,
  forgetGuesses,
  guessLock,
  readGuessCount,
  takeGuessBack,
  type GuessCount,
  type GuessLimit,
} from "../../../db/queries/identity/guesses.ts";
import {
  codeTryStatements,
  readCodeTry,
  type CodeKey,
  type CodeTry,
  type CodeTryResult,
} from "../../../db/queries/identity/codes.ts";
import {
  clearTries,
  consumeTryStatements,
  isSubjectUnlocked,
  lockEnd,
} from "../../../db/queries/identity/locks.ts";
import { lockSubjects } from "../../../db/queries/identity/pool-users.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { hmac, toHex, utf8 } from "../bytes.ts";
import { doLater, type PoolContext, noteEvent } from "../pool-context.ts";
import { cognitoErrors, type CognitoError } from "../protocol/errors.ts";
import { knownNames, nameAt, nameAtPassword } from "./known-browsers.ts";

/**
 * The target of a guess: each kind has its own short lock, and all of them count together over days. `mark`: of the account's
 * password, by which the calling browser may be known; undefined for a stranger's.
 */
export type GuessTarget =
  | { sub: string; kind: "password" | "code" | "software_token"; mark: string | undefined }
  | { sub: string; kind: "present_password" | "passkey" };

/** A guess that is counted as wrong until it is known. */
export type Guess = {
  /** It was right. */
  right(): Promise<void>;
  /** It was wrong. The owner is told if that locks the account. */
  wrong(): Promise<void>;
  /** Nobody checked it, since there was nothing to compare it with. */
  unchecked(): Promise<void>;
};

/**
 * The counters for guesses at an account: over days, and for the short lock by consecutive wrong ones; codes have their
 * own limits instead of that, and passkeys counts of their own, so that guesses at a password keep none out. Strangers'
 * count together; a browser that signed in by the present password has counts of its own, and so has who holds a session, so
 * that nobody else can lock these out. Passkeys outlast a password, and can't be guessed: of theirs each browser that signed in
 * before has counts of its own.
 */
function subjectsOf(pool: PoolContext, target: GuessTarget): { long: string; short: string | null } {
  const { sub } = target;
  switch (target.kind) {
    case "password": {
      const guesser = guesserOf(pool, target);
      return { long: guesser, short: lockSubjects(guesser).signIn };
    }
    case "software_token": {
      const guesser = guesserOf(pool, target);
      return { long: guesser, short: lockSubjects(guesser).softwareToken };
    }
    case "present_password":
      return { long: `${sub} present`, short: lockSubjects(sub).change };
    case "passkey": {
      const guesser = subjectOf(sub, nameAt(pool, sub));
      return { long: `${guesser} passkey`, short: lockSubjects(guesser).passkey };
    }
    case "code":
      return { long: guesserOf(pool, target), short: null };
  }
}

function subjectOf(sub: string, name: string | null): string {
  return name === null ? sub : `${sub} ${name}`;
}

/** The subject that counts what the caller guesses at an account whose password has this mark. */
export function guesserOf(
  pool: PoolContext,
  { sub, mark }: { sub: string; mark: string | undefined },
): string {
  return subjectOf(sub, nameAtPassword(pool, sub, mark));
}

/** The subjects that may count what a known browser guesses, whichever passwords its accounts have by now. */
export function knownGuessers(pool: PoolContext): string[] {
  return knownNames(pool).map(({ sub, name }) => subjectOf(sub, name));
}

function limitOf(pool: PoolContext, subject: string): GuessLimit {
  return { subject, policy: pool.limits.guesses };
}

/**
 * Refuses a sign-in while its account is locked for whoever calls, whatever they know.
 * @param until when the locks end that hold whoever calls; null if there is none
 * @throws {CognitoError} `NotAuthorizedException` with the time when the lock ends
 */
export async function refuseLocked(pool: PoolContext, sub: string, until: EpochMs | null): Promise<void> {
  if (until === null) return;
  await noteEvent(pool, "sign_in_refused", sub);
  throw cognitoErrors.lockedOut(until);
}

async function lockOf(pool: PoolContext, target: GuessTarget): Promise<EpochMs | null> {
  const { long, short } = subjectsOf(pool, target);
  const now = pool.now();
  const ends = await Promise.all([
    short === null ? null : lockEnd(pool.db, short, now),
    guessLock(pool.db, [long], now),
  ]);
  return latestOf(ends);
}

/** The latest end of some locks; null if none holds. */
export function latestOf(ends: readonly (EpochMs | null)[]): EpochMs | null {
  const held = ends.filter((end) => end !== null);
  return held.length === 0 ? null : Math.max(...held);
}

/**
 * Counts a guess before it is checked, so that parallel ones can't outrun the locks.
 * @param locked the error while the account is locked for whoever calls
 */
export async function beginGuess(
  pool: PoolContext,
  target: GuessTarget,
  locked: (until: EpochMs) => CognitoError = cognitoErrors.lockedOut,
): Promise<Guess> {
  const { db, limits } = pool;
  const { sub } = target;
  const { long, short } = subjectsOf(pool, target);
  const now = pool.now();
  const counted = [limitOf(pool, long)];
  if (short === null) {
    const count = readGuessCount(await db.batch(countGuessStatements(db, counted, now)), counted, now);
    return openGuess(pool, { sub, long, short, count }, locked);
  }
  // Before the try, whose own lock would hold this guess up.
  const [locks, added, swept, tried] = await db.batch([
    ...countGuessStatements(db, counted, now, isSubjectUnlocked(db, short, now)),
    ...consumeTryStatements(db, { subject: short, now, policy: limits.lock }),
  ]);
  if (tried.length === 0) throw locked((await lockOf(pool, target)) ?? now);
  const count = readGuessCount([locks, added, swept], counted, now);
  return openGuess(pool, { sub, long, short, count }, locked);
}

/** The same for a guess at the password, as a value: other reads, made beside it, may refuse the call for another reason. */
export async function beginSignIn(
  pool: PoolContext,
  account: { sub: string; mark: string | undefined },
): Promise<({ kind: "begun" } & Guess) | { kind: "locked"; error: CognitoError }> {
  const refusals: CognitoError[] = [];
  const locked = (until: EpochMs) => {
    const error = cognitoErrors.lockedOut(until);
    refusals.push(error);
    return error;
  };
  try {
    return { kind: "begun", ...(await beginGuess(pool, { ...account, kind: "password" }, locked)) };
  } catch (caught) {
    const error = refusals.find((refusal) => refusal === caught);
    if (error === undefined) throw caught;
    return { kind: "locked", error };
  }
}

/** Counts a guess at a code that signs in, and uses up one of the tries at that code, in one trip. */
export async function beginCodeGuess(
  pool: PoolContext,
  key: CodeKey,
  { mark, attempt }: { mark: string | undefined; attempt: CodeTry },
): Promise<{ guess: Guess; attempt: CodeTryResult }> {
  const { db } = pool;
  const now = pool.now();
  const sub = key.userId;
  const { long, short } = subjectsOf(pool, { sub, kind: "code", mark });
  const counted = [limitOf(pool, long)];
  // The tries first: this guess may be the one that locks.
  const [consumed, own, codes, locks, added] = await db.batch([
    ...codeTryStatements(db, key, attempt, areUnlocked(counted, now)),
    ...countGuessStatements(db, counted, now),
  ]);
  const count = readGuessCount([locks, added], counted, now);
  return {
    guess: openGuess(pool, { sub, long, short, count }, cognitoErrors.lockedOut),
    attempt: readCodeTry([consumed, own, codes], now),
  };
}

function openGuess(
  pool: PoolContext,
  { sub, long, short, count }: { sub: string; long: string; short: string | null; count: GuessCount },
  locked: (until: EpochMs) => CognitoError,
): Guess {
  const { db } = pool;
  const now = pool.now();
  if (count.kind === "locked") throw locked(count.until);
  return {
    async right() {
      await Promise.all([
        // A code that signs in stands in for the password.
        clearTries(db, short ?? lockSubjects(long).signIn),
        // Strangers' guesses stay, so that no sign-in of the owner's gives them another round.
        long === sub ? takeGuessBack(db, [long]) : forgetGuesses(db, [long]),
      ]);
    },
    async wrong() {
      await noteEvent(pool, "sign_in_failed", sub);
      if (count.lockedUntil > now) await noteLock(pool, sub, count.lockedUntil);
    },
    unchecked: () => takeGuessBack(db, [long]),
  };
}

/** The counters for wrong entries of a code: the account that it opens, or the number that it proves. */
async function codeLimit(pool: PoolContext, { userId, purpose }: CodeKey, to: string): Promise<GuessLimit> {
  if (purpose === "reset" || purpose === "sign_in") return limitOf(pool, userId);
  const [hashKey] = await pool.keys.derive("codes", pool.poolId);
  return limitOf(pool, `number ${toHex(await hmac(hashKey, utf8(`guesses ${to}`)))}`);
}

/**
 * Counts a wrong code. It holds up nobody who enters codes that prove a phone, or a stranger could lock the owner out:
 * instead the next codes get longer. Sign-ins of the account do wait.
 */
export async function noteWrongCode(pool: PoolContext, key: CodeKey, to: string): Promise<void> {
  const limit = await codeLimit(pool, key, to);
  const now = pool.now();
  const { lockedUntil } = await addWrongGuess(pool.db, limit, now);
  await noteEvent(pool, "code_failed", key.userId);
  if (lockedUntil > now && limit.subject === key.userId) await noteLock(pool, key.userId, lockedUntil);
}

async function noteLock(pool: PoolContext, sub: string, until: EpochMs): Promise<void> {
  await noteEvent(pool, "locked", sub);
  const { onGuessLock } = pool;
  if (onGuessLock) await doLater(pool, () => onGuessLock(sub, until));
}

/** A number was proved: what was guessed at its codes before is over. */
export async function forgetCodeGuesses(pool: PoolContext, key: CodeKey, to: string): Promise<void> {
  await forgetGuesses(pool.db, [(await codeLimit(pool, key, to)).subject]);
}

/** The condition that so many codes or passwords were guessed of late that the next code has to be a long one. */
export async function isUnderGuessing(
  pool: PoolContext,
  key: CodeKey,
  to: string,
): Promise<ReturnType<typeof areUsedUp>> {
  return areUsedUp(await codeLimit(pool, key, to), pool.now());
}
