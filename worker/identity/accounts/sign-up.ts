import { addPoolUser, deletePoolUser, updatePoolUser, type PoolUser } from "../../../db/queries/identity.ts";
import { driverId } from "../../../db/shapes/units.ts";
import { toUuid } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { requireClient, type OperationInput } from "../protocol/requests.ts";
import { findAccount } from "./accounts.ts";
import { parseAttributes } from "./attributes.ts";
import { recordDecoySend, requireCode, sendCodeOrRefuse } from "./codes.ts";
import { isPhoneNumber, toCodeDelivery } from "./phone.ts";
import { sealPassword } from "./verifiers.ts";

/** SignUp: creates an unconfirmed account and texts a code to its phone number. */
export async function signUpOperation(input: OperationInput<"SignUp">, pool: PoolContext): Promise<object> {
  requireClient(pool, input.ClientId);
  const phoneNumber = input.Username;
  if (!isPhoneNumber(phoneNumber)) throw cognitoErrors.notAPhoneNumber();
  const { phone_number: named, ...attributes } = parseAttributes(input.UserAttributes ?? []);
  if (named !== undefined && named !== phoneNumber) throw cognitoErrors.invalidPhoneNumber();
  if (pool.isHuman && !(await pool.isHuman(input.ClientMetadata?.["challenge"] ?? null, pool.address)))
    throw cognitoErrors.challengeFailed();
  const id = driverId.parse(toUuid(pool.randomBytes(16)));
  const now = pool.now();
  const user: PoolUser = {
    id,
    phoneNumber,
    phoneVerified: false,
    pendingPhone: null,
    status: "UNCONFIRMED",
    enabled: true,
    password: await sealPassword(pool, id, input.Password),
    attributes,
    smsMfa: false,
    softwareTokenMfa: false,
    preferredMfa: null,
    totpSecret: null,
    totpPending: null,
    totpName: null,
    totpUsedStep: 0,
    createdAt: now,
  };
  if (!(await addPoolUser(pool.db, user, now - pool.limits.unconfirmedLifetimeMs)))
    throw cognitoErrors.userExists();
  const message = { user, to: phoneNumber, metadata: input.ClientMetadata };
  try {
    await sendCodeOrRefuse(pool, { userId: id, purpose: "sign_up" }, message);
  } catch (error) {
    // Nobody got a code: the number is free to register again at once.
    await deletePoolUser(pool.db, id);
    throw error;
  }
  return { UserConfirmed: false, UserSub: id, CodeDeliveryDetails: toCodeDelivery(phoneNumber) };
}

/**
 * ConfirmSignUp. `ForceAliasCreation` is accepted but has no effect: a phone number belongs to one account, so there is
 * never an alias to take over from another.
 */
export async function confirmSignUpOperation(
  input: OperationInput<"ConfirmSignUp">,
  pool: PoolContext,
): Promise<object> {
  requireClient(pool, input.ClientId);
  const { user } = await findAccount(pool, input.Username, cognitoErrors.unknownUserForCode);
  if (!user) throw cognitoErrors.expiredCode();
  if (user.status !== "UNCONFIRMED") throw cognitoErrors.alreadyConfirmed();
  const entered = { to: user.phoneNumber, code: input.ConfirmationCode };
  await requireCode(pool, { userId: user.id, purpose: "sign_up" }, entered);
  await updatePoolUser(pool.db, user.id, { status: "CONFIRMED", phoneVerified: true });
  return {};
}

/** ResendConfirmationCode. For an unknown number it responds as if a code had been sent. */
export async function resendConfirmationCode(
  input: OperationInput<"ResendConfirmationCode">,
  pool: PoolContext,
): Promise<object> {
  requireClient(pool, input.ClientId);
  const { id, user } = await findAccount(pool, input.Username, cognitoErrors.unknownUserForCode);
  if (!user && !(await recordDecoySend(pool, { userId: id, purpose: "sign_up" }, input.Username)))
    throw cognitoErrors.limitExceeded();
  if (!user) return { CodeDeliveryDetails: toCodeDelivery(input.Username) };
  if (user.status !== "UNCONFIRMED") throw cognitoErrors.nothingToResend();
  const message = { user, to: user.phoneNumber, metadata: input.ClientMetadata };
  await sendCodeOrRefuse(pool, { userId: user.id, purpose: "sign_up" }, message);
  return { CodeDeliveryDetails: toCodeDelivery(user.phoneNumber) };
}
