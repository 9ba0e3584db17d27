import { beforeEach, describe, expect, it } from "vitest";
import { totpCode } from "../../worker/identity/mfa/totp.ts";
import { openMember, type Member } from "./member.ts";
import { NOW, PHONE } from "./pool-harness.ts";

const MINUTE_MS = 60_000;
let at: Member;
beforeEach(() => {
  at = openMember();
});

/** The bytes of a secret in base32. */
function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = Array.from(secret, (letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2));
}
/** Sets up an authenticator. @returns its code for an instant */
async function setUp(FriendlyDeviceName?: string) {
  const { SecretCode } = Object(await at.ask("AssociateSoftwareToken"));
  const secret = bytesOf(SecretCode);
  const codeAt = (now = at.clock.now) => totpCode(secret, Math.floor(now / 30_000));
  const done = await at.ask("VerifySoftwareToken", { UserCode: await codeAt(), FriendlyDeviceName });
  return { done, codeAt, secret };
}
const set = (sms: object | null, token: object | null) =>
  at.ask("SetUserMFAPreference", { SMSMfaSettings: sms, SoftwareTokenMfaSettings: token });
const factors = () => {
  const { sms_mfa, software_token_mfa, preferred_mfa } = Object(at.row());
  return [sms_mfa, software_token_mfa, preferred_mfa];
};
const ON = { Enabled: true };
const PREFERRED = { Enabled: true, PreferredMfa: true };
const INVALID = "InvalidParameterException: ";

describe("an authenticator", () => {
  it("is set up by a code of its secret, and not on by that", async () => {
    const { done, secret } = await setUp("My phone");
    expect(done).toEqual({ Status: "SUCCESS" });
    expect(secret).toHaveLength(20);
    expect(at.row()).toMatchObject({ totp_pending: null, totp_name: "My phone", software_token_mfa: 0 });
    expect(at.row()?.["totp_secret"]).not.toBeNull();
    expect(at.noted()).toEqual(["factors_changed"]);
    expect(at.onAccountChange.mock.calls).toEqual([[at.sub]]);
    expect(at.rows(`SELECT kind, phone_number FROM pool_notices`)).toEqual([
      { kind: "factors", phone_number: PHONE },
    ]);
  });

  it("has no name unless one is given", async () => {
    await setUp("");
    expect(at.row()).toMatchObject({ totp_name: null });
  });

  it("is not set up by another code, or where there is nothing to set up", async () => {
    const nothing =
      "SoftwareTokenMFANotFoundException: Software Token MFA has not been associated by the user";
    expect(await at.ask("VerifySoftwareToken", { UserCode: "123456" })).toBe(nothing);
    const { SecretCode } = Object(await at.ask("AssociateSoftwareToken"));
    const right = await totpCode(bytesOf(SecretCode), Math.floor(NOW / 30_000));
    const wrong = right === "123456" ? "654321" : "123456";
    const mismatch = "EnableSoftwareTokenMFAException: Code mismatch";
    for (let tries = 0; tries < 5; tries += 1)
      expect(await at.ask("VerifySoftwareToken", { UserCode: wrong })).toBe(mismatch);
    // Locked for a second after the fifth.
    expect(await at.ask("VerifySoftwareToken", { UserCode: right })).toBe(mismatch);
    at.clock.now += 1000;
    expect(await at.ask("VerifySoftwareToken", { UserCode: right })).toEqual({ Status: "SUCCESS" });
    expect(at.rows(`SELECT subject FROM pool_attempts`)).toEqual([]);
  });

  it("takes no code twice", async () => {
    const { codeAt } = await setUp();
    at.run(`UPDATE pool_users SET totp_pending = totp_secret`);
    expect(await at.ask("VerifySoftwareToken", { UserCode: await codeAt() })).toBe(
      "EnableSoftwareTokenMFAException: Code mismatch",
    );
    at.clock.now += 30_000;
    expect(await at.ask("VerifySoftwareToken", { UserCode: await codeAt() })).toEqual({ Status: "SUCCESS" });
  });

  it.each(["AssociateSoftwareToken", "VerifySoftwareToken"])(
    "needs a fresh sign-in: %s",
    async (operation) => {
      const UserCode = "123456";
      const stale = "NotAuthorizedException: Sign in again to make this change: the last sign-in is too old.";
      at.clock.now = NOW + 10 * MINUTE_MS;
      expect(await at.ask(operation, { UserCode })).not.toBe(stale);
      at.clock.now += 1;
      expect(await at.ask(operation, { UserCode })).toBe(stale);
      const noToken = "NotAuthorizedException: Invalid session for the user.";
      expect(await at.ask(operation, { AccessToken: null, UserCode })).toBe(noToken);
    },
  );
});

