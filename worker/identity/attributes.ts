import {
  changePoolUser,
  deletePoolUser,
  findPoolUser,
  patchPoolAttributes,
  revokePoolSessions,
  takePendingPhone,
  type PoolUser,
} from "../../db/queries/identity.ts";
import { requireBearer } from "./bearer.ts";
import { requireCode, sendCode, sendCodeOrRefuse } from "./codes.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";
import { forgetLiveness } from "./liveness.ts";
import { factorsOf } from "./mfa-factors.ts";
import { describeDelivery, isPhoneNumber, type CodeDelivery } from "./phone.ts";
import type { Input } from "./requests.ts";

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
export function readAttributes(attributes: readonly Attribute[]): Record<string, string> {
  const read: Record<string, string> = {};
  for (const { Name, Value } of attributes) {
    requireWritable(Name);
    if (Name === "phone_number" && !isPhoneNumber(Value ?? "")) throw faults.invalidPhoneNumber();
    read[Name] = Value ?? "";
  }
  return read;
}

function requireWritable(name: string): void {
  if (READ_ONLY.has(name)) throw faults.unauthorizedAttribute();
  if (WRITABLE.has(name)) return;
  throw faults.invalidParameter(
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
export async function getUser(input: Input<"GetUser">, pool: Pool): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken);
  const factors = factorsOf(user);
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
  input: Input<"UpdateUserAttributes">,
  pool: Pool,
): Promise<{ CodeDeliveryDetailsList: CodeDelivery[] }> {
  const { user } = await requireBearer(pool, input.AccessToken);
  const { phone_number: wanted, ...others } = readAttributes(input.UserAttributes);
  const isNewPhone = wanted !== undefined && wanted !== user.phoneNumber;
  if (isNewPhone) {
    const holder = await findPoolUser(pool.db, wanted);
    if (holder && holder.status !== "UNCONFIRMED") throw faults.aliasExists();
  }
  if (isNewPhone) {
    const message = { user, to: wanted, metadata: input.ClientMetadata };
    const isSent = await sendCode(pool, { userId: user.id, purpose: "phone_number" }, message);
    // This call has no limit of its own in the protocol, only one on requests.
    if (!isSent) throw faults.tooManyRequests();
    await changePoolUser(pool.db, user.id, { pendingPhone: wanted });
  }
  if (Object.keys(others).length > 0) await patchPoolAttributes(pool.db, user.id, others);
  return { CodeDeliveryDetailsList: isNewPhone ? [describeDelivery(wanted)] : [] };
}

/** DeleteUserAttributes. The phone number names the account and stays. */
export async function deleteUserAttributes(
  input: Input<"DeleteUserAttributes">,
  pool: Pool,
): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken);
  for (const name of input.UserAttributeNames) {
    requireWritable(name);
    if (name === "phone_number") throw faults.invalidParameter("The user name can't be deleted.");
  }
  const patch = Object.fromEntries(input.UserAttributeNames.map((name) => [name, null]));
  await patchPoolAttributes(pool.db, user.id, patch);
  return {};
}

function requirePhoneNumber(attributeName: string): void {
  if (attributeName !== "phone_number") {
    throw faults.invalidParameter(`Attribute ${attributeName} can't be verified by this pool.`);
  }
}

/** GetUserAttributeVerificationCode: a code to the number that waits, else to the present one. */
export async function getUserAttributeVerificationCode(
  input: Input<"GetUserAttributeVerificationCode">,
  pool: Pool,
): Promise<{ CodeDeliveryDetails: CodeDelivery }> {
  const { user } = await requireBearer(pool, input.AccessToken);
  requirePhoneNumber(input.AttributeName);
  const to = user.pendingPhone ?? user.phoneNumber;
  const message = { user, to, metadata: input.ClientMetadata };
  await sendCodeOrRefuse(pool, { userId: user.id, purpose: "phone_number" }, message);
  return { CodeDeliveryDetails: describeDelivery(to) };
}

/** VerifyUserAttribute: the number that waited for its code names the account from now on. */
export async function verifyUserAttribute(input: Input<"VerifyUserAttribute">, pool: Pool): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken);
  requirePhoneNumber(input.AttributeName);
  const entered = { to: user.pendingPhone ?? user.phoneNumber, code: input.Code };
  await requireCode(pool, { userId: user.id, purpose: "phone_number" }, entered);
  if (user.pendingPhone === null) {
    await changePoolUser(pool.db, user.id, { phoneVerified: true });
  } else if (!(await takePendingPhone(pool.db, user.id, user.pendingPhone))) {
    throw faults.aliasExists();
  }
  return {};
}

/** DeleteUser: nothing of the account stays, its sessions end. */
export async function deleteUser(input: Input<"DeleteUser">, pool: Pool): Promise<null> {
  const { user } = await requireBearer(pool, input.AccessToken);
  await deletePoolUser(pool.db, user.id);
  forgetLiveness();
  return null;
}

/** GlobalSignOut: every session of the account ends, this one too. */
export async function globalSignOut(input: Input<"GlobalSignOut">, pool: Pool): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken, faults.revokedAccessToken);
  await revokePoolSessions(pool.db, user.id, pool.now());
  forgetLiveness();
  return {};
}
