import {
  AuthenticationDetails,
  CognitoRefreshToken,
  CognitoUserPool,
  type CognitoUser,
} from "amazon-cognito-identity-js";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  authenticate,
  newStorage,
  openClient,
  signIn,
  signUp,
  runSignInStep,
  promisify,
} from "../cognito-identity-js.ts";
import { claimsOf, errorOf, newPhone, openPoolHarness, PASSWORD, type PoolHarness } from "../harness.ts";
import { skipTimers } from "../../support/skip-timers.ts";

const WRONG_PASSWORD = { type: "NotAuthorizedException", message: "Incorrect username or password." };
const EXPIRED_CODE = {
  type: "ExpiredCodeException",
  message: "Invalid code provided, please request a code again.",
};
const MINUTE_MS = 60_000;

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("registers, confirms with a texted code and signs in without sending the password", async () => {
  const client = openClient(harness);
  const phone = newPhone();
  const { userConfirmed, codeDeliveryDetails, userSub } = await signUp(client, phone, PASSWORD);
  expect({ userConfirmed, codeDeliveryDetails }).toEqual({
    userConfirmed: false,
    codeDeliveryDetails: {
      AttributeName: "phone_number",
      DeliveryMedium: "SMS",
      Destination: `+*******${phone.slice(-4)}`,
    },
  });
  const user = client.userOf(phone);
  expect(await promisify((done) => user.confirmRegistration(harness.codeFor(phone), true, done))).toBe(
    "SUCCESS",
  );
  const { session } = await signIn(client, { phone, password: PASSWORD });
  expect(session.isValid()).toBe(true);
  expect(session.getIdToken().payload["sub"]).toBe(userSub);
  expect(JSON.stringify(harness.calls.slice(2))).not.toContain(PASSWORD);
});

it("signs in with the password flow", async () => {
  const account = await harness.register();
  const { session } = await signIn(openClient(harness), account, "USER_PASSWORD_AUTH");
  expect(session.getAccessToken().payload["username"]).toBe(account.sub);
  const wrong = signIn(
    openClient(harness),
    { ...account, password: "Wrong-1-password" },
    "USER_PASSWORD_AUTH",
  );
  expect(await errorOf(wrong)).toEqual(WRONG_PASSWORD);
});

it("reports the same error for a wrong password and for an unknown number", async () => {
  const account = await harness.register();
  const client = openClient(harness);
  expect(await errorOf(signIn(client, { ...account, password: "Wrong-1-password" }))).toEqual(WRONG_PASSWORD);
  expect(await errorOf(signIn(client, { phone: newPhone(), password: PASSWORD }))).toEqual(WRONG_PASSWORD);
});

it("reports an unconfirmed account, and confirms it with a second code", async () => {
  const client = openClient(harness);
  const account = { phone: newPhone(), password: PASSWORD };
  await signUp(client, account.phone, account.password);
  for (const flow of ["USER_SRP_AUTH", "USER_PASSWORD_AUTH"] as const) {
    expect(await errorOf(signIn(client, account, flow))).toEqual({
      type: "UserNotConfirmedException",
      message: "User is not confirmed.",
    });
  }
  harness.advanceClock(31_000);
  const user = client.userOf(account.phone);
  const resent = await promisify((done) => user.resendConfirmationCode(done));
  expect(resent).toMatchObject({ CodeDeliveryDetails: { DeliveryMedium: "SMS" } });
  const [first, second] = harness.texts.map(({ body }) => body.slice(-6));
  if (first !== second) {
    expect(await errorOf(promisify((done) => user.confirmRegistration(first ?? "", true, done)))).toEqual({
      type: "CodeMismatchException",
      message: "Invalid verification code provided, please try again.",
    });
  }
  await promisify((done) => user.confirmRegistration(second ?? "", true, done));
  await signIn(client, account);
  expect(await errorOf(promisify((done) => user.confirmRegistration(second ?? "", true, done)))).toEqual({
    type: "NotAuthorizedException",
    message: "User cannot be confirmed. Current status is CONFIRMED",
  });
  expect(await errorOf(promisify((done) => user.resendConfirmationCode(done)))).toEqual({
    type: "InvalidParameterException",
    message: "User is already confirmed.",
  });
});

