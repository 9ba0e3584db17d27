import {
  addWrongGuess,
  countGuess,
  forgetGuesses,
  guessLock,
  takeGuessBack,
  wrongGuesses,
  type GuessLimit,
} from "../../../db/queries/identity/guesses.ts";
import { clearTries, consumeTry, lockEnd, type CodeKey } from "../../../db/queries/identity/limits.ts";
import { lockSubjects } from "../../../db/queries/identity/pool-users.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { hmac, toHex, utf8 } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors, type CognitoError } from "../protocol/errors.ts";
import { noteEvent } from "../security-events.ts";
import { nameAt } from "./known-browsers.ts";

/** The targets of a guess: each kind has its own short lock, and all of them count together over days. */
export type GuessKind = "password" | "code" | "software_token" | "present_password";

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
 * own limits instead of that. Strangers' count together; a browser that signed in before has counts of its own, and so
 * has who holds a session, so that nobody else can lock these out.
 */
function subjectsOf(
  pool: PoolContext,
  { sub, kind }: { sub: string; kind: GuessKind },
): { long: string; short: string | null } {
  const name = nameAt(pool, sub);
  const guesser = name === null ? sub : `${sub} ${name}`;
  const { signIn, change, softwareToken } = lockSubjects(kind === "present_password" ? sub : guesser);
  switch (kind) {
    case "password":
      return { long: guesser, short: signIn };
    case "software_token":
      return { long: guesser, short: softwareToken };
    case "present_password":
      return { long: `${sub} present`, short: change };
    case "code":
      return { long: guesser, short: null };
  }
}

function limitOf(pool: PoolContext, subject: string): GuessLimit {
  return { subject, policy: pool.limits.guesses };
}

/**
 * Refuses a sign-in while its account is locked for whoever calls, whatever they know.
 * @throws {CognitoError} `NotAuthorizedException` with the time when the lock ends
 */
export async function requireUnlocked(pool: PoolContext, sub: string): Promise<void> {
  const until = await lockOf(pool, sub, "password");
  if (until === null) return;
  await noteEvent(pool, "sign_in_refused", sub);
  throw cognitoErrors.lockedOut(until);
}

async function lockOf(pool: PoolContext, sub: string, kind: GuessKind): Promise<EpochMs | null> {
  const { long, short } = subjectsOf(pool, { sub, kind });
  const now = pool.now();
  const [shortEnd, longEnd] = await Promise.all([
    short === null ? null : lockEnd(pool.db, short, now),
    guessLock(pool.db, [long], now),
  ]);
  if (shortEnd === null && longEnd === null) return null;
  return Math.max(shortEnd ?? 0, longEnd ?? 0);
}

/**
 * Counts a guess before it is checked, so that parallel ones can't outrun the locks.
 * @param locked the error while the account is locked for whoever calls
 */
export async function beginGuess(
  pool: PoolContext,
  { sub, kind }: { sub: string; kind: GuessKind },
  locked: (until: EpochMs) => CognitoError = cognitoErrors.lockedOut,
): Promise<Guess> {
  const { db, limits } = pool;
  const { long, short } = subjectsOf(pool, { sub, kind });
  const now = pool.now();
  if (short !== null && !(await consumeTry(db, { subject: short, now, policy: limits.lock }))) {
    throw locked((await lockOf(pool, sub, kind)) ?? now);
  }
  const count = await countGuess(db, [limitOf(pool, long)], now);
  if (count.kind === "locked") throw locked(count.until);
  return {
    async right() {
      // A code that signs in stands in for the password.
      await clearTries(db, short ?? lockSubjects(long).signIn);
      // Strangers' guesses stay, so that no sign-in of the owner's gives them another round.
      if (long === sub) await takeGuessBack(db, [long]);
      else await forgetGuesses(db, [long]);
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
  await pool.onGuessLock?.(sub, until);
}

/** A number was proved: what was guessed at its codes before is over. */
export async function forgetCodeGuesses(pool: PoolContext, key: CodeKey, to: string): Promise<void> {
  await forgetGuesses(pool.db, [(await codeLimit(pool, key, to)).subject]);
}

/** The password was reset by a code: what was guessed before was at another one. */
export async function liftLocks(pool: PoolContext, sub: string): Promise<void> {
  const { long: own } = subjectsOf(pool, { sub, kind: "password" });
  for (const subject of new Set([sub, own])) await clearTries(pool.db, lockSubjects(subject).signIn);
  await forgetGuesses(pool.db, [sub, own]);
}

/** Whether so many codes or passwords were guessed of late that the next code has to be a long one. */
export async function isUnderGuessing(pool: PoolContext, key: CodeKey, to: string): Promise<boolean> {
  const limit = await codeLimit(pool, key, to);
  return (await wrongGuesses(pool.db, limit, pool.now())) >= limit.policy.free;
}
