import { countNotices } from "../../../db/queries/accounts/account-notices.ts";
import { replacePassword } from "../../../db/queries/identity/sessions.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { requireClient, type OperationInput } from "../protocol/requests.ts";
import { requireBearer } from "../tokens/bearer.ts";
import { announceChange } from "../tokens/liveness.ts";
import { findAccount } from "./accounts.ts";
import { requireCode, sendCodeOrRefuse } from "./codes.ts";
import { beginGuess, liftLocks } from "./guesses.ts";
import { rememberBrowser } from "./known-browsers.ts";
import { toCodeDelivery } from "./phone.ts";
import { matchesPassword, openVerifier, sealPassword } from "./verifiers.ts";
import { noteEvent } from "../security-events.ts";

/** Each is told by a text. */
const MAX_CHANGES_PER_HOUR = 5;

/** ChangePassword. Wrong tries are counted separately from those at sign-in. Every other session ends. */
export async function changePasswordOperation(
  input: OperationInput<"ChangePassword">,
  pool: PoolContext,
): Promise<object> {
  const { user, originJti } = await requireBearer(pool, input.AccessToken);
  const guess = await beginGuess(
    pool,
    { sub: user.id, kind: "present_password" },
    cognitoErrors.limitExceeded,
  );
  const verifier = await openVerifier(pool, user.id, user.password);
  if (!verifier) throw cognitoErrors.resetRequired();
  const entered = { id: user.id, password: input.PreviousPassword ?? "" };
  if (!(await matchesPassword(pool, entered, verifier))) {
    await guess.wrong();
    throw cognitoErrors.wrongPassword();
  }
  await guess.right();
  const now = pool.now();
  const recent = { userId: user.id, kind: "password", since: now - HOUR_MS } as const;
  if ((await countNotices(pool.db, recent)) >= MAX_CHANGES_PER_HOUR) throw cognitoErrors.limitExceeded();
  const password = await sealPassword(pool, user.id, input.ProposedPassword);
  const end = { userId: user.id, phoneNumber: user.phoneNumber, now, keep: originJti };
  if (!(await replacePassword(pool.db, { password }, end))) throw cognitoErrors.revokedAccessToken();
  await noteEvent(pool, "password_changed", user.id);
  await announceChange(pool, user.id);
  return {};
}

/** ForgotPassword: texts a reset code. `forgotPasswordRevealsUnknown` decides the response to an unknown number. */
export async function forgotPasswordOperation(
  input: OperationInput<"ForgotPassword">,
  pool: PoolContext,
): Promise<object> {
  requireClient(pool, input);
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
 * ConfirmForgotPassword: sets a new password and lifts the sign-in lock. Also ends every session, since a user who resets
 * a password may have lost control of the account.
 */
export async function confirmForgotPasswordOperation(
  input: OperationInput<"ConfirmForgotPassword">,
  pool: PoolContext,
): Promise<object> {
  requireClient(pool, input);
  const account = await findAccount(pool, input.Username, cognitoErrors.unknownUserForCode);
  // Before the code is checked, so that a weak password doesn't use it up.
  const password = await sealPassword(pool, account.id, input.Password);
  const { user } = account;
  if (!user) throw cognitoErrors.wrongCode();
  if (!user.enabled) throw cognitoErrors.disabled();
  const entered = { to: user.phoneNumber, code: input.ConfirmationCode };
  await requireCode(pool, { userId: user.id, purpose: "reset" }, entered);
  const end = { userId: user.id, phoneNumber: user.phoneNumber, now: pool.now() };
  if (!(await replacePassword(pool.db, { password, status: "CONFIRMED" }, end)))
    throw cognitoErrors.expiredCode();
  await liftLocks(pool, user.id);
  rememberBrowser(pool, user.id);
  await noteEvent(pool, "password_reset", user.id);
  await announceChange(pool, user.id);
  return {};
}
