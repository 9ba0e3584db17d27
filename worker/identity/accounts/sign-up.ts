import { addPoolUser, type PoolUser } from "../../../db/queries/identity/pool-users.ts";
import {
  hasCode,
  type CodeCompanions,
  type CodeConditions,
  type CodeKey,
} from "../../../db/queries/identity/codes.ts";
import {
  confirmRegistration,
  deleteUnusedAccount,
  registrationStatements,
} from "../../../db/queries/identity/registrations.ts";
import { tryRegistrationCode } from "../../../db/queries/identity/registration-codes.ts";
import { driverId, type DriverId } from "../../../db/shapes/units.ts";
import { toUuid } from "../bytes.ts";
import { type PoolContext, noteEvent } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { requireClient, type ClientMetadata, type OperationInput } from "../protocol/requests.ts";
import { findAccount } from "./accounts.ts";
import { parseAttributes } from "./attributes.ts";
import { callerNetwork, hashRegistrationSecret } from "./codes.ts";
import { callerTry, hasActiveCode, requireTriedCode } from "./code-checks.ts";
import { recordDecoySend, sendCodeOrRefuse, sendVerificationCode, type CodeMessage } from "./code-texts.ts";
import { forgetCodeGuesses } from "./guesses.ts";
import { rememberBrowser } from "./known-browsers.ts";
import { markOfStored, ownerOf, requireStrongPassword, sealPassword } from "./verifiers.ts";
import { isPhoneNumber, toCodeDelivery } from "./phone.ts";

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
  const owner = ownerOf({ phoneNumber, attributes });
  requireStrongPassword(pool, input.Password, owner);
  const { user, isNew } = await openUnconfirmed(pool, { phoneNumber, attributes, password: input.Password });
  const { id } = user;
  const key = { userId: id, purpose: "sign_up" } as const;
  const password = isNew ? user.password : await sealPassword(pool, id, { password: input.Password, owner });
  const registration = { userId: id, password, attributes, createdAt: pool.now() };
  const networks = await registrars(pool, input.ClientMetadata);
  const message = {
    user: { ...user, attributes },
    to: phoneNumber,
    metadata: input.ClientMetadata,
    isPerson: pool.isHuman != null,
    // With the code, without which nobody could confirm it.
    alongside: ({ isActive }: Pick<CodeConditions, "isActive">) =>
      networks.flatMap((network) => registrationStatements(pool.db, { ...registration, network }, isActive)),
  };
  try {
    await ensureRegistrationCode(pool, key, message);
  } catch (error) {
    // Where nobody got a code, the number is free to register again at once.
    if (isNew) await deleteUnusedAccount(pool.db, id, pool.now());
    throw error;
  }
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
  const account = newAccount({
    id,
    phoneNumber,
    attributes,
    password: await sealPassword(pool, id, { password, owner: ownerOf(given) }),
    createdAt: pool.now(),
  });
  const opened = await addPoolUser(pool.db, account);
  if (opened?.user.status !== "UNCONFIRMED") throw cognitoErrors.userExists();
  return opened;
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
  pool: PoolContext,
  key: CodeKey,
  message: CodeMessage & { alongside: CodeCompanions<"isActive"> },
): Promise<void> {
  if (await sendVerificationCode(pool, key, message)) return;
  const [first, ...rest] = message.alongside({ isActive: hasCode(pool.db, key, pool.now()) });
  const [isActive] = await Promise.all([hasActiveCode(pool, key), first && pool.db.batch([first, ...rest])]);
  if (!isActive) throw cognitoErrors.limitExceeded();
}

/**
 * ConfirmSignUp. The password that counts is of whoever enters the code: of the registration with the caller's secret, or,
 * where they have none, from the caller's network, which strangers may share. If there is none, the password must be reset, by
 * another code. `ForceAliasCreation` is
 * accepted but has no effect: a phone number belongs to one account, so there is never an alias to take over from
 * another.
 * @returns the account and its password record if the page that registered it confirmed it: by its secret, and so with its own
 * password; else null
 */
export async function confirmSignUp(
  input: OperationInput<"ConfirmSignUp">,
  pool: PoolContext,
): Promise<{ userId: DriverId; password: string } | null> {
  requireClient(pool, input);
  const [own = "", network] = await registrars(pool, input.ClientMetadata);
  const { user, registration, attempt } = await tryRegistrationCode(pool.db, input.Username, {
    network: own,
    attempt: await callerTry(pool),
  });
  if (!user) throw unknownForCode(pool);
  if (user.status !== "UNCONFIRMED") throw cognitoErrors.alreadyConfirmed();
  const { id: userId, phoneNumber: to } = user;
  const key = { userId, purpose: "sign_up" } as const;
  const proof = await requireTriedCode(pool, key, { to, code: input.ConfirmationCode, attempt });
  const [isConfirmed] = await Promise.all([
    confirmRegistration(pool.db, { userId, registration, proof }),
    forgetCodeGuesses(pool, key, to),
  ]);
  if (!isConfirmed) throw cognitoErrors.expiredCode();
  const password = registration?.password ?? user.password;
  rememberBrowser(pool, { sub: userId, mark: await markOfStored(pool, { id: userId, password }) });
  await noteEvent(pool, "registered", user.id);
  // Of a caller without a secret the network is all that is known.
  if (registration === null || network === undefined) return null;
  return { userId, password: registration.password };
}

function unknownForCode({ settings }: PoolContext) {
  return settings.preventUserExistenceErrors === "LEGACY"
    ? cognitoErrors.unknownUserForCode()
    : cognitoErrors.expiredCode();
}

/** ResendConfirmationCode. For an unknown number it responds as if a code had been sent. */
export async function resendConfirmationCode(
  input: OperationInput<"ResendConfirmationCode">,
  pool: PoolContext,
): Promise<object> {
  requireClient(pool, input);
  const { id, user } = await findAccount(pool, input.Username, cognitoErrors.unknownUserForCode);
  const decoy = { to: input.Username, metadata: input.ClientMetadata };
  if (!user && !(await recordDecoySend(pool, { userId: id, purpose: "sign_up" }, decoy)))
    throw cognitoErrors.limitExceeded();
  if (!user) return { CodeDeliveryDetails: toCodeDelivery(input.Username) };
  if (user.status !== "UNCONFIRMED") throw cognitoErrors.nothingToResend();
  const message = { user, to: user.phoneNumber, metadata: input.ClientMetadata };
  await sendCodeOrRefuse(pool, { userId: user.id, purpose: "sign_up" }, message);
  return { CodeDeliveryDetails: toCodeDelivery(user.phoneNumber) };
}
