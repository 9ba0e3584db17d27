import { CognitoUserAttribute, type CognitoUser } from "amazon-cognito-identity-js";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { poolUsers } from "../../../db/schema/identity.ts";
import {
  authenticate,
  newStorage,
  openClient,
  signIn,
  runSignInStep,
  promisify,
} from "../cognito-identity-js.ts";
import { factsOf, errorOf, newPhone, openPoolHarness } from "../harness.ts";
import { codeFromSecret } from "../totp-code.ts";

/** Turns a call with named callbacks into a promise. */
function settled<T>(
  call: (callbacks: { onSuccess: (result: T) => void; onFailure: (error: Error) => void }) => void,
): Promise<T> {
  return new Promise((onSuccess, onFailure) => call({ onSuccess, onFailure }));
}

function attributesOf(user: CognitoUser): Promise<Record<string, string>> {
  return promisify<CognitoUserAttribute[]>((done) => user.getUserAttributes(done)).then((attributes) =>
    Object.fromEntries(attributes.map(({ Name, Value }) => [Name, Value])),
  );
}

it("reads, changes and deletes attributes", async () => {
  const harness = await openPoolHarness();
  const account = await harness.register();
  const { user } = await signIn(openClient(harness), account);
  const attributes = await attributesOf(user);
  expect(Object.keys(attributes)[0]).toBe("sub");
  expect(attributes).toEqual({
    sub: account.sub,
    name: "Ana Lima",
    phone_number: account.phone,
    phone_number_verified: "true",
  });
  const email = new CognitoUserAttribute({ Name: "email", Value: "ana@example.com" });
  await promisify((done) => user.updateAttributes([email], done));
  expect(await attributesOf(user)).toMatchObject({ email: "ana@example.com", email_verified: "false" });
  await promisify((done) => user.deleteAttributes(["email"], done));
  expect(await attributesOf(user)).toEqual(attributes);
  const verified = new CognitoUserAttribute({ Name: "phone_number_verified", Value: "true" });
  expect(await errorOf(promisify((done) => user.updateAttributes([verified], done)))).toEqual({
    type: "NotAuthorizedException",
    message: "A client attempted to write unauthorized attribute",
  });
});

it("changes the phone number with the code that was texted to it, and never to another account's number", async () => {
  const harness = await openPoolHarness();
  const account = await harness.register();
  const other = await harness.register();
  const { user } = await signIn(openClient(harness), account);
  const change = (phone: string) =>
    promisify((done) =>
      user.updateAttributes([new CognitoUserAttribute({ Name: "phone_number", Value: phone })], done),
    );
  expect(await errorOf(change(other.phone))).toEqual({
    type: "AliasExistsException",
    message: "An account with the given phone_number already exists.",
  });
  const [mine, victim] = [newPhone(), newPhone()];
  await change(mine);
  await change(mine);
  const code = harness.codeFor(mine);
  expect(await errorOf(change(victim))).toMatchObject({ type: "TooManyRequestsException" });
  const verify = (code: string) =>
    settled((callbacks) => user.verifyAttribute("phone_number", code, callbacks));
  const setPending = (pendingPhone: string) =>
    harness.db.update(poolUsers).set({ pendingPhone }).where(eq(poolUsers.phoneNumber, account.phone));
  await setPending(victim);
  expect(await errorOf(verify(code))).toMatchObject({ type: "CodeMismatchException" });
  await setPending(mine);
  expect(await verify(harness.codeFor(mine))).toBe("SUCCESS");
  await signIn(openClient(harness), { ...account, phone: mine });
  expect(await errorOf(signIn(openClient(harness), account))).toMatchObject({
    type: "NotAuthorizedException",
  });
});

it("deletes the account and everything that belongs to it", async () => {
  const harness = await openPoolHarness();
  const account = await harness.register();
  const { user, session } = await signIn(openClient(harness), account);
  const token = factsOf(session.getIdToken().getJwtToken());
  expect(await harness.pool.isTokenLive(token)).toBe(true);
  expect(await promisify((done) => user.deleteUser(done))).toBe("SUCCESS");
  expect(await harness.pool.isTokenLive(token)).toBe(false);
  expect(await errorOf(signIn(openClient(harness), account))).toMatchObject({
    type: "NotAuthorizedException",
  });
  expect((await harness.register({ phone: account.phone })).sub).not.toBe(account.sub);
});

