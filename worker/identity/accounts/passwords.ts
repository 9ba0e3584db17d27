import { countNotices } from "../../../db/queries/accounts/account-notices.ts";
import { findPlatformEmail } from "../../../db/queries/accounts/drivers.ts";
import { replacePassword } from "../../../db/queries/identity/sessions.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { allOf, type PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { requireClient, type OperationInput } from "../protocol/requests.ts";
import { requireBearer } from "../tokens/bearer.ts";
import { announceChange } from "../tokens/liveness.ts";
import { findAccount } from "./accounts.ts";
import { requireCode } from "./code-checks.ts";
import { sendCodeOrRefuse } from "./code-texts.ts";
import { beginGuess, resetSubjects } from "./guesses.ts";
import { rememberBrowser } from "./known-browsers.ts";
import { toCodeDelivery } from "./phone.ts";
import { matchesPassword, openVerifier, ownerOf, sealPassword } from "./verifiers.ts";
import { noteEvent } from "../security-events.ts";

/** Each is told by a text. */
const MAX_CHANGES_PER_HOUR = 5;

/** ChangePassword. Wrong tries are counted separately from those at sign-in. Every other session ends. */
export async function changePasswordOperation(
  input: OperationInput<"ChangePassword">,
  pool: PoolContext,
): Promise<object> {
  const { user, originJti } = await requireBearer(pool, input.AccessToken);
  const now = pool.now();
  const recent = { userId: user.id, kind: "password", since: now - HOUR_MS } as const;
  const [guess, changes, platformEmail] = await Promise.all([
    beginGuess(pool, { sub: user.id, kind: "present_password" }, cognitoErrors.limitExceeded),
    countNotices(pool.db, recent),
    findPlatformEmail(pool.db, user.id),
  ]);
  const verifier = await openVerifier(pool, user.id, user.password);
  if (!verifier) throw cognitoErrors.resetRequired();
  const entered = { id: user.id, password: input.PreviousPassword ?? "" };
  if (!(await matchesPassword(pool, entered, verifier))) {
    await guess.wrong();
    throw cognitoErrors.wrongPassword();
  }
  const replace = async () => {
    if (changes >= MAX_CHANGES_PER_HOUR) throw cognitoErrors.limitExceeded();
    const owner = ownerOf(user, platformEmail);
    const password = await sealPassword(pool, user.id, { password: input.ProposedPassword, owner });
    const end = { userId: user.id, phoneNumber: user.phoneNumber, now, keep: originJti };
    if (!(await replacePassword(pool.db, { password }, end))) throw cognitoErrors.revokedAccessToken();
  };
  await allOf(guess.right(), replace());
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
  // Before the code is checked, so that a weak password doesn't use it up: nothing is said yet of whose account it is.
  const owner = { phoneNumber: input.Username, name: null, emails: [] };
  const password = await sealPassword(pool, account.id, { password: input.Password, owner });
  const { user } = account;
  if (!user) throw cognitoErrors.wrongCode();
  if (!user.enabled) throw cognitoErrors.disabled();
  const entered = { to: user.phoneNumber, code: input.ConfirmationCode };
  const proof = await requireCode(pool, { userId: user.id, purpose: "reset" }, entered);
  const now = pool.now();
  const end = { userId: user.id, phoneNumber: user.phoneNumber, now, kind: "recovery" } as const;
  const more = { proof, unlock: resetSubjects(pool, user.id) };
  if (!(await replacePassword(pool.db, { password, status: "CONFIRMED" }, end, more)))
    throw cognitoErrors.expiredCode();
  rememberBrowser(pool, user.id);
  await noteEvent(pool, "password_reset", user.id);
  await announceChange(pool, user.id);
  return {};
}
