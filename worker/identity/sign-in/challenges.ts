import {
  lockSubjects,
  updatePoolUser,
  findPoolUser,
  patchPoolAttributes,
  consumeTotpStep,
  type PoolUser,
} from "../../../db/queries/identity.ts";
import { clearTries, isNonceUsed, isLocked, consumeTry } from "../../../db/queries/identity-limits.ts";
import {
  sealPassword,
  findAccount,
  resealSecrets,
  requireClient,
  requireConfirmed,
} from "../accounts/accounts.ts";
import { parseAttributes } from "../accounts/attributes.ts";
import { checkCode } from "../accounts/codes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { openTotpSecret } from "../mfa/mfa.ts";
import { enabledFactors } from "../mfa/factors.ts";
import { nextStep, issueFactorChallenge, refuseDevice, type SignInResponse } from "./next-step.ts";
import { parseProof } from "./proofs.ts";
import { requireParameter, type OperationInput, type Parameters } from "../protocol/requests.ts";
import { consume, openChallengeSession, type Progress, type ChallengeSession } from "./challenge-sessions.ts";
import { findTotpStep } from "../mfa/totp.ts";

type ChallengeInput = OperationInput<"RespondToAuthChallenge">;

/** A challenge that is being answered, and by whom. */
type ChallengeContext = {
  input: ChallengeInput;
  responses: Parameters;
  session: ChallengeSession;
  user: PoolUser | null;
};

/** RespondToAuthChallenge: checks an answer and goes on to the next step. */
export async function respondToAuthChallenge(
  input: ChallengeInput,
  pool: PoolContext,
): Promise<SignInResponse> {
  requireClient(pool, input.ClientId);
  const responses = input.ChallengeResponses ?? {};
  const username = requireParameter(responses, "USERNAME");
  if (input.ChallengeName === "PASSWORD_VERIFIER")
    return verifyPasswordProof(pool, { input, responses, username });
  // No sign-in asks for a device, so no session can be one of these.
  if (input.ChallengeName === "DEVICE_SRP_AUTH" || input.ChallengeName === "DEVICE_PASSWORD_VERIFIER")
    throw cognitoErrors.invalidSession();
  const session = await openChallengeSession(pool, input.Session, input.ChallengeName);
  if (!(await namesAccount(pool, username, session.sub))) throw cognitoErrors.invalidSession();
  if (await isNonceUsed(pool.db, session.id)) throw cognitoErrors.usedSession();
  const context = { input, responses, session, user: await findPoolUser(pool.db, session.sub) };
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

/** A name is the sub itself, or the account's number. The phantom's sub names the phantom. */
async function namesAccount(pool: PoolContext, username: string, sub: string): Promise<boolean> {
  return username === sub || (await findAccount(pool, username)).id === sub;
}

async function verifyPasswordProof(
  pool: PoolContext,
  { input, responses, username }: { input: ChallengeInput; responses: Parameters; username: string },
): Promise<SignInResponse> {
  const { block, isProven } = await parseProof(pool, responses, "PASSWORD_VERIFIER");
  if (!(await namesAccount(pool, username, block.sub))) throw cognitoErrors.wrongPassword();
  const user = await findPoolUser(pool.db, block.sub);
  const subject = lockSubjects(block.sub).signIn;
  const now = pool.now();
  if (await isLocked(pool.db, subject, now)) throw cognitoErrors.lockedOut();
  requireConfirmed(user);
  if (!(await consumeTry(pool.db, { subject, now, rule: pool.limits.lock }))) throw cognitoErrors.lockedOut();
  if (!(await isProven({ pool: pool.name, user: block.sub })) || !user) throw cognitoErrors.wrongPassword();
  if (!user.enabled) throw cognitoErrors.disabled();
  // The client drops the device and sends the same proof again: the proof must not be used up yet.
  refuseDevice(responses);
  if (!(await consume(pool, block))) throw cognitoErrors.wrongPassword();
  await clearTries(pool.db, subject);
  await resealSecrets(pool, user);
  const progress = { sub: user.id, isCustom: block.isCustom, passed: block.passed };
  return nextStep(pool, user, { progress, metadata: input.ClientMetadata });
}

/** Uses the ticket up. @throws {Fault} where it was used before, or the account may not sign in */
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
  { user, step }: { user: PoolUser; step: Progress["passed"][number] | null },
): Promise<SignInResponse> {
  const { sub, isCustom } = session;
  const passed = step === null ? session.passed : [...session.passed, step];
  return nextStep(pool, user, {
    progress: { sub, isCustom, passed },
    metadata: input.ClientMetadata,
  });
}

