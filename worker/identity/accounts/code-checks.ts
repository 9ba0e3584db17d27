import {
  codeProof,
  consumeCodeTry,
  isCodeActive,
  type CodeKey,
  type CodeTryResult,
} from "../../../db/queries/identity/codes.ts";
import type { OneTimeProof } from "../../../db/queries/identity/one-time-proofs.ts";
import { isEqual, toHex, utf8 } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { callerNetwork, codeKeys, hashCode } from "./codes.ts";
import { noteWrongCode } from "./guesses.ts";

/** The calling network's tries at a code. */
export async function callerTry(pool: PoolContext) {
  return {
    network: await callerNetwork(pool),
    most: pool.limits.codeTries.perNetwork,
    now: pool.now(),
  };
}

/** Whether there is a valid code that the caller may still try. */
export async function hasActiveCode(pool: PoolContext, key: CodeKey): Promise<boolean> {
  return isCodeActive(pool.db, key, await callerTry(pool));
}

/** The result of checking a code. `none`: no code is valid; `exhausted`: no tries left. */
export type CodeCheck = "right" | "wrong" | "none" | "exhausted";

/** The same, with what proves to a batch that a right one wasn't used before. */
export type TriedCode = { check: "right"; proof: OneTimeProof } | { check: Exclude<CodeCheck, "right"> };

/**
 * Checks a code, which uses up a try. A right one stays valid until its proof is used.
 * @param entered.to the phone number that the code must have been sent to
 */
export async function tryCode(
  pool: PoolContext,
  key: CodeKey,
  entered: { to: string; code: string },
): Promise<TriedCode> {
  const attempt = await consumeCodeTry(pool.db, key, await callerTry(pool));
  return judgeCode(pool, key, { ...entered, attempt });
}

/** Checks a code that a try was used up at, and counts a wrong one. */
export async function judgeCode(...[pool, key, entered]: Parameters<typeof compareCode>): Promise<TriedCode> {
  const tried = await compareCode(pool, key, entered);
  if (tried.check === "wrong") await noteWrongCode(pool, key, entered.to);
  return tried;
}

/** Compares a code with the one that a try was used up at. */
export async function compareCode(
  pool: PoolContext,
  key: CodeKey,
  { to, code, attempt }: { to: string; code: string; attempt: CodeTryResult },
): Promise<TriedCode> {
  if (attempt.kind !== "hash") return { check: attempt.kind };
  for (const hashKey of await codeKeys(pool)) {
    const hash = await hashCode(hashKey, { ...key, to }, code);
    if (isEqual(utf8(toHex(hash)), utf8(attempt.hash)))
      return { check: "right", proof: codeProof(pool.db, key, attempt.hash) };
  }
  return { check: "wrong" };
}

/**
 * The proof that a code is right, for the batch of what it allows.
 * @throws {CognitoError} unless it is
 */
export async function requireCode(
  ...[pool, key, entered]: Parameters<typeof tryCode>
): Promise<OneTimeProof> {
  return requireProof(await tryCode(pool, key, entered));
}

/** The same for a code that a try was used up at. */
export async function requireTriedCode(
  ...[pool, key, entered]: Parameters<typeof compareCode>
): Promise<OneTimeProof> {
  return requireProof(await judgeCode(pool, key, entered));
}

function requireProof(tried: TriedCode): OneTimeProof {
  switch (tried.check) {
    case "right":
      return tried.proof;
    case "wrong":
      throw cognitoErrors.wrongCode();
    case "none":
      throw cognitoErrors.expiredCode();
    case "exhausted":
      throw cognitoErrors.limitExceeded();
  }
}
