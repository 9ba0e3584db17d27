import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { poolUsers } from "../../db/schema/identity.ts";
import { openPoolHarness, type Account, type PoolHarness } from "./harness.ts";
import { callPool } from "./sibling-pools.ts";
import { codeFromSecret } from "./totp-code.ts";

const DONE = expect.objectContaining({ AuthenticationResult: expect.anything() });
const ON = { Enabled: true, PreferredMfa: true };

let harness: PoolHarness;
let account: Account;
let AccessToken: string;
beforeEach(async () => {
  harness = await openPoolHarness();
  account = await harness.register();
  ({ AccessToken } = await harness.signIn(account));
});

async function call(operation: string, body: object = {}): Promise<Record<string, unknown>> {
  return (await harness.call(operation, { AccessToken, ...body })).body;
}

/** Sets an authenticator up and returns its secret. Its code of this step is used up. */
async function addAuthenticator(): Promise<string> {
  const { SecretCode } = await call("AssociateSoftwareToken");
  const secret = String(SecretCode);
  await call("VerifySoftwareToken", { UserCode: await codeFromSecret(secret) });
  return secret;
}

/** A code that isn't valid now. */
async function wrongCode(secret: string): Promise<string> {
  return String((Number(await codeFromSecret(secret)) + 500_000) % 1_000_000).padStart(6, "0");
}

it("enables only factors that are set up", async () => {
  expect(await call("SetUserMFAPreference", { SoftwareTokenMfaSettings: ON })).toEqual({
    __type: "InvalidParameterException",
    message: "User has not verified software token mfa",
  });
  await harness.db
    .update(poolUsers)
    .set({ phoneVerified: false })
    .where(eq(poolUsers.phoneNumber, account.phone));
  expect(await call("SetUserMFAPreference", { SMSMfaSettings: ON })).toEqual({
    __type: "InvalidParameterException",
    message: "User does not have a verified phone number",
  });
});

it("asks for no texted code while the phone number isn't verified", async () => {
  await call("SetUserMFAPreference", { SMSMfaSettings: ON });
  await harness.db
    .update(poolUsers)
    .set({ phoneVerified: false })
    .where(eq(poolUsers.phoneNumber, account.phone));
  expect(await harness.start(account)).toEqual(DONE);
});

it("turns off a factor whose settings don't say that it is on", async () => {
  await addAuthenticator();
  for (const [name, factor] of [
    ["SMSMfaSettings", "SMS_MFA"],
    ["SoftwareTokenMfaSettings", "SOFTWARE_TOKEN_MFA"],
  ] as const) {
    await call("SetUserMFAPreference", { [name]: { Enabled: true } });
    expect((await call("GetUser"))["UserMFASettingList"]).toEqual([factor]);
    await call("SetUserMFAPreference", { [name]: {} });
    expect((await call("GetUser"))["UserMFASettingList"]).toBeUndefined();
  }
});

it("prefers one factor, and only an enabled one", async () => {
  await addAuthenticator();
  const both = { SMSMfaSettings: ON, SoftwareTokenMfaSettings: ON };
  expect(await call("SetUserMFAPreference", both)).toMatchObject({
    message: "Only one factor can be preferred.",
  });
  for (const name of ["SMSMfaSettings", "SoftwareTokenMfaSettings"]) {
    const disabled = { [name]: { Enabled: false, PreferredMfa: true } };
    expect(await call("SetUserMFAPreference", disabled)).toMatchObject({
      message: "A preferred factor must be enabled.",
    });
  }
  await call("SetUserMFAPreference", { SMSMfaSettings: ON });
  expect(await call("GetUser")).toMatchObject({ PreferredMfaSetting: "SMS_MFA" });
  await call("SetUserMFAPreference", { SoftwareTokenMfaSettings: { Enabled: true } });
  expect(await call("GetUser")).toMatchObject({ PreferredMfaSetting: "SMS_MFA" });
  await call("SetUserMFAPreference", { SMSMfaSettings: { Enabled: false } });
  expect(await call("GetUser")).not.toHaveProperty("PreferredMfaSetting");
});

