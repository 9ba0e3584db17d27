import * as z from "zod";
import type { PoolContext } from "../pool-context.ts";
import { type CognitoError, cognitoErrors } from "./errors.ts";

const boundedText = (maxLength: number, pattern?: RegExp) => {
  const bounded = z.string().min(1).max(maxLength);
  return pattern ? bounded.regex(pattern) : bounded;
};

const clientId = boundedText(128, /^[\w+]+$/);
const username = boundedText(128, /^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u);
const password = boundedText(256, /^[\S]+.*[\S]+$/);
const accessToken = boundedText(8192, /^[A-Za-z0-9\-_=.]+$/);
const session = boundedText(4096);
const code = boundedText(2048, /^[\S]+$/);
const attributeName = boundedText(32, /^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u);
const metadata = z.record(z.string(), z.string()).nullish();
const parameters = z.record(z.string(), z.string().max(8192).nullable());
const attributes = z.array(z.object({ Name: attributeName, Value: z.string().max(2048).nullish() })).max(50);

const secretHash = boundedText(128, /^[\w+=/]+$/).nullish();

const clientInput = z.object({ ClientId: clientId, ClientMetadata: metadata });
const usernameInput = clientInput.extend({ Username: username, SecretHash: secretHash });
const tokenInput = z.object({ AccessToken: accessToken, ClientMetadata: metadata });
const mfaSettings = z
  .object({ Enabled: z.boolean().nullish(), PreferredMfa: z.boolean().nullish() })
  .nullish();

/** The input of each operation. Like Cognito, the pool ignores members that aren't listed. */
export const requests = {
  SignUp: usernameInput.extend({
    Password: password,
    UserAttributes: attributes.nullish(),
  }),
  ConfirmSignUp: usernameInput.extend({ ConfirmationCode: code }),
  ResendConfirmationCode: usernameInput,
  InitiateAuth: clientInput.extend({
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
    Session: session.nullish(),
  }),
  RespondToAuthChallenge: clientInput.extend({
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
  GetTokensFromRefreshToken: clientInput.extend({ RefreshToken: boundedText(8192) }),
  GetUser: tokenInput,
  ChangePassword: tokenInput.extend({ PreviousPassword: password.nullish(), ProposedPassword: password }),
  ForgotPassword: usernameInput,
  ConfirmForgotPassword: usernameInput.extend({ ConfirmationCode: code, Password: password }),
  UpdateUserAttributes: tokenInput.extend({ UserAttributes: attributes }),
  DeleteUserAttributes: tokenInput.extend({ UserAttributeNames: z.array(attributeName).max(50) }),
  GetUserAttributeVerificationCode: tokenInput.extend({ AttributeName: attributeName }),
  VerifyUserAttribute: tokenInput.extend({ AttributeName: attributeName, Code: code }),
  DeleteUser: tokenInput,
  GlobalSignOut: tokenInput,
  RevokeToken: clientInput.extend({ Token: boundedText(8192) }),
  ConfirmDevice: tokenInput,
  UpdateDeviceStatus: tokenInput,
  GetDevice: tokenInput,
  ForgetDevice: tokenInput,
  ListDevices: tokenInput,
  AssociateSoftwareToken: z.object({ AccessToken: accessToken.nullish(), Session: session.nullish() }),
  VerifySoftwareToken: z.object({
    AccessToken: accessToken.nullish(),
    Session: session.nullish(),
    UserCode: boundedText(6, /^[0-9]+$/).min(6),
    FriendlyDeviceName: z.string().max(256).nullish(),
  }),
  SetUserMFAPreference: tokenInput.extend({
    SMSMfaSettings: mfaSettings,
    SoftwareTokenMfaSettings: mfaSettings,
  }),
} satisfies Record<string, z.ZodType>;

/** An operation that the pool implements. */
export type OperationName = keyof typeof requests;
/** The parsed input of an operation. */
export type OperationInput<Name extends OperationName> = z.output<(typeof requests)[Name]>;

/** Free-form data that a client may attach. We read the language of text messages from it. */
export type ClientMetadata = z.output<typeof metadata>;

/** `AuthParameters` or `ChallengeResponses`. */
export type Parameters = Record<string, string | null>;

/**
 * Validates the body of a request.
 * @throws {CognitoError} `InvalidParameterException` in Cognito's wording, or `SerializationException` for a wrong type
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw toValidationError(parsed.error.issues);
}

function toValidationError(issues: readonly z.core.$ZodIssue[]): CognitoError {
  const constraints: string[] = [];
  for (const issue of issues) {
    const constraint = constraintOf(issue);
    if (constraint === null) return cognitoErrors.unreadable();
    constraints.push(`${valueOf(issue)} failed to satisfy constraint: ${constraint}`);
  }
  const errors = constraints.length === 1 ? "1 validation error" : `${constraints.length} validation errors`;
  return cognitoErrors.invalidParameter(`${errors} detected: ${constraints.join("; ")}`);
}

/** Where the value is. Cognito repeats it only where it is none of the caller's own: the word of an enumeration. */
function valueOf(issue: z.core.$ZodIssue): string {
  const place = `at '${issue.path.map(memberName).join(".")}'`;
  const isWord = issue.code === "invalid_value" && typeof issue.input === "string";
  return isWord ? `Value '${issue.input}' ${place}` : `Value ${place}`;
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
      return `Member must satisfy regular expression pattern: ${wholePattern(issue.pattern ?? "")}`;
    case "invalid_value":
      return isAbsent
        ? "Member must not be null"
        : `Member must satisfy enum value set: [${issue.values.join(", ")}]`;
    default:
      return isAbsent ? "Member must not be null" : null;
  }
}

/** Every pattern here is one of the whole value, `/^…$/`, which Cognito writes without the anchors. */
function wholePattern(pattern: string): string {
  return pattern.slice("/^".length, pattern.lastIndexOf("$"));
}

/** @throws {CognitoError} `InvalidParameterException` if the parameter is missing or empty */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (!value) throw cognitoErrors.missingParameter(name);
  return value;
}

/** Which app client a request names, and the proof of its secret, if it has one. */
type ClientClaim = { ClientId: string; SecretHash?: string | null | undefined };

/**
 * The app client is a public one: no hash can be of its secret.
 * @throws {CognitoError} `ResourceNotFoundException` if the client id isn't the pool's, `NotAuthorizedException` if a
 * secret hash came with it
 */
export function requireClient(pool: PoolContext, { ClientId, SecretHash }: ClientClaim): void {
  if (ClientId !== pool.clientId) throw cognitoErrors.unknownClient(ClientId);
  if (SecretHash) throw cognitoErrors.wrongSecretHash(ClientId);
}
