import { findSignInAccount, loadVerifier, resealSecrets } from "../accounts/accounts.ts";
import { beginGuess } from "../accounts/guesses.ts";
import { markOfPassword, matchesPassword } from "../accounts/verifiers.ts";
import { allOf, type PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import {
  requireClient,
  requireParameter,
  type ClientMetadata,
  type OperationInput,
  type Parameters,
} from "../protocol/requests.ts";
import { readingKeys } from "../tokens/signing-keys.ts";
import { refreshTokens } from "../tokens/refresh.ts";
import { signInAfterSignUp } from "./after-sign-up.ts";
import { createChallengeSession } from "./challenge-sessions.ts";
import { issueCodeChallenge, nextStep, refuseDevice, type SignInResponse } from "./next-step.ts";
import { issuePasskeyChallenge, PASSKEY_USERNAME } from "./passkey-challenge.ts";
import { createProofChallenge, requirePublicNumber } from "./proofs.ts";

/** The flows whose first step may issue tokens. */
const SIGNING_FLOWS: ReadonlySet<string> = new Set([
  "USER_PASSWORD_AUTH",
  "USER_AUTH",
  "REFRESH_TOKEN_AUTH",
  "REFRESH_TOKEN",
]);

type SignInStart = { parameters: Parameters; metadata: ClientMetadata };

/** InitiateAuth: starts a sign-in, or refreshes tokens. */
export async function initiateAuth(
  input: OperationInput<"InitiateAuth">,
  call: PoolContext,
): Promise<SignInResponse> {
  const signs = SIGNING_FLOWS.has(input.AuthFlow);
  const pool = signs ? readingKeys(call) : call;
  const parameters = input.AuthParameters ?? {};
  requireClient(pool, { ...input, SecretHash: parameters["SECRET_HASH"] });
  const start: SignInStart = { parameters, metadata: input.ClientMetadata };
  switch (input.AuthFlow) {
    case "USER_SRP_AUTH":
      return startWithProof(pool, start, { isCustom: false });
    case "USER_PASSWORD_AUTH":
      return startWithPassword(pool, start);
    case "CUSTOM_AUTH":
      if (parameters["SRP_A"]) return startWithProof(pool, start, { isCustom: true });
      return parameters["USERNAME"] === PASSKEY_USERNAME
        ? issuePasskeyChallenge(pool)
        : startWithCode(pool, start);
    case "REFRESH_TOKEN_AUTH":
    case "REFRESH_TOKEN": {
      const token = requireParameter(parameters, "REFRESH_TOKEN");
      return {
        AuthenticationResult: await refreshTokens(pool, token, { metadata: start.metadata }),
        ChallengeParameters: {},
      };
    }
    case "ADMIN_NO_SRP_AUTH":
    case "ADMIN_USER_PASSWORD_AUTH":
      throw cognitoErrors.flowNotSupported();
    case "USER_AUTH":
      return signInAfterSignUp(pool, input);
  }
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
  const verifier = await loadVerifier(pool, account);
  const session = createChallengeSession(pool, "PASSWORD_VERIFIER", {
    sub: account.id,
    isCustom,
    passed: [],
    passwordMark: markOfPassword(verifier),
  });
  const challenge = await createProofChallenge(pool, { a, verifier, session });
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
  const verifier = await loadVerifier(pool, account);
  const passwordMark = markOfPassword(verifier);
  const guess = await beginGuess(pool, { sub: account.id, kind: "password", mark: passwordMark });
  const isPasswordRight = await matchesPassword(pool, { id: account.id, password }, verifier);
  const { id, user } = account;
  if (!isPasswordRight || !user) {
    await guess.wrong();
    throw cognitoErrors.wrongPassword();
  }
  const signIn = async () => {
    if (!user.enabled) throw cognitoErrors.disabled();
    refuseDevice(parameters);
    const progress = { sub: id, isCustom: false, passed: ["password" as const], passwordMark };
    const next = await nextStep(pool, user, { progress, metadata });
    // Not beside it: a session is added only to the password that was proved, as it stands.
    await resealSecrets(pool, user);
    return next;
  };
  return allOf(guess.right(), signIn());
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
