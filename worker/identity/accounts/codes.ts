import {
  codeStore,
  type CodeCompanions,
  type CodeKey,
  type NewCode,
} from "../../../db/queries/identity/codes.ts";
import type { CodeStore } from "../../../db/queries/texts/limits.ts";
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

/** A new code, the way to store it, and the code of the hash that was stored: a long one while somebody guesses. */
export async function makeCode(
  pool: PoolContext,
  key: CodeKey,
  { to, alongside }: { to: string; alongside?: CodeCompanions | undefined },
): Promise<{ store: CodeStore; codeOf: (hash: string) => string }> {
  const { longCode, codeTries } = pool.limits;
  const [hashKey] = await codeKeys(pool);
  const make = async (digits: number) => {
    const code = generateCode(pool.randomBytes, digits);
    return { code, hash: toHex(await hashCode(hashKey, { ...key, to }, code)) };
  };
  const [usual, long, condition] = await Promise.all([
    make(DIGITS),
    make(longCode.digits),
    isUnderGuessing(pool, key, to),
  ]);
  const forms = {
    usual: { hash: usual.hash, tries: codeTries.inAll },
    other: { hash: long.hash, tries: longCode.triesInAll, condition },
  };
  return {
    store: storeOf(pool, key, { ...forms, sendsBefore: 0 }, alongside),
    codeOf: (hash) => (hash === long.hash ? long.code : usual.code),
  };
}

/**
 * The way to store something that looks like a code, for a name without an account.
 * @param sendsBefore how many sends a new window begins with: what would have been sent before
 */
export function makeDecoy(pool: PoolContext, key: CodeKey, sendsBefore: number): CodeStore {
  const usual = { hash: toHex(pool.randomBytes(32)), tries: pool.limits.codeTries.inAll };
  return storeOf(pool, key, { usual, other: null, sendsBefore });
}

function storeOf(
  pool: PoolContext,
  key: CodeKey,
  code: Pick<NewCode, "usual" | "other" | "sendsBefore">,
  alongside?: CodeCompanions,
): CodeStore {
  const { limits } = pool;
  const now = pool.now();
  const expiresAt = now + limits.codeLifetimeMs;
  // A caller who starts a sign-in again has a code already.
  const policy = key.purpose === "sign_in" ? { ...limits.sending, promptSends: 1 } : limits.sending;
  return codeStore(pool.db, key, { ...code, expiresAt, now, policy }, alongside);
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