describe("second factors", () => {
  it.each<[string, object | null, object | null, (number | string | null)[]]>([
    ["texts alone", ON, null, [1, 0, null]],
    ["both", ON, ON, [1, 1, null]],
    ["texts first", PREFERRED, ON, [1, 1, "SMS_MFA"]],
    ["the authenticator first", ON, PREFERRED, [1, 1, "SOFTWARE_TOKEN_MFA"]],
    ["neither", {}, {}, [0, 0, null]],
    ["neither, in words", { Enabled: false }, { Enabled: null }, [0, 0, null]],
    ["nothing new", null, null, [0, 0, null]],
  ])("are what is asked for: %s", async (_name, sms, token, expected) => {
    await setUp();
    expect(await set(sms, token)).toEqual({});
    expect(factors()).toEqual(expected);
  });

  it("keep what is left out, and what they prefer as long as it is on and not demoted", async () => {
    await setUp();
    await set(PREFERRED, ON);
    await set(null, null);
    expect(factors()).toEqual([1, 1, "SMS_MFA"]);
    await set(ON, null);
    expect(factors()).toEqual([1, 1, "SMS_MFA"]);
    await set(null, { Enabled: false });
    expect(factors()).toEqual([1, 0, "SMS_MFA"]);
    await set({ Enabled: true, PreferredMfa: false }, null);
    expect(factors()).toEqual([1, 0, null]);
    await set(PREFERRED, null);
    await set({ Enabled: false }, ON);
    expect(factors()).toEqual([0, 1, null]);
    await set(null, PREFERRED);
    await set(ON, null);
    expect(factors()).toEqual([1, 1, "SOFTWARE_TOKEN_MFA"]);
  });

  it("are noted and told where they change, and not where only the preferred one does", async () => {
    await set(ON, null);
    expect(at.noted()).toEqual(["factors_changed"]);
    expect(at.onAccountChange).toHaveBeenCalledTimes(1);
    await set(PREFERRED, null);
    expect(factors()).toEqual([1, 0, "SMS_MFA"]);
    expect(at.noted()).toHaveLength(1);
    await set({ Enabled: false }, null);
    expect(at.noted()).toHaveLength(2);
    await setUp();
    await set(null, ON);
    expect(at.noted()).toHaveLength(4);
  });

  it.each<[string, object | null, object | null, string]>([
    ["an authenticator that is not set up", null, ON, "User has not verified software token mfa"],
    ["two that are preferred", PREFERRED, PREFERRED, "Only one factor can be preferred."],
    ["one that is preferred and off", { PreferredMfa: true }, null, "A preferred factor must be enabled."],
  ])("are refused with %s", async (_name, sms, token, message) => {
    if (token === PREFERRED) await setUp();
    expect(await set(sms, token)).toBe(`${INVALID}${message}`);
    expect(factors()).toEqual([0, 0, null]);
  });

  it("are refused with a preferred authenticator that is off, and with texts to a number that nobody proved", async () => {
    await setUp();
    expect(await set(null, { PreferredMfa: true })).toBe(`${INVALID}A preferred factor must be enabled.`);
    at.run(`UPDATE pool_users SET phone_verified = 0`);
    expect(await set(ON, null)).toBe(`${INVALID}User does not have a verified phone number`);
    expect(await set({ Enabled: false }, null)).toEqual({});
  });

  it("are shown by GetUser, as far as they can be used", async () => {
    await setUp();
    expect(await at.ask("GetUser")).not.toHaveProperty("UserMFASettingList");
    await set(PREFERRED, ON);
    expect(await at.ask("GetUser")).toMatchObject({
      MFAOptions: [{ AttributeName: "phone_number", DeliveryMedium: "SMS" }],
      UserMFASettingList: ["SMS_MFA", "SOFTWARE_TOKEN_MFA"],
      PreferredMfaSetting: "SMS_MFA",
    });
    at.run(`UPDATE pool_users SET phone_verified = 0, preferred_mfa = NULL`);
    const token = Object(await at.ask("GetUser"));
    expect([token.UserMFASettingList, token.MFAOptions, token.PreferredMfaSetting]).toEqual([
      ["SOFTWARE_TOKEN_MFA"],
      undefined,
      undefined,
    ]);
    at.run(`UPDATE pool_users SET totp_secret = NULL, preferred_mfa = 'SMS_MFA'`);
    const none = Object(await at.ask("GetUser"));
    expect([none.UserMFASettingList, none.PreferredMfaSetting]).toEqual([undefined, undefined]);
  });

  it("can't be set up where the pool has none", async () => {
    at = openMember({ settings: { secondFactors: false } });
    const off = "SoftwareTokenMFANotFoundException: Software Token MFA has not been enabled by the userPool";
    expect(await at.ask("AssociateSoftwareToken")).toBe(off);
    expect(await at.ask("VerifySoftwareToken", { UserCode: "123456" })).toBe(off);
    const deliver = "User does not have delivery config set to turn on";
    expect(await set(ON, null)).toBe(`${INVALID}${deliver} SMS_MFA`);
    expect(await set(null, ON)).toBe(`${INVALID}${deliver} SOFTWARE_TOKEN_MFA`);
    expect(await set({ Enabled: false }, { Enabled: false })).toEqual({});
    at.run(`UPDATE pool_users SET sms_mfa = 1`);
    expect(await at.ask("GetUser")).not.toHaveProperty("UserMFASettingList");
    expect(await at.signIn()).toHaveProperty("AuthenticationResult");
  });
});

