import { CognitoUserAttribute, type CognitoUser } from "amazon-cognito-identity-js";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import * as z from "zod";
import { poolUsers } from "../../db/identity-schema.ts";
import { authenticate, openClient, signIn, stepped, told } from "./acijs.ts";
import { failureOf, newPhone, openWorld, PASSWORD } from "./harness.ts";
import { codeFromSecret } from "./totp-code.ts";

/** Waits for what a call with named callbacks says. */
function settled<T>(
  call: (callbacks: { onSuccess: (result: T) => void; onFailure: (error: Error) => void }) => void,
): Promise<T> {
  return new Promise((onSuccess, onFailure) => call({ onSuccess, onFailure }));
}

function attributesOf(user: CognitoUser): Promise<Record<string, string>> {
  return told<CognitoUserAttribute[]>((done) => user.getUserAttributes(done)).then((attributes) =>
    Object.fromEntries(attributes.map(({ Name, Value }) => [Name, Value])),
  );
}

it("reads, changes and deletes attributes", async () => {
  const world = await openWorld();
  const account = await world.register();
  const { user } = await signIn(openClient(world), account);
  const attributes = await attributesOf(user);
  expect(Object.keys(attributes)[0]).toBe("sub");
  expect(attributes).toEqual({
    sub: account.sub,
    name: "Ana Lima",
    phone_number: account.phone,
    phone_number_verified: "true",
  });
  const email = new CognitoUserAttribute({ Name: "email", Value: "ana@example.com" });
  await told((done) => user.updateAttributes([email], done));
  expect(await attributesOf(user)).toMatchObject({ email: "ana@example.com", email_verified: "false" });
  await told((done) => user.deleteAttributes(["email"], done));
  expect(await attributesOf(user)).toEqual(attributes);
  const verified = new CognitoUserAttribute({ Name: "phone_number_verified", Value: "true" });
  expect(await failureOf(told((done) => user.updateAttributes([verified], done)))).toEqual({
    type: "NotAuthorizedException",
    message: "A client attempted to write unauthorized attribute",
  });
});

it("moves to a new number with the code that went there, and to nobody's else", async () => {
  const world = await openWorld();
  const account = await world.register();
  const other = await world.register();
  const { user } = await signIn(openClient(world), account);
  const change = (phone: string) =>
    told((done) =>
      user.updateAttributes([new CognitoUserAttribute({ Name: "phone_number", Value: phone })], done),
    );
  expect(await failureOf(change(other.phone))).toEqual({
    type: "AliasExistsException",
    message: "An account with the given phone_number already exists.",
  });
  const [mine, victim] = [newPhone(), newPhone()];
  await change(mine);
  const code = world.codeFor(mine);
  expect(await failureOf(change(victim))).toMatchObject({ type: "TooManyRequestsException" });
  const verify = (code: string) =>
    settled((callbacks) => user.verifyAttribute("phone_number", code, callbacks));
  const wish = (pendingPhone: string) =>
    world.db.update(poolUsers).set({ pendingPhone }).where(eq(poolUsers.phoneNumber, account.phone));
  await wish(victim);
  expect(await failureOf(verify(code))).toMatchObject({ type: "CodeMismatchException" });
  await wish(mine);
  expect(await verify(world.codeFor(mine))).toBe("SUCCESS");
  await signIn(openClient(world), { ...account, phone: mine });
  expect(await failureOf(signIn(openClient(world), account))).toMatchObject({
    type: "NotAuthorizedException",
  });
});

it("deletes the account with all that hangs on it", async () => {
  const world = await openWorld();
  const account = await world.register();
  const { user, session } = await signIn(openClient(world), account);
  const originJti = String(session.getIdToken().payload["origin_jti"]);
  expect(await world.pool.verifySession(originJti)).toBe(true);
  expect(await told((done) => user.deleteUser(done))).toBe("SUCCESS");
  expect(await world.pool.verifySession(originJti)).toBe(false);
  expect(await failureOf(signIn(openClient(world), account))).toMatchObject({
    type: "NotAuthorizedException",
  });
  expect((await world.register({ phone: account.phone })).sub).not.toBe(account.sub);
});

it("asks for a code by text as second factor, which stays open after a wrong one", async () => {
  const world = await openWorld();
  const account = await world.register();
  const { user } = await signIn(openClient(world), account);
  const sms = { PreferredMfa: true, Enabled: true };
  expect(await told((done) => user.setUserMfaPreference(sms, null, done))).toBe("SUCCESS");
  const again = openClient(world).userOf(account.phone);
  expect(await authenticate(again, account)).toMatchObject({
    name: "SMS_MFA",
    parameters: { CODE_DELIVERY_DELIVERY_MEDIUM: "SMS", USER_ID_FOR_SRP: account.sub },
  });
  const code = world.codeFor(account.phone);
  const send = (code: string) => stepped((callbacks) => again.sendMFACode(code, callbacks));
  expect(await failureOf(send(code === "000000" ? "000001" : "000000"))).toEqual({
    type: "CodeMismatchException",
    message: "Invalid code or auth state for the user.",
  });
  expect(await send(code)).toMatchObject({ kind: "session" });
  expect(await failureOf(send(code))).toEqual({
    type: "NotAuthorizedException",
    message: "Invalid session for the user, session can only be used once.",
  });
});

