import {
  consumeTotpStep,
  findPoolUser,
  patchPoolAttributes,
  type PoolUser,
} from "../../../db/queries/identity/pool-users.ts";
import { replacePassword } from "../../../db/queries/identity/sessions.ts";
import type { CodeKey } from "../../../db/queries/identity/codes.ts";
import {
  consumeProof,
  isNonceUsed,
  type OneTimeProof,
} from "../../../db/queries/identity/one-time-proofs.ts";
import { findAccount, requireConfirmed, resealSecrets } from "../accounts/accounts.ts";
import { parseAttributes } from "../accounts/attributes.ts";
import { callerTry, compareCode, type CodeCheck } from "../accounts/code-checks.ts";
import { beginCodeGuess, beginGuess, beginSignIn } from "../accounts/guesses.ts";
import { presentMark } from "../accounts/known-browsers.ts";
import { markOfStored, ownerOf, sealPassword } from "../accounts/verifiers.ts";
import { enabledFactors, openTotpSecret } from "../mfa/second-factors.ts";
import { findTotpStep } from "../mfa/totp.ts";
import { allOf, type PoolContext, noteEvent } from "../pool-context.ts";
import { cognitoErrors, type CognitoError } from "../protocol/errors.ts";
import {
  requireClient,
  requireParameter,
  type OperationInput,
  type Parameters,
} from "../protocol/requests.ts";
import { readingKeys } from "../tokens/signing-keys.ts";
import { announceChange } from "../tokens/sessions.ts";
import type { SessionProofs } from "../tokens/tokens.ts";
import {
  consume,
  isOfPresentPassword,
  openChallengeSession,
  proofOf,
  type ChallengeSession,
  type Progress,
} from "./challenge-sessions.ts";
import { issueFactorChallenge, nextStep, refuseDevice, type SignInResponse } from "./next-step.ts";
import { verifyPasskey } from "./passkey-challenge.ts";
import { parseProof } from "./proofs.ts";

type ChallengeInput = OperationInput<"RespondToAuthChallenge">;

/** A challenge, the response to it, and the account that is signing in. */
type ChallengeContext = {
  input: ChallengeInput;
  responses: Parameters;
  session: ChallengeSession;
  user: PoolUser | null;
};

/** RespondToAuthChallenge: checks the response to a challenge and continues with the next step. */
export async function respondToAuthChallenge(
  input: ChallengeInput,
  call: PoolContext,
): Promise<SignInResponse> {
  const pool = readingKeys(call);
  const responses = input.ChallengeResponses ?? {};
  requireClient(pool, { ...input, SecretHash: responses["SECRET_HASH"] });
  const username = requireParameter(responses, "USERNAME");
  if (input.ChallengeName === "PASSWORD_VERIFIER")
    return verifyPasswordProof(pool, { input, responses, username });
  // The pool never issues these challenges, so there can't be a session for one.
  if (input.ChallengeName === "DEVICE_SRP_AUTH" || input.ChallengeName === "DEVICE_PASSWORD_VERIFIER")
    throw cognitoErrors.invalidSession();
  const session = await openChallengeSession(pool, input.Session, input.ChallengeName);
  const { passkeyChallenge: challenge } = session;
  if (challenge !== undefined) {
    const answer = requireParameter(responses, "ANSWER");
    return verifyPasskey(pool, { session, challenge, answer, metadata: input.ClientMetadata });
  }
  const [isNamed, isUsed, user] = await Promise.all([
    namesAccount(pool, username, session.sub),
    isNonceUsed(pool.db, session.id),
    findPoolUser(pool.db, session.sub),
  ]);
  if (!isNamed) throw cognitoErrors.invalidSession();
  if (isUsed) throw cognitoErrors.usedSession();
  if (user && !(await isOfPresentPassword(pool, session, user))) throw cognitoErrors.invalidSession();
  const context = { input, responses, session, user };
  switch (input.ChallengeName) {
    case "CUSTOM_CHALLENGE":
      return verifyCustomCode(pool, context);
    case "SMS_MFA":
      return verifySmsCode(pool, context);
    case "SOFTWARE_TOKEN_MFA":
      return verifyTotpCode(pool, context);
    case "SELECT_MFA_TYPE":
      return selectFactor(pool, context);
    case "NEW_PASSWORD_REQUIRED":
      return setNewPassword(pool, context);
  }
}

