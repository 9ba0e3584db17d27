import {
  forgetSending,
  isCodeLive,
  putCode,
  spendCode,
  takeCodeTry,
  type CodeName,
} from "../../db/queries/identity-limits.ts";
import type { PoolUser } from "../../db/queries/identity.ts";
import type { KeyBytes } from "../../durable/keys.ts";
import { hmac, isEqual, toHex, utf8 } from "./bytes.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";
import { chooseLanguage } from "./phone.ts";
import type { ClientMetadata } from "./requests.ts";

const DIGITS = 6;
const CODES = 10 ** DIGITS;
/** The largest multiple of `CODES` in 32 bits: beyond it some codes would be likelier than others. */
const FAIR_BELOW = Math.floor(2 ** 32 / CODES) * CODES;

/** Six digits, each code as likely as any other. */
export function makeCode(randomBytes: (length: number) => KeyBytes): string {
  for (;;) {
    const { buffer, byteOffset } = randomBytes(4);
    const number = new DataView(buffer, byteOffset).getUint32(0);
    if (number < FAIR_BELOW) return String(number % CODES).padStart(DIGITS, "0");
  }
}

/** The number is hashed along: a code proves the number that it was sent to, and no other. */
function hashCode(
  key: KeyBytes,
  { userId, purpose, to }: CodeName & { to: string },
  code: string,
): Promise<KeyBytes> {
  return hmac(key, utf8(`${userId} ${purpose} ${to} ${code}`));
}

async function codeKeys(pool: Pool): Promise<readonly [KeyBytes, ...KeyBytes[]]> {
  return pool.keys.derive("codes", pool.poolId);
}

/**
 * Sends a new code, which takes the place of the one before.
 * @returns false where the limits on sending forbid it; the code before stays in force
 * @throws {Fault} `CodeDeliveryFailureException` where the text could not be sent
 */
export async function sendCode(
  pool: Pool,
  name: CodeName,
  { user, to, metadata }: { user: PoolUser; to: string; metadata: ClientMetadata },
): Promise<boolean> {
  const { limits } = pool;
  const now = pool.now();
  const code = makeCode(pool.randomBytes);
  const [key] = await codeKeys(pool);
  const hash = toHex(await hashCode(key, { ...name, to }, code));
  const isPut = await putCode(pool.db, name, {
    hash,
    expiresAt: now + limits.codeLifeMs,
    tries: limits.codeTries,
    now,
    rule: limits.sending,
  });
  if (!isPut) return false;
  const language = chooseLanguage(metadata?.["language"], user.attributes["locale"]);
  try {
    await pool.sendText({ to, body: pool.words.code(language, code) });
  } catch {
    // What the gateway says may quote the text: only that it failed is known.
    pool.log?.("warn", "identity.code.not_sent", { purpose: name.purpose });
    await forgetSending(pool.db, name, hash);
    throw faults.codeNotSent();
  }
  return true;
}

/** Counts a code for an account that doesn't exist as one that was sent, so that the limits tell nothing. */
export async function pretendToSend(pool: Pool, name: CodeName): Promise<boolean> {
  const { limits } = pool;
  const now = pool.now();
  const hash = toHex(pool.randomBytes(32));
  const code = {
    hash,
    expiresAt: now + limits.codeLifeMs,
    tries: limits.codeTries,
    now,
    rule: limits.sending,
  };
  return putCode(pool.db, name, code);
}

/** As `sendCode`. @throws {Fault} `LimitExceededException` where the limits on sending forbid it */
export async function sendCodeOrRefuse(...[pool, name, message]: Parameters<typeof sendCode>): Promise<void> {
  if (!(await sendCode(pool, name, message))) throw faults.limitExceeded();
}

/**
 * Sees to it that a code for the sign-in is in the user's hands: one that was sent a moment ago serves as well.
 * @param message null for an account that doesn't exist
 * @throws {Fault} `TooManyRequestsException` where there is none and none may be sent
 */
export async function provideCode(
  pool: Pool,
  name: CodeName,
  message: Parameters<typeof sendCode>[2] | null,
): Promise<void> {
  if (message ? await sendCode(pool, name, message) : await pretendToSend(pool, name)) return;
  if (!(await isCodeLive(pool.db, name, pool.now()))) throw faults.tooManyRequests();
}

/** What became of a code that was entered: only `right` uses it up. */
export type CodeCheck = "right" | "wrong" | "none" | "spent";

/** @param entered.to the number that the code must have gone to */
export async function checkCode(
  pool: Pool,
  name: CodeName,
  { to, code }: { to: string; code: string },
): Promise<CodeCheck> {
  const taken = await takeCodeTry(pool.db, name, pool.now());
  if (taken.kind !== "hash") return taken.kind;
  for (const key of await codeKeys(pool)) {
    const hash = await hashCode(key, { ...name, to }, code);
    if (isEqual(utf8(toHex(hash)), utf8(taken.hash))) {
      return (await spendCode(pool.db, name, taken.hash)) ? "right" : "none";
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
      throw faults.wrongCode();
    case "none":
      throw faults.expiredCode();
    case "spent":
      throw faults.limitExceeded();
  }
}