it("takes an authenticator's code once, and none of a session that is over or forged", async () => {
  const world = await openWorld();
  const account = await world.register();
  const { user } = await signIn(openClient(world), account);
  const secret = await new Promise<string>((associateSecretCode, onFailure) =>
    user.associateSoftwareToken({ associateSecretCode, onFailure }),
  );
  const verify = (code: string) => settled((callbacks) => user.verifySoftwareToken(code, "phone", callbacks));
  expect(await failureOf(verify("000000"))).toEqual({
    type: "EnableSoftwareTokenMFAException",
    message: "Code mismatch",
  });
  expect(await verify(await codeFromSecret(secret))).toMatchObject({ Status: "SUCCESS" });
  await told((done) => user.setUserMfaPreference(null, { PreferredMfa: true, Enabled: true }, done));
  const again = openClient(world).userOf(account.phone);
  expect(await authenticate(again, account)).toMatchObject({
    name: "SOFTWARE_TOKEN_MFA",
    parameters: { FRIENDLY_DEVICE_NAME: "phone" },
  });
  const send = async (code: string) =>
    stepped((callbacks) => again.sendMFACode(code, callbacks, "SOFTWARE_TOKEN_MFA"));
  expect(await failureOf(send(await codeFromSecret(secret)))).toEqual({
    type: "ExpiredCodeException",
    message: "Your software token has already been used once.",
  });
  world.pass(60_000);
  expect(await send(await codeFromSecret(secret))).toMatchObject({ kind: "session" });
  world.pass(60_000);
  await authenticate(again, account);
  world.pass(3 * 60_000);
  expect(await failureOf(send(await codeFromSecret(secret)))).toEqual({
    type: "NotAuthorizedException",
    message: "Invalid session for the user, session is expired.",
  });
  Object.assign(again, { Session: "v1.test.forged-session-of-nobody.AAAA" });
  expect(await failureOf(send(await codeFromSecret(secret)))).toEqual({
    type: "NotAuthorizedException",
    message: "Invalid session for the user.",
  });
});

it("asks for a new password where one must be set", async () => {
  const world = await openWorld();
  const account = await world.register();
  await world.db
    .update(poolUsers)
    .set({ status: "FORCE_CHANGE_PASSWORD" })
    .where(eq(poolUsers.phoneNumber, account.phone));
  const user = openClient(world).userOf(account.phone);
  expect(await authenticate(user, account)).toMatchObject({ name: "NEW_PASSWORD_REQUIRED" });
  const complete = (password: string) =>
    stepped((callbacks) => user.completeNewPasswordChallenge(password, { nickname: "Ana" }, callbacks));
  expect(await failureOf(complete("weak"))).toMatchObject({ type: "InvalidPasswordException" });
  expect(await complete("Other-2-password")).toMatchObject({ kind: "session" });
  const { session } = await signIn(openClient(world), { ...account, password: "Other-2-password" });
  expect(session.getIdToken().payload).toMatchObject({ nickname: "Ana", name: "Ana Lima" });
});

it("confirms a device, proves it at the next sign-in, and drops one that the pool forgot", async () => {
  const world = await openWorld({ settings: { devices: "always" } });
  const account = await world.register();
  const client = openClient(world);
  const { user } = await signIn(client, account);
  user.getCachedDeviceKeyAndPassword();
  const found: unknown = await settled<string>((callbacks) => user.getDevice(callbacks));
  const { Device } = z.object({ Device: z.object({ DeviceKey: z.string() }) }).parse(found);
  const second = await signIn(client, account);
  expect(second.session.getAccessToken().payload["device_key"]).toBe(Device.DeviceKey);
  const refreshed = told<typeof second.session>((done) =>
    second.user.refreshSession(second.session.getRefreshToken(), done),
  );
  expect((await refreshed).getAccessToken().payload["device_key"]).toBe(Device.DeviceKey);
  const listed = await settled((callbacks) => second.user.listDevices(10, null, callbacks));
  expect(listed).toMatchObject({ Devices: [{ DeviceKey: Device.DeviceKey }] });
  await settled((callbacks) => second.user.setDeviceStatusNotRemembered(callbacks));
  await settled((callbacks) => second.user.setDeviceStatusRemembered(callbacks));
  const elsewhere = await signIn(openClient(world), account);
  await settled((callbacks) => elsewhere.user.forgetSpecificDevice(Device.DeviceKey, callbacks));
  expect(await failureOf(told((done) => second.user.getUserAttributes(done)))).toMatchObject({
    message: "Access Token has been revoked",
  });
  world.calls.length = 0;
  await signIn(client, account);
  expect(world.calls.map(({ operation, status }) => [operation, status])).toEqual([
    ["InitiateAuth", 200],
    ["RespondToAuthChallenge", 400],
    ["RespondToAuthChallenge", 200],
    ["ConfirmDevice", 200],
  ]);
});

it("lets a remembered device stand for the second factor", async () => {
  const world = await openWorld({ settings: { devices: "always" } });
  const account = await world.register();
  const client = openClient(world);
  const { user } = await signIn(client, account);
  await told((done) => user.setUserMfaPreference({ PreferredMfa: true, Enabled: true }, null, done));
  expect(await authenticate(client.userOf(account.phone), account)).toMatchObject({ kind: "session" });
  const stranger = openClient(world).userOf(account.phone);
  expect(await authenticate(stranger, { ...account, password: PASSWORD })).toMatchObject({ name: "SMS_MFA" });
});