/** Whether a user name, a sub or a phone number, refers to the account (or decoy) with this sub. */
async function namesAccount(pool: PoolContext, username: string, sub: string): Promise<boolean> {
  return username === sub || (await findAccount(pool, username)).id === sub;
}

async function verifyPasswordProof(
  pool: PoolContext,
  { input, responses, username }: { input: ChallengeInput; responses: Parameters; username: string },
): Promise<SignInResponse> {
  const { block, isProven } = await parseProof(pool, responses);
  const [isNamed, user, guess] = await Promise.all([
    namesAccount(pool, username, block.sub),
    findPoolUser(pool.db, block.sub),
    // Beside the reads, since whoever is far from the database waits for each trip.
    beginSignIn(pool, { sub: block.sub, mark: block.passwordMark }),
  ]);
  if (!isNamed) {
    if (guess.kind === "begun") await guess.unchecked();
    throw cognitoErrors.wrongPassword();
  }
  if (guess.kind === "locked") {
    await noteEvent(pool, "sign_in_refused", block.sub);
    throw guess.error;
  }
  try {
    requireConfirmed(user);
  } catch (error) {
    await guess.unchecked();
    throw error;
  }
  const isRight = await isProven({ pool: pool.name, user: block.sub });
  if (!isRight || !user || !(await isOfPresentPassword(pool, block, user))) {
    await guess.wrong();
    throw cognitoErrors.wrongPassword();
  }
  const signIn = async () => {
    if (!user.enabled) throw cognitoErrors.disabled();
    // The client then sends the same proof again without the device, so this must come before the proof is used up.
    refuseDevice(responses);
    const progress: Progress = {
      sub: user.id,
      isCustom: block.isCustom,
      passed: [...block.passed, "password"],
      passwordMark: block.passwordMark,
    };
    const spent = { proofs: [proofOf(pool, block)] };
    const next = await nextStep(pool, user, { progress, metadata: input.ClientMetadata, spent });
    // Not beside it: a session is added only to the password that was proved, as it stands.
    await resealSecrets(pool, user);
    return next;
  };
  return allOf(guess.right(), signIn());
}

/** Uses the session up. @throws {CognitoError} if it was used before, or the account is disabled */
async function consumeSession(
  pool: PoolContext,
  { session }: ChallengeContext,
  user: PoolUser,
): Promise<void> {
  if (!user.enabled) throw cognitoErrors.disabled();
  if (!(await consume(pool, session))) throw cognitoErrors.usedSession();
}

function continueSignIn(
  pool: PoolContext,
  { session, input }: ChallengeContext,
  {
    user,
    step,
    spent = {},
  }: { user: PoolUser; step: Progress["passed"][number] | null; spent?: SessionProofs },
): Promise<SignInResponse> {
  const { sub, isCustom, passkeyId, passwordMark } = session;
  const passed = step === null ? session.passed : [...session.passed, step];
  return nextStep(pool, user, {
    progress: { sub, isCustom, passed, passkeyId, passwordMark },
    metadata: input.ClientMetadata,
    spent,
  });
}

/** A wrong code, an expired one and any code for an unknown account get the same error. */
async function verifyCustomCode(pool: PoolContext, context: ChallengeContext): Promise<SignInResponse> {
  const { user, session, responses } = context;
  const code = requireParameter(responses, "ANSWER");
  const name = { userId: session.sub, purpose: "sign_in" } as const;
  const { proof, settled } = await guessCode(pool, name, { user, code });
  if (!proof || !user) throw await afterGuess(settled, cognitoErrors.wrongPassword());
  return allOf(settled, continueByCode(pool, context, { user, step: "custom", proof }));
}

/** Continues a sign-in by a code, which is used up with its session. */
async function continueByCode(
  pool: PoolContext,
  context: ChallengeContext,
  { user, step, proof }: { user: PoolUser; step: "custom" | "mfa"; proof: OneTimeProof },
): Promise<SignInResponse> {
  if (!user.enabled) {
    await consumeProof(pool.db, proof);
    throw cognitoErrors.disabled();
  }
  const refused = step === "custom" ? cognitoErrors.wrongPassword : cognitoErrors.usedSession;
  const spent = { proofs: [proof, proofOf(pool, context.session)], refused };
  return continueSignIn(pool, context, { user, step, spent });
}

/** The error to throw once the guess is settled. */
async function afterGuess(settled: Promise<void>, error: CognitoError): Promise<CognitoError> {
  await settled;
  return error;
}

