import {
  addPoolUser,
  deletePoolUser,
  findPoolUser,
  type PoolUser,
} from "../../../db/queries/identity/pool-users.ts";
import { confirmRegistration, saveRegistration } from "../../../db/queries/identity/registrations.ts";
import { driverId } from "../../../db/shapes/units.ts";
import { toUuid } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { requireClient, type ClientMetadata, type OperationInput } from "../protocol/requests.ts";
import { noteEvent } from "../security-events.ts";
import { findAccount } from "./accounts.ts";
import { parseAttributes } from "./attributes.ts";
import {
  callerNetwork,
  hasActiveCode,
  hashRegistrationSecret,
  recordDecoySend,
  requireCode,
  sendCodeOrRefuse,
  sendVerificationCode,
} from "./codes.ts";
import { rememberBrowser } from "./known-browsers.ts";
import { isPhoneNumber, toCodeDelivery } from "./phone.ts";
import { requireStrongPassword, sealPassword } from "./verifiers.ts";

/**
 * SignUp: creates an unconfirmed account and texts a code to its phone number. Anyone may name any number, so until a code
 * is entered each network has its own registration of it, with its own password.
 */
export async function signUpOperation(input: OperationInput<"SignUp">, pool: PoolContext): Promise<object> {
  requireClient(pool, input);
  const phoneNumber = input.Username;
  if (!isPhoneNumber(phoneNumber)) throw cognitoErrors.notAPhoneNumber();
  const { phone_number: named, ...attributes } = parseAttributes(input.UserAttributes ?? []);
  if (named !== undefined && named !== phoneNumber) throw cognitoErrors.invalidPhoneNumber();
  if (pool.isHuman && !(await pool.isHuman(input.ClientMetadata?.["challenge"] ?? null, pool.address)))
    throw cognitoErrors.challengeFailed();
  requireStrongPassword(input.Password);
  const { user, isNew } = await openUnconfirmed(pool, { phoneNumber, attributes, password: input.Password });
  const { id } = user;
  const key = { userId: id, purpose: "sign_up" } as const;
  const message = { user: { ...user, attributes }, to: phoneNumber, metadata: input.ClientMetadata };
  try {
    await ensureRegistrationCode(pool, key, message);
  } catch (error) {
    // Nobody got a code: the number is free to register again at once.
    if (isNew) await deletePoolUser(pool.db, id);
    throw error;
  }
  const password = isNew ? user.password : await sealPassword(pool, id, input.Password);
  const registration = { userId: id, password, attributes, createdAt: pool.now() };
  for (const network of await registrars(pool, input.ClientMetadata))
    await saveRegistration(pool.db, { ...registration, network });
  return { UserConfirmed: false, UserSub: id, CodeDeliveryDetails: toCodeDelivery(phoneNumber) };
}

const REGISTRATION_SECRET = /^[\w-]{22,64}$/;

/**
 * The registering caller, hashed, the surest first: the secret that the page sends along, so that a phone may change
 * networks before its code comes, and else the network that the call comes from.
 */
async function registrars(pool: PoolContext, metadata: ClientMetadata): Promise<string[]> {
  const secret = metadata?.["registration"] ?? "";
  const network = await callerNetwork(pool);
  return REGISTRATION_SECRET.test(secret) ? [await hashRegistrationSecret(pool, secret), network] : [network];
}

/**
 * The unconfirmed account of a number, made where there is none.
 * @throws {CognitoError} `UsernameExistsException` if the number's account is confirmed
 */
async function openUnconfirmed(
  pool: PoolContext,
  given: { phoneNumber: string; attributes: Record<string, string>; password: string },
): Promise<{ user: PoolUser; isNew: boolean }> {
  const { phoneNumber, attributes, password } = given;
  const id = driverId.parse(toUuid(pool.randomBytes(16)));
  const known = await findPoolUser(pool.db, phoneNumber);
  if (!known) {
    const user = newAccount({
      id,
      phoneNumber,
      attributes,
      password: await sealPassword(pool, id, password),
      createdAt: pool.now(),
    });
    if (await addPoolUser(pool.db, user)) return { user, isNew: true };
  }
  const user = known ?? (await findPoolUser(pool.db, phoneNumber));
  if (user?.status !== "UNCONFIRMED") throw cognitoErrors.userExists();
  return { user, isNew: false };
}

function newAccount(
  given: Pick<PoolUser, "id" | "phoneNumber" | "attributes" | "password" | "createdAt">,
): PoolUser {
  return {
    ...given,
    phoneVerified: false,
    pendingPhone: null,
    status: "UNCONFIRMED",
    enabled: true,
    smsMfa: false,
    softwareTokenMfa: false,
    preferredMfa: null,
    totpSecret: null,
    totpPending: null,
    totpName: null,
    totpUsedStep: 0,
  };
}

/** Another code, or the one that was sent a moment ago: who else registers the number can't keep its owner out. */
async function ensureRegistrationCode(
  ...[pool, key, message]: Parameters<typeof sendVerificationCode>
): Promise<void> {
  if (await sendVerificationCode(pool, key, message)) return;
  if (!(await hasActiveCode(pool, key))) throw cognitoErrors.limitExceeded();
}

/**
 * ConfirmSignUp. The password that counts is of whoever enters the code: of the registration with the caller's secret, or
 * else from the caller's network. If there is none, the password must be reset, by another code. `ForceAliasCreation` is
 * accepted but has no effect: a phone number belongs to one account, so there is never an alias to take over from
 * another.
 */
export async function confirmSignUpOperation(
  input: OperationInput<"ConfirmSignUp">,
  pool: PoolContext,
): Promise<object> {
  requireClient(pool, input);
  const { user } = await findAccount(pool, input.Username, cognitoErrors.unknownUserForCode);
  if (!user) throw cognitoErrors.expiredCode();
  if (user.status !== "UNCONFIRMED") throw cognitoErrors.alreadyConfirmed();
  const entered = { to: user.phoneNumber, code: input.ConfirmationCode };
  await requireCode(pool, { userId: user.id, purpose: "sign_up" }, entered);
  const networks = await registrars(pool, input.ClientMetadata);
  await confirmRegistration(pool.db, { userId: user.id, networks });
  rememberBrowser(pool, user.id);
  await noteEvent(pool, "registered", user.id);
  return {};
}

/** ResendConfirmationCode. For an unknown number it responds as if a code had been sent. */
export async function resendConfirmationCode(
  input: OperationInput<"ResendConfirmationCode">,
  pool: PoolContext,
): Promise<object> {
  requireClient(pool, input);
  const { id, user } = await findAccount(pool, input.Username, cognitoErrors.unknownUserForCode);
  if (!user && !(await recordDecoySend(pool, { userId: id, purpose: "sign_up" }, input.Username)))
    throw cognitoErrors.limitExceeded();
  if (!user) return { CodeDeliveryDetails: toCodeDelivery(input.Username) };
  if (user.status !== "UNCONFIRMED") throw cognitoErrors.nothingToResend();
  const message = { user, to: user.phoneNumber, metadata: input.ClientMetadata };
  await sendCodeOrRefuse(pool, { userId: user.id, purpose: "sign_up" }, message);
  return { CodeDeliveryDetails: toCodeDelivery(user.phoneNumber) };
}
