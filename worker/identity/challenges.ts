import {
  attemptSubjects,
  changePoolUser,
  findPoolUser,
  patchPoolAttributes,
  spendTotpStep,
  type PoolUser,
} from "../../db/queries/identity.ts";
import { clearAttempts, isBurnt, isLocked, takeAttempt } from "../../db/queries/identity-limits.ts";
import { enrolPassword, findAccount, renewSeals, requireClient, requireConfirmed } from "./accounts.ts";
import { readAttributes } from "./attributes.ts";
import { checkCode } from "./codes.ts";
import type { Pool } from "./context.ts";
import { requireKnownDevice } from "./device-offers.ts";
import { answerDeviceProof, askDeviceForProof } from "./device-sign-in.ts";
import { faults } from "./faults.ts";
import { openSecret } from "./mfa.ts";
import { factorsOf } from "./mfa-factors.ts";
import { nextStep, putFactorChallenge, type SignInAnswer } from "./next-step.ts";
import { readProof } from "./proofs.ts";
import { requireParameter, type Input, type Parameters } from "./requests.ts";
import { burn, openTicket, type Progress, type Ticket } from "./tickets.ts";
import { findStep } from "./totp.ts";

type Respond = Input<"RespondToAuthChallenge">;

/** A challenge that is being answered, and by whom. */
type Answering = { input: Respond; responses: Parameters; ticket: Ticket; user: PoolUser | null };

/** RespondToAuthChallenge: checks an answer and goes on to the next step. */
export async function respondToAuthChallenge(input: Respond, pool: Pool): Promise<SignInAnswer> {
  requireClient(pool, input.ClientId);
  const responses = input.ChallengeResponses ?? {};
  const username = requireParameter(responses, "USERNAME");
  if (input.ChallengeName === "PASSWORD_VERIFIER")
    return answerPasswordProof(pool, { input, responses, username });
  if (input.ChallengeName === "DEVICE_PASSWORD_VERIFIER") {
    return answerDeviceProof(pool, { responses, metadata: input.ClientMetadata });
  }
  const ticket = await openTicket(pool, input.Session, input.ChallengeName);
  if (!(await isNameOf(pool, username, ticket.sub))) throw faults.invalidSession();
  if (await isBurnt(pool.db, ticket.id)) throw faults.usedSession();
  const answering = { input, responses, ticket, user: await findPoolUser(pool.db, ticket.sub) };
  switch (input.ChallengeName) {
    case "CUSTOM_CHALLENGE":
      return answerCustom(pool, answering);
    case "SMS_MFA":
      return answerSms(pool, answering);
    case "SOFTWARE_TOKEN_MFA":
      return answerSoftwareToken(pool, answering);
    case "SELECT_MFA_TYPE":
      return answerSelection(pool, answering);
    case "NEW_PASSWORD_REQUIRED":
      return answerNewPassword(pool, answering);
    case "DEVICE_SRP_AUTH":
      return askDeviceForProof(pool, { responses, ticket });
  }
}

/** A name is the sub itself, or the account's number. The phantom's sub names the phantom. */
async function isNameOf(pool: Pool, username: string, sub: string): Promise<boolean> {
  return username === sub || (await findAccount(pool, username)).id === sub;
}

async function answerPasswordProof(
  pool: Pool,
  { input, responses, username }: { input: Respond; responses: Parameters; username: string },
): Promise<SignInAnswer> {
  const { block, isProven } = await readProof(pool, responses, "PASSWORD_VERIFIER");
  if (!(await isNameOf(pool, username, block.sub))) throw faults.wrongPassword();
  const user = await findPoolUser(pool.db, block.sub);
  const subject = attemptSubjects(block.sub).signIn;
  const now = pool.now();
  if (await isLocked(pool.db, subject, now)) throw faults.lockedOut();
  requireConfirmed(user);
  if (!(await takeAttempt(pool.db, { subject, now, rule: pool.limits.lock }))) throw faults.lockedOut();
  if (!(await isProven({ pool: pool.name, user: block.sub })) || !user) throw faults.wrongPassword();
  if (!user.enabled) throw faults.disabled();
  const deviceKey = "DEVICE_KEY" in responses ? (responses["DEVICE_KEY"] ?? null) : block.deviceKey;
  // The client drops an unknown device and shows the same proof again: it must not be used up yet.
  await requireKnownDevice(pool, user, deviceKey);
  if (!(await burn(pool, block))) throw faults.wrongPassword();
  await clearAttempts(pool.db, subject);
  await renewSeals(pool, user);
  const progress = { sub: user.id, isCustom: block.isCustom, passed: block.passed, deviceKey };
  return nextStep(pool, user, { progress, metadata: input.ClientMetadata });
}