describe("a sign-in with second factors", () => {
  const enter = async (name: string, value: string, challenge: Record<string, unknown>) =>
    at.respond(challenge, { [name]: value });

  it("asks for the texted code", async () => {
    await set(ON, null);
    const challenge = await at.signIn();
    expect(challenge).toMatchObject({
      ChallengeName: "SMS_MFA",
      ChallengeParameters: {
        CODE_DELIVERY_DELIVERY_MEDIUM: "SMS",
        CODE_DELIVERY_DESTINATION: "+*******0123",
        USER_ID_FOR_SRP: at.sub,
      },
    });
    const wrong = at.code() === "000000" ? "000001" : "000000";
    expect(await enter("SMS_MFA_CODE", wrong, challenge)).toMatchObject({
      message: "Invalid code or auth state for the user.",
    });
    expect(await enter("SMS_MFA_CODE", at.code(), challenge)).toHaveProperty("AuthenticationResult");
    expect(await enter("SMS_MFA_CODE", at.code(), challenge)).toMatchObject({
      message: "Invalid session for the user, session can only be used once.",
    });
    at.clock.now += 11 * MINUTE_MS;
    const late = await at.signIn();
    at.clock.now += 3 * MINUTE_MS;
    expect(await enter("SMS_MFA_CODE", at.code(), late)).toMatchObject({
      message: "Invalid session for the user, session is expired.",
    });
  });

  it("asks for the authenticator's code, by its name", async () => {
    const { codeAt } = await setUp("My phone");
    await set(null, ON);
    at.clock.now += 30_000;
    const challenge = await at.signIn();
    expect(challenge).toMatchObject({
      ChallengeName: "SOFTWARE_TOKEN_MFA",
      ChallengeParameters: { USER_ID_FOR_SRP: at.sub, FRIENDLY_DEVICE_NAME: "My phone" },
    });
    const code = await codeAt();
    const wrong = code === "000000" ? "000001" : "000000";
    expect(await enter("SOFTWARE_TOKEN_MFA_CODE", wrong, challenge)).toMatchObject({
      message: "Invalid code or auth state for the user.",
    });
    expect(await enter("SOFTWARE_TOKEN_MFA_CODE", code, challenge)).toHaveProperty("AuthenticationResult");
    const again = await at.signIn();
    expect(await enter("SOFTWARE_TOKEN_MFA_CODE", code, again)).toMatchObject({
      message: "Your software token has already been used once.",
    });
    at.run(`UPDATE pool_users SET totp_name = NULL`);
    expect(Object(await at.signIn()).ChallengeParameters).toEqual({ USER_ID_FOR_SRP: at.sub });
  });

  it("lets who has both choose, or asks for the preferred one", async () => {
    const { codeAt } = await setUp();
    await set(ON, ON);
    at.clock.now += 30_000;
    const choice = await at.signIn();
    expect(choice).toMatchObject({
      ChallengeName: "SELECT_MFA_TYPE",
      ChallengeParameters: { USER_ID_FOR_SRP: at.sub, MFAS_CAN_CHOOSE: `["SMS_MFA","SOFTWARE_TOKEN_MFA"]` },
    });
    expect(await enter("ANSWER", "EMAIL_OTP", choice)).toMatchObject({
      message: "ANSWER names no factor that may be chosen.",
    });
    const chosen = await enter("ANSWER", "SOFTWARE_TOKEN_MFA", choice);
    expect(chosen).toMatchObject({ ChallengeName: "SOFTWARE_TOKEN_MFA" });
    expect(await enter("ANSWER", "SMS_MFA", choice)).toMatchObject({
      message: "Invalid session for the user, session can only be used once.",
    });
    expect(await enter("SOFTWARE_TOKEN_MFA_CODE", await codeAt(), chosen)).toHaveProperty(
      "AuthenticationResult",
    );
    await set(PREFERRED, ON);
    expect(await at.signIn()).toMatchObject({ ChallengeName: "SMS_MFA" });
    await set(ON, PREFERRED);
    expect(await at.signIn()).toMatchObject({ ChallengeName: "SOFTWARE_TOKEN_MFA" });
  });

  it("asks for a new password first, where one must be set", async () => {
    at.run(`UPDATE pool_users SET status = 'FORCE_CHANGE_PASSWORD', attributes = '{"name":"Ana"}'`);
    const challenge = await at.signIn();
    expect(challenge).toMatchObject({
      ChallengeName: "NEW_PASSWORD_REQUIRED",
      ChallengeParameters: {
        USER_ID_FOR_SRP: at.sub,
        requiredAttributes: "[]",
        userAttributes: JSON.stringify({ name: "Ana", phone_number: PHONE, phone_number_verified: "true" }),
      },
    });
    expect(await at.respond(challenge, { NEW_PASSWORD: "weak" })).toMatchObject({
      __type: "InvalidPasswordException",
    });
    const renewed = { NEW_PASSWORD: "Other-2-password", "userAttributes.locale": "pt", other: "x" };
    expect(await at.respond(challenge, renewed)).toHaveProperty("AuthenticationResult");
    expect(at.row()).toMatchObject({ status: "CONFIRMED", attributes: `{"name":"Ana","locale":"pt"}` });
    expect(at.noted()).toEqual(["password_changed", "sign_in"]);
    expect(await at.signIn("Other-2-password")).toHaveProperty("AuthenticationResult");
    expect(await at.signIn()).toMatchObject({ message: "Incorrect username or password." });
  });
});

