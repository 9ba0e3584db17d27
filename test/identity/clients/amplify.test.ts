import { Amplify } from "aws-amplify";
import {
  confirmResetPassword,
  confirmSignIn,
  confirmSignUp,
  confirmUserAttribute,
  deleteUser,
  deleteUserAttributes,
  fetchAuthSession,
  fetchDevices,
  fetchMFAPreference,
  fetchUserAttributes,
  getCurrentUser,
  resendSignUpCode,
  resetPassword,
  sendUserAttributeVerificationCode,
  setUpTOTP,
  signIn,
  signOut,
  signUp,
  updateMFAPreference,
  updatePassword,
  updateUserAttributes,
  verifyTOTPSetup,
} from "aws-amplify/auth";
import { afterEach, expect, it, vi } from "vitest";
import { skipTimers } from "../../support/skip-timers.ts";
import { errorOf, newPhone, openPoolHarness, PASSWORD, type PoolHarness } from "../harness.ts";
import { codeFromSecret } from "../totp-code.ts";

const DONE = { isSignedIn: true, nextStep: { signInStep: "DONE" } };

async function open(options: Parameters<typeof openPoolHarness>[0] = {}): Promise<PoolHarness> {
  const harness = await openPoolHarness(options);
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId: harness.poolId,
        userPoolClientId: harness.clientId,
        userPoolEndpoint: harness.endpoint,
        loginWith: { phone: true },
      },
    },
  });
  return harness;
}

afterEach(async () => {
  await signOut();
  vi.unstubAllGlobals();
});

it("registers, confirms, signs in and reads its tokens", async () => {
  const harness = await open();
  const phone = newPhone();
  const userAttributes = { name: "Ana Lima", phone_number: phone };
  const registered = await signUp({ username: phone, password: PASSWORD, options: { userAttributes } });
  expect(registered).toMatchObject({ nextStep: { signUpStep: "CONFIRM_SIGN_UP" } });
  expect(await signIn({ username: phone, password: PASSWORD })).toMatchObject({
    nextStep: { signInStep: "CONFIRM_SIGN_UP" },
  });
  harness.advanceClock(31_000);
  await resendSignUpCode({ username: phone });
  const confirmed = await confirmSignUp({ username: phone, confirmationCode: harness.codeFor(phone) });
  expect(confirmed).toMatchObject({ isSignUpComplete: true });
  expect(await signIn({ username: phone, password: PASSWORD })).toMatchObject(DONE);
  expect(await getCurrentUser()).toMatchObject({ username: registered.userId, userId: registered.userId });
  const { tokens } = await fetchAuthSession();
  expect(tokens?.idToken?.payload).toMatchObject({ name: "Ana Lima", phone_number_verified: true });
});

it("signs in with the password flow and with both custom flows", async () => {
  const harness = await open();
  const { phone, password } = await harness.register();
  const options = { authFlowType: "USER_PASSWORD_AUTH" } as const;
  expect(await signIn({ username: phone, password, options })).toMatchObject(DONE);
  for (const authFlowType of ["CUSTOM_WITHOUT_SRP", "CUSTOM_WITH_SRP"] as const) {
    await signOut();
    harness.advanceClock(31_000);
    const challenged = await signIn({
      username: phone,
      ...(authFlowType === "CUSTOM_WITH_SRP" ? { password } : {}),
      options: { authFlowType },
    });
    expect(challenged).toMatchObject({ nextStep: { signInStep: "CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE" } });
    expect(await confirmSignIn({ challengeResponse: harness.codeFor(phone) })).toMatchObject(DONE);
  }
});

it("reports a wrong password, refreshes tokens and signs out everywhere", async () => {
  const harness = await open();
  const { phone, password } = await harness.register();
  expect(await errorOf(signIn({ username: phone, password: "Wrong-1-password" }))).toMatchObject({
    type: "NotAuthorizedException",
    message: "Incorrect username or password.",
  });
  await signIn({ username: phone, password });
  const before = await fetchAuthSession();
  harness.advanceClock(61 * 60_000);
  const after = await fetchAuthSession();
  expect(after.tokens?.accessToken.payload).toMatchObject({
    origin_jti: before.tokens?.accessToken.payload["origin_jti"],
  });
  expect(after.tokens?.accessToken.toString()).not.toBe(before.tokens?.accessToken.toString());
  await signOut({ global: true });
  expect(harness.calls.at(-1)).toMatchObject({ operation: "GlobalSignOut", status: 200 });
});