/** A wrong code, one that is over, and any code of an account that doesn't exist are told in the same words. */
async function verifyCustomCode(pool: PoolContext, context: ChallengeContext): Promise<SignInResponse> {
  const { user, session, responses } = context;
  const code = requireParameter(responses, "ANSWER");
  const name = { userId: session.sub, purpose: "sign_in" } as const;
  const check = await checkCode(pool, name, { to: user?.phoneNumber ?? "", code });
  if (check !== "right" || !user) throw cognitoErrors.wrongPassword();
  await clearTries(pool.db, lockSubjects(user.id).signIn);
  await consumeSession(pool, context, user);
  return continueSignIn(pool, context, { user, step: "custom" });
}

async function verifySmsCode(pool: PoolContext, context: ChallengeContext): Promise<SignInResponse> {
  const { user, responses } = context;
  const code = requireParameter(responses, "SMS_MFA_CODE");
  if (!user) throw cognitoErrors.invalidSession();
  const check = await checkCode(
    pool,
    { userId: user.id, purpose: "sign_in" },
    { to: user.phoneNumber, code },
  );
  if (check === "wrong") throw cognitoErrors.wrongMfaCode();
  if (check !== "right") throw cognitoErrors.expiredCode();
  await consumeSession(pool, context, user);
  return continueSignIn(pool, context, { user, step: "mfa" });
}

async function verifyTotpCode(pool: PoolContext, context: ChallengeContext): Promise<SignInResponse> {
  const { user, responses } = context;
  const code = requireParameter(responses, "SOFTWARE_TOKEN_MFA_CODE");
  const secret = user && (await openTotpSecret(pool, user.id, user.totpSecret));
  if (!user || !secret) throw cognitoErrors.invalidSession();
  const subject = lockSubjects(user.id).softwareToken;
  const now = pool.now();
  if (!(await consumeTry(pool.db, { subject, now, rule: pool.limits.lock }))) throw cognitoErrors.lockedOut();
  const step = await findTotpStep(secret, { code, now });
  if (step === null) throw cognitoErrors.wrongMfaCode();
  if (!(await consumeTotpStep(pool.db, user.id, step))) throw cognitoErrors.usedSoftwareToken();
  await clearTries(pool.db, subject);
  await consumeSession(pool, context, user);
  return continueSignIn(pool, context, { user, step: "mfa" });
}

async function selectFactor(pool: PoolContext, context: ChallengeContext): Promise<SignInResponse> {
  const { user, responses, session, input } = context;
  const answer = requireParameter(responses, "ANSWER");
  if (!user) throw cognitoErrors.invalidSession();
  const factor = enabledFactors(user).find((known) => known === answer);
  if (!factor) throw cognitoErrors.invalidParameter("ANSWER names no factor that may be chosen.");
  if (!(await consume(pool, session))) throw cognitoErrors.usedSession();
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
  const password = await sealPassword(pool, user.id, wanted);
  await consumeSession(pool, context, user);
  await updatePoolUser(pool.db, user.id, { password, status: "CONFIRMED" });
  await patchPoolAttributes(pool.db, user.id, others);
  const renewed: PoolUser = {
    ...user,
    password,
    status: "CONFIRMED",
    attributes: { ...user.attributes, ...others },
  };
  return continueSignIn(pool, context, { user: renewed, step: null });
}
