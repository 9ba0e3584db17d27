import { attemptSubjects } from "../../db/queries/identity.ts";
import { clearAttempts, isLocked, takeAttempt } from "../../db/queries/identity-limits.ts";
import {
  findAccount,
  isPasswordOf,
  renewSeals,
  requireClient,
  requireConfirmed,
  verifierOf,
  type Account,
} from "./accounts.ts";
import type { Pool } from "./context.ts";
import { requireKnownDevice } from "./device-offers.ts";
import { faults } from "./faults.ts";
import { nextStep, putCustomChallenge, type SignInAnswer } from "./next-step.ts";
import { askForProof, requirePublicNumber } from "./proofs.ts";
import { requireParameter, type ClientMetadata, type Input, type Parameters } from "./requests.ts";
import { makeTicket } from "./tickets.ts";
import { refresh } from "./tokens.ts";

type Start = { parameters: Parameters; metadata: ClientMetadata };

/** InitiateAuth: begins a sign-in, or goes on with one by its refresh token. */
export async function initiateAuth(input: Input<"InitiateAuth">, pool: Pool): Promise<SignInAnswer> {
  requireClient(pool, input.ClientId);
  const parameters = input.AuthParameters ?? {};
  const start: Start = { parameters, metadata: input.ClientMetadata };
  switch (input.AuthFlow) {
    case "USER_SRP_AUTH":
      return startWithProof(pool, start, { isCustom: false });
    case "USER_PASSWORD_AUTH":
      return startWithPassword(pool, start);
    case "CUSTOM_AUTH":
      return parameters["SRP_A"]
        ? startWithProof(pool, start, { isCustom: true })
        : startWithCode(pool, start);
    case "REFRESH_TOKEN_AUTH":
    case "REFRESH_TOKEN": {
      const token = requireParameter(parameters, "REFRESH_TOKEN");
      const deviceKey = parameters["DEVICE_KEY"] ?? null;
      return { AuthenticationResult: await refresh(pool, { token, deviceKey }), ChallengeParameters: {} };
    }
    case "ADMIN_NO_SRP_AUTH":
    case "ADMIN_USER_PASSWORD_AUTH":
      throw faults.flowNotSupported();
    case "USER_AUTH":
      throw faults.flowNotEnabled(input.AuthFlow);
  }
}

/** Who wants to sign in, locked accounts and unconfirmed ones refused: in this order, before any password. */
async function findCandidate(pool: Pool, username: string): Promise<Account> {
  const account = await findAccount(pool, username);
  if (await isLocked(pool.db, attemptSubjects(account.id).signIn, pool.now())) throw faults.lockedOut();
  requireConfirmed(account.user);
  return account;
}

/** The first step of SRP. For an unknown name the same work is done with a phantom's verifier. */
async function startWithProof(
  pool: Pool,
  { parameters }: Start,
  { isCustom }: { isCustom: boolean },
): Promise<SignInAnswer> {
  const username = requireParameter(parameters, "USERNAME");
  const a = requirePublicNumber(parameters);
  const account = await findCandidate(pool, username);
  const ticket = makeTicket(pool, "PASSWORD_VERIFIER", {
    sub: account.id,
    isCustom,
    passed: [],
    deviceKey: parameters["DEVICE_KEY"] ?? null,
  });
  const challenge = await askForProof(pool, { a, verifier: await verifierOf(pool, account), ticket });
  return {
    ChallengeName: "PASSWORD_VERIFIER",
    ChallengeParameters: { ...challenge, USERNAME: account.id, USER_ID_FOR_SRP: account.id },
  };
}

async function startWithPassword(pool: Pool, { parameters, metadata }: Start): Promise<SignInAnswer> {
  const username = requireParameter(parameters, "USERNAME");
  const password = requireParameter(parameters, "PASSWORD");
  const deviceKey = parameters["DEVICE_KEY"] ?? null;
  const account = await findCandidate(pool, username);
  const subject = attemptSubjects(account.id).signIn;
  const attempt = { subject, now: pool.now(), rule: pool.limits.lock };
  if (!(await takeAttempt(pool.db, attempt))) throw faults.lockedOut();
  const isRight = await isPasswordOf(pool, { id: account.id, password }, await verifierOf(pool, account));
  const { id, user } = account;
  if (!isRight || !user) throw faults.wrongPassword();
  if (!user.enabled) throw faults.disabled();
  await clearAttempts(pool.db, subject);
  await requireKnownDevice(pool, user, deviceKey);
  await renewSeals(pool, user);
  return nextStep(pool, user, { progress: { sub: id, isCustom: false, passed: [], deviceKey }, metadata });
}

/** The custom flow without a password: a code by text. For an unknown number it is asked for and never sent. */
async function startWithCode(pool: Pool, { parameters, metadata }: Start): Promise<SignInAnswer> {
  const username = requireParameter(parameters, "USERNAME");
  const { id, user } = await findCandidate(pool, username);
  const deviceKey = parameters["DEVICE_KEY"] ?? null;
  const progress = { sub: id, isCustom: true, passed: [], deviceKey };
  const receiver = user?.enabled ? user : null;
  return putCustomChallenge(pool, receiver, { progress, metadata, username });
}
