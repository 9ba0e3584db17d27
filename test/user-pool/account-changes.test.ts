import { beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../worker/identity/pool-context.ts";
import { openMember, type Member } from "./member.ts";
import { NOW, PASSWORD, PHONE } from "./pool-harness.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const OTHER_PHONE = "+15550100999";
const OTHER_PASSWORD = "Other-2-password";
let at: Member;
beforeEach(() => {
  at = openMember({ settings: {} });
});

const own = (Name: string, Value: string) => ({ Name, Value });
const delivery = (last: string) => ({
  AttributeName: "phone_number",
  DeliveryMedium: "SMS",
  Destination: `+*******${last}`,
});
const STALE = "NotAuthorizedException: Sign in again to make this change: the last sign-in is too old.";
const LIMIT = "LimitExceededException: Attempt limit exceeded, please try after some time.";
const WRONG = "NotAuthorizedException: Incorrect username or password.";
const MISMATCH = "CodeMismatchException: Invalid verification code provided, please try again.";
const EXPIRED = "ExpiredCodeException: Invalid code provided, please request a code again.";
const update = (...UserAttributes: object[]) => at.ask("UpdateUserAttributes", { UserAttributes });
const verify = (Code = at.code(), AttributeName = "phone_number") =>
  at.ask("VerifyUserAttribute", { AttributeName, Code });
const wrongCode = () => (at.code() === "000000" ? "000001" : "000000");
const liveSessions = () => at.rows(`SELECT origin_jti FROM pool_sessions WHERE revoked_at IS NULL`).length;

describe("attributes", () => {
  it("are changed and deleted, and nothing is sent for them", async () => {
    expect(await update(own("name", "Eva"), own("locale", "pt"))).toEqual({ CodeDeliveryDetailsList: [] });
    expect(at.row()?.["attributes"]).toBe(`{"name":"Eva","locale":"pt"}`);
    expect(await at.ask("DeleteUserAttributes", { UserAttributeNames: ["name"] })).toEqual({});
    expect(at.row()?.["attributes"]).toBe(`{"locale":"pt"}`);
    expect(await at.ask("GetUser")).toEqual({
      Username: at.sub,
      UserAttributes: [
        own("sub", at.sub),
        own("locale", "pt"),
        own("phone_number", PHONE),
        own("phone_number_verified", "true"),
      ],
    });
    expect(at.texts).toEqual([]);
  });

  it.each([
    [["phone_number"], "InvalidParameterException: The user name can't be deleted."],
    [["name", "sub"], "NotAuthorizedException: A client attempted to write unauthorized attribute"],
  ])("that can't be deleted: %j", async (UserAttributeNames, refusal) => {
    expect(await at.ask("DeleteUserAttributes", { UserAttributeNames })).toBe(refusal);
  });

  it.each(["GetUserAttributeVerificationCode", "VerifyUserAttribute"])(
    "that can't be verified are refused by %s",
    async (operation) => {
      const asked = await at.ask(operation, { AttributeName: "email", Code: "123456" });
      expect(asked).toBe("InvalidParameterException: Attribute email can't be verified by this pool.");
    },
  );
});

describe("another number", () => {
  it("counts once its code is entered; every other session ends, and the former number is told", async () => {
    await at.signIn();
    expect(liveSessions()).toBe(2);
    expect(await update(own("phone_number", OTHER_PHONE), own("name", "Eva"))).toEqual({
      CodeDeliveryDetailsList: [delivery("0999")],
    });
    expect(at.row()).toMatchObject({
      phone_number: PHONE,
      pending_phone: OTHER_PHONE,
      attributes: `{"name":"Eva"}`,
    });
    expect(at.texts.map(({ to }) => to)).toEqual([OTHER_PHONE]);
    expect(at.asked.at(-1)).toMatchObject({ isProved: false, isDecoy: false, account: at.sub });
    expect(await verify(wrongCode())).toBe(MISMATCH);
    at.note.mockClear();
    at.onAccountChange.mockClear();
    expect(await verify()).toEqual({});
    expect(at.row()).toMatchObject({ phone_number: OTHER_PHONE, pending_phone: null, phone_verified: 1 });
    expect(at.rows(`SELECT kind, phone_number FROM pool_notices`)).toEqual([
      { kind: "phone", phone_number: PHONE },
    ]);
    expect(liveSessions()).toBe(1);
    expect(await at.ask("GetUser")).toMatchObject({ Username: at.sub });
    expect(at.noted()).toEqual(["phone_changed"]);
    expect(at.onAccountChange.mock.calls).toEqual([[at.sub]]);
  });

  it("needs a fresh sign-in, and the present one nothing at all", async () => {
    at.clock.now = NOW + 10 * MINUTE_MS + 1;
    expect(await update(own("phone_number", OTHER_PHONE))).toBe(STALE);
    expect(await update(own("phone_number", PHONE))).toEqual({ CodeDeliveryDetailsList: [] });
    expect(at.texts).toEqual([]);
  });

  it("is not another account's, unless nobody confirmed that", async () => {
    await at.call("SignUp", { Username: OTHER_PHONE, Password: PASSWORD });
    const theirs = at.code();
    expect(await update(own("phone_number", OTHER_PHONE))).toMatchObject({ CodeDeliveryDetailsList: [{}] });
    const mine = at.code();
    await at.call("ConfirmSignUp", { Username: OTHER_PHONE, ConfirmationCode: theirs });
    const taken = "AliasExistsException: An account with the given phone_number already exists.";
    expect(await verify(mine)).toBe(taken);
    expect(await update(own("phone_number", OTHER_PHONE))).toBe(taken);
    expect(at.row()).toMatchObject({ phone_number: PHONE });
  });

  it("is asked for no more often than codes may be sent", async () => {
    await update(own("phone_number", OTHER_PHONE));
    await update(own("phone_number", OTHER_PHONE));
    expect(await update(own("phone_number", OTHER_PHONE))).toBe(
      "TooManyRequestsException: Too many requests",
    );
    expect(at.canceled).toEqual([OTHER_PHONE]);
    const again = { AttributeName: "phone_number" };
    expect(await at.ask("GetUserAttributeVerificationCode", again)).toBe(LIMIT);
    at.clock.now += 30_000;
    expect(await at.ask("GetUserAttributeVerificationCode", again)).toEqual({
      CodeDeliveryDetails: delivery("0999"),
    });
  });

  it("is not needed to prove the present one", async () => {
    at.run(`UPDATE pool_users SET phone_verified = 0`);
    const sent = await at.ask("GetUserAttributeVerificationCode", { AttributeName: "phone_number" });
    expect(sent).toEqual({ CodeDeliveryDetails: delivery("0123") });
    expect(await verify()).toEqual({});
    expect(at.row()).toMatchObject({ phone_verified: 1, phone_number: PHONE });
    expect(at.rows(`SELECT kind FROM pool_notices`)).toEqual([]);
    expect(await verify("123456")).toBe(EXPIRED);
  });
});

describe("a code", () => {
  const ask = (metadata: object | null = null) =>
    at.ask("GetUserAttributeVerificationCode", {
      AttributeName: "phone_number",
      ...(metadata && { ClientMetadata: metadata }),
    });
  const from = (address: string, Code: string) =>
    at.call(
      "VerifyUserAttribute",
      { AccessToken: at.AccessToken, AttributeName: "phone_number", Code },
      { "cf-connecting-ip": address },
    );

  it("is in the language that the page names, else the account's", async () => {
    await ask({ language: "pt-BR" });
    expect(at.texts.at(-1)?.body).toMatch(/^pt \d{6}$/);
    at.run(`UPDATE pool_users SET attributes = '{"locale":"es-MX"}'`);
    await ask();
    expect(at.texts.at(-1)?.body).toMatch(/^es \d{6}$/);
    expect(at.asked.at(-1)).toMatchObject({ to: PHONE, isProved: true });
  });

  it("is good for ten minutes, and once", async () => {
    await ask();
    at.clock.now += 10 * MINUTE_MS;
    expect(await verify()).toBe(EXPIRED);
    await ask();
    at.clock.now += 10 * MINUTE_MS - 1;
    expect(await verify()).toEqual({});
    expect(await verify()).toBe(EXPIRED);
  });

  it("has five tries from each network", async () => {
    await ask();
    const wrong = wrongCode();
    for (let tries = 0; tries < 5; tries += 1)
      expect((await from("192.0.2.1", wrong)).type).toBe("CodeMismatchException");
    expect((await from("192.0.2.1", at.code())).type).toBe("LimitExceededException");
    expect((await from("192.0.2.2", at.code())).type).toBe("done");
    expect(at.noted().filter((name) => name === "code_failed")).toHaveLength(5);
  });

  it("is a long one while somebody guesses, and short again once it was entered", async () => {
    at = openMember({ limits: { guesses: { ...DEFAULT_LIMITS.guesses, free: 10 } } });
    const askLater = async () => {
      at.clock.now += 30_000;
      await ask();
    };
    for (const address of ["192.0.2.1", "192.0.2.2"]) {
      await askLater();
      expect(at.code()).toHaveLength(6);
      for (let tries = 0; tries < 5; tries += 1) await from(address, wrongCode());
    }
    // Who enters codes that prove a phone is held up by nothing.
    expect(at.noted().filter((name) => name === "locked")).toEqual([]);
    await askLater();
    expect(at.code()).toHaveLength(10);
    expect(at.rows(`SELECT tries_left FROM pool_codes WHERE purpose = 'phone_number'`)).toEqual([
      { tries_left: 1000 },
    ]);
    expect((await from("192.0.2.9", at.code())).type).toBe("done");
    await askLater();
    expect(at.code()).toHaveLength(6);
  });
});

describe("another password", () => {
  const change = (PreviousPassword: string | null = PASSWORD, ProposedPassword = OTHER_PASSWORD) =>
    at.ask("ChangePassword", { PreviousPassword, ProposedPassword });

  it("is set by who knows the present one; every other session ends", async () => {
    await at.signIn();
    at.note.mockClear();
    expect(await change()).toEqual({});
    expect(liveSessions()).toBe(1);
    expect(at.noted()).toEqual(["password_changed"]);
    expect(at.onAccountChange.mock.calls).toEqual([[at.sub]]);
    expect(at.rows(`SELECT kind, phone_number FROM pool_notices`)).toEqual([
      { kind: "password", phone_number: PHONE },
    ]);
    expect(await at.signIn(OTHER_PASSWORD)).toHaveProperty("AuthenticationResult");
    expect(await at.signIn()).toMatchObject({ __type: "NotAuthorizedException" });
  });

  it("is not set by who does not, nor a weak one, and five wrong ones lock", async () => {
    expect(await change(PASSWORD, "weak")).toBe(
      "InvalidPasswordException: Password did not conform with policy: Password not long enough",
    );
    expect(await change(PASSWORD, "Password1!")).toBe(
      "InvalidPasswordException: Provided password cannot be used for security reasons.",
    );
    expect(await change(null)).toBe(WRONG);
    for (let tries = 0; tries < 4; tries += 1) expect(await change("Wrong-1-password")).toBe(WRONG);
    expect(await change()).toBe(LIMIT);
    expect(at.noted()).toEqual(Array.from({ length: 5 }, () => "sign_in_failed"));
    at.clock.now += 1000;
    expect(await change()).toEqual({});
  });

  it("is set five times an hour at most, since each is told by a text", async () => {
    let present = PASSWORD;
    for (let times = 0; times < 5; times += 1) {
      const next = `Other-${times}-password`;
      expect(await change(present, next)).toEqual({});
      present = next;
    }
    expect(await change(present, OTHER_PASSWORD)).toBe(LIMIT);
    at.clock.now += HOUR_MS + 1;
    expect(await at.signIn(present)).toHaveProperty("AuthenticationResult");
  });

  it("is set by a code, which ends every session and lifts the locks", async () => {
    for (let tries = 0; tries < 5; tries += 1) await at.signIn("Wrong-1-password");
    expect(await at.signIn()).toMatchObject({ message: "Password attempts exceeded" });
    const forgot = await at.call("ForgotPassword", { Username: PHONE });
    expect(forgot.answer).toEqual({ CodeDeliveryDetails: delivery("0123") });
    const confirm = (ConfirmationCode: string, Password = OTHER_PASSWORD) =>
      at.call("ConfirmForgotPassword", { Username: PHONE, ConfirmationCode, Password });
    expect((await confirm(at.code(), "weak")).type).toBe("InvalidPasswordException");
    expect((await confirm(wrongCode())).type).toBe("CodeMismatchException");
    at.note.mockClear();
    const done = await confirm(at.code());
    expect(done.headers.get("set-cookie")).toMatch(/^__Secure-known-browser=/);
    expect(liveSessions()).toBe(0);
    expect(at.noted()).toEqual(["password_reset"]);
    expect(at.onAccountChange.mock.calls).toEqual([[at.sub]]);
    expect(await at.signIn(OTHER_PASSWORD)).toHaveProperty("AuthenticationResult");
  });

  it.each([
    ["enabled = 0", "NotAuthorizedException: User is disabled."],
    [
      "status = 'FORCE_CHANGE_PASSWORD'",
      "NotAuthorizedException: User password cannot be reset in the current state.",
    ],
    [
      "phone_verified = 0",
      "InvalidParameterException: Cannot reset password for the user as there is no registered/verified email or phone_number",
    ],
  ])("is not sent a code for where %s", async (sql, refusal) => {
    at.run(`UPDATE pool_users SET ${sql}`);
    const { type, answer } = await at.call("ForgotPassword", { Username: PHONE });
    expect(`${type}: ${answer.message}`).toBe(refusal);
    expect(at.texts).toEqual([]);
  });

  it("is not set for an account that was disabled, or is none", async () => {
    await at.call("ForgotPassword", { Username: PHONE });
    at.run(`UPDATE pool_users SET enabled = 0`);
    const body = { ConfirmationCode: at.code(), Password: OTHER_PASSWORD };
    expect((await at.call("ConfirmForgotPassword", { ...body, Username: PHONE })).answer).toMatchObject({
      message: "User is disabled.",
    });
    expect((await at.call("ConfirmForgotPassword", { ...body, Username: OTHER_PHONE })).type).toBe(
      "CodeMismatchException",
    );
    expect((await at.call("ForgotPassword", { Username: OTHER_PHONE })).type).toBe("UserNotFoundException");
  });
});

describe("tokens", () => {
  const refresh = async (RefreshToken = at.RefreshToken) =>
    (await at.call("GetTokensFromRefreshToken", { RefreshToken })).answer;

  it("are renewed with a new refresh token; the one before stays good for a minute", async () => {
    const { AuthenticationResult: next } = await refresh();
    expect(next).toMatchObject({ ExpiresIn: 3600, TokenType: "Bearer" });
    expect(next.RefreshToken).not.toBe(at.RefreshToken);
    at.clock.now += MINUTE_MS;
    expect(await refresh()).toHaveProperty("AuthenticationResult");
    expect(liveSessions()).toBe(1);
    at.clock.now += 1;
    expect(await refresh()).toEqual({
      __type: "RefreshTokenReuseException",
      message: "Refresh token has been invalidated by rotation",
    });
    expect(liveSessions()).toBe(0);
    expect(at.noted()).toEqual(["session_reused"]);
    expect(at.log.mock.calls).toEqual([["warn", "identity.refresh.reused", { driverId: at.sub }]]);
    expect(at.onAccountChange.mock.calls).toEqual([[at.sub]]);
    expect(await refresh(next.RefreshToken)).toMatchObject({ message: "Refresh Token has been revoked" });
  });

  it("are renewed for thirty days after the sign-in, for an account that is there and enabled", async () => {
    expect(await refresh("forged")).toMatchObject({ message: "Invalid Refresh Token" });
    at.clock.now = NOW + 30 * DAY_MS;
    expect(await refresh()).toMatchObject({ message: "Refresh Token has expired" });
    at.clock.now -= 1;
    at.run(`UPDATE pool_users SET enabled = 0`);
    expect(await refresh()).toMatchObject({ message: "User is disabled." });
    at.run(`DELETE FROM pool_users`);
    expect(await refresh()).toMatchObject({ message: "Refresh Token has been revoked" });
  });

  it("end where the session is signed out, here or everywhere", async () => {
    expect((await at.call("RevokeToken", { Token: at.AccessToken })).type).toBe(
      "UnsupportedTokenTypeException",
    );
    expect((await at.call("RevokeToken", { Token: "unknown" })).answer).toEqual({});
    expect(at.noted()).toEqual([]);
    expect((await at.call("RevokeToken", { Token: at.RefreshToken })).answer).toEqual({});
    expect(at.noted()).toEqual(["signed_out"]);
    expect(await at.ask("GetUser")).toBe("NotAuthorizedException: Access Token has been revoked");
    at = openMember();
    await at.signIn();
    at.note.mockClear();
    expect(await at.ask("GlobalSignOut")).toEqual({});
    expect([liveSessions(), at.noted(), at.onAccountChange.mock.calls]).toEqual([
      0,
      ["signed_out_everywhere"],
      [[at.sub]],
    ]);
  });

  it("open nothing once they expired, or the account is disabled or gone", async () => {
    at.run(`UPDATE pool_users SET enabled = 0`);
    expect(await at.ask("GetUser")).toBe("NotAuthorizedException: User is disabled.");
    at.run(`DELETE FROM pool_users`);
    expect(await at.ask("GetUser")).toBe("UserNotFoundException: User does not exist.");
    expect(await at.ask("GlobalSignOut")).toBe("NotAuthorizedException: Access Token has been revoked");
    expect(await at.ask("GetUser", { AccessToken: at.IdToken })).toBe(
      "NotAuthorizedException: Invalid Access Token",
    );
    at.clock.now = NOW + HOUR_MS;
    expect(await at.ask("GetUser")).toBe("NotAuthorizedException: Access Token has expired");
  });

  it("end with the account, which needs a fresh sign-in", async () => {
    at.clock.now = NOW + 10 * MINUTE_MS + 1;
    expect(await at.ask("DeleteUser")).toBe(STALE);
    at.clock.now = NOW;
    expect((await at.call("DeleteUser", { AccessToken: at.AccessToken })).status).toBe(200);
    expect(at.row()).toBeUndefined();
    expect(at.noted()).toEqual(["account_deleted"]);
    expect(at.onAccountChange.mock.calls).toEqual([[at.sub]]);
  });
});

describe("signing in by a texted code", () => {
  const start = async (USERNAME = PHONE) =>
    (await at.call("InitiateAuth", { AuthFlow: "CUSTOM_AUTH", AuthParameters: { USERNAME } })).answer;

  it("works once, and looks alike for a number that has no account", async () => {
    const challenge = await start();
    expect(challenge).toMatchObject({
      ChallengeName: "CUSTOM_CHALLENGE",
      ChallengeParameters: {
        USERNAME: at.sub,
        CODE_DELIVERY_DELIVERY_MEDIUM: "SMS",
        CODE_DELIVERY_DESTINATION: "+*******0123",
      },
    });
    const wrong = { message: "Incorrect username or password." };
    expect(await at.respond(challenge, { ANSWER: wrongCode() })).toMatchObject(wrong);
    expect(at.noted()).toEqual(["sign_in_failed"]);
    expect(await at.respond(challenge, { ANSWER: at.code() })).toHaveProperty("AuthenticationResult");
    const unknown = await start(OTHER_PHONE);
    expect(unknown).toMatchObject({
      ChallengeName: "CUSTOM_CHALLENGE",
      ChallengeParameters: { CODE_DELIVERY_DESTINATION: "+*******0999" },
    });
    expect(at.texts.filter(({ to }) => to === OTHER_PHONE)).toEqual([]);
    expect(await at.respond(unknown, { USERNAME: OTHER_PHONE, ANSWER: "123456" })).toMatchObject(wrong);
  });

  it("sends a disabled account nothing, and relies on a code that was just sent", async () => {
    await start();
    const sent = at.code();
    const again = await start();
    expect(at.texts).toHaveLength(1);
    expect(await at.respond(again, { ANSWER: sent })).toHaveProperty("AuthenticationResult");
    at.run(`UPDATE pool_users SET enabled = 0`);
    at.clock.now += HOUR_MS;
    expect(await start()).toMatchObject({ ChallengeName: "CUSTOM_CHALLENGE" });
    expect(at.texts).toHaveLength(1);
  });

  it("is refused while no code may be sent and none is good", async () => {
    at.gateway.refuses = "limit";
    expect(await start()).toMatchObject({ __type: "TooManyRequestsException" });
  });
});
