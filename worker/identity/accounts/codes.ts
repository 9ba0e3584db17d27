import { saveCode, type CodeCompanions, type CodeKey } from "../../../db/queries/identity/codes.ts";
import type { KeyBytes } from "../../../durable/runtime/keys.ts";
import { networkOf } from "../../../durable/texts/networks.ts";
import { hmac, toHex, utf8 } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { isUnderGuessing } from "./guesses.ts";

const DIGITS = 6;
const CODE_COUNT = 10 ** DIGITS;
/** The largest multiple of `CODE_COUNT` below 2^32. Numbers above it would make some codes more likely than others. */
const UNBIASED_LIMIT = Math.floor(2 ** 32 / CODE_COUNT) * CODE_COUNT;

/** So many digits, uniformly distributed. */
export function generateCode(randomBytes: (length: number) => KeyBytes, digits = DIGITS): string {
  let code = "";
  while (code.length < digits) code += sixDigits(randomBytes);
  return code.slice(0, digits);
}

function sixDigits(randomBytes: (length: number) => KeyBytes): string {
  for (;;) {
    const { buffer, byteOffset } = randomBytes(4);
    const number = new DataView(buffer, byteOffset).getUint32(0);
    if (number < UNBIASED_LIMIT) return String(number % CODE_COUNT).padStart(DIGITS, "0");
  }
}

/** The hash covers the phone number, so that a code only verifies the number it was sent to. */
export function hashCode(
  hashKey: KeyBytes,
  { userId, purpose, to }: CodeKey & { to: string },
  code: string,
): Promise<KeyBytes> {
  return hmac(hashKey, utf8(`${userId} ${purpose} ${to} ${code}`));
}

/** The keys of hashes that are stored, the current one first. */
export async function codeKeys(pool: PoolContext): Promise<readonly [KeyBytes, ...KeyBytes[]]> {
  return pool.keys.derive("codes", pool.poolId);
}

/** A new code, its hash, and how many tries at it there may be: a long one while somebody guesses. */
export async function makeCode(
  pool: PoolContext,
  key: CodeKey,
  to: string,
): Promise<{ code: string; hash: string; tries: number }> {
  const { longCode, codeTries } = pool.limits;
  const isLong = await isUnderGuessing(pool, key, to);
  const code = generateCode(pool.randomBytes, isLong ? longCode.digits : DIGITS);
  const [hashKey] = await codeKeys(pool);
  const hash = toHex(await hashCode(hashKey, { ...key, to }, code));
  return { code, hash, tries: isLong ? longCode.triesInAll : codeTries.inAll };
}

/**
 * Stores a new code in place of the previous one.
 * @param sendsBefore how many sends a new window begins with: what a decoy would have sent before
 * @returns false if the sending limits don't allow it
 */
export function saveNewCode(
  pool: PoolContext,
  key: CodeKey,
  { hash, tries, alongside }: { hash: string; tries: number; alongside?: CodeCompanions },
  sendsBefore = 0,
): Promise<boolean> {
  const { limits } = pool;
  const now = pool.now();
  const code = {
    hash,
    expiresAt: now + limits.codeLifetimeMs,
    tries,
    now,
    sendsBefore,
    // A caller who starts a sign-in again has a code already.
    policy: key.purpose === "sign_in" ? { ...limits.sending, promptSends: 1 } : limits.sending,
  };
  return saveCode(pool.db, key, code, alongside);
}

/** The network that the caller comes from, hashed, since it is stored. Empty for a call from inside. */
export async function callerNetwork(pool: PoolContext): Promise<string> {
  if (pool.address === null) return "";
  const [hashKey] = await codeKeys(pool);
  return toHex(await hmac(hashKey, utf8(`network ${networkOf(pool.address)}`)));
}

/** A secret that a page keeps between registering and entering the code, hashed, since it is stored. */
export async function hashRegistrationSecret(pool: PoolContext, secret: string): Promise<string> {
  const [hashKey] = await codeKeys(pool);
  return toHex(await hmac(hashKey, utf8(`registration ${secret}`)));
}
