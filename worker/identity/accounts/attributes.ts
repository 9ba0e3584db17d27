import type { CodeConditions } from "../../../db/queries/identity/codes.ts";
import {
  findPoolUser,
  patchPoolAttributes,
  setPendingPhone,
  verifyPhone,
  type PoolUser,
} from "../../../db/queries/identity/pool-users.ts";
import { confirmPendingPhone } from "../../../db/queries/identity/phone.ts";
import { enabledFactors } from "../mfa/second-factors.ts";
import { allOf, type PoolContext, noteEvent } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import type { OperationInput } from "../protocol/requests.ts";
import { requireBearer, requireFresh } from "../tokens/bearer.ts";
import { announceChange } from "../tokens/sessions.ts";
import { requireCode } from "./code-checks.ts";
import { sendCodeOrRefuse, sendVerificationCode } from "./code-texts.ts";
import { forgetCodeGuesses } from "./guesses.ts";
import { isPhoneNumber, toCodeDelivery, type CodeDelivery } from "./phone.ts";

/** The standard attributes of OpenID Connect that clients may write. */
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

/** @throws {CognitoError} for a read-only or unknown attribute, or an invalid phone number */
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

/** The account's attributes as Cognito lists them: `sub` first, all values as strings. */
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

/** GetUser: the caller's attributes and enabled second factors. */
export async function getUser(input: OperationInput<"GetUser">, pool: PoolContext): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken);
  const factors = enabledFactors(pool, user);
  return {
    Username: user.id,
    UserAttributes: listAttributes(user),
    ...(factors.includes("SMS_MFA")
      ? { MFAOptions: [{ AttributeName: "phone_number", DeliveryMedium: "SMS" }] }
      : {}),
    ...(factors.length > 0 ? { UserMFASettingList: factors } : {}),
    ...(user.preferredMfa === null || factors.length === 0 ? {} : { PreferredMfaSetting: user.preferredMfa }),
  };
}

/**
 * UpdateUserAttributes. A new phone number is pending until its code is entered, and the old one stays valid until then,
 * so that a typo locks nobody out.
 */
export async function updateUserAttributes(
  input: OperationInput<"UpdateUserAttributes">,
  pool: PoolContext,
): Promise<{ CodeDeliveryDetailsList: CodeDelivery[] }> {
  const wanted = input.UserAttributes.find(({ Name }) => Name === "phone_number")?.Value;
  const [bearer, holder] = await Promise.all([
    requireBearer(pool, input.AccessToken),
    wanted ? findPoolUser(pool.db, wanted) : null,
  ]);
  const { user } = bearer;
  const { phone_number: newPhone, ...others } = parseAttributes(input.UserAttributes);
  const isNewPhone = newPhone !== undefined && newPhone !== user.phoneNumber;
  if (isNewPhone) {
    requireFresh(pool, bearer);
    if (holder && holder.status !== "UNCONFIRMED") throw cognitoErrors.aliasExists();
    const message = {
      user,
      to: newPhone,
      metadata: input.ClientMetadata,
      alongside: ({ isSaved }: Pick<CodeConditions, "isSaved">) => [
        setPendingPhone(pool.db, user.id, newPhone, isSaved),
      ],
    };
    const isSent = await sendVerificationCode(pool, { userId: user.id, purpose: "phone_number" }, message);
    // Cognito has no LimitExceededException for this operation.
    if (!isSent) throw cognitoErrors.tooManyRequests();
  }
  if (Object.keys(others).length > 0) await patchPoolAttributes(pool.db, user.id, others);
  return { CodeDeliveryDetailsList: isNewPhone ? [toCodeDelivery(newPhone)] : [] };
}

/** DeleteUserAttributes. The phone number can't be deleted: it is the user name. */
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

/** GetUserAttributeVerificationCode: sends a code to the pending phone number, or to the current one. */
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

/** VerifyUserAttribute: a valid code makes the pending phone number the account's user name, and ends every other session. */
export async function verifyUserAttribute(
  input: OperationInput<"VerifyUserAttribute">,
  pool: PoolContext,
): Promise<object> {
  const { user, originJti } = await requireBearer(pool, input.AccessToken);
  requirePhoneNumber(input.AttributeName);
  const entered = { to: user.pendingPhone ?? user.phoneNumber, code: input.Code };
  const key = { userId: user.id, purpose: "phone_number" } as const;
  const proof = await requireCode(pool, key, entered);
  const forgotten = forgetCodeGuesses(pool, key, entered.to);
  if (user.pendingPhone === null) {
    if (!(await allOf(forgotten, verifyPhone(pool.db, user.id, proof)))) throw cognitoErrors.expiredCode();
    return {};
  }
  const change = {
    userId: user.id,
    phoneNumber: user.pendingPhone,
    keep: originJti,
    now: pool.now(),
  };
  const confirmed = await allOf(forgotten, confirmPendingPhone(pool.db, change, proof));
  if (confirmed === "used") throw cognitoErrors.expiredCode();
  if (confirmed === "taken") throw cognitoErrors.aliasExists();
  await noteEvent(pool, "phone_changed", user.id);
  await announceChange(pool, user.id);
  return {};
}
