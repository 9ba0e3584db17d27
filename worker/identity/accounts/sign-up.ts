import { addPoolUser, updatePoolUser, type PoolUser } from "../../../db/queries/identity.ts";
import { driverId } from "../../../db/shapes/units.ts";
import { sealPassword, findAccount, requireClient } from "./accounts.ts";
import { parseAttributes } from "./attributes.ts";
import { toUuid } from "../bytes.ts";
import { recordDecoySend, requireCode, sendCodeOrRefuse } from "./codes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { toCodeDelivery, isPhoneNumber } from "./phone.ts";
import type { OperationInput } from "../protocol/requests.ts";

/** SignUp: an account that waits for its code, which goes to the phone number that names it. */
export async function signUpOperation(input: OperationInput<"SignUp">, pool: PoolContext): Promise<object> {
  requireClient(pool, input.ClientId);
  const phoneNumber = input.Username;
  if (!isPhoneNumber(phoneNumber)) throw cognitoErrors.notAPhoneNumber();
  const { phone_number: named, ...attributes } = parseAttributes(input.UserAttributes ?? []);
  if (named !== undefined && named !== phoneNumber) throw cognitoErrors.invalidPhoneNumber();
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
  await sendCodeOrRefuse(pool, { userId: id, purpose: "sign_up" }, message);
  return { UserConfirmed: false, UserSub: id, CodeDeliveryDetails: toCodeDelivery(phoneNumber) };
}

/**
 * ConfirmSignUp. A number belongs to one account, so that there is never an alias to move from another:
 * `ForceAliasCreation` is taken and changes nothing.
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

/** ResendConfirmationCode. For an unknown number it says that a code went out, and sends none. */
export async function resendConfirmationCode(
  input: OperationInput<"ResendConfirmationCode">,
  pool: PoolContext,
): Promise<object> {
  requireClient(pool, input.ClientId);
  const { id, user } = await findAccount(pool, input.Username, cognitoErrors.unknownUserForCode);
  if (!user && !(await recordDecoySend(pool, { userId: id, purpose: "sign_up" })))
    throw cognitoErrors.limitExceeded();
  if (!user) return { CodeDeliveryDetails: toCodeDelivery(input.Username) };
  if (user.status !== "UNCONFIRMED") throw cognitoErrors.nothingToResend();
  const message = { user, to: user.phoneNumber, metadata: input.ClientMetadata };
  await sendCodeOrRefuse(pool, { userId: user.id, purpose: "sign_up" }, message);
  return { CodeDeliveryDetails: toCodeDelivery(user.phoneNumber) };
}
