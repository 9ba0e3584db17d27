import {
  undoSend,
  isCodeActive,
  saveCode,
  consumeCode,
  consumeCodeTry,
  type CodeKey,
} from "../../../db/queries/identity-limits.ts";
import type { PoolUser } from "../../../db/queries/identity.ts";
import type { KeyBytes } from "../../../durable/runtime/keys.ts";
import { hmac, isEqual, toHex, utf8 } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { chooseLanguage } from "./phone.ts";
import type { ClientMetadata } from "../protocol/requests.ts";

const DIGITS = 6;
const CODE_COUNT = 10 ** DIGITS;
/** The largest multiple of `CODES` in 32 bits: beyond it some codes would be likelier than others. */
const UNBIASED_LIMIT = Math.floor(2 ** 32 / CODE_COUNT) * CODE_COUNT;

/** Six digits, each code as likely as any other. */
export function generateCode(randomBytes: (length: number) => KeyBytes): string {
  for (;;) {
    const { buffer, byteOffset } = randomBytes(4);
    const number = new DataView(buffer, byteOffset).getUint32(0);
    if (number < UNBIASED_LIMIT) return String(number % CODE_COUNT).padStart(DIGITS, "0");
  }
}

/** The number is hashed along: a code proves the number that it was sent to, and no other. */
function hashCode(
  key: KeyBytes,
  { userId, purpose, to }: CodeKey & { to: string },
  code: string,
): Promise<KeyBytes> {
  return hmac(key, utf8(`${userId} ${purpose} ${to} ${code}`));
}

async function codeKeys(pool: PoolContext): Promise<readonly [KeyBytes, ...KeyBytes[]]> {
  return pool.keys.derive("codes", pool.poolId);
}

/**
 * Sends a new code, which takes the place of the one before.
 * @returns false where the limits on sending forbid it; the code before stays in force
 * @throws {Fault} `CodeDeliveryFailureException` where the text could not be sent
 */
export async function sendVerificationCode(
  pool: PoolContext,
  name: CodeKey,
  { user, to, metadata }: { user: PoolUser; to: string; metadata: ClientMetadata },
): Promise<boolean> {
  const { limits } = pool;
  const now = pool.now();
  const code = generateCode(pool.randomBytes);
  const [key] = await codeKeys(pool);
  const hash = toHex(await hashCode(key, { ...name, to }, code));
  const isSaved = await saveCode(pool.db, name, {
    hash,
    expiresAt: now + limits.codeLifetimeMs,
    tries: limits.codeTries,
    now,
    rule: limits.sending,
  });
  if (!isSaved) return false;
  const language = chooseLanguage(metadata?.["language"], user.attributes["locale"]);
  try {
    await pool.sendText({ to, body: pool.messages.code(language, code) });
  } catch {
    // What the gateway says may quote the text: only that it failed is known.
    pool.log?.("warn", "identity.code.not_sent", { purpose: name.purpose });
    await undoSend(pool.db, name, hash);
    throw cognitoErrors.codeNotSent();
  }
  return true;
}

/** Counts a code for an account that doesn't exist as one that was sent, so that the limits tell nothing. */
export async function recordDecoySend(pool: PoolContext, name: CodeKey): Promise<boolean> {
  const { limits } = pool;
  const now = pool.now();
  const hash = toHex(pool.randomBytes(32));
  const code = {
    hash,
    expiresAt: now + limits.codeLifetimeMs,
    tries: limits.codeTries,
    now,
    rule: limits.sending,
  };
  return saveCode(pool.db, name, code);
}

/** As `sendCode`. @throws {Fault} `LimitExceededException` where the limits on sending forbid it */
export async function sendCodeOrRefuse(
  ...[pool, name, message]: Parameters<typeof sendVerificationCode>
): Promise<void> {
  if (!(await sendVerificationCode(pool, name, message))) throw cognitoErrors.limitExceeded();
}

/**
 * Sees to it that a code for the sign-in is in the user's hands: one that was sent a moment ago serves as well.
 * @param message null for an account that doesn't exist
 * @throws {Fault} `TooManyRequestsException` where there is none and none may be sent
 */
export async function ensureCodeSent(
  pool: PoolContext,
  name: CodeKey,
  message: Parameters<typeof sendVerificationCode>[2] | null,
): Promise<void> {
  if (message ? await sendVerificationCode(pool, name, message) : await recordDecoySend(pool, name)) return;
  if (!(await isCodeActive(pool.db, name, pool.now()))) throw cognitoErrors.tooManyRequests();
}

/** What became of a code that was entered: only `right` uses it up. */
export type CodeCheck = "right" | "wrong" | "none" | "spent";

/** @param entered.to the number that the code must have gone to */
export async function checkCode(
  pool: PoolContext,
  name: CodeKey,
  { to, code }: { to: string; code: string },
): Promise<CodeCheck> {
  const attempt = await consumeCodeTry(pool.db, name, pool.now());
  if (attempt.kind !== "hash") return attempt.kind;
  for (const key of await codeKeys(pool)) {
    const hash = await hashCode(key, { ...name, to }, code);
    if (isEqual(utf8(toHex(hash)), utf8(attempt.hash))) {
      return (await consumeCode(pool.db, name, attempt.hash)) ? "right" : "none";
    }
  }
  return "wrong";
}

/** @throws {Fault} unless the code is the right one */
export async function requireCode(...[pool, name, entered]: Parameters<typeof checkCode>): Promise<void> {
  const check = await checkCode(pool, name, entered);
  switch (check) {
    case "right":
      return;
    case "wrong":
      throw cognitoErrors.wrongCode();
    case "none":
      throw cognitoErrors.expiredCode();
    case "spent":
      throw cognitoErrors.limitExceeded();
  }
}
