import { saveCode, undoSend, type CodeCompanions, type CodeKey } from "../../../db/queries/identity/codes.ts";
import type { PoolUser } from "../../../db/queries/identity/pool-users.ts";
import type { CodeStore } from "../../../db/queries/texts/limits.ts";
import { LANGUAGES, type Language } from "../../../db/shapes/language.ts";
import type { CodeAdmission } from "../../../durable/texts/text-door.ts";
import type { CodeRequest } from "../../../durable/texts/text-limits.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import type { ClientMetadata } from "../protocol/requests.ts";
import { hasActiveCode } from "./code-checks.ts";
import { makeCode, makeDecoy } from "./codes.ts";
import { isPhoneNumber } from "./phone.ts";

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
  const { store, codeOf } = await makeCode(pool, key, { to, alongside });
  const admission = await admitCode(pool, request, { metadata, isPerson, store });
  if (!admission) return false;
  const { hash } = admission;
  const language = chooseLanguage(metadata?.["language"], user.attributes["locale"]);
  const delivery = await admission.send(pool.messages.code(language, codeOf(hash)));
  if (delivery.kind === "sent") return true;
  await undoSend(pool.db, key, { hash, mayArrive: delivery.mayArrive });
  throw delivery.reason === "stopped" ? cognitoErrors.stopped() : cognitoErrors.codeNotSent();
}

/**
 * Null if a limit of the number, the account or the caller's network is reached, or the code's own: then nothing was
 * stored. A ceiling that others share asks for the challenge before it refuses.
 */
async function admitCode(
  pool: PoolContext,
  request: Omit<CodeRequest, "address">,
  { metadata, isPerson, store }: Pick<CodeMessage, "metadata"> & { isPerson: boolean; store: CodeStore },
): Promise<Extract<CodeAdmission, { kind: "admitted" }> | null> {
  const asked = { ...request, address: pool.address, asn: pool.asn };
  let admission = await pool.texts.admitCode(asked, store);
  if (admission.kind === "refused" && admission.reason === "ceiling" && pool.isHuman) {
    if (!isPerson && !(await pool.isHuman(metadata?.["challenge"] ?? null, pool.address)))
      throw cognitoErrors.challengeNeeded();
    admission = await pool.texts.admitCode({ ...asked, isPerson: true }, store);
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

/** Counts a send for a name without an account, so that the sending limits don't reveal which names exist. */
export async function recordDecoySend(
  pool: PoolContext,
  key: CodeKey,
  { to, metadata }: Pick<CodeMessage, "to" | "metadata">,
): Promise<boolean> {
  // A name that isn't a number, such as a sub, has no text to count.
  const isSignUp = key.purpose === "sign_up";
  const store = makeDecoy(pool, key, isSignUp ? 1 : 0);
  if (!isPhoneNumber(to)) return saveCode(pool.db, store);
  const request = { to, isProved: !isSignUp, account: key.userId, isDecoy: true };
  return (await admitCode(pool, request, { metadata, isPerson: false, store })) !== null;
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

/** The first supported language among the candidates (languages or locales such as `pt-BR`), or English. */
export function chooseLanguage(...candidates: readonly (string | null | undefined)[]): Language {
  for (const candidate of candidates) {
    const supported = LANGUAGES.find((language) => candidate?.toLowerCase().split(/[-_]/)[0] === language);
    if (supported) return supported;
  }
  return "en";
}