it("changes and resets a password", async () => {
  const harness = await open();
  const { phone, password } = await harness.register();
  await signIn({ username: phone, password });
  await updatePassword({ oldPassword: password, newPassword: "Other-2-password" });
  await signOut();
  await resetPassword({ username: phone });
  const confirmationCode = harness.codeFor(phone);
  await confirmResetPassword({ username: phone, confirmationCode, newPassword: "Third-3-password" });
  expect(await signIn({ username: phone, password: "Third-3-password" })).toMatchObject(DONE);
  expect(await errorOf(resetPassword({ username: newPhone() }))).toMatchObject({
    type: "UserNotFoundException",
  });
});

it("sends another code after retries of a limit error, which do not extend the limit", async () => {
  const harness = await open();
  const phone = newPhone();
  await signUp({ username: phone, password: PASSWORD });
  await resendSignUpCode({ username: phone });
  skipTimers();
  harness.calls.length = 0;
  expect(await errorOf(resendSignUpCode({ username: phone }))).toMatchObject({
    type: "LimitExceededException",
  });
  expect(harness.calls).toHaveLength(3);
  harness.advanceClock(30_000);
  const before = harness.texts.length;
  await resendSignUpCode({ username: phone });
  expect(harness.texts).toHaveLength(before + 1);
});

it("changes, verifies and deletes attributes, then the account", async () => {
  const harness = await open();
  const { phone, password } = await harness.register();
  await signIn({ username: phone, password });
  const next = newPhone();
  const changed = await updateUserAttributes({ userAttributes: { nickname: "Ana", phone_number: next } });
  expect(changed.phone_number).toMatchObject({
    isUpdated: false,
    nextStep: { updateAttributeStep: "CONFIRM_ATTRIBUTE_WITH_CODE" },
  });
  expect(await fetchUserAttributes()).toMatchObject({ nickname: "Ana", phone_number: phone });
  harness.advanceClock(31_000);
  await sendUserAttributeVerificationCode({ userAttributeKey: "phone_number" });
  const confirmationCode = harness.codeFor(next);
  await confirmUserAttribute({ userAttributeKey: "phone_number", confirmationCode });
  await deleteUserAttributes({ userAttributeKeys: ["nickname"] });
  const attributes = await fetchUserAttributes();
  expect(attributes).toMatchObject({ phone_number: next, phone_number_verified: "true", name: "Ana Lima" });
  expect(attributes.nickname).toBeUndefined();
  await signOut();
  expect(await signIn({ username: next, password })).toMatchObject(DONE);
  await deleteUser();
  expect(await errorOf(signIn({ username: next, password }))).toMatchObject({
    type: "NotAuthorizedException",
  });
});

it("signs in with a texted code and with an authenticator code", async () => {
  const harness = await open();
  const { phone, password } = await harness.register();
  await signIn({ username: phone, password });
  await updateMFAPreference({ sms: "PREFERRED" });
  await signOut();
  expect(await signIn({ username: phone, password })).toMatchObject({
    nextStep: { signInStep: "CONFIRM_SIGN_IN_WITH_SMS_CODE" },
  });
  expect(await confirmSignIn({ challengeResponse: harness.codeFor(phone) })).toMatchObject(DONE);
  const { sharedSecret } = await setUpTOTP();
  await verifyTOTPSetup({ code: await codeFromSecret(sharedSecret) });
  await updateMFAPreference({ sms: "ENABLED", totp: "PREFERRED" });
  expect(await fetchMFAPreference()).toEqual({ enabled: ["SMS", "TOTP"], preferred: "TOTP" });
  await signOut();
  harness.advanceClock(60_000);
  expect(await signIn({ username: phone, password })).toMatchObject({
    nextStep: { signInStep: "CONFIRM_SIGN_IN_WITH_TOTP_CODE" },
  });
  expect(await confirmSignIn({ challengeResponse: await codeFromSecret(sharedSecret) })).toMatchObject(DONE);
  await updateMFAPreference({ totp: "NOT_PREFERRED", sms: "NOT_PREFERRED" });
  await signOut();
  harness.advanceClock(60_000);
  expect(await signIn({ username: phone, password })).toMatchObject({
    nextStep: { signInStep: "CONTINUE_SIGN_IN_WITH_MFA_SELECTION", allowedMFATypes: ["SMS", "TOTP"] },
  });
  expect(await confirmSignIn({ challengeResponse: "TOTP" })).toMatchObject({
    nextStep: { signInStep: "CONFIRM_SIGN_IN_WITH_TOTP_CODE" },
  });
  expect(await confirmSignIn({ challengeResponse: await codeFromSecret(sharedSecret) })).toMatchObject(DONE);
});

it("gets the error of a pool without device tracking", async () => {
  const harness = await open();
  const { phone, password } = await harness.register();
  await signIn({ username: phone, password });
  expect(await errorOf(fetchDevices())).toMatchObject({ type: "InvalidUserPoolConfigurationException" });
});