/** Uses the ticket up. @throws {Fault} where it was used before, or the account may not sign in */
async function spend(pool: Pool, { ticket }: Answering, user: PoolUser): Promise<void> {
  if (!user.enabled) throw faults.disabled();
  if (!(await burn(pool, ticket))) throw faults.usedSession();
}

function goOn(
  pool: Pool,
  { ticket, input }: Answering,
  { user, step }: { user: PoolUser; step: Progress["passed"][number] | null },
): Promise<SignInAnswer> {
  const { sub, isCustom, deviceKey } = ticket;
  const passed = step === null ? ticket.passed : [...ticket.passed, step];
  return nextStep(pool, user, {
    progress: { sub, isCustom, passed, deviceKey },
    metadata: input.ClientMetadata,
  });
}

/** A wrong code, one that is over, and any code of an account that doesn't exist are told in the same words. */
async function answerCustom(pool: Pool, answering: Answering): Promise<SignInAnswer> {
  const { user, ticket, responses } = answering;
  const code = requireParameter(responses, "ANSWER");
  const name = { userId: ticket.sub, purpose: "sign_in" } as const;
  const check = await checkCode(pool, name, { to: user?.phoneNumber ?? "", code });
  if (check !== "right" || !user) throw faults.wrongPassword();
  await clearAttempts(pool.db, attemptSubjects(user.id).signIn);
  const deviceKey = responses["DEVICE_KEY"] ?? ticket.deviceKey;
  await spend(pool, answering, user);
  return goOn(pool, { ...answering, ticket: { ...ticket, deviceKey } }, { user, step: "custom" });
}

async function answerSms(pool: Pool, answering: Answering): Promise<SignInAnswer> {
  const { user, responses } = answering;
  const code = requireParameter(responses, "SMS_MFA_CODE");
  if (!user) throw faults.invalidSession();
  const check = await checkCode(
    pool,
    { userId: user.id, purpose: "sign_in" },
    { to: user.phoneNumber, code },
  );
  if (check === "wrong") throw faults.wrongMfaCode();
  if (check !== "right") throw faults.expiredCode();
  await spend(pool, answering, user);
  return goOn(pool, answering, { user, step: "mfa" });
}

async function answerSoftwareToken(pool: Pool, answering: Answering): Promise<SignInAnswer> {
  const { user, responses } = answering;
  const code = requireParameter(responses, "SOFTWARE_TOKEN_MFA_CODE");
  const secret = user && (await openSecret(pool, user.id, user.totpSecret));
  if (!user || !secret) throw faults.invalidSession();
  const subject = attemptSubjects(user.id).softwareToken;
  const now = pool.now();
  if (!(await takeAttempt(pool.db, { subject, now, rule: pool.limits.lock }))) throw faults.lockedOut();
  const step = await findStep(secret, { code, now });
  if (step === null) throw faults.wrongMfaCode();
  if (!(await spendTotpStep(pool.db, user.id, step))) throw faults.usedSoftwareToken();
  await clearAttempts(pool.db, subject);
  await spend(pool, answering, user);
  return goOn(pool, answering, { user, step: "mfa" });
}

async function answerSelection(pool: Pool, answering: Answering): Promise<SignInAnswer> {
  const { user, responses, ticket, input } = answering;
  const answer = requireParameter(responses, "ANSWER");
  if (!user) throw faults.invalidSession();
  const factor = factorsOf(user).find((known) => known === answer);
  if (!factor) throw faults.invalidParameter("ANSWER names no factor that may be chosen.");
  if (!(await burn(pool, ticket))) throw faults.usedSession();
  return putFactorChallenge(pool, user, { progress: ticket, metadata: input.ClientMetadata, factor });
}

async function answerNewPassword(pool: Pool, answering: Answering): Promise<SignInAnswer> {
  const { user, responses } = answering;
  const wanted = requireParameter(responses, "NEW_PASSWORD");
  if (!user) throw faults.invalidSession();
  const attributes = readAttributes(
    Object.entries(responses)
      .filter(([name]) => name.startsWith("userAttributes."))
      .map(([name, Value]) => ({ Name: name.slice("userAttributes.".length), Value })),
  );
  const { phone_number: _, ...others } = attributes;
  const password = await enrolPassword(pool, user.id, wanted);
  await spend(pool, answering, user);
  await changePoolUser(pool.db, user.id, { password, status: "CONFIRMED" });
  await patchPoolAttributes(pool.db, user.id, others);
  const renewed: PoolUser = {
    ...user,
    password,
    status: "CONFIRMED",
    attributes: { ...user.attributes, ...others },
  };
  return goOn(pool, answering, { user: renewed, step: null });
}
