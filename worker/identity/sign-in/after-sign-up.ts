import { findPoolUser } from "../../../db/queries/identity/pool-users.ts";
import { requireConfirmed } from "../accounts/accounts.ts";
import { confirmSignUp } from "../accounts/sign-up.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { requireParameter, type OperationInput } from "../protocol/requests.ts";
import {
  createSignUpSession,
  isOfPresentPassword,
  openSignUpSession,
  proofOf,
} from "./challenge-sessions.ts";
import { nextStep, type SignInResponse } from "./next-step.ts";

/**
 * ConfirmSignUp. The page that registered gets a `Session` that signs it in by `USER_AUTH`: only that page has the
 * secret, and it chose the password.
 */
export async function confirmSignUpOperation(
  input: OperationInput<"ConfirmSignUp">,
  pool: PoolContext,
): Promise<object> {
  const confirmed = await confirmSignUp(input, pool);
  return confirmed ? { Session: await createSignUpSession(pool, confirmed) } : {};
}

/**
 * USER_AUTH with the session of a registration, whose code has just proved the phone. No other USER_AUTH is enabled.
 * @throws {CognitoError} `NotAuthorizedException` if the session is used, too old or another account's, or the password was set
 * anew since
 */
export async function signInAfterSignUp(
  pool: PoolContext,
  { AuthParameters, ClientMetadata: metadata, Session }: OperationInput<"InitiateAuth">,
): Promise<SignInResponse> {
  if (!Session) throw cognitoErrors.flowNotEnabled("USER_AUTH");
  const username = requireParameter(AuthParameters ?? {}, "USERNAME");
  const session = await openSignUpSession(pool, Session);
  const user = await findPoolUser(pool.db, session.sub);
  if (!user || (username !== user.id && username !== user.phoneNumber)) throw cognitoErrors.invalidSession();
  if (!(await isOfPresentPassword(pool, session, user))) throw cognitoErrors.invalidSession();
  requireConfirmed(user);
  if (!user.enabled) throw cognitoErrors.disabled();
  const { sub, isCustom, passed, passwordMark } = session;
  const spent = { proofs: [proofOf(pool, session)], refused: cognitoErrors.usedSession };
  return nextStep(pool, user, { progress: { sub, isCustom, passed, passwordMark }, metadata, spent });
}
