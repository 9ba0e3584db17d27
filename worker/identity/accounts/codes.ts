import {
  codeProof,
  consumeCodeTry,
  isCodeActive,
  saveCode,
  undoSend,
  type CodeCompanions,
  type CodeKey,
  type CodeTryResult,
} from "../../../db/queries/identity/codes.ts";
import type { OneTimeProof } from "../../../db/queries/identity/one-time-proofs.ts";
import type { PoolUser } from "../../../db/queries/identity/pool-users.ts";
import { LANGUAGES, type Language } from "../../../db/shapes/language.ts";
import type { Admission } from "../../../durable/texts/text-door.ts";
import type { CodeRequest } from "../../../durable/texts/text-limits.ts";
import { networkOf } from "../../../durable/texts/networks.ts";
import type { KeyBytes } from "../../../durable/runtime/keys.ts";
import { hmac, isEqual, toHex, utf8 } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { isUnderGuessing, noteWrongCode } from "./guesses.ts";
import { isPhoneNumber } from "./phone.ts";
import type { ClientMetadata } from "../protocol/requests.ts";

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
function hashCode(
  hashKey: KeyBytes,
  { userId, purpose, to }: CodeKey & { to: string },
  code: string,
): Promise<KeyBytes> {
  return hmac(hashKey, utf8(`${userId} ${purpose} ${to} ${code}`));
}

async function codeKeys(pool: PoolContext): Promise<readonly [KeyBytes, ...KeyBytes[]]> {
  return pool.keys.derive("codes", pool.poolId);
}

/** The receiver of a code, and its language. */
export type CodeMessage = {
  user: PoolUser;
  to: string;
  metadata: ClientMetadata;
  /** Whether the caller has solved a challenge in this call. */
  isPerson?: boolean;
  alongside?: CodeCompanions;
};

/**
 * Texts a new code, which replaces the previous one.
 * @returns false if the sending limits don't allow it; the previous code then stays valid
 * @throws {CognitoError} `InvalidParameterException` if the number gets no texts, `CodeDeliveryFailureException` if the
 * text couldn't be sent
 */
export async function sendVerificationCode(
  pool: PoolContext,
  key: CodeKey,
  { user, to, metadata, isPerson = false, alongside }: CodeMessage,
): Promise<boolean> {
  const isProved = user.phoneVerified && to === user.phoneNumber;
  const request = { to, isProved, account: key.userId, isDecoy: false };
  const [admission, { code, hash, tries }] = await Promise.all([
    admitCode(pool, request, { metadata, isPerson }),
    makeCode(pool, key, to),
  ]);
  if (!admission) return false;
  const [isSaved] = await Promise.all([
    saveNewCode(pool, key, { hash, tries, ...(alongside && { alongside }) }),
    admission.prepare(),
  ]);
  if (!isSaved) {
    await admission.cancel();
    return false;
  }
  const language = chooseLanguage(metadata?.["language"], user.attributes["locale"]);
  const delivery = await admission.send(pool.messages.code(language, code));
  if (delivery.kind === "sent") return true;
  await undoSend(pool.db, key, { hash, mayArrive: delivery.mayArrive });
  throw delivery.reason === "stopped" ? cognitoErrors.stopped() : cognitoErrors.codeNotSent();
}

/**
 * Null if a limit of the number, the account or the caller's network is reached. A ceiling that others share asks for the
 * challenge before it refuses.
 */
async function admitCode(
  pool: PoolContext,
  request: Omit<CodeRequest, "address">,
  { metadata, isPerson }: Pick<CodeMessage, "metadata"> & { isPerson: boolean },
): Promise<Extract<Admission, { kind: "admitted" }> | null> {
  const asked = { ...request, address: pool.address, asn: pool.asn };
  let admission = await pool.texts.admitCode(asked);
  if (admission.kind === "refused" && admission.reason === "ceiling" && pool.isHuman) {
    if (!isPerson && !(await pool.isHuman(metadata?.["challenge"] ?? null, pool.address)))
      throw cognitoErrors.challengeNeeded();
    admission = await pool.texts.admitCode({ ...asked, isPerson: true });
  }
  if (admission.kind === "admitted") return admission;
  switch (admission.reason) {
    case "number":
      throw cognitoErrors.invalidPhoneNumber();
    case "stopped":
      throw cognitoErrors.stopped();
    case "ceiling":
      throw cognitoErrors.tooManyCodes();
    case "limit":
      return null;
  }
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
  { hash, tries, alongside }: Pick<CodeMessage, "alongside"> & { hash: string; tries: number },
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

/** The first supported language among the candidates (languages or locales such as `pt-BR`), or English. */
export function chooseLanguage(...candidates: readonly (string | null | undefined)[]): Language {
  for (const candidate of candidates) {
    const supported = LANGUAGES.find((language) => candidate?.toLowerCase().split(/[-_]/)[0] === language);
    if (supported) return supported;
  }
  return "en";
}

/** Counts a send for a name without an account, so that the sending limits don't reveal which names exist. */
export async function recordDecoySend(
  pool: PoolContext,
  key: CodeKey,
  { to, metadata }: Pick<CodeMessage, "to" | "metadata">,
): Promise<boolean> {
  // A name that isn't a number, such as a sub, has no text to count.
  const isNumber = isPhoneNumber(to);
  const isProved = key.purpose !== "sign_up";
  const admission = isNumber
    ? await admitCode(
        pool,
        { to, isProved, account: key.userId, isDecoy: true },
        { metadata, isPerson: false },
      )
    : null;
  if (isNumber && !admission) return false;
  const sendsBefore = key.purpose === "sign_up" ? 1 : 0;
  const code = { hash: toHex(pool.randomBytes(32)), tries: pool.limits.codeTries.inAll };
  if (await saveNewCode(pool, key, code, sendsBefore)) return true;
  await admission?.cancel();
  return false;
}

/** Like `sendVerificationCode`. @throws {CognitoError} `LimitExceededException` if the sending limits don't allow it */
export async function sendCodeOrRefuse(
  ...[pool, key, message]: Parameters<typeof sendVerificationCode>
): Promise<void> {
  if (!(await sendVerificationCode(pool, key, message))) throw cognitoErrors.limitExceeded();
}

/**
 * Makes sure that the user has a valid code: sends one, or relies on the previous one if it's too early for another.
 * @param to.message null for a name without an account
 * @throws {CognitoError} `TooManyRequestsException` if there is no valid code and none may be sent
 */
export async function ensureCodeSent(
  pool: PoolContext,
  key: CodeKey,
  {
    username,
    metadata,
    message,
  }: { username: string; metadata: ClientMetadata; message: CodeMessage | null },
): Promise<void> {
  const decoy = { to: username, metadata };
  if (message ? await sendVerificationCode(pool, key, message) : await recordDecoySend(pool, key, decoy))
    return;
  if (!(await hasActiveCode(pool, key))) throw cognitoErrors.tooManyRequests();
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