it("asks for a texted code as second factor, and accepts it after a wrong one", async () => {
  const harness = await openPoolHarness();
  const account = await harness.register();
  const { user } = await signIn(openClient(harness), account);
  const sms = { PreferredMfa: true, Enabled: true };
  expect(await promisify((done) => user.setUserMfaPreference(sms, null, done))).toBe("SUCCESS");
  const again = openClient(harness).userOf(account.phone);
  expect(await authenticate(again, account)).toMatchObject({
    name: "SMS_MFA",
    parameters: { CODE_DELIVERY_DELIVERY_MEDIUM: "SMS", USER_ID_FOR_SRP: account.sub },
  });
  const code = harness.codeFor(account.phone);
  const send = (code: string) => runSignInStep((callbacks) => again.sendMFACode(code, callbacks));
  expect(await errorOf(send(code === "000000" ? "000001" : "000000"))).toEqual({
    type: "CodeMismatchException",
    message: "Invalid code or auth state for the user.",
  });
  expect(await send(code)).toMatchObject({ kind: "session" });
  expect(await errorOf(send(code))).toEqual({
    type: "NotAuthorizedException",
    message: "Invalid session for the user, session can only be used once.",
  });
});

it("accepts an authenticator code once, and none with an expired or forged session", async () => {
  const harness = await openPoolHarness();
  const account = await harness.register();
  const { user } = await signIn(openClient(harness), account);
  const secret = await new Promise<string>((associateSecretCode, onFailure) =>
    user.associateSoftwareToken({ associateSecretCode, onFailure }),
  );
  const verify = (code: string) => settled((callbacks) => user.verifySoftwareToken(code, "phone", callbacks));
  expect(await errorOf(verify("000000"))).toEqual({
    type: "EnableSoftwareTokenMFAException",
    message: "Code mismatch",
  });
  expect(await verify(await codeFromSecret(secret))).toMatchObject({ Status: "SUCCESS" });
  await promisify((done) => user.setUserMfaPreference(null, { PreferredMfa: true, Enabled: true }, done));
  const again = openClient(harness).userOf(account.phone);
  expect(await authenticate(again, account)).toMatchObject({
    name: "SOFTWARE_TOKEN_MFA",
    parameters: { FRIENDLY_DEVICE_NAME: "phone" },
  });
  const send = async (code: string) =>
    runSignInStep((callbacks) => again.sendMFACode(code, callbacks, "SOFTWARE_TOKEN_MFA"));
  expect(await errorOf(send(await codeFromSecret(secret)))).toEqual({
    type: "ExpiredCodeException",
    message: "Your software token has already been used once.",
  });
  harness.advanceClock(60_000);
  expect(await send(await codeFromSecret(secret))).toMatchObject({ kind: "session" });
  harness.advanceClock(60_000);
  await authenticate(again, account);
  harness.advanceClock(3 * 60_000);
  expect(await errorOf(send(await codeFromSecret(secret)))).toEqual({
    type: "NotAuthorizedException",
    message: "Invalid session for the user, session is expired.",
  });
  Object.assign(again, { Session: "v1.test.forged-session-of-nobody.AAAA" });
  expect(await errorOf(send(await codeFromSecret(secret)))).toEqual({
    type: "NotAuthorizedException",
    message: "Invalid session for the user.",
  });
});

it("asks for a new password if one must be set", async () => {
  const harness = await openPoolHarness();
  const account = await harness.register();
  await harness.db
    .update(poolUsers)
    .set({ status: "FORCE_CHANGE_PASSWORD" })
    .where(eq(poolUsers.phoneNumber, account.phone));
  const user = openClient(harness).userOf(account.phone);
  expect(await authenticate(user, account)).toMatchObject({ name: "NEW_PASSWORD_REQUIRED" });
  const complete = (password: string) =>
    runSignInStep((callbacks) => user.completeNewPasswordChallenge(password, { nickname: "Ana" }, callbacks));
  expect(await errorOf(complete("weak"))).toMatchObject({ type: "InvalidPasswordException" });
  expect(await complete("Other-2-password")).toMatchObject({ kind: "session" });
  const { session } = await signIn(openClient(harness), { ...account, password: "Other-2-password" });
  expect(session.getIdToken().payload).toMatchObject({ nickname: "Ana", name: "Ana Lima" });
});

it("signs in a browser that still has a device of another pool stored", async () => {
  const harness = await openPoolHarness();
  const account = await harness.register();
  const storage = newStorage();
  const stored = `CognitoIdentityServiceProvider.${harness.clientId}.${account.sub}`;
  storage.setItem(`${stored}.deviceKey`, "eu-west-1_0f8fad5b-d9cb-469f-a165-70867728950e");
  storage.setItem(`${stored}.randomPasswordKey`, "password");
  storage.setItem(`${stored}.deviceGroupKey`, "-group");
  harness.calls.length = 0;
  const { user } = await signIn(openClient(harness, storage), account);
  expect(harness.calls.map(({ operation, status }) => [operation, status])).toEqual([
    ["InitiateAuth", 200],
    ["RespondToAuthChallenge", 400],
    ["RespondToAuthChallenge", 200],
  ]);
  expect(await errorOf(settled((callbacks) => user.listDevices(10, null, callbacks)))).toEqual({
    type: "InvalidUserPoolConfigurationException",
    message: "Device tracking is not enabled for the user pool.",
  });
});