/** Checks a code that signs in. Wrong ones count with the passwords; `settled` is when that is done. */
async function guessCode(
  pool: PoolContext,
  key: CodeKey,
  { user, code }: { user: PoolUser | null; code: string },
): Promise<{ check: CodeCheck; proof: OneTimeProof | null; settled: Promise<void> }> {
  const [mark, own] = await Promise.all([presentMark(pool, user), callerTry(pool)]);
  const { guess, attempt } = await beginCodeGuess(pool, key, { mark, attempt: own });
  const tried = await compareCode(pool, key, { to: user?.phoneNumber ?? "", code, attempt });
  switch (tried.check) {
    case "right":
      return { check: "right", proof: tried.proof, settled: guess.right() };
    case "wrong":
      return { check: "wrong", proof: null, settled: guess.wrong() };
    default:
      return { check: tried.check, proof: null, settled: guess.unchecked() };
  }
}

async function verifySmsCode(pool: PoolContext, context: ChallengeContext): Promise<SignInResponse> {
  const { user, responses } = context;
  const code = requireParameter(responses, "SMS_MFA_CODE");
  if (!user) throw cognitoErrors.invalidSession();
  const name = { userId: user.id, purpose: "sign_in" } as const;
  const { check, proof, settled } = await guessCode(pool, name, { user, code });
  if (!proof) {
    const error = check === "wrong" ? cognitoErrors.wrongMfaCode() : cognitoErrors.expiredCode();
    throw await afterGuess(settled, error);
  }
  return allOf(settled, continueByCode(pool, context, { user, step: "mfa", proof }));
}

async function verifyTotpCode(pool: PoolContext, context: ChallengeContext): Promise<SignInResponse> {
  const { user, responses } = context;
  const code = requireParameter(responses, "SOFTWARE_TOKEN_MFA_CODE");
  const secret = user && (await openTotpSecret(pool, user.id, user.totpSecret));
  if (!user || !secret) throw cognitoErrors.invalidSession();
  const mark = await presentMark(pool, user);
  const guess = await beginGuess(pool, { sub: user.id, kind: "software_token", mark });
  const step = await findTotpStep(secret, { code, now: pool.now() });
  if (step === null) {
    await guess.wrong();
    throw cognitoErrors.wrongMfaCode();
  }
  if (!(await consumeTotpStep(pool.db, user.id, step))) throw cognitoErrors.usedSoftwareToken();
  await guess.right();
  await consumeSession(pool, context, user);
  return continueSignIn(pool, context, { user, step: "mfa" });
}

async function selectFactor(pool: PoolContext, context: ChallengeContext): Promise<SignInResponse> {
  const { user, responses, session, input } = context;
  const answer = requireParameter(responses, "ANSWER");
  if (!user) throw cognitoErrors.invalidSession();
  const factor = enabledFactors(pool, user).find((known) => known === answer);
  if (!factor) throw cognitoErrors.invalidParameter("ANSWER names no factor that may be chosen.");
  await consumeSession(pool, context, user);
  return issueFactorChallenge(pool, user, { progress: session, metadata: input.ClientMetadata, factor });
}

async function setNewPassword(pool: PoolContext, context: ChallengeContext): Promise<SignInResponse> {
  const { user, responses } = context;
  const wanted = requireParameter(responses, "NEW_PASSWORD");
  if (!user) throw cognitoErrors.invalidSession();
  const attributes = parseAttributes(
    Object.entries(responses)
      .filter(([name]) => name.startsWith("userAttributes."))
      .map(([name, Value]) => ({ Name: name.slice("userAttributes.".length), Value })),
  );
  const { phone_number: _, ...others } = attributes;
  const password = await sealPassword(pool, user.id, { password: wanted, owner: ownerOf(user) });
  await consumeSession(pool, context, user);
  const end = { userId: user.id, phoneNumber: user.phoneNumber, now: pool.now() };
  if (!(await replacePassword(pool.db, { password, status: "CONFIRMED" }, end)))
    throw cognitoErrors.invalidSession();
  await noteEvent(pool, "password_changed", user.id);
  await announceChange(pool, user.id);
  await patchPoolAttributes(pool.db, user.id, others);
  const renewed: PoolUser = {
    ...user,
    password,
    status: "CONFIRMED",
    attributes: { ...user.attributes, ...others },
  };
  const renewedSession = { ...context.session, passwordMark: await markOfStored(pool, renewed) };
  return continueSignIn(pool, { ...context, session: renewedSession }, { user: renewed, step: null });
}