it("confirms an authenticator once, with five tries", async () => {
  const { SecretCode } = await call("AssociateSoftwareToken");
  const secret = String(SecretCode);
  const verify = async (UserCode: string) => call("VerifySoftwareToken", { UserCode });
  const MISMATCH = { __type: "EnableSoftwareTokenMFAException", message: "Code mismatch" };
  for (let i = 0; i < 5; i++) expect(await verify(await wrongCode(secret))).toEqual(MISMATCH);
  expect(await verify(await codeFromSecret(secret))).toEqual(MISMATCH);
  harness.advanceClock(1000);
  expect(await verify(await codeFromSecret(secret))).toEqual({ Status: "SUCCESS" });
  harness.advanceClock(60_000);
  expect(await verify(await codeFromSecret(secret))).toMatchObject({
    __type: "SoftwareTokenMFANotFoundException",
  });
});

it("locks after five wrong authenticator codes at sign-in, and resets the count after a right one", async () => {
  const secret = await addAuthenticator();
  await call("SetUserMFAPreference", { SoftwareTokenMfaSettings: ON });
  const enter = async (code: string) =>
    harness.respond(await harness.start(account), { USERNAME: account.phone, SOFTWARE_TOKEN_MFA_CODE: code });
  const WRONG = { __type: "CodeMismatchException", message: "Invalid code or auth state for the user." };
  for (let round = 0; round < 2; round++) {
    harness.advanceClock(60_000);
    for (let i = 0; i < 4; i++) expect(await enter(await wrongCode(secret))).toEqual(WRONG);
    expect(await enter(await codeFromSecret(secret))).toEqual(DONE);
  }
  harness.advanceClock(60_000);
  for (let i = 0; i < 5; i++) expect(await enter(await wrongCode(secret))).toEqual(WRONG);
  expect(await enter(await codeFromSecret(secret))).toMatchObject({ message: "Password attempts exceeded" });
});

it("counts wrong codes during setup and at sign-in together, until a setup succeeds", async () => {
  const secret = await addAuthenticator();
  await call("SetUserMFAPreference", { SoftwareTokenMfaSettings: ON });
  harness.advanceClock(60_000);
  const challenge = await harness.start(account);
  const enter = async (code: string) =>
    harness.respond(challenge, { USERNAME: account.phone, SOFTWARE_TOKEN_MFA_CODE: code });
  for (let i = 0; i < 4; i++) await enter(await wrongCode(secret));
  await addAuthenticator();
  expect(await enter(await wrongCode(secret))).toMatchObject({ __type: "CodeMismatchException" });
  expect(await enter(await wrongCode(secret))).toMatchObject({ __type: "CodeMismatchException" });
});

it("refuses a texted code that has no tries left", async () => {
  await call("SetUserMFAPreference", { SMSMfaSettings: ON });
  const challenge = await harness.start(account);
  const code = harness.codeFor(account.phone);
  const enter = (SMS_MFA_CODE: string) =>
    harness.respond(challenge, { USERNAME: account.phone, SMS_MFA_CODE });
  const wrong = code === "000000" ? "000001" : "000000";
  for (let i = 0; i < 5; i++) expect(await enter(wrong)).toMatchObject({ __type: "CodeMismatchException" });
  expect(await enter(code)).toMatchObject({ __type: "ExpiredCodeException" });
});

it("accepts a session only for its own challenge, its own user and once", async () => {
  await addAuthenticator();
  await call("SetUserMFAPreference", {
    SMSMfaSettings: { Enabled: true },
    SoftwareTokenMfaSettings: { Enabled: true },
  });
  const { Session, ChallengeName } = await harness.start(account);
  expect(ChallengeName).toBe("SELECT_MFA_TYPE");
  const invalid = { __type: "NotAuthorizedException", message: "Invalid session for the user." };
  const USERNAME = account.phone;
  const newPassword = { USERNAME, NEW_PASSWORD: "Other-2-password" };
  expect(await harness.respond({ ChallengeName: "NEW_PASSWORD_REQUIRED", Session }, newPassword)).toEqual(
    invalid,
  );
  const other = await harness.register();
  const choose = (USERNAME: string, ANSWER = "SMS_MFA") =>
    harness.respond({ ChallengeName, Session }, { USERNAME, ANSWER });
  expect(await choose(other.phone)).toEqual(invalid);
  expect(await choose(USERNAME, "EMAIL_OTP")).toMatchObject({ __type: "InvalidParameterException" });
  expect(await choose(USERNAME)).toMatchObject({ ChallengeName: "SMS_MFA" });
  expect(await choose(USERNAME)).toEqual({
    __type: "NotAuthorizedException",
    message: "Invalid session for the user, session can only be used once.",
  });
});

