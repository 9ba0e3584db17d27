import { beforeEach, describe, expect, it } from "vitest";
import { ON, preferFactors, PREFERRED, setUp } from "./authenticator.ts";
import { openMember, type Member } from "./member.ts";
import { PHONE } from "./pool-harness.ts";

const MINUTE_MS = 60_000;
let at: Member;
beforeEach(() => {
  at = openMember();
});

const set = (sms: object | null, token: object | null) => preferFactors(at, sms, token);

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
    const { codeAt } = await setUp(at, "My phone");
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
    const { codeAt } = await setUp(at);
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

  it("texts no code to an account that was disabled in the middle", async () => {
    await setUp(at);
    await set(ON, ON);
    at.clock.now += 30_000;
    const choice = await at.signIn();
    const texts = at.texts.length;
    at.run(`UPDATE pool_users SET enabled = 0`);
    expect(await enter("ANSWER", "SMS_MFA", choice)).toMatchObject({ message: "User is disabled." });
    expect(at.texts).toHaveLength(texts);
  });

  describe("that began with a texted code", () => {
    const startByCode = async () => {
      const start = { AuthFlow: "CUSTOM_AUTH", AuthParameters: { USERNAME: PHONE } };
      return (await at.call("InitiateAuth", start)).answer;
    };

    it("takes no second text for a second factor", async () => {
      await set(ON, null);
      const challenge = await startByCode();
      expect(await at.respond(challenge, { ANSWER: at.code() })).toMatchObject({
        message: "Incorrect username or password.",
      });
      expect(at.texts).toHaveLength(1);
    });

    it("asks for the authenticator's code, and for no other text where there is a choice", async () => {
      const { codeAt } = await setUp(at);
      for (const sms of [null, ON]) {
        await set(sms, ON);
        at.clock.now += 11 * MINUTE_MS;
        const challenge = await startByCode();
        const next = await at.respond(challenge, { ANSWER: at.code() });
        expect(next).toMatchObject({ ChallengeName: "SOFTWARE_TOKEN_MFA" });
        expect(await enter("SOFTWARE_TOKEN_MFA_CODE", await codeAt(), next)).toHaveProperty(
          "AuthenticationResult",
        );
      }
    });
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

  it("takes a new password once, and none for an account that was disabled meanwhile", async () => {
    at.run(`UPDATE pool_users SET status = 'FORCE_CHANGE_PASSWORD'`);
    const challenge = await at.signIn();
    at.run(`UPDATE pool_users SET enabled = 0`);
    const choose = (password: string) => at.respond(challenge, { NEW_PASSWORD: password });
    const former = at.row();
    expect(await choose("Other-2-password")).toMatchObject({ message: "User is disabled." });
    expect(at.row()).toEqual(former);
    at.run(`UPDATE pool_users SET enabled = 1`);
    expect(await choose("Other-2-password")).toHaveProperty("AuthenticationResult");
    expect(await choose("Third-3-password")).toMatchObject({
      message: "Invalid session for the user, session can only be used once.",
    });
    expect(await at.signIn("Other-2-password")).toHaveProperty("AuthenticationResult");
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
