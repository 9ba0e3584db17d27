import { beforeEach, describe, expect, it } from "vitest";
import { totpCode } from "../../worker/identity/mfa/totp.ts";
import { bytesOf, ON, preferFactors, PREFERRED, setUp } from "./authenticator.ts";
import { openMember, type Member } from "./member.ts";
import { NOW, PHONE } from "./pool-harness.ts";

const MINUTE_MS = 60_000;
let at: Member;
beforeEach(() => {
  at = openMember();
});

const set = (sms: object | null, token: object | null) => preferFactors(at, sms, token);
const factors = () => {
  const { sms_mfa, software_token_mfa, preferred_mfa } = Object(at.row());
  return [sms_mfa, software_token_mfa, preferred_mfa];
};
const INVALID = "InvalidParameterException: ";

describe("an authenticator", () => {
  it("is set up by a code of its secret, and not on by that", async () => {
    const { done, secret } = await setUp(at, "My phone");
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
    await setUp(at, "");
    expect(at.row()).toMatchObject({ totp_name: null });
  });

  it("is not set up by another code, or where there is nothing to set up", async () => {
    const nothing =
      "SoftwareTokenMFANotFoundException: Software Token MFA has not been associated by the user";
    expect(await at.ask("VerifySoftwareToken", { UserCode: "123456" })).toBe(nothing);
    at.run(`UPDATE pool_users SET totp_pending = 'v1.gone.a.b'`);
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
    const { codeAt } = await setUp(at);
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
  ])("are as requested: %s", async (_name, sms, token, expected) => {
    await setUp(at);
    expect(await set(sms, token)).toEqual({});
    expect(factors()).toEqual(expected);
  });

  it("keep what is left out, and what they prefer as long as it is on and not demoted", async () => {
    await setUp(at);
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
    await setUp(at);
    await set(null, ON);
    expect(at.noted()).toHaveLength(4);
  });

  it.each<[string, object | null, object | null, string]>([
    ["an authenticator that is not set up", null, ON, "User has not verified software token mfa"],
    ["two that are preferred", PREFERRED, PREFERRED, "Only one factor can be preferred."],
    ["one that is preferred and off", { PreferredMfa: true }, null, "A preferred factor must be enabled."],
  ])("are refused with %s", async (_name, sms, token, message) => {
    if (token === PREFERRED) await setUp(at);
    expect(await set(sms, token)).toBe(`${INVALID}${message}`);
    expect(factors()).toEqual([0, 0, null]);
  });

  it("are refused with a preferred authenticator that is off, and with texts to a number that nobody proved", async () => {
    await setUp(at);
    expect(await set(null, { PreferredMfa: true })).toBe(`${INVALID}A preferred factor must be enabled.`);
    at.run(`UPDATE pool_users SET phone_verified = 0`);
    expect(await set(ON, null)).toBe(`${INVALID}User does not have a verified phone number`);
    expect(await set({ Enabled: false }, null)).toEqual({});
  });

  it("are shown by GetUser, as far as they can be used", async () => {
    await setUp(at);
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
    at = openMember({ settings: {} });
    const off = "SoftwareTokenMFANotFoundException: Software Token MFA has not been enabled by the userPool";
    expect(await at.ask("AssociateSoftwareToken")).toBe(off);
    expect(await at.ask("VerifySoftwareToken", { UserCode: "123456" })).toBe(off);
    const deliver = "User does not have delivery config set to turn on";
    expect(await set(ON, null)).toBe(`${INVALID}${deliver} SMS_MFA`);
    expect(await set(null, ON)).toBe(`${INVALID}${deliver} SOFTWARE_TOKEN_MFA`);
    expect(await set({ Enabled: false }, { Enabled: false })).toEqual({});
    expect(await set({ Enabled: false }, null)).toEqual({});
    at.run(`UPDATE pool_users SET sms_mfa = 1`);
    expect(await at.ask("GetUser")).not.toHaveProperty("UserMFASettingList");
    expect(await at.signIn()).toHaveProperty("AuthenticationResult");
  });
});