it("offers only factors that are still enabled, and signs in no account that was disabled in between", async () => {
  await addAuthenticator();
  await call("SetUserMFAPreference", {
    SMSMfaSettings: { Enabled: true },
    SoftwareTokenMfaSettings: { Enabled: true },
  });
  const selection = await harness.start(account);
  await call("SetUserMFAPreference", { SoftwareTokenMfaSettings: { Enabled: false } });
  const USERNAME = account.phone;
  expect(await harness.respond(selection, { USERNAME, ANSWER: "SOFTWARE_TOKEN_MFA" })).toMatchObject({
    __type: "InvalidParameterException",
  });
  const challenge = await harness.respond(selection, { USERNAME, ANSWER: "SMS_MFA" });
  await harness.db.update(poolUsers).set({ enabled: false }).where(eq(poolUsers.phoneNumber, account.phone));
  const SMS_MFA_CODE = harness.codeFor(account.phone);
  expect(await harness.respond(challenge, { USERNAME, SMS_MFA_CODE })).toMatchObject({
    message: "User is disabled.",
  });
});

it("asks for the authenticator after the code of the custom flow, and takes no text as both factors", async () => {
  const signInWithCode = async () => {
    harness.advanceClock(60_000);
    const AuthParameters = { USERNAME: account.phone };
    const start = { ClientId: harness.clientId, AuthFlow: "CUSTOM_AUTH", AuthParameters };
    const { body } = await harness.call("InitiateAuth", start);
    return harness.respond(body, { USERNAME: account.phone, ANSWER: harness.codeFor(account.phone) });
  };
  await call("SetUserMFAPreference", { SMSMfaSettings: ON });
  expect(await signInWithCode()).toMatchObject({ __type: "NotAuthorizedException" });
  await addAuthenticator();
  await call("SetUserMFAPreference", { SoftwareTokenMfaSettings: ON });
  expect(await signInWithCode()).toMatchObject({ ChallengeName: "SOFTWARE_TOKEN_MFA" });
});

it("is a pool without second factors by default: none can be set up, and none is requested", async () => {
  const secret = await addAuthenticator();
  await call("SetUserMFAPreference", { SMSMfaSettings: { Enabled: true }, SoftwareTokenMfaSettings: ON });
  expect(await harness.start(account)).toMatchObject({ ChallengeName: "SOFTWARE_TOKEN_MFA" });
  const pool = harness.createSiblingPool({ settings: {} });
  const off = async (operation: string, body: object = { AccessToken }) => {
    const { __type, ...answer } = await callPool(pool, operation, body);
    return __type ?? answer;
  };
  const UserCode = await codeFromSecret(secret);
  expect(await off("AssociateSoftwareToken")).toBe("SoftwareTokenMFANotFoundException");
  expect(await off("VerifySoftwareToken", { AccessToken, UserCode })).toBe(
    "SoftwareTokenMFANotFoundException",
  );
  for (const name of ["SMSMfaSettings", "SoftwareTokenMfaSettings"]) {
    const settings = (Enabled: boolean) => ({ AccessToken, [name]: { Enabled } });
    expect(await off("SetUserMFAPreference", settings(true))).toBe("InvalidParameterException");
    expect(await off("SetUserMFAPreference", settings(false))).toEqual({});
  }
  expect(await off("GetUser")).not.toHaveProperty("PreferredMfaSetting");
  const AuthParameters = { USERNAME: account.phone, PASSWORD: account.password };
  const start = { ClientId: harness.clientId, AuthFlow: "USER_PASSWORD_AUTH", AuthParameters };
  expect(await off("InitiateAuth", start)).toEqual(DONE);
});