it("refuses a taken number, an invalid number and a weak password", async () => {
  const client = openClient(harness);
  const { phone } = await harness.register();
  expect(await errorOf(signUp(client, phone, PASSWORD))).toEqual({
    type: "UsernameExistsException",
    message: "An account with the given phone_number already exists.",
  });
  expect(await errorOf(signUp(client, "5550100", PASSWORD))).toEqual({
    type: "InvalidParameterException",
    message: "Username should be a phone number.",
  });
  const issues: Record<string, string> = {
    "Short-1": "Password not long enough",
    "lower-1-case": "Password must have uppercase characters",
    "UPPER-1-CASE": "Password must have lowercase characters",
    "No-numbers-here": "Password must have numeric characters",
    NoSymbols1: "Password must have symbol characters",
  };
  for (const [password, issue] of Object.entries(issues)) {
    expect(await errorOf(signUp(client, newPhone(), password))).toEqual({
      type: "InvalidPasswordException",
      message: `Password did not conform with policy: ${issue}`,
    });
  }
});

it("refuses a code after ten minutes", async () => {
  const client = openClient(harness);
  const phone = newPhone();
  await signUp(client, phone, PASSWORD);
  harness.advanceClock(10 * MINUTE_MS);
  const user = client.userOf(phone);
  const late = promisify((done) => user.confirmRegistration(harness.codeFor(phone), true, done));
  expect(await errorOf(late)).toEqual(EXPIRED_CODE);
});

it("restores a session, refreshes it after expiry, and keeps its auth_time and origin_jti", async () => {
  const account = await harness.register();
  const storage = newStorage();
  const { session } = await signIn(openClient(harness, storage), account);
  harness.advanceClock(61 * MINUTE_MS);
  const found = openClient(harness, storage).pool.getCurrentUser();
  if (!found) throw new Error("no user in the storage");
  const fresh = await promisify<typeof session>((done) => found.getSession(done));
  expect(fresh.getIdToken().getJwtToken()).not.toBe(session.getIdToken().getJwtToken());
  const kept = ({ auth_time, origin_jti, sub }: Record<string, unknown>) => ({ auth_time, origin_jti, sub });
  expect(kept(claimsOf(fresh.getIdToken().getJwtToken()))).toEqual(
    kept(claimsOf(session.getIdToken().getJwtToken())),
  );
  expect(fresh.getRefreshToken().getToken()).not.toBe(session.getRefreshToken().getToken());
});

it("refuses a revoked refresh token; the client gives up after six tries", async () => {
  const account = await harness.register();
  const client = openClient(harness);
  const { user, session } = await signIn(client, account);
  const refreshToken = session.getRefreshToken();
  skipTimers();
  await new Promise<void>((resolve) => user.signOut(resolve));
  expect(harness.calls.at(-1)).toMatchObject({ operation: "RevokeToken", status: 200 });
  harness.calls.length = 0;
  expect(await errorOf(promisify((done) => user.refreshSession(refreshToken, done)))).toEqual({
    type: "NotAuthorizedException",
    message: "Refresh Token has been revoked",
  });
  expect(harness.calls.map(({ operation }) => operation)).toEqual(Array(6).fill("InitiateAuth"));
  const forged = new CognitoRefreshToken({ RefreshToken: "v1.test.AAAA.BBBB" });
  expect(await errorOf(promisify((done) => user.refreshSession(forged, done)))).toEqual({
    type: "NotAuthorizedException",
    message: "Invalid Refresh Token",
  });
});

it("refuses a refresh token after thirty days", async () => {
  const { user, session } = await signIn(openClient(harness), await harness.register());
  harness.advanceClock(30 * 24 * 60 * MINUTE_MS);
  skipTimers();
  expect(await errorOf(promisify((done) => user.refreshSession(session.getRefreshToken(), done)))).toEqual({
    type: "NotAuthorizedException",
    message: "Refresh Token has expired",
  });
});

it("signs out everywhere", async () => {
  const account = await harness.register();
  const [here, there] = [
    await signIn(openClient(harness), account),
    await signIn(openClient(harness), account),
  ];
  const result = await new Promise((onSuccess, onFailure) =>
    here.user.globalSignOut({ onSuccess, onFailure }),
  );
  expect(result).toBe("SUCCESS");
  expect(await errorOf(promisify((done) => there.user.getUserAttributes(done)))).toEqual({
    type: "NotAuthorizedException",
    message: "Access Token has been revoked",
  });
  await signIn(openClient(harness), account);
});

