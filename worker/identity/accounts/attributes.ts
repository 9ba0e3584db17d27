import {
  updatePoolUser,
  deletePoolUser,
  findPoolUser,
  patchPoolAttributes,
  revokePoolSessions,
  confirmPendingPhone,
  type PoolUser,
} from "../../../db/queries/identity.ts";
import { requireBearer } from "../tokens/bearer.ts";
import { requireCode, sendVerificationCode, sendCodeOrRefuse } from "./codes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { clearLivenessCache } from "../tokens/liveness.ts";
import { enabledFactors } from "../mfa/factors.ts";
import { toCodeDelivery, isPhoneNumber, type CodeDelivery } from "./phone.ts";
import type { OperationInput } from "../protocol/requests.ts";

/** The standard attributes that a client may write. */
const WRITABLE = new Set([
  "address",
  "birthdate",
  "email",
  "family_name",
  "gender",
  "given_name",
  "locale",
  "middle_name",
  "name",
  "nickname",
  "phone_number",
  "picture",
  "preferred_username",
  "profile",
  "website",
  "zoneinfo",
]);
const READ_ONLY = new Set(["sub", "phone_number_verified", "email_verified", "updated_at"]);

type Attribute = { Name: string; Value?: string | null | undefined };

/** @throws {Fault} for an attribute that clients may not write, or that this pool does not have */
export function parseAttributes(attributes: readonly Attribute[]): Record<string, string> {
  const parsed: Record<string, string> = {};
  for (const { Name, Value } of attributes) {
    requireWritable(Name);
    if (Name === "phone_number" && !isPhoneNumber(Value ?? "")) throw cognitoErrors.invalidPhoneNumber();
    parsed[Name] = Value ?? "";
  }
  return parsed;
}

function requireWritable(name: string): void {
  if (READ_ONLY.has(name)) throw cognitoErrors.unauthorizedAttribute();
  if (WRITABLE.has(name)) return;
  throw cognitoErrors.invalidParameter(
    `Attributes did not conform to the schema: Type for attribute {${name}} could not be determined`,
  );
}

/** The account's attributes as the protocol lists them: the sub first, every value a string. */
export function listAttributes(user: PoolUser): { Name: string; Value: string }[] {
  const { email } = user.attributes;
  return [
    { Name: "sub", Value: user.id },
    ...Object.entries(user.attributes).map(([Name, Value]) => ({ Name, Value })),
    ...(email === undefined ? [] : [{ Name: "email_verified", Value: "false" }]),
    { Name: "phone_number", Value: user.phoneNumber },
    { Name: "phone_number_verified", Value: String(user.phoneVerified) },
  ];
}

/** GetUser: the attributes and the second factors that are on. */
export async function getUser(input: OperationInput<"GetUser">, pool: PoolContext): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken);
  const factors = enabledFactors(user);
  return {
    Username: user.id,
    UserAttributes: listAttributes(user),
    ...(user.smsMfa ? { MFAOptions: [{ AttributeName: "phone_number", DeliveryMedium: "SMS" }] } : {}),
    ...(factors.length > 0 ? { UserMFASettingList: factors } : {}),
    ...(user.preferredMfa === null ? {} : { PreferredMfaSetting: user.preferredMfa }),
  };
}

/**
 * UpdateUserAttributes. A new phone number waits for its code and the old one stays until then, so that a slip of the
 * finger locks nobody out.
 */
export async function updateUserAttributes(
  input: OperationInput<"UpdateUserAttributes">,
  pool: PoolContext,
): Promise<{ CodeDeliveryDetailsList: CodeDelivery[] }> {
  const { user } = await requireBearer(pool, input.AccessToken);
  const { phone_number: wanted, ...others } = parseAttributes(input.UserAttributes);
  const isNewPhone = wanted !== undefined && wanted !== user.phoneNumber;
  if (isNewPhone) {
    const holder = await findPoolUser(pool.db, wanted);
    if (holder && holder.status !== "UNCONFIRMED") throw cognitoErrors.aliasExists();
  }
  if (isNewPhone) {
    const message = { user, to: wanted, metadata: input.ClientMetadata };
    const isSent = await sendVerificationCode(pool, { userId: user.id, purpose: "phone_number" }, message);
    // This call has no limit of its own in the protocol, only one on requests.
    if (!isSent) throw cognitoErrors.tooManyRequests();
    await updatePoolUser(pool.db, user.id, { pendingPhone: wanted });
  }
  if (Object.keys(others).length > 0) await patchPoolAttributes(pool.db, user.id, others);
  return { CodeDeliveryDetailsList: isNewPhone ? [toCodeDelivery(wanted)] : [] };
}

/** DeleteUserAttributes. The phone number names the account and stays. */
export async function deleteUserAttributes(
  input: OperationInput<"DeleteUserAttributes">,
  pool: PoolContext,
): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken);
  for (const name of input.UserAttributeNames) {
    requireWritable(name);
    if (name === "phone_number") throw cognitoErrors.invalidParameter("The user name can't be deleted.");
  }
  const patch = Object.fromEntries(input.UserAttributeNames.map((name) => [name, null]));
  await patchPoolAttributes(pool.db, user.id, patch);
  return {};
}

function requirePhoneNumber(attributeName: string): void {
  if (attributeName !== "phone_number") {
    throw cognitoErrors.invalidParameter(`Attribute ${attributeName} can't be verified by this pool.`);
  }
}

/** GetUserAttributeVerificationCode: a code to the number that waits, else to the present one. */
export async function getUserAttributeVerificationCode(
  input: OperationInput<"GetUserAttributeVerificationCode">,
  pool: PoolContext,
): Promise<{ CodeDeliveryDetails: CodeDelivery }> {
  const { user } = await requireBearer(pool, input.AccessToken);
  requirePhoneNumber(input.AttributeName);
  const to = user.pendingPhone ?? user.phoneNumber;
  const message = { user, to, metadata: input.ClientMetadata };
  await sendCodeOrRefuse(pool, { userId: user.id, purpose: "phone_number" }, message);
  return { CodeDeliveryDetails: toCodeDelivery(to) };
}

/** VerifyUserAttribute: the number that waited for its code names the account from now on. */
export async function verifyUserAttribute(
  input: OperationInput<"VerifyUserAttribute">,
  pool: PoolContext,
): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken);
  requirePhoneNumber(input.AttributeName);
  const entered = { to: user.pendingPhone ?? user.phoneNumber, code: input.Code };
  await requireCode(pool, { userId: user.id, purpose: "phone_number" }, entered);
  if (user.pendingPhone === null) {
    await updatePoolUser(pool.db, user.id, { phoneVerified: true });
  } else if (!(await confirmPendingPhone(pool.db, user.id, user.pendingPhone))) {
    throw cognitoErrors.aliasExists();
  }
  return {};
}

/** DeleteUser: nothing of the account stays, its sessions end. */
export async function deleteUser(input: OperationInput<"DeleteUser">, pool: PoolContext): Promise<null> {
  const { user } = await requireBearer(pool, input.AccessToken);
  await deletePoolUser(pool.db, user.id);
  clearLivenessCache();
  return null;
}

/** GlobalSignOut: every session of the account ends, this one too. */
export async function globalSignOut(
  input: OperationInput<"GlobalSignOut">,
  pool: PoolContext,
): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken, cognitoErrors.revokedAccessToken);
  await revokePoolSessions(pool.db, user.id, pool.now());
  clearLivenessCache();
  return {};
}
