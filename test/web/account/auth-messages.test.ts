import { expect, it } from "vitest";
import { AuthError, localAuthError } from "../../../web/api/session/auth-error.ts";
import { DEFAULT_MESSAGES, toAuthError } from "../../../web/api/session/provider-error.ts";
import { RequestError } from "../../../web/api/client/request-error.ts";
import { describeAuthError, type AuthStep } from "../../../web/features/account/auth-messages.ts";
import { CognitoError, cognitoErrors } from "../../../worker/identity/protocol/errors.ts";
import { parseRequest, requests } from "../../../worker/identity/protocol/requests.ts";
import { m } from "../../../web/messages/messages.js";
import { returnPath } from "../../../web/features/navigation/search-param.ts";

it("takes the provider's type of error as the code, and its message", () => {
  const given = Object.assign(new Error("User is not confirmed."), { code: "UserNotConfirmedException" });
  expect(toAuthError(given, DEFAULT_MESSAGES.signIn)).toMatchObject({
    code: "UserNotConfirmedException",
    message: "User is not confirmed.",
  });
});

it.each([
  ["a failure without a code", new TypeError("Cannot read properties"), "Unknown", "Login failed"],
  ["a code without a message", { code: "X", message: "" }, "X", "Login failed"],
  ["a lost connection", { code: "NetworkError", message: "x" }, "NetworkError", "Network error"],
  ["a lost connection to the API", new RequestError(0, "network"), "NetworkError", "Network error"],
])("names %s", (_what, given, code, message) => {
  expect(toAuthError(given, DEFAULT_MESSAGES.signIn)).toMatchObject({ code, message });
});

it.each([
  ["NewPasswordRequired", "New password required. This flow is not implemented yet."],
  ["MfaRequired", "MFA required. This flow is not implemented yet."],
  ["SignUpWithoutResult", "Sign up failed - no result returned"],
  ["NoRefreshToken", "No refresh token available"],
  ["UsernameMissing", "Username is null. Cannot retrieve a new session"],
  ["NotAuthenticated", "User is not authenticated"],
  ["NetworkError", "Network error"],
] as const)("refuses with the words of %s, and says the same on the screen", (code, message) => {
  expect(localAuthError(code).message).toBe(message);
  expect(describeAuthError("signIn", localAuthError(code)).message.title).toBe(message);
});

it.each<[AuthStep, string, string, string | undefined]>([
  ["signIn", "NotAuthorizedException", "Login failed", undefined],
  ["signIn", "Unknown", "Login failed", undefined],
  [
    "signIn",
    "UserNotConfirmedException",
    "Your account is not verified. Please enter the confirmation code.",
    undefined,
  ],
  ["signUp", "Unknown", "Error during registration", undefined],
  ["signUp", "UsernameExistsException", "Error during registration", "phone"],
  ["confirm", "CodeMismatchException", "Error verifying the code", "code"],
  ["resend", "LimitExceededException", "Error resending the code", undefined],
  ["forgot", "UserNotFoundException", "No account found with this phone number", "phone"],
  ["forgot", "LimitExceededException", "Too many requests. Please try again later.", undefined],
  ["forgot", "Unknown", "Failed to send reset code. Please try again.", undefined],
  ["reset", "CodeMismatchException", "Invalid verification code", "code"],
  ["reset", "ExpiredCodeException", "Verification code has expired", "code"],
  ["reset", "InvalidPasswordException", "Password does not meet requirements", "password"],
  ["reset", "Unknown", "Failed to reset password. Please try again.", undefined],
  ["change", "NotAuthorizedException", "Current password is incorrect", "present"],
  ["change", "InvalidPasswordException", "New password does not meet requirements", "password"],
  [
    "reset",
    "PasswordHistoryPolicyViolationException",
    "That's a password you already used. Choose another.",
    "password",
  ],
  [
    "change",
    "PasswordHistoryPolicyViolationException",
    "That's a password you already used. Choose another.",
    "password",
  ],
  ["change", "SessionEnded", "Please sign in again to change your password", undefined],
  ["change", "NotAuthenticated", "Please sign in again to change your password", undefined],
  ["change", "NoRefreshToken", "Please sign in again to change your password", undefined],
  ["change", "UsernameMissing", "Please sign in again to change your password", undefined],
  ["change", "Unknown", "Failed to change password. Please try again.", undefined],
])("says at %s, refused with %s: %s", (step, code, title, field) => {
  const explained = describeAuthError(step, new AuthError(code, "whatever"));
  const [explainedField] = Object.keys(explained.fields ?? {});
  expect({ title: explained.message.title, field: explainedField }).toEqual({ title, field });
});