describe("a challenge", () => {
  beforeEach(async () => void (await set(ON, null)));

  it.each<[string, Record<string, unknown>, Record<string, string>, string]>([
    [
      "of another step",
      { ChallengeName: "SELECT_MFA_TYPE" },
      { ANSWER: "SMS_MFA" },
      "Invalid session for the user.",
    ],
    ["that is forged", { Session: "forged" }, { SMS_MFA_CODE: "1" }, "Invalid session for the user."],
    ["without a session", { Session: null }, { SMS_MFA_CODE: "1" }, "Missing required parameter Session"],
    [
      "of another account",
      {},
      { USERNAME: "+15550100999", SMS_MFA_CODE: "1" },
      "Invalid session for the user.",
    ],
    ["without an answer", {}, {}, "Missing required parameter SMS_MFA_CODE"],
    ["that the pool never makes", { ChallengeName: "DEVICE_SRP_AUTH" }, {}, "Invalid session for the user."],
  ])("%s is refused", async (_name, change, responses, message) => {
    const challenge = await at.signIn();
    expect(await at.respond({ ...challenge, ...change }, responses)).toMatchObject({ message });
  });

  it("is answered for an account by its number or its sub, and not once it was disabled or is gone", async () => {
    const challenge = await at.signIn();
    const answer = () => at.respond(challenge, { USERNAME: at.sub, SMS_MFA_CODE: at.code() });
    at.run(`UPDATE pool_users SET enabled = 0`);
    expect(await answer()).toMatchObject({ message: "User is disabled." });
    at.run(`DELETE FROM pool_users`);
    expect(await answer()).toMatchObject({ message: "Invalid session for the user." });
  });
});
