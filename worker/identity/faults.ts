/** The types that this pool answers with, each with its HTTP status: 400 for every fault of the protocol. */
const STATUS = {
  AliasExistsException: 400,
  CodeDeliveryFailureException: 400,
  CodeMismatchException: 400,
  EnableSoftwareTokenMFAException: 400,
  ExpiredCodeException: 400,
  InvalidParameterException: 400,
  InvalidPasswordException: 400,
  LimitExceededException: 400,
  NotAuthorizedException: 400,
  PasswordResetRequiredException: 400,
  ResourceNotFoundException: 400,
  SerializationException: 400,
  SoftwareTokenMFANotFoundException: 400,
  TooManyRequestsException: 400,
  UnknownOperationException: 400,
  UnsupportedTokenTypeException: 400,
  UserNotConfirmedException: 400,
  UserNotFoundException: 400,
  UsernameExistsException: 400,
  NotFoundException: 404,
  MethodNotAllowedException: 405,
  RequestTooLargeException: 413,
  InternalErrorException: 500,
} as const satisfies Record<string, number>;

/** A type of the protocol, and three of HTTP. */
export type FaultType = keyof typeof STATUS;

/** A failure that the client is told: the type is what code reads, the message is what many applications match on. */
export class Fault extends Error {
  override name = "Fault";
  readonly type: FaultType;
  constructor(type: FaultType, message: string) {
    super(message);
    this.type = type;
  }
  get status(): number {
    return STATUS[this.type];
  }
}

/** Every failure, by what happened. */
export const faults = {
  wrongPassword: () => new Fault("NotAuthorizedException", "Incorrect username or password."),
  lockedOut: () => new Fault("NotAuthorizedException", "Password attempts exceeded"),
  disabled: () => new Fault("NotAuthorizedException", "User is disabled."),
  unknownUser: () => new Fault("UserNotFoundException", "User does not exist."),
  unknownUserForCode: () => new Fault("UserNotFoundException", "Username/client id combination not found."),
  unconfirmed: () => new Fault("UserNotConfirmedException", "User is not confirmed."),
  resetRequired: () => new Fault("PasswordResetRequiredException", "Password reset required for the user"),
  userExists: () =>
    new Fault("UsernameExistsException", "An account with the given phone_number already exists."),
  aliasExists: () =>
    new Fault("AliasExistsException", "An account with the given phone_number already exists."),
  wrongCode: () =>
    new Fault("CodeMismatchException", "Invalid verification code provided, please try again."),
  wrongMfaCode: () => new Fault("CodeMismatchException", "Invalid code or auth state for the user."),
  expiredCode: () => new Fault("ExpiredCodeException", "Invalid code provided, please request a code again."),
  usedSoftwareToken: () =>
    new Fault("ExpiredCodeException", "Your software token has already been used once."),
  wrongSoftwareToken: () => new Fault("EnableSoftwareTokenMFAException", "Code mismatch"),
  noSoftwareToken: () =>
    new Fault("SoftwareTokenMFANotFoundException", "Software Token MFA has not been associated by the user"),
  codeNotSent: () => new Fault("CodeDeliveryFailureException", "The code could not be delivered."),
  alreadyConfirmed: () =>
    new Fault("NotAuthorizedException", "User cannot be confirmed. Current status is CONFIRMED"),
  nothingToResend: () => new Fault("InvalidParameterException", "User is already confirmed."),
  nothingToResetBy: () =>
    new Fault(
      "InvalidParameterException",
      "Cannot reset password for the user as there is no registered/verified email or phone_number",
    ),
  notResettable: () =>
    new Fault("NotAuthorizedException", "User password cannot be reset in the current state."),
  weakPassword: (lack: string) =>
    new Fault("InvalidPasswordException", `Password did not conform with policy: ${lack}`),
  notAPhoneNumber: () => new Fault("InvalidParameterException", "Username should be a phone number."),
  invalidPhoneNumber: () => new Fault("InvalidParameterException", "Invalid phone number format."),
  invalidParameter: (message: string) => new Fault("InvalidParameterException", message),
  missingParameter: (name: string) =>
    new Fault("InvalidParameterException", `Missing required parameter ${name}`),
  invalidTimestamp: () =>
    new Fault(
      "InvalidParameterException",
      "TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.",
    ),
  flowNotEnabled: (flow: string) =>
    new Fault("InvalidParameterException", `${flow} is not enabled for the client.`),
  flowNotSupported: () => new Fault("InvalidParameterException", "Initiate Auth method not supported."),
  limitExceeded: () =>
    new Fault("LimitExceededException", "Attempt limit exceeded, please try after some time."),
  tooManyRequests: () => new Fault("TooManyRequestsException", "Too many requests"),
  invalidSession: () => new Fault("NotAuthorizedException", "Invalid session for the user."),
  expiredSession: () =>
    new Fault("NotAuthorizedException", "Invalid session for the user, session is expired."),
  usedSession: () =>
    new Fault("NotAuthorizedException", "Invalid session for the user, session can only be used once."),
  invalidAccessToken: () => new Fault("NotAuthorizedException", "Invalid Access Token"),
  expiredAccessToken: () => new Fault("NotAuthorizedException", "Access Token has expired"),
  revokedAccessToken: () => new Fault("NotAuthorizedException", "Access Token has been revoked"),
  invalidRefreshToken: () => new Fault("NotAuthorizedException", "Invalid Refresh Token"),
  expiredRefreshToken: () => new Fault("NotAuthorizedException", "Refresh Token has expired"),
  revokedRefreshToken: () => new Fault("NotAuthorizedException", "Refresh Token has been revoked"),
  notARefreshToken: () => new Fault("UnsupportedTokenTypeException", "Only refresh tokens can be revoked."),
  unauthorizedAttribute: () =>
    new Fault("NotAuthorizedException", "A client attempted to write unauthorized attribute"),
  unknownClient: (id: string) =>
    new Fault("ResourceNotFoundException", `User pool client ${id} does not exist.`),
  unknownDevice: () => new Fault("ResourceNotFoundException", "Device does not exist."),
  devicesOff: () =>
    new Fault("InvalidParameterException", "Device tracking is not enabled for the user pool."),
  unknownOperation: () => new Fault("UnknownOperationException", "Unknown operation."),
  unreadable: () => new Fault("SerializationException", "The request body could not be read."),
  notFound: () => new Fault("NotFoundException", "Nothing is here."),
  wrongMethod: () => new Fault("MethodNotAllowedException", "Only POST calls an operation."),
  tooLarge: () => new Fault("RequestTooLargeException", "The request body is too large."),
  internal: () => new Fault("InternalErrorException", "Something went wrong."),
};
