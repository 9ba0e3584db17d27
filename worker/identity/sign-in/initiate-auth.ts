import {
  findAccount,
  loadVerifier,
  requireConfirmed,
  resealSecrets,
  type Account,
} from "../accounts/accounts.ts";
import { beginGuess, requireUnlocked } from "../accounts/guesses.ts";
import { matchesPassword } from "../accounts/verifiers.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import {
  requireClient,
  requireParameter,
  type ClientMetadata,
  type OperationInput,
  type Parameters,
} from "../protocol/requests.ts";
import { refreshTokens } from "../tokens/refresh.ts";
import { createChallengeSession } from "./challenge-sessions.ts";
import { issueCodeChallenge, nextStep, refuseDevice, type SignInResponse } from "./next-step.ts";
import { createProofChallenge, requirePublicNumber } from "./proofs.ts";

type SignInStart = { parameters: Parameters; metadata: ClientMetadata };

/** InitiateAuth: starts a sign-in, or refreshes tokens. */
export async function initiateAuth(
  input: OperationInput<"InitiateAuth">,
  pool: PoolContext,
): Promise<SignInResponse> {
  const parameters = input.AuthParameters ?? {};
  requireClient(pool, { ...input, SecretHash: parameters["SECRET_HASH"] });
  const start: SignInStart = { parameters, metadata: input.ClientMetadata };
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
      return { AuthenticationResult: await refreshTokens(pool, token), ChallengeParameters: {} };
    }
    case "ADMIN_NO_SRP_AUTH":
    case "ADMIN_USER_PASSWORD_AUTH":
      throw cognitoErrors.flowNotSupported();
    case "USER_AUTH":
      throw cognitoErrors.flowNotEnabled(input.AuthFlow);
  }
}

/** Looks up the account that wants to sign in. Refuses locked and then unconfirmed ones before checking any password. */
async function findSignInAccount(pool: PoolContext, username: string): Promise<Account> {
  const account = await findAccount(pool, username);
  await requireUnlocked(pool, account.id);
  requireConfirmed(account.user);
  return account;
}

/** The first step of SRP. For an unknown name it does the same work with a decoy. */
async function startWithProof(
  pool: PoolContext,
  { parameters }: SignInStart,
  { isCustom }: { isCustom: boolean },
): Promise<SignInResponse> {
  const username = requireParameter(parameters, "USERNAME");
  const a = requirePublicNumber(parameters);
  const account = await findSignInAccount(pool, username);
  const session = createChallengeSession(pool, "PASSWORD_VERIFIER", {
    sub: account.id,
    isCustom,
    passed: [],
  });
  const challenge = await createProofChallenge(pool, {
    a,
    verifier: await loadVerifier(pool, account),
    session,
  });
  return {
    ChallengeName: "PASSWORD_VERIFIER",
    ChallengeParameters: { ...challenge, USERNAME: account.id, USER_ID_FOR_SRP: account.id },
  };
}

async function startWithPassword(
  pool: PoolContext,
  { parameters, metadata }: SignInStart,
): Promise<SignInResponse> {
  const username = requireParameter(parameters, "USERNAME");
  const password = requireParameter(parameters, "PASSWORD");
  const account = await findSignInAccount(pool, username);
  const guess = await beginGuess(pool, { sub: account.id, kind: "password" });
  const isPasswordRight = await matchesPassword(
    pool,
    { id: account.id, password },
    await loadVerifier(pool, account),
  );
  const { id, user } = account;
  if (!isPasswordRight || !user) {
    await guess.wrong();
    throw cognitoErrors.wrongPassword();
  }
  await guess.right();
  if (!user.enabled) throw cognitoErrors.disabled();
  refuseDevice(parameters);
  await resealSecrets(pool, user);
  return nextStep(pool, user, { progress: { sub: id, isCustom: false, passed: ["password"] }, metadata });
}

/** CUSTOM_AUTH without a password: asks for a texted code. For an unknown number it responds alike but sends none. */
async function startWithCode(
  pool: PoolContext,
  { parameters, metadata }: SignInStart,
): Promise<SignInResponse> {
  const username = requireParameter(parameters, "USERNAME");
  const { id, user } = await findSignInAccount(pool, username);
  const progress = { sub: id, isCustom: true, passed: [] };
  const receiver = user?.enabled ? user : null;
  return issueCodeChallenge(pool, receiver, { progress, metadata, username });
}