it("says of a number that was never confirmed that it is to be registered, and of another that it gets no texts", () => {
  const titleOf = ({ type, message }: { type: string; message: string }) =>
    describeAuthError("forgot", new AuthError(type, message)).fields;
  expect(titleOf(cognitoErrors.nothingToResetBy())).toEqual({ phone: m.forgot_unconfirmed() });
  expect(titleOf(cognitoErrors.invalidPhoneNumber())).toEqual({ phone: m.auth_number_no_texts() });
});

it.each([
  ["PreviousPassword", { present: "Current password is incorrect" }],
  ["ProposedPassword", undefined],
])("says of a %s with a space at its end, which the provider refuses to compare: %j", (name, fields) => {
  const passwords = { PreviousPassword: "Jornada-1-demo", ProposedPassword: "Jornada-2-demo" };
  const body = { AccessToken: "a", ...passwords, [name]: "Jornada-3-demo " };
  const refusal = () => {
    try {
      return parseRequest(requests.ChangePassword, body);
    } catch (error) {
      return error;
    }
  };
  const refused = refusal();
  if (!(refused instanceof CognitoError)) throw new Error("not refused");
  expect(describeAuthError("change", new AuthError(refused.type, refused.message)).fields).toEqual(fields);
});

it("says at the field that a password is too common, and keeps the step's title", () => {
  const refused = new AuthError(
    "InvalidPasswordException",
    "Provided password cannot be used for security reasons.",
  );
  expect(describeAuthError("reset", refused).fields).toEqual({
    password: `Password does not meet requirements. ${m.account_password_common()}`,
  });
});

it.each(["signUp", "signIn", "forgot", "resend"] as const)(
  "says at %s that a number replied STOP, and what to do",
  (step) => {
    const stopped = new AuthError("CodeDeliveryFailureException", "The phone number is opted out of texts.");
    expect(describeAuthError(step, stopped).message.title).toContain("Text START");
  },
);

it("says that an account is disabled, rather than that the password is wrong", () => {
  const disabled = new AuthError("NotAuthorizedException", "User is disabled.");
  expect(describeAuthError("signIn", disabled).message).toEqual({
    title: "Login failed",
    hint: m.login_disabled_hint(),
  });
});

it("says until when a sign-in is locked", () => {
  const until = Date.now() + 60_000;
  const { message } = describeAuthError("signIn", new AuthError("NotAuthorizedException", "x", until));
  expect(message.title).toBe("Login failed");
  expect(message.hint).toMatch(/^Sign-in is paused until .+ after too many wrong passwords or codes\./);
});

it("joins what failed and what to do into one line beneath a field", () => {
  const fieldsOf = (step: AuthStep, code: string) => describeAuthError(step, new AuthError(code, "")).fields;
  expect(fieldsOf("confirm", "CodeMismatchException")).toEqual({
    code: `Error verifying the code. ${m.code_wrong_hint()}`,
  });
  expect(fieldsOf("reset", "CodeMismatchException")).toEqual({ code: "Invalid verification code" });
});

it.each([
  ["/flex/blocks?type=lost", "/flex/blocks?type=lost"],
  ["//elsewhere.example", undefined],
  ["/\\elsewhere.example", undefined],
  ["https://elsewhere.example", undefined],
  [7, undefined],
])("goes back to %j only on this site", (given, back) => {
  expect(returnPath.safeParse(given).data).toBe(back);
});
