import { changePoolUser, attemptSubjects, revokePoolSessions } from "../../db/queries/identity.ts";
import { clearAttempts, takeAttempt } from "../../db/queries/identity-limits.ts";
import { enrolPassword, findAccount, isPasswordOf, openVerifier, requireClient } from "./accounts.ts";
import { requireBearer } from "./bearer.ts";
import { requireCode, sendCodeOrRefuse } from "./codes.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";
import { forgetLiveness } from "./liveness.ts";
import { describeDelivery } from "./phone.ts";
import type { Input } from "./requests.ts";

/** ChangePassword. Wrong previous passwords are counted apart from those of sign-ins. Sessions go on. */
export async function changePassword(input: Input<"ChangePassword">, pool: Pool): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken);
  const subject = attemptSubjects(user.id).change;
  const now = pool.now();
  if (!(await takeAttempt(pool.db, { subject, now, rule: pool.limits.lock }))) throw faults.limitExceeded();
  const verifier = await openVerifier(pool, user.id, user.password);
  if (!verifier) throw faults.resetRequired();
  const entered = { id: user.id, password: input.PreviousPassword ?? "" };
  if (!(await isPasswordOf(pool, entered, verifier))) throw faults.wrongPassword();
  await clearAttempts(pool.db, subject);
  const password = await enrolPassword(pool, user.id, input.ProposedPassword);
  await changePoolUser(pool.db, user.id, { password });
  return {};
}

/** ForgotPassword: a code by text. What it says of an unknown number, `forgotPasswordNamesUnknown` decides. */
export async function forgotPassword(input: Input<"ForgotPassword">, pool: Pool): Promise<object> {
  requireClient(pool, input.ClientId);
  const { user } = await findAccount(pool, input.Username, faults.unknownUserForCode);
  if (!user) {
    if (pool.settings.forgotPasswordNamesUnknown) throw faults.unknownUserForCode();
    return { CodeDeliveryDetails: describeDelivery(input.Username) };
  }
  if (!user.enabled) throw faults.disabled();
  if (user.status === "FORCE_CHANGE_PASSWORD") throw faults.notResettable();
  if (!user.phoneVerified) throw faults.nothingToResetBy();
  const message = { user, to: user.phoneNumber, metadata: input.ClientMetadata };
  await sendCodeOrRefuse(pool, { userId: user.id, purpose: "reset" }, message);
  return { CodeDeliveryDetails: describeDelivery(user.phoneNumber) };
}

/**
 * ConfirmForgotPassword: a new password, and an end to the lock. Whoever resets it may have lost control of the account:
 * every session ends.
 */
export async function confirmForgotPassword(
  input: Input<"ConfirmForgotPassword">,
  pool: Pool,
): Promise<object> {
  requireClient(pool, input.ClientId);
  const account = await findAccount(pool, input.Username, faults.unknownUserForCode);
  // A password that the policy refuses must not use the code up.
  const password = await enrolPassword(pool, account.id, input.Password);
  const { user } = account;
  if (!user) throw faults.wrongCode();
  if (!user.enabled) throw faults.disabled();
  const entered = { to: user.phoneNumber, code: input.ConfirmationCode };
  await requireCode(pool, { userId: user.id, purpose: "reset" }, entered);
  await changePoolUser(pool.db, user.id, { password, status: "CONFIRMED" });
  await revokePoolSessions(pool.db, user.id, pool.now());
  forgetLiveness();
  await clearAttempts(pool.db, attemptSubjects(user.id).signIn);
  return {};
}