it("changes a password and then accepts only the new one", async () => {
  const account = await harness.register();
  const client = openClient(harness);
  const { user } = await signIn(client, account);
  const change = (from: string, to: string) => promisify((done) => user.changePassword(from, to, done));
  expect(await errorOf(change("Wrong-1-password", "Other-2-password"))).toEqual(WRONG_PASSWORD);
  expect(await errorOf(change(PASSWORD, "short"))).toMatchObject({ type: "InvalidPasswordException" });
  expect(await change(PASSWORD, "Other-2-password")).toBe("SUCCESS");
  expect(await errorOf(signIn(client, account))).toEqual(WRONG_PASSWORD);
  await signIn(client, { ...account, password: "Other-2-password" });
});

it("reveals an unknown number in ForgotPassword, and resets the password of a known one", async () => {
  const account = await harness.register();
  const client = openClient(harness);
  const requestCode = (user: CognitoUser) =>
    new Promise((onSuccess, onFailure) => user.forgotPassword({ onSuccess, onFailure }));
  expect(await errorOf(requestCode(client.userOf(newPhone())))).toEqual({
    type: "UserNotFoundException",
    message: "Username/client id combination not found.",
  });
  const user = client.userOf(account.phone);
  const before = await signIn(openClient(harness), account);
  expect(await requestCode(user)).toMatchObject({ CodeDeliveryDetails: { AttributeName: "phone_number" } });
  const code = harness.codeFor(account.phone);
  const reset = (code: string, password: string) =>
    new Promise((onSuccess, onFailure) => user.confirmPassword(code, password, { onSuccess, onFailure }));
  const wrong = code === "000000" ? "000001" : "000000";
  expect(await errorOf(reset(wrong, "Other-2-password"))).toMatchObject({ type: "CodeMismatchException" });
  expect(await errorOf(reset(code, "weak"))).toMatchObject({ type: "InvalidPasswordException" });
  expect(await reset(code, "Other-2-password")).toBe("SUCCESS");
  expect(await errorOf(reset(code, "Other-2-password"))).toEqual(EXPIRED_CODE);
  await signIn(client, { ...account, password: "Other-2-password" });
  expect(await errorOf(promisify((done) => before.user.getUserAttributes(done)))).toMatchObject({
    message: "Access Token has been revoked",
  });
});

it("asks for a texted code in the custom flow, after the password or instead of it", async () => {
  const account = await harness.register();
  const client = openClient(harness);
  const user = client.userOf(account.phone);
  const step = await authenticate(user, account, "CUSTOM_AUTH");
  expect(step).toMatchObject({
    kind: "challenge",
    name: "CUSTOM_CHALLENGE",
    parameters: { CODE_DELIVERY_DESTINATION: `+*******${account.phone.slice(-4)}` },
  });
  const submit = (code: string) =>
    runSignInStep((callbacks) => user.sendCustomChallengeAnswer(code, callbacks));
  const code = harness.codeFor(account.phone);
  expect(await errorOf(submit(code === "000000" ? "000001" : "000000"))).toEqual(WRONG_PASSWORD);
  expect(await submit(code)).toMatchObject({ kind: "session" });
  expect(await errorOf(submit(code))).toMatchObject({ type: "NotAuthorizedException" });
  harness.advanceClock(31_000);
  const details = new AuthenticationDetails({ Username: account.phone });
  const withoutPassword = await runSignInStep((callbacks) => user.initiateAuth(details, callbacks));
  expect(withoutPassword).toMatchObject({ name: "CUSTOM_CHALLENGE" });
  expect(await submit(harness.codeFor(account.phone))).toMatchObject({ kind: "session" });
});

it("refuses an unknown client id", async () => {
  const client = new CognitoUserPool({
    UserPoolId: harness.poolId,
    ClientId: "another",
    endpoint: harness.endpoint,
  });
  const unknown = promisify((done) => client.signUp(newPhone(), PASSWORD, [], [], done));
  expect(await errorOf(unknown)).toEqual({
    type: "ResourceNotFoundException",
    message: "User pool client another does not exist.",
  });
});
