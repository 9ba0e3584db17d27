import { beforeEach, describe, expect, it } from "vitest";
import { confirmPendingPhone } from "../../db/queries/identity/phone.ts";
import { driverId } from "../../db/shapes/units.ts";
import { DEFAULT_LIMITS } from "../../worker/identity/pool-context.ts";
import { openMember, type Member } from "./member.ts";
import { NOW, OTHER_PHONE, PASSWORD, PHONE } from "./pool-harness.ts";

const MINUTE_MS = 60_000;
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
  it("counts once its code is entered; every other session ends, and the former number gets a text", async () => {
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

  it("is changed once by two who enter the code at the same time, and told once", async () => {
    await update(own("phone_number", OTHER_PHONE));
    const both = await Promise.all([verify(), verify()]);
    expect(both.filter((answer) => typeof answer === "object")).toEqual([{}]);
    expect(at.noted().filter((name) => name === "phone_changed")).toHaveLength(1);
    expect(at.rows(`SELECT kind FROM pool_notices`)).toHaveLength(1);
  });

  it("leaves no code that went to the former one to rely on", async () => {
    const forgot = async (Username: string) => (await at.call("ForgotPassword", { Username })).type;
    const signIn = async (USERNAME: string) =>
      (await at.call("InitiateAuth", { AuthFlow: "CUSTOM_AUTH", AuthParameters: { USERNAME } })).type;
    for (let asked = 0; asked < 4; asked += 1) {
      expect(await forgot(PHONE)).toBe("done");
      at.clock.now += MINUTE_MS / 2;
    }
    await signIn(PHONE);
    expect([await forgot(PHONE), await signIn(PHONE)]).toEqual(["done", "done"]);
    await update(own("phone_number", OTHER_PHONE));
    expect(await verify()).toEqual({});
    expect([await forgot(OTHER_PHONE), await signIn(OTHER_PHONE)]).toEqual([
      "LimitExceededException",
      "TooManyRequestsException",
    ]);
  });

  it("is not changed by a session that was ended in the instant before", async () => {
    await update(own("phone_number", OTHER_PHONE));
    const keep = String(at.rows(`SELECT origin_jti FROM pool_sessions`)[0]?.["origin_jti"]);
    const change = { userId: driverId.parse(at.sub), phoneNumber: OTHER_PHONE, keep, now: at.clock.now };
    at.run(`UPDATE pool_sessions SET revoked_at = ?`, at.clock.now);
    expect(await confirmPendingPhone(at.deps.db, change)).toBe("taken");
    expect(at.row()).toMatchObject({ phone_number: PHONE });
    at.run(`UPDATE pool_sessions SET revoked_at = NULL`);
    expect(await confirmPendingPhone(at.deps.db, change)).toBe("confirmed");
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

  it("starts no more often than codes may be sent", async () => {
    await update(own("phone_number", OTHER_PHONE));
    await update(own("phone_number", OTHER_PHONE));
    expect(await update(own("phone_number", OTHER_PHONE))).toBe(
      "TooManyRequestsException: Too many requests",
    );
    expect(at.texts).toHaveLength(2);
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
    // Nothing holds up a client who enters codes that prove a phone.
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
