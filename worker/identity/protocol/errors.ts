import type { EpochMs } from "../../../db/shapes/units.ts";

/** The error types this pool returns, with their HTTP status. In this protocol every client error is 400. */
const STATUS = {
  AliasExistsException: 400,
  CodeDeliveryFailureException: 400,
  CodeMismatchException: 400,
  EnableSoftwareTokenMFAException: 400,
  ExpiredCodeException: 400,
  InvalidParameterException: 400,
  InvalidPasswordException: 400,
  InvalidUserPoolConfigurationException: 400,
  LimitExceededException: 400,
  NotAuthorizedException: 400,
  PasswordHistoryPolicyViolationException: 400,
  PasswordResetRequiredException: 400,
  RefreshTokenReuseException: 400,
  ResourceNotFoundException: 400,
  SerializationException: 400,
  SoftwareTokenMFANotFoundException: 400,
  TooManyRequestsException: 400,
  UnknownOperationException: 400,
  UnsupportedTokenTypeException: 400,
  UserLambdaValidationException: 400,
  UserNotConfirmedException: 400,
  UserNotFoundException: 400,
  UsernameExistsException: 400,
  NotFoundException: 404,
  MethodNotAllowedException: 405,
  RequestTooLargeException: 413,
  InternalErrorException: 500,
} as const satisfies Record<string, number>;

/** An error type of the Cognito protocol, or one of three for plain HTTP errors. */
export type CognitoErrorType = keyof typeof STATUS;

/** An error that is sent to the client. Clients branch on its type, and many applications match on its message. */
export class CognitoError extends Error {
  override name = "CognitoError";
  readonly type: CognitoErrorType;
  /** From when on the call may be repeated, if that is known. */
  readonly retryAt: EpochMs | null;
  constructor(type: CognitoErrorType, message: string, retryAt: EpochMs | null = null) {
    super(message);
    this.type = type;
    this.retryAt = retryAt;
  }
  get status(): number {
    return STATUS[this.type];
  }
}

