import { updatePoolUser, lockSubjects, revokePoolSessions } from "../../../db/queries/identity.ts";
import { clearTries, consumeTry } from "../../../db/queries/identity-limits.ts";
import { sealPassword, findAccount, matchesPassword, openVerifier, requireClient } from "./accounts.ts";
import { requireBearer } from "../tokens/bearer.ts";
import { requireCode, sendCodeOrRefuse } from "./codes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { clearLivenessCache } from "../tokens/liveness.ts";
import { toCodeDelivery } from "./phone.ts";
import type { OperationInput } from "../protocol/requests.ts";

/** ChangePassword. Wrong previous passwords are counted apart from those of sign-ins. Sessions go on. */
export async function changePasswordOperation(
  input: OperationInput<"ChangePassword">,
  pool: PoolContext,
): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken);
  const subject = lockSubjects(user.id).change;
  const now = pool.now();
  if (!(await consumeTry(pool.db, { subject, now, rule: pool.limits.lock })))
    throw cognitoErrors.limitExceeded();
  const verifier = await openVerifier(pool, user.id, user.password);
  if (!verifier) throw cognitoErrors.resetRequired();
  const entered = { id: user.id, password: input.PreviousPassword ?? "" };
  if (!(await matchesPassword(pool, entered, verifier))) throw cognitoErrors.wrongPassword();
  await clearTries(pool.db, subject);
  const password = await sealPassword(pool, user.id, input.ProposedPassword);
  await updatePoolUser(pool.db, user.id, { password });
  return {};
}

/** ForgotPassword: a code by text. What it says of an unknown number, `forgotPasswordNamesUnknown` decides. */
export async function forgotPasswordOperation(
  input: OperationInput<"ForgotPassword">,
  pool: PoolContext,
): Promise<object> {
  requireClient(pool, input.ClientId);
  const { user } = await findAccount(pool, input.Username, cognitoErrors.unknownUserForCode);
  if (!user) {
    if (pool.settings.forgotPasswordRevealsUnknown) throw cognitoErrors.unknownUserForCode();
    return { CodeDeliveryDetails: toCodeDelivery(input.Username) };
  }
  if (!user.enabled) throw cognitoErrors.disabled();
  if (user.status === "FORCE_CHANGE_PASSWORD") throw cognitoErrors.notResettable();
  if (!user.phoneVerified) throw cognitoErrors.nothingToResetBy();
  const message = { user, to: user.phoneNumber, metadata: input.ClientMetadata };
  await sendCodeOrRefuse(pool, { userId: user.id, purpose: "reset" }, message);
  return { CodeDeliveryDetails: toCodeDelivery(user.phoneNumber) };
}

/**
 * ConfirmForgotPassword: a new password, and an end to the lock. Whoever resets it may have lost control of the account:
 * every session ends.
 */
export async function confirmForgotPasswordOperation(
  input: OperationInput<"ConfirmForgotPassword">,
  pool: PoolContext,
): Promise<object> {
  requireClient(pool, input.ClientId);
  const account = await findAccount(pool, input.Username, cognitoErrors.unknownUserForCode);
  // A password that the policy refuses must not use the code up.
  const password = await sealPassword(pool, account.id, input.Password);
  const { user } = account;
  if (!user) throw cognitoErrors.wrongCode();
  if (!user.enabled) throw cognitoErrors.disabled();
  const entered = { to: user.phoneNumber, code: input.ConfirmationCode };
  await requireCode(pool, { userId: user.id, purpose: "reset" }, entered);
  await updatePoolUser(pool.db, user.id, { password, status: "CONFIRMED" });
  await revokePoolSessions(pool.db, user.id, pool.now());
  clearLivenessCache();
  await clearTries(pool.db, lockSubjects(user.id).signIn);
  return {};
}
