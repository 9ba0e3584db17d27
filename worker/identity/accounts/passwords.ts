import { countNotices } from "../../../db/queries/accounts/account-notices.ts";
import { findPlatformEmail } from "../../../db/queries/accounts/drivers.ts";
import { replacePassword } from "../../../db/queries/identity/sessions.ts";
import { HOUR_MS, MINUTE_MS, type DriverId } from "../../../db/shapes/units.ts";
import { allOf, type PoolContext, noteEvent } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { requireClient, type OperationInput } from "../protocol/requests.ts";
import type { Verifier } from "../protocol/srp.ts";
import { requireBearer } from "../tokens/bearer.ts";
import { announceChange } from "../tokens/sessions.ts";
import { findAccount } from "./accounts.ts";
import { hasActiveCode, requireCode } from "./code-checks.ts";
import { sendVerificationCode } from "./code-texts.ts";
import { beginGuess } from "./guesses.ts";
import { rememberBrowser } from "./known-browsers.ts";
import {
  markOfPassword,
  markOfStored,
  matchesPassword,
  openVerifier,
  ownerOf,
  sealPassword,
} from "./verifiers.ts";
import { toCodeDelivery } from "./phone.ts";

/** Each is told by a text. */
const MAX_CHANGES_PER_HOUR = 5;
/** A driver whose answer was lost sends the same change again within this time. */
const SENT_AGAIN_MS = 10 * MINUTE_MS;

/**
 * ChangePassword. Wrong tries are counted separately from those at sign-in. Every other session ends, and every other browser
 * is a stranger; what strangers guessed before was at another password. Sent again by the session that made the change, it is
 * answered as done.
 */
export async function changePasswordOperation(
  input: OperationInput<"ChangePassword">,
  pool: PoolContext,
): Promise<object> {
  const { user, originJti, signedInAt } = await requireBearer(pool, input.AccessToken);
  const now = pool.now();
  const recent = { userId: user.id, kind: "password", since: now - HOUR_MS } as const;
  const [guess, { changes, lastAt }, platformEmail] = await Promise.all([
    beginGuess(pool, { sub: user.id, kind: "present_password" }, cognitoErrors.limitExceeded),
    countNotices(pool.db, recent),
    findPlatformEmail(pool.db, user.id),
  ]);
  const verifier = await openVerifier(pool, user.id, user.password);
  if (!verifier) throw cognitoErrors.resetRequired();
  const entered = { id: user.id, password: input.PreviousPassword ?? "" };
  if (!(await matchesPassword(pool, entered, verifier))) {
    // The change ended every other session: one that began before made it.
    const mayBeAgain = lastAt !== null && signedInAt < lastAt && now - lastAt <= SENT_AGAIN_MS;
    const proposed = { id: user.id, password: input.ProposedPassword };
    let isAgain = false;
    try {
      isAgain = mayBeAgain && (await isPresent(pool, proposed, verifier));
    } finally {
      await (isAgain ? guess.right() : guess.wrong());
    }
    if (!isAgain) throw cognitoErrors.wrongPassword();
    rememberBrowser(pool, { sub: user.id, mark: markOfPassword(verifier) });
    return {};
  }
  const replace = async () => {
    // No change, of which a text would say that it was one.
    if (input.ProposedPassword === input.PreviousPassword) throw cognitoErrors.samePassword();
    if (changes >= MAX_CHANGES_PER_HOUR) throw cognitoErrors.limitExceeded();
    const owner = ownerOf(user, platformEmail);
    const password = await sealPassword(pool, user.id, { password: input.ProposedPassword, owner });
    const end = { userId: user.id, phoneNumber: user.phoneNumber, now, keep: originJti };
    const more = { unlock: [user.id] };
    if (!(await replacePassword(pool.db, { password }, end, more))) throw cognitoErrors.revokedAccessToken();
    rememberBrowser(pool, { sub: user.id, mark: await markOfStored(pool, { id: user.id, password }) });
  };
  await allOf(guess.right(), replace());
  await noteEvent(pool, "password_changed", user.id);
  await announceChange(pool, user.id);
  return {};
}

/** Whether a password is the present one, which counts as a guess at it. */
async function isPresent(
  pool: PoolContext,
  entered: { id: DriverId; password: string },
  verifier: Verifier,
): Promise<boolean> {
  const guess = await beginGuess(
    pool,
    { sub: entered.id, kind: "present_password" },
    cognitoErrors.limitExceeded,
  );
  const isRight = await matchesPassword(pool, entered, verifier);
  await (isRight ? guess.right() : guess.wrong());
  return isRight;
}

/**
 * ForgotPassword: texts a reset code, or relies on the previous one if it's too early for another: somebody else who asks for
 * codes can't keep the owner from entering one. `forgotPasswordRevealsUnknown` decides the response to an unknown number.
 */
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
  const key = { userId: user.id, purpose: "reset" } as const;
  if (!(await sendVerificationCode(pool, key, message)) && !(await hasActiveCode(pool, key)))
    throw cognitoErrors.limitExceeded();
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
  const more = { proof, unlock: [user.id] };
  if (!(await replacePassword(pool.db, { password, status: "CONFIRMED" }, end, more)))
    throw cognitoErrors.expiredCode();
  rememberBrowser(pool, { sub: user.id, mark: await markOfStored(pool, { id: user.id, password }) });
  await noteEvent(pool, "password_reset", user.id);
  await announceChange(pool, user.id);
  return {};
}