/** One constructor per error, named for its cause. The wording is Cognito's. */
export const cognitoErrors = {
  wrongPassword: () => new CognitoError("NotAuthorizedException", "Incorrect username or password."),
  passkeyRemoved: () =>
    new CognitoError("NotAuthorizedException", "The passkey was removed after the password was reset."),
  lockedOut: (until: EpochMs) =>
    new CognitoError("NotAuthorizedException", "Password attempts exceeded", until),
  disabled: () => new CognitoError("NotAuthorizedException", "User is disabled."),
  unknownUser: () => new CognitoError("UserNotFoundException", "User does not exist."),
  unknownUserForCode: () =>
    new CognitoError("UserNotFoundException", "Username/client id combination not found."),
  unconfirmed: () => new CognitoError("UserNotConfirmedException", "User is not confirmed."),
  resetRequired: () =>
    new CognitoError("PasswordResetRequiredException", "Password reset required for the user"),
  userExists: () =>
    new CognitoError("UsernameExistsException", "An account with the given phone_number already exists."),
  aliasExists: () =>
    new CognitoError("AliasExistsException", "An account with the given phone_number already exists."),
  wrongCode: () =>
    new CognitoError("CodeMismatchException", "Invalid verification code provided, please try again."),
  wrongMfaCode: () => new CognitoError("CodeMismatchException", "Invalid code or auth state for the user."),
  expiredCode: () =>
    new CognitoError("ExpiredCodeException", "Invalid code provided, please request a code again."),
  usedSoftwareToken: () =>
    new CognitoError("ExpiredCodeException", "Your software token has already been used once."),
  wrongSoftwareToken: () => new CognitoError("EnableSoftwareTokenMFAException", "Code mismatch"),
  noSoftwareToken: () =>
    new CognitoError(
      "SoftwareTokenMFANotFoundException",
      "Software Token MFA has not been associated by the user",
    ),
  softwareTokensOff: () =>
    new CognitoError(
      "SoftwareTokenMFANotFoundException",
      "Software Token MFA has not been enabled by the userPool",
    ),
  factorOff: (factor: string) =>
    new CognitoError(
      "InvalidParameterException",
      `User does not have delivery config set to turn on ${factor}`,
    ),
  codeNotSent: () => new CognitoError("CodeDeliveryFailureException", "The code could not be delivered."),
  // The words of Amazon's text service for such a number.
  stopped: () => new CognitoError("CodeDeliveryFailureException", "The phone number is opted out of texts."),
  // The response of a Cognito pool whose pre-sign-up trigger checks such a challenge.
  challengeFailed: () =>
    new CognitoError(
      "UserLambdaValidationException",
      "PreSignUp failed with error The challenge was not passed.",
    ),
  // The response of a Cognito pool whose custom-message trigger checks it.
  challengeNeeded: () =>
    new CognitoError(
      "UserLambdaValidationException",
      "CustomMessage failed with error The challenge was not passed.",
    ),
  tooManyCodes: () =>
    new CognitoError(
      "CodeDeliveryFailureException",
      "Too many codes were sent in the last hours. Please try again later.",
    ),
  alreadyConfirmed: () =>
    new CognitoError("NotAuthorizedException", "User cannot be confirmed. Current status is CONFIRMED"),
  nothingToResend: () => new CognitoError("InvalidParameterException", "User is already confirmed."),
  nothingToResetBy: () =>
    new CognitoError(
      "InvalidParameterException",
      "Cannot reset password for the user as there is no registered/verified email or phone_number",
    ),
  notResettable: () =>
    new CognitoError("NotAuthorizedException", "User password cannot be reset in the current state."),
  weakPassword: (issue: string) =>
    new CognitoError("InvalidPasswordException", `Password did not conform with policy: ${issue}`),
  // The response of a Cognito pool that refuses compromised credentials.
  commonPassword: () =>
    new CognitoError("InvalidPasswordException", "Provided password cannot be used for security reasons."),
  contextPassword: () =>
    new CognitoError(
      "InvalidPasswordException",
      "Provided password cannot be made of the product's name or of your name, phone number or e-mail address.",
    ),
  // The response of a Cognito pool that remembers passwords.
  samePassword: () =>
    new CognitoError("PasswordHistoryPolicyViolationException", "The password was used before."),
  notAPhoneNumber: () => new CognitoError("InvalidParameterException", "Username should be a phone number."),
  invalidPhoneNumber: () => new CognitoError("InvalidParameterException", "Invalid phone number format."),
  invalidParameter: (message: string) => new CognitoError("InvalidParameterException", message),
  missingParameter: (name: string) =>
    new CognitoError("InvalidParameterException", `Missing required parameter ${name}`),
  invalidTimestamp: () =>
    new CognitoError(
      "InvalidParameterException",
      "TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.",
    ),
  flowNotEnabled: (flow: string) =>
    new CognitoError("InvalidParameterException", `${flow} is not enabled for the client.`),
  flowNotSupported: () =>
    new CognitoError("InvalidParameterException", "Initiate Auth method not supported."),
  limitExceeded: (until: EpochMs | null = null) =>
    new CognitoError("LimitExceededException", "Attempt limit exceeded, please try after some time.", until),
  tooManyRequests: () => new CognitoError("TooManyRequestsException", "Too many requests"),
  invalidSession: () => new CognitoError("NotAuthorizedException", "Invalid session for the user."),
  expiredSession: () =>
    new CognitoError("NotAuthorizedException", "Invalid session for the user, session is expired."),
  usedSession: () =>
    new CognitoError(
      "NotAuthorizedException",
      "Invalid session for the user, session can only be used once.",
    ),
  invalidAccessToken: () => new CognitoError("NotAuthorizedException", "Invalid Access Token"),
  missingScope: () =>
    new CognitoError("NotAuthorizedException", "Access Token does not have required scopes"),
  expiredAccessToken: () => new CognitoError("NotAuthorizedException", "Access Token has expired"),
  signInAgain: () =>
    new CognitoError(
      "NotAuthorizedException",
      "Sign in again to make this change: the last sign-in is too old.",
    ),
  revokedAccessToken: () => new CognitoError("NotAuthorizedException", "Access Token has been revoked"),
  invalidRefreshToken: () => new CognitoError("NotAuthorizedException", "Invalid Refresh Token"),
  expiredRefreshToken: () => new CognitoError("NotAuthorizedException", "Refresh Token has expired"),
  revokedRefreshToken: () => new CognitoError("NotAuthorizedException", "Refresh Token has been revoked"),
  reusedRefreshToken: () =>
    new CognitoError("RefreshTokenReuseException", "Refresh token has been invalidated by rotation"),
  notARefreshToken: () =>
    new CognitoError("UnsupportedTokenTypeException", "Only refresh tokens can be revoked."),
  unauthorizedAttribute: () =>
    new CognitoError("NotAuthorizedException", "A client attempted to write unauthorized attribute"),
  unknownClient: (id: string) =>
    new CognitoError("ResourceNotFoundException", `User pool client ${id} does not exist.`),
  wrongSecretHash: (id: string) =>
    new CognitoError("NotAuthorizedException", `Unable to verify secret hash for client ${id}`),
  unknownDevice: () => new CognitoError("ResourceNotFoundException", "Device does not exist."),
  deviceTrackingOff: () =>
    new CognitoError(
      "InvalidUserPoolConfigurationException",
      "Device tracking is not enabled for the user pool.",
    ),
  unknownOperation: () => new CognitoError("UnknownOperationException", "Unknown operation."),
  unreadable: () => new CognitoError("SerializationException", "The request body could not be read."),
  notFound: () => new CognitoError("NotFoundException", "Not found."),
  wrongMethod: () => new CognitoError("MethodNotAllowedException", "Operations are called with POST."),
  tooLarge: () => new CognitoError("RequestTooLargeException", "The request body is too large."),
  internal: () => new CognitoError("InternalErrorException", "Something went wrong."),
};
