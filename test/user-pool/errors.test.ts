import { expect, it } from "vitest";
import { CognitoError, cognitoErrors } from "../../worker/identity/protocol/errors.ts";
import {
  parseBody,
  parseTarget,
  toDocumentResponse,
  toErrorResponse,
  toHttpResponse,
  toPreflightResponse,
} from "../../worker/identity/protocol/wire.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const NOT_AUTHORIZED = "NotAuthorizedException";
const INVALID = "InvalidParameterException";

/** By cause: the type that clients branch on, and the message that applications match on. */
const ERRORS: Record<keyof typeof cognitoErrors, [type: string, message: string]> = {
  wrongPassword: [NOT_AUTHORIZED, "Incorrect username or password."],
  passkeyRemoved: ["NotAuthorizedException", "The passkey was removed after the password was reset."],
  lockedOut: [NOT_AUTHORIZED, "Password attempts exceeded"],
  disabled: [NOT_AUTHORIZED, "User is disabled."],
  unknownUser: ["UserNotFoundException", "User does not exist."],
  unknownUserForCode: ["UserNotFoundException", "Username/client id combination not found."],
  unconfirmed: ["UserNotConfirmedException", "User is not confirmed."],
  resetRequired: ["PasswordResetRequiredException", "Password reset required for the user"],
  userExists: ["UsernameExistsException", "An account with the given phone_number already exists."],
  aliasExists: ["AliasExistsException", "An account with the given phone_number already exists."],
  wrongCode: ["CodeMismatchException", "Invalid verification code provided, please try again."],
  wrongMfaCode: ["CodeMismatchException", "Invalid code or auth state for the user."],
  expiredCode: ["ExpiredCodeException", "Invalid code provided, please request a code again."],
  usedSoftwareToken: ["ExpiredCodeException", "Your software token has already been used once."],
  wrongSoftwareToken: ["EnableSoftwareTokenMFAException", "Code mismatch"],
  noSoftwareToken: [
    "SoftwareTokenMFANotFoundException",
    "Software Token MFA has not been associated by the user",
  ],
  softwareTokensOff: [
    "SoftwareTokenMFANotFoundException",
    "Software Token MFA has not been enabled by the userPool",
  ],
  factorOff: [INVALID, "User does not have delivery config set to turn on given"],
  codeNotSent: ["CodeDeliveryFailureException", "The code could not be delivered."],
  challengeFailed: [
    "UserLambdaValidationException",
    "PreSignUp failed with error The challenge was not passed.",
  ],
  challengeNeeded: [
    "UserLambdaValidationException",
    "CustomMessage failed with error The challenge was not passed.",
  ],
  tooManyCodes: [
    "CodeDeliveryFailureException",
    "Too many codes were sent in the last hours. Please try again later.",
  ],
  stopped: ["CodeDeliveryFailureException", "The phone number is opted out of texts."],
  alreadyConfirmed: [NOT_AUTHORIZED, "User cannot be confirmed. Current status is CONFIRMED"],
  nothingToResend: [INVALID, "User is already confirmed."],
  nothingToResetBy: [
    INVALID,
    "Cannot reset password for the user as there is no registered/verified email or phone_number",
  ],
  notResettable: [NOT_AUTHORIZED, "User password cannot be reset in the current state."],
  weakPassword: ["InvalidPasswordException", "Password did not conform with policy: given"],
  commonPassword: ["InvalidPasswordException", "Provided password cannot be used for security reasons."],
  contextPassword: [
    "InvalidPasswordException",
    "Provided password cannot be made of the product's name or of your name, phone number or e-mail address.",
  ],
  samePassword: ["PasswordHistoryPolicyViolationException", "The password was used before."],
  notAPhoneNumber: [INVALID, "Username should be a phone number."],
  invalidPhoneNumber: [INVALID, "Invalid phone number format."],
  invalidParameter: [INVALID, "given"],
  missingParameter: [INVALID, "Missing required parameter given"],
  invalidTimestamp: [INVALID, "TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english."],
  flowNotEnabled: [INVALID, "given is not enabled for the client."],
  flowNotSupported: [INVALID, "Initiate Auth method not supported."],
  limitExceeded: ["LimitExceededException", "Attempt limit exceeded, please try after some time."],
  tooManyRequests: ["TooManyRequestsException", "Too many requests"],
  invalidSession: [NOT_AUTHORIZED, "Invalid session for the user."],
  expiredSession: [NOT_AUTHORIZED, "Invalid session for the user, session is expired."],
  usedSession: [NOT_AUTHORIZED, "Invalid session for the user, session can only be used once."],
  invalidAccessToken: [NOT_AUTHORIZED, "Invalid Access Token"],
  missingScope: [NOT_AUTHORIZED, "Access Token does not have required scopes"],
  expiredAccessToken: [NOT_AUTHORIZED, "Access Token has expired"],
  signInAgain: [NOT_AUTHORIZED, "Sign in again to make this change: the last sign-in is too old."],
  revokedAccessToken: [NOT_AUTHORIZED, "Access Token has been revoked"],
  invalidRefreshToken: [NOT_AUTHORIZED, "Invalid Refresh Token"],
  expiredRefreshToken: [NOT_AUTHORIZED, "Refresh Token has expired"],
  revokedRefreshToken: [NOT_AUTHORIZED, "Refresh Token has been revoked"],
  reusedRefreshToken: ["RefreshTokenReuseException", "Refresh token has been invalidated by rotation"],
  notARefreshToken: ["UnsupportedTokenTypeException", "Only refresh tokens can be revoked."],
  unauthorizedAttribute: [NOT_AUTHORIZED, "A client attempted to write unauthorized attribute"],
  unknownClient: ["ResourceNotFoundException", "User pool client given does not exist."],
  wrongSecretHash: [NOT_AUTHORIZED, "Unable to verify secret hash for client given"],
  unknownDevice: ["ResourceNotFoundException", "Device does not exist."],
  deviceTrackingOff: [
    "InvalidUserPoolConfigurationException",
    "Device tracking is not enabled for the user pool.",
  ],
  unknownOperation: ["UnknownOperationException", "Unknown operation."],
  unreadable: ["SerializationException", "The request body could not be read."],
  notFound: ["NotFoundException", "Not found."],
  wrongMethod: ["MethodNotAllowedException", "Operations are called with POST."],
  tooLarge: ["RequestTooLargeException", "The request body is too large."],
  internal: ["InternalErrorException", "Something went wrong."],
};
const STATUS: Record<string, number> = {
  NotFoundException: 404,
  MethodNotAllowedException: 405,
  RequestTooLargeException: 413,
  InternalErrorException: 500,
};

