import { addPoolUser, changePoolUser, type PoolUser } from "../../db/queries/identity.ts";
import { driverId } from "../../durable/engine/units.ts";
import { enrolPassword, findAccount, requireClient } from "./accounts.ts";
import { readAttributes } from "./attributes.ts";
import { toUuid } from "./bytes.ts";
import { pretendToSend, requireCode, sendCodeOrRefuse } from "./codes.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";
import { describeDelivery, isPhoneNumber } from "./phone.ts";
import type { Input } from "./requests.ts";

/** SignUp: an account that waits for its code, which goes to the phone number that names it. */
export async function signUp(input: Input<"SignUp">, pool: Pool): Promise<object> {
  requireClient(pool, input.ClientId);
  const phoneNumber = input.Username;
  if (!isPhoneNumber(phoneNumber)) throw faults.notAPhoneNumber();
  const { phone_number: named, ...attributes } = readAttributes(input.UserAttributes ?? []);
  if (named !== undefined && named !== phoneNumber) throw faults.invalidPhoneNumber();
  const id = driverId.parse(toUuid(pool.randomBytes(16)));
  const now = pool.now();
  const user: PoolUser = {
    id,
    phoneNumber,
    phoneVerified: false,
    pendingPhone: null,
    status: "UNCONFIRMED",
    enabled: true,
    password: await enrolPassword(pool, id, input.Password),
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
  if (!(await addPoolUser(pool.db, user, now - pool.limits.unconfirmedLifeMs))) throw faults.userExists();
  const message = { user, to: phoneNumber, metadata: input.ClientMetadata };
  await sendCodeOrRefuse(pool, { userId: id, purpose: "sign_up" }, message);
  return { UserConfirmed: false, UserSub: id, CodeDeliveryDetails: describeDelivery(phoneNumber) };
}

/**
 * ConfirmSignUp. A number belongs to one account, so that there is never an alias to move from another:
 * `ForceAliasCreation` is taken and changes nothing.
 */
export async function confirmSignUp(input: Input<"ConfirmSignUp">, pool: Pool): Promise<object> {
  requireClient(pool, input.ClientId);
  const { user } = await findAccount(pool, input.Username, faults.unknownUserForCode);
  if (!user) throw faults.expiredCode();
  if (user.status !== "UNCONFIRMED") throw faults.alreadyConfirmed();
  const entered = { to: user.phoneNumber, code: input.ConfirmationCode };
  await requireCode(pool, { userId: user.id, purpose: "sign_up" }, entered);
  await changePoolUser(pool.db, user.id, { status: "CONFIRMED", phoneVerified: true });
  return {};
}

/** ResendConfirmationCode. For an unknown number it says that a code went out, and sends none. */
export async function resendConfirmationCode(
  input: Input<"ResendConfirmationCode">,
  pool: Pool,
): Promise<object> {
  requireClient(pool, input.ClientId);
  const { id, user } = await findAccount(pool, input.Username, faults.unknownUserForCode);
  if (!user && !(await pretendToSend(pool, { userId: id, purpose: "sign_up" }))) throw faults.limitExceeded();
  if (!user) return { CodeDeliveryDetails: describeDelivery(input.Username) };
  if (user.status !== "UNCONFIRMED") throw faults.nothingToResend();
  const message = { user, to: user.phoneNumber, metadata: input.ClientMetadata };
  await sendCodeOrRefuse(pool, { userId: user.id, purpose: "sign_up" }, message);
  return { CodeDeliveryDetails: describeDelivery(user.phoneNumber) };
}
