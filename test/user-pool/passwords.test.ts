import * as z from "zod";
import { beforeEach, describe, expect, it } from "vitest";
import { openMember, type Member } from "./member.ts";
import { OTHER_PHONE, PASSWORD, PHONE } from "./pool-harness.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const OTHER_PASSWORD = "Other-2-password";
let at: Member;
beforeEach(() => {
  at = openMember({ settings: {} });
});
const delivery = (last: string) => ({
  AttributeName: "phone_number",
  DeliveryMedium: "SMS",
  Destination: `+*******${last}`,
});
const LIMIT = "LimitExceededException: Attempt limit exceeded, please try after some time.";
const WRONG = "NotAuthorizedException: Incorrect username or password.";
const wrongCode = () => (at.code() === "000000" ? "000001" : "000000");
const liveSessions = () => at.rows(`SELECT origin_jti FROM pool_sessions WHERE revoked_at IS NULL`).length;

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

  it("is set once by two sessions that do so at the same time, and ends the other", async () => {
    const other = await at.signIn();
    const { AccessToken } = z.object({ AccessToken: z.string() }).parse(other["AuthenticationResult"]);
    const passwords = [OTHER_PASSWORD, "Third-3-password"] as const;
    const asked = passwords.map((ProposedPassword) => ({ PreviousPassword: PASSWORD, ProposedPassword }));
    const answers = await Promise.all([
      at.ask("ChangePassword", { ...asked[0] }),
      at.ask("ChangePassword", { ...asked[1], AccessToken }),
    ]);
    const refused = answers.findIndex((answer) => typeof answer === "string");
    expect(answers.toSpliced(refused, 1)).toEqual([{}]);
    expect(answers[refused]).toBe("NotAuthorizedException: Access Token has been revoked");
    expect([liveSessions(), at.rows(`SELECT kind FROM pool_notices`)]).toEqual([1, [{ kind: "password" }]]);
    expect(await at.signIn(passwords[1 - refused])).toHaveProperty("AuthenticationResult");
  });

  it("is not set by who does not, nor a weak one, and five wrong ones lock", async () => {
    expect(await change(PASSWORD, "weak")).toBe(
      "InvalidPasswordException: Password did not conform with policy: Password not long enough",
    );
    expect(await change(PASSWORD, "Password1!")).toBe(
      "InvalidPasswordException: Provided password cannot be used for security reasons.",
    );
    expect(await change(null)).toBe(WRONG);
    expect(await change("Wrong-1-password", "Wrong-1-password")).toBe(WRONG);
    for (let tries = 0; tries < 3; tries += 1) expect(await change("Wrong-1-password")).toBe(WRONG);
    expect(await change()).toBe(LIMIT);
    expect(at.noted()).toEqual(Array.from({ length: 5 }, () => "sign_in_failed"));
    at.clock.now += 1000;
    expect(await change()).toEqual({});
  });

  it("is another than the present one, of which no text says that it is new", async () => {
    await at.signIn();
    at.note.mockClear();
    expect(await change(PASSWORD, PASSWORD)).toBe(
      "PasswordHistoryPolicyViolationException: The password was used before.",
    );
    expect([liveSessions(), at.noted(), at.rows(`SELECT kind FROM pool_notices`)]).toEqual([2, [], []]);
  });

  it("is answered as done where the session that set it sends it again, without another text", async () => {
    at.clock.now += 1000;
    expect(await change()).toEqual({});
    at.note.mockClear();
    at.onAccountChange.mockClear();
    at.clock.now += 10 * MINUTE_MS;
    for (let times = 0; times < 9; times += 1) expect(await change()).toEqual({});
    expect([at.noted(), at.onAccountChange.mock.calls]).toEqual([[], []]);
    expect(at.rows(`SELECT kind FROM pool_notices`)).toHaveLength(1);
    at.clock.now += 1;
    expect(await change()).toBe(WRONG);
  });

  it("is not answered as done to a session of later, nor with another one, and each that is tried counts", async () => {
    at.clock.now += 1000;
    expect(await change()).toEqual({});
    at.clock.now += 1000;
    const later = await at.signIn(OTHER_PASSWORD);
    const { AccessToken } = z.object({ AccessToken: z.string() }).parse(later["AuthenticationResult"]);
    const asked = { PreviousPassword: PASSWORD, ProposedPassword: OTHER_PASSWORD };
    expect(await at.ask("ChangePassword", { ...asked, AccessToken })).toBe(WRONG);
    at.note.mockClear();
    for (let tries = 0; tries < 2; tries += 1) expect(await change(PASSWORD, "Third-3-password")).toBe(WRONG);
    expect(await change()).toBe(LIMIT);
    expect(at.noted()).toEqual(Array.from({ length: 4 }, () => "sign_in_failed"));
  });

  it("is set five times an hour at most, since each sends a text", async () => {
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

  it("is compared exactly as it was typed, and lasts until its owner changes it", async () => {
    const typed = `${"Ünï-code 1 ".repeat(6)}Aß`;
    expect(await change(PASSWORD, typed)).toEqual({});
    const altered = [
      typed.toLowerCase(),
      typed.slice(0, 64),
      typed.normalize("NFD"),
      typed.replaceAll(" ", ""),
    ];
    for (const other of altered)
      expect(await at.signIn(other)).toMatchObject({ __type: "NotAuthorizedException" });
    at.clock.now += 5 * 365 * 24 * HOUR_MS;
    expect(await at.signIn(typed)).toHaveProperty("AuthenticationResult");
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

  it("says why its code was not sent, and whether there is such an account only where that is set", async () => {
    const forgot = async (Username = PHONE) => (await at.call("ForgotPassword", { Username })).answer;
    at.gateway.fails = { reason: "stopped", mayArrive: false };
    const stopped = await forgot();
    at.gateway.fails = { reason: "no_gateway", mayArrive: false };
    expect((await forgot()).message).toBe("The code could not be delivered.");
    expect(stopped.message).toBe("The phone number is opted out of texts.");
    at.gateway.fails = null;
    at.gateway.refuses = "limit";
    expect((await forgot()).__type).toBe("LimitExceededException");
    at = openMember({ settings: { forgotPasswordRevealsUnknown: false } });
    expect(await forgot(OTHER_PHONE)).toEqual({ CodeDeliveryDetails: delivery("0999") });
  });

  it("has to be reset by a code where the present one can't be opened any more", async () => {
    at.run(`UPDATE pool_users SET password = 'v1.gone.a.b'`);
    const asked = { PreviousPassword: PASSWORD, ProposedPassword: OTHER_PASSWORD };
    expect(await at.ask("ChangePassword", asked)).toMatch(/^PasswordResetRequiredException/);
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
