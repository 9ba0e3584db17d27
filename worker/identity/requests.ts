import * as z from "zod";
import { type Fault, faults } from "./faults.ts";

const text = (most: number, pattern?: RegExp) => {
  const bounded = z.string().min(1).max(most);
  return pattern ? bounded.regex(pattern) : bounded;
};

const clientId = text(128, /^[\w+]+$/);
const username = text(128, /^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u);
const password = text(256, /^[\S]+.*[\S]+$/);
const accessToken = text(8192, /^[A-Za-z0-9\-_=.]+$/);
const session = text(4096);
const code = text(2048, /^[\S]+$/);
const attributeName = text(32, /^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u);
const deviceKey = text(55, /^[\w-]+_[0-9a-f-]+$/);
const metadata = z.record(z.string(), z.string()).nullish();
const parameters = z.record(z.string(), z.string().max(8192).nullable());
const attributes = z.array(z.object({ Name: attributeName, Value: z.string().max(2048).nullish() })).max(50);

const ofClient = z.object({ ClientId: clientId, ClientMetadata: metadata });
const ofUsername = ofClient.extend({ Username: username });
const ofToken = z.object({ AccessToken: accessToken, ClientMetadata: metadata });
const ofDevice = ofToken.extend({ DeviceKey: deviceKey });
const mfaSettings = z
  .object({ Enabled: z.boolean().nullish(), PreferredMfa: z.boolean().nullish() })
  .nullish();

/** What each operation takes. Members that are not named here are ignored, as the protocol has it. */
export const requests = {
  SignUp: ofUsername.extend({
    Password: password,
    UserAttributes: attributes.nullish(),
  }),
  ConfirmSignUp: ofUsername.extend({ ConfirmationCode: code }),
  ResendConfirmationCode: ofUsername,
  InitiateAuth: ofClient.extend({
    AuthFlow: z.enum([
      "USER_SRP_AUTH",
      "REFRESH_TOKEN_AUTH",
      "REFRESH_TOKEN",
      "CUSTOM_AUTH",
      "ADMIN_NO_SRP_AUTH",
      "USER_PASSWORD_AUTH",
      "ADMIN_USER_PASSWORD_AUTH",
      "USER_AUTH",
    ]),
    AuthParameters: parameters.nullish(),
  }),
  RespondToAuthChallenge: ofClient.extend({
    ChallengeName: z.enum([
      "PASSWORD_VERIFIER",
      "DEVICE_SRP_AUTH",
      "DEVICE_PASSWORD_VERIFIER",
      "SMS_MFA",
      "SOFTWARE_TOKEN_MFA",
      "SELECT_MFA_TYPE",
      "NEW_PASSWORD_REQUIRED",
      "CUSTOM_CHALLENGE",
    ]),
    ChallengeResponses: parameters.nullish(),
    Session: session.nullish(),
  }),
  GetTokensFromRefreshToken: ofClient.extend({ RefreshToken: text(8192), DeviceKey: deviceKey.nullish() }),
  GetUser: ofToken,
  ChangePassword: ofToken.extend({ PreviousPassword: password.nullish(), ProposedPassword: password }),
  ForgotPassword: ofUsername,
  ConfirmForgotPassword: ofUsername.extend({ ConfirmationCode: code, Password: password }),
  UpdateUserAttributes: ofToken.extend({ UserAttributes: attributes }),
  DeleteUserAttributes: ofToken.extend({ UserAttributeNames: z.array(attributeName).max(50) }),
  GetUserAttributeVerificationCode: ofToken.extend({ AttributeName: attributeName }),
  VerifyUserAttribute: ofToken.extend({ AttributeName: attributeName, Code: code }),
  DeleteUser: ofToken,
  GlobalSignOut: ofToken,
  RevokeToken: ofClient.extend({ Token: text(8192) }),
  ConfirmDevice: ofDevice.extend({
    DeviceName: text(1024).nullish(),
    DeviceSecretVerifierConfig: z.object({ Salt: text(1024), PasswordVerifier: text(1024) }),
  }),
  UpdateDeviceStatus: ofDevice.extend({ DeviceRememberedStatus: z.enum(["remembered", "not_remembered"]) }),
  GetDevice: ofDevice,
  ForgetDevice: ofDevice,
  ListDevices: ofToken.extend({
    Limit: z.number().int().min(0).max(60).nullish(),
    PaginationToken: text(2048).nullish(),
  }),
  AssociateSoftwareToken: z.object({ AccessToken: accessToken.nullish(), Session: session.nullish() }),
  VerifySoftwareToken: z.object({
    AccessToken: accessToken.nullish(),
    Session: session.nullish(),
    UserCode: text(6, /^[0-9]+$/).min(6),
    FriendlyDeviceName: z.string().max(256).nullish(),
  }),
  SetUserMFAPreference: ofToken.extend({
    SMSMfaSettings: mfaSettings,
    SoftwareTokenMfaSettings: mfaSettings,
  }),
} satisfies Record<string, z.ZodType>;

/** A call that the pool knows. */
export type OperationName = keyof typeof requests;
/** What a call takes, parsed. */
export type Input<Name extends OperationName> = z.output<(typeof requests)[Name]>;

/** What goes with a request to the makers of texts; the language is read from it. */
export type ClientMetadata = z.output<typeof metadata>;

/** Parameters of a sign-in or a challenge, by their names. */
export type Parameters = Record<string, string | null>;

/**
 * Parses a request's body.
 * @throws {Fault} `InvalidParameterException` in the protocol's words, `SerializationException` where a type is wrong
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw describe(parsed.error.issues);
}

function describe(issues: readonly z.core.$ZodIssue[]): Fault {
  const constraints: string[] = [];
  for (const issue of issues) {
    const constraint = constraintOf(issue);
    if (constraint === null) return faults.unreadable();
    constraints.push(
      `Value at '${issue.path.map(memberName).join(".")}' failed to satisfy constraint: ${constraint}`,
    );
  }
  const errors = constraints.length === 1 ? "1 validation error" : `${constraints.length} validation errors`;
  return faults.invalidParameter(`${errors} detected: ${constraints.join("; ")}`);
}

function memberName(key: PropertyKey): string {
  const name = String(key);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function constraintOf(issue: z.core.$ZodIssue): string | null {
  const isAbsent = issue.input === undefined || issue.input === null;
  switch (issue.code) {
    case "too_small":
      return `Member must have length greater than or equal to ${issue.minimum}`;
    case "too_big":
      return `Member must have length less than or equal to ${issue.maximum}`;
    case "invalid_format":
      return `Member must satisfy regular expression pattern: ${(issue.pattern ?? "").replace(/^\/\^?(.*?)\$?\/u?$/, "$1")}`;
    case "invalid_value":
      return isAbsent
        ? "Member must not be null"
        : `Member must satisfy enum value set: [${issue.values.join(", ")}]`;
    default:
      return isAbsent ? "Member must not be null" : null;
  }
}

/** @throws {Fault} where the parameter is absent or empty */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (!value) throw faults.missingParameter(name);
  return value;
}