/** Each error, made with `given` where it takes a text, and without an instant. */
function make(cause: string): CognitoError {
  const maker: unknown = Object(cognitoErrors)[cause];
  const made: unknown =
    typeof maker !== "function"
      ? null
      : ["lockedOut", "limitExceeded"].includes(cause)
        ? maker(null)
        : maker("given");
  if (!(made instanceof CognitoError)) throw new Error(`${cause} makes no error`);
  return made;
}

it("answers with Cognito's types and words", () => {
  const made = Object.keys(cognitoErrors).map((cause) => {
    const { name, type, message, status, retryAt } = make(cause);
    return [cause, { name, type, message, status, retryAt }];
  });
  expect(Object.fromEntries(made)).toEqual(
    Object.fromEntries(
      Object.entries(ERRORS).map(([cause, [type, message]]) => [
        cause,
        { name: "CognitoError", type, message, status: STATUS[type] ?? 400, retryAt: null },
      ]),
    ),
  );
});

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date,Retry-After",
};
async function contentOf(response: Response) {
  const text = new TextDecoder().decode(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}
const AMZ_JSON = { ...CORS, "content-type": "application/x-amz-json-1.1", "cache-control": "no-store" };

it("answers calls in Cognito's content type, never to be stored", async () => {
  expect(await contentOf(toHttpResponse({ a: 1 }, "r1"))).toEqual({
    status: 200,
    headers: { ...AMZ_JSON, "x-amzn-requestid": "r1" },
    text: '{"a":1}',
  });
  expect(await contentOf(toHttpResponse(null, "r1", "c=1"))).toEqual({
    status: 200,
    headers: { ...AMZ_JSON, "x-amzn-requestid": "r1", "set-cookie": "c=1" },
    text: "",
  });
});

it("says of an error its type twice, its message without what headers can't hold, and when to come back", async () => {
  const answer = (error: CognitoError) => contentOf(toErrorResponse(error, "r1", NOW));
  expect(await answer(cognitoErrors.invalidParameter("~ä名~\n"))).toEqual({
    status: 400,
    headers: {
      ...AMZ_JSON,
      "x-amzn-requestid": "r1",
      "x-amzn-errortype": "InvalidParameterException:",
      "x-amzn-errormessage": "~  ~",
    },
    text: JSON.stringify({ __type: "InvalidParameterException", message: "~ä名~\n" }),
  });
  const after = async (ms: number) =>
    (await answer(cognitoErrors.lockedOut(NOW + ms))).headers["retry-after"];
  expect([await after(1001), await after(1000), await after(0), await after(-5000)]).toEqual([
    "2",
    "1",
    "1",
    "1",
  ]);
  expect((await answer(cognitoErrors.limitExceeded(NOW + 5000))).headers["retry-after"]).toBe("5");
  expect((await answer(cognitoErrors.wrongMethod())).headers["allow"]).toBe("POST, GET, OPTIONS");
  expect((await answer(cognitoErrors.internal())).headers["allow"]).toBeUndefined();
});

it("serves documents for five minutes, and allows the headers of the AWS clients", async () => {
  expect(await contentOf(toDocumentResponse({ keys: [] }, "r1"))).toEqual({
    status: 200,
    headers: {
      ...CORS,
      "content-type": "application/json",
      "cache-control": "public, max-age=300",
      "x-amzn-requestid": "r1",
    },
    text: '{"keys":[]}',
  });
  expect(await contentOf(toPreflightResponse())).toEqual({
    status: 204,
    headers: {
      ...CORS,
      "access-control-allow-methods": "POST, GET, OPTIONS",
      "access-control-allow-headers":
        "amz-sdk-invocation-id,amz-sdk-request,authorization,cache-control,content-type,x-amz-content-sha256,x-amz-date,x-amz-security-token,x-amz-target,x-amz-user-agent",
      "access-control-max-age": "172800",
    },
    text: "",
  });
});

it.each([
  ["AWSCognitoIdentityProviderService.SignUp", "SignUp"],
  [`AWSCognitoIdentityProviderService.${"A".repeat(64)}`, "A".repeat(64)],
  [`AWSCognitoIdentityProviderService.${"A".repeat(65)}`, null],
  ["AWSCognitoIdentityProviderService.", null],
  ["AWSCognitoIdentityProviderService.Sign-Up", null],
  ["xAWSCognitoIdentityProviderService.SignUp", null],
  ["AWSCognitoIdentityProviderServiceXSignUp", null],
  ["AWSCognitoIdentityProviderService.SignUp.", null],
  [null, null],
])("reads the operation of the target %s", (target, operation) => {
  const headers = new Headers(target === null ? [] : [["x-amz-target", target]]);
  expect(parseTarget(new Request("https://jornada.test/", { headers }))).toBe(operation);
});

it("reads a body of 64 KiB at most, whole characters across its parts, and only JSON", async () => {
  const post = (body: BodyInit | null, headers: Record<string, string> = {}) => {
    const init = { method: "POST", body, headers, duplex: "half" };
    return parseBody(new Request("https://jornada.test/", init));
  };
  const parts = (...chunks: number[][]) =>
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk));
        controller.close();
      },
    });
  const most = `"${"a".repeat(65_534)}"`;
  expect(await post(most)).toHaveLength(65_534);
  await expect(post(`${most} `)).rejects.toMatchObject({ type: "RequestTooLargeException" });
  await expect(post("{}", { "content-length": "65537" })).rejects.toMatchObject({ status: 413 });
  expect(await post("{}", { "content-length": "65536" })).toEqual({});
  const [first = 0, second = 0] = new TextEncoder().encode("é");
  expect(await post(parts([34, first], [second, 34]))).toBe("é");
  for (const body of ["", "{", null, parts([34, 34], [first])])
    await expect(post(body)).rejects.toMatchObject({ type: "SerializationException" });
});
