import { beforeEach, describe, expect, it } from "vitest";
import { driverId } from "../../db/shapes/units.ts";
import { DEFAULT_LIMITS } from "../../worker/identity/pool-context.ts";
import { NOW, openPool, OTHER, PASSWORD, PHONE, type Pool } from "./pool-harness.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The registering caller: an address, and the secret of the page. */
type Registrant = { from?: string; secret?: string };
const SECRET = "abcdefghij-_0123456789";

let at: Pool;
beforeEach(() => {
  at = openPool();
});

describe("registering", () => {
  const signUp = (metadata: Record<string, string> | null = null) =>
    at.call("SignUp", {
      Username: PHONE,
      Password: PASSWORD,
      ...(metadata && { ClientMetadata: metadata }),
    });
  const accounts = () => at.rows(`SELECT status, phone_verified FROM pool_users`);

  it("asks whether a person does it, where that is set", async () => {
    const asked: unknown[] = [];
    const isHuman = async (...given: [string | null, string | null]) => {
      asked.push(given);
      return given[0] === "passed";
    };
    at = openPool({ isHuman });
    expect((await signUp()).type).toBe("UserLambdaValidationException");
    expect((await signUp({ challenge: "failed" })).type).toBe("UserLambdaValidationException");
    expect((await signUp({ other: "passed" })).type).toBe("UserLambdaValidationException");
    expect([accounts(), at.texts]).toEqual([[], []]);
    const headers = { "cf-connecting-ip": "192.0.2.1" };
    const body = { Username: PHONE, Password: PASSWORD, ClientMetadata: { challenge: "passed" } };
    expect((await at.call("SignUp", body, headers)).type).toBe("done");
    expect(asked).toEqual([
      [null, null],
      ["failed", null],
      [null, null],
      ["passed", "192.0.2.1"],
    ]);
    at = openPool({ isHuman: null });
    expect((await signUp()).type).toBe("done");
  });

  it("makes an account that nobody can sign in to yet, and says where its code went", async () => {
    expect((await signUp()).answer).toEqual({
      UserConfirmed: false,
      UserSub: expect.stringMatching(/^[0-9a-f-]{36}$/),
      CodeDeliveryDetails: {
        AttributeName: "phone_number",
        DeliveryMedium: "SMS",
        Destination: "+*******0123",
      },
    });
    expect(at.rows(`SELECT * FROM pool_users`)).toMatchObject([
      { status: "UNCONFIRMED", enabled: 1, phone_verified: 0, sms_mfa: 0, software_token_mfa: 0 },
    ]);
  });

  it.each([
    [{ Username: "ana" }, "Username should be a phone number."],
    [{ UserAttributes: [{ Name: "phone_number", Value: "+15550100999" }] }, "Invalid phone number format."],
    [{ Password: "weak" }, "Password did not conform with policy: Password not long enough"],
  ])(
    "is refused with %j, also for a number that somebody registers, and nothing is sent",
    async (wrong, message) => {
      for (const sent of [0, 1]) {
        const { answer } = await at.call("SignUp", { Username: PHONE, Password: PASSWORD, ...wrong });
        expect([answer["message"], at.texts.length]).toEqual([message, sent]);
        if (sent === 0) await signUp();
      }
    },
  );

  it("takes the number itself for an attribute", async () => {
    const UserAttributes = [{ Name: "phone_number", Value: PHONE }];
    const { type } = await at.call("SignUp", { Username: PHONE, Password: PASSWORD, UserAttributes });
    expect(type).toBe("done");
  });

  it("works for two at once, for as long as somebody has a code, and not once the number is confirmed", async () => {
    const both = await Promise.all([signUp(), signUp()]);
    expect(both.map(({ type }) => type)).toEqual(["done", "done"]);
    expect(accounts()).toHaveLength(1);
    at.gateway.refuses = "limit";
    expect((await signUp()).type).toBe("done");
    at.clock.now += 10 * MINUTE_MS;
    expect((await signUp()).type).toBe("LimitExceededException");
    at.gateway.refuses = null;
    await signUp();
    const confirm = () => at.call("ConfirmSignUp", { Username: PHONE, ConfirmationCode: at.code() });
    expect((await confirm()).type).toBe("done");
    expect((await confirm()).answer["message"]).toBe("User cannot be confirmed. Current status is CONFIRMED");
    expect((await signUp()).type).toBe("UsernameExistsException");
    const resent = await at.call("ResendConfirmationCode", { Username: PHONE });
    expect(resent.answer["message"]).toBe("User is already confirmed.");
  });

  it.each<[string, before: Registrant, after: Registrant, status: string]>([
    ["the same network", {}, {}, "CONFIRMED"],
    ["another network", {}, { from: "198.51.100.9" }, "RESET_REQUIRED"],
    [
      "another network by its secret",
      { secret: SECRET },
      { from: "198.51.100.9", secret: SECRET },
      "CONFIRMED",
    ],
    [
      "a long secret",
      { secret: SECRET.padEnd(64, "x") },
      { from: "", secret: SECRET.padEnd(64, "x") },
      "CONFIRMED",
    ],
    ["another secret", { secret: SECRET }, { secret: `x${SECRET.slice(1)}` }, "RESET_REQUIRED"],
    ["no secret any more", { secret: SECRET }, {}, "CONFIRMED"],
    ...[SECRET.slice(1), SECRET.padEnd(65, "x"), `${SECRET}!`, `!${SECRET}`].map(
      (secret): [string, Registrant, Registrant, string] => [
        `what is no secret (${secret.length})`,
        { secret },
        { from: "198.51.100.9", secret },
        "RESET_REQUIRED",
      ],
    ),
  ])("counts the password of who enters the code, known by %s", async (_name, before, after, status) => {
    const by = ({ from = "203.0.113.7", secret }: Registrant): [object, Record<string, string>] => [
      secret === undefined ? {} : { ClientMetadata: { registration: secret } },
      from === "" ? {} : { "cf-connecting-ip": from },
    ];
    const [named, headers] = by(before);
    await at.call("SignUp", { Username: PHONE, Password: PASSWORD, ...named }, headers);
    const [entered, later] = by(after);
    await at.call("ConfirmSignUp", { Username: PHONE, ConfirmationCode: at.code(), ...entered }, later);
    expect(accounts()).toMatchObject([{ status }]);
  });

  it("is confirmed once by two who enter the code at the same time", async () => {
    await signUp();
    const confirm = () => at.call("ConfirmSignUp", { Username: PHONE, ConfirmationCode: at.code() });
    const both = await Promise.all([confirm(), confirm()]);
    expect(both.filter(({ type }) => type === "done")).toHaveLength(1);
    expect(at.noted().filter((name) => name === "registered")).toHaveLength(1);
  });

  it("is confirmed by nobody without an account", async () => {
    const { type } = await at.call("ConfirmSignUp", { Username: PHONE, ConfirmationCode: "123456" });
    expect(type).toBe("ExpiredCodeException");
  });

  it("leaves the number free where nobody got a code", async () => {
    at.gateway.fails = { reason: "no_gateway", mayArrive: false };
    expect((await signUp()).type).toBe("CodeDeliveryFailureException");
    expect(accounts()).toEqual([]);
    at.gateway.fails = null;
    expect((await signUp()).type).toBe("done");
    at.gateway.fails = { reason: "no_gateway", mayArrive: false };
    expect((await signUp()).type).toBe("CodeDeliveryFailureException");
    // It was registered before, and a code for it may be on its way.
    expect(accounts()).toEqual([{ status: "UNCONFIRMED", phone_verified: 0 }]);
  });

  it("keeps the account whose code may arrive, though the gateway didn't say so", async () => {
    at.gateway.fails = { reason: "no_gateway", mayArrive: true };
    expect((await signUp()).type).toBe("CodeDeliveryFailureException");
    const confirm = { Username: PHONE, ConfirmationCode: at.code() };
    expect((await at.call("ConfirmSignUp", confirm)).type).toBe("done");
    expect(accounts()).toEqual([{ status: "CONFIRMED", phone_verified: 1 }]);
  });

  it.each([true, false])("keeps the account of who registered it meanwhile: %s", async (isConfirmed) => {
    at.gateway.fails = { reason: "no_gateway", mayArrive: false };
    at.gateway.meanwhile = async () => {
      at.gateway.fails = null;
      at.gateway.meanwhile = async () => {};
      expect((await signUp()).type).toBe("done");
      if (isConfirmed) await at.call("ConfirmSignUp", { Username: PHONE, ConfirmationCode: at.code() });
    };
    expect((await signUp()).type).toBe("CodeDeliveryFailureException");
    if (!isConfirmed) await at.call("ConfirmSignUp", { Username: PHONE, ConfirmationCode: at.code() });
    expect(accounts()).toEqual([{ status: "CONFIRMED", phone_verified: 1 }]);
    const AuthParameters = { USERNAME: PHONE, PASSWORD };
    const signedIn = await at.call("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters });
    expect(signedIn.type).toBe("done");
  });

  it.each([
    ["ceiling", "Too many codes were sent in the last hours. Please try again later."],
    ["number", "Invalid phone number format."],
    ["stopped", "The phone number is opted out of texts."],
    ["limit", "Attempt limit exceeded, please try after some time."],
  ] as const)("is refused where the way to texts says %s", async (reason, message) => {
    at.gateway.refuses = reason;
    expect((await signUp()).answer["message"]).toBe(message);
    expect(accounts()).toEqual([]);
  });

  it("looks alike for a number that nobody registers, which is counted and sent nothing", async () => {
    const resend = async (Username = PHONE) => (await at.call("ResendConfirmationCode", { Username })).type;
    const resent = (Username: string) => at.call("ResendConfirmationCode", { Username });
    const where = { CodeDeliveryDetails: expect.objectContaining({ Destination: "+*******0999" }) };
    expect((await resent("+15550100999")).answer).toEqual(where);
    await at.call("SignUp", { Username: "+15550100999", Password: PASSWORD });
    expect((await resent("+15550100999")).answer).toEqual(where);
    at = openPool();
    expect(await resend()).toBe("done");
    expect(at.asked).toMatchObject([{ to: PHONE, isProved: false, isDecoy: true }]);
    expect(await resend()).toBe("LimitExceededException");
    expect(at.texts).toEqual([]);
    at.gateway.refuses = "limit";
    at.clock.now = NOW + DAY_MS;
    expect(await resend()).toBe("LimitExceededException");
    at = openPool();
    await signUp();
    expect([await resend(), await resend()]).toEqual(["done", "LimitExceededException"]);
    expect(at.asked[0]).toMatchObject({ to: PHONE, isProved: false, isDecoy: false });
    // A sub is no number, so there is no text to count.
    expect([await resend(OTHER), await resend(OTHER)]).toEqual(["done", "LimitExceededException"]);
    expect(at.asked.map(({ to }) => to)).not.toContain(OTHER);
  });

  it("is noted with who did it, and makes the browser known", async () => {
    await signUp();
    const headers = { "cf-connecting-ip": "192.0.2.1", "user-agent": "Mozilla/5.0 (iPhone) CriOS/120" };
    const confirm = { Username: PHONE, ConfirmationCode: at.code() };
    const { headers: answered } = await at.call("ConfirmSignUp", confirm, headers);
    expect(answered.get("set-cookie")).toMatch(/^__Secure-known-browser=/);
    const [row] = at.rows(`SELECT id FROM pool_users`);
    expect(at.note.mock.calls).toEqual([
      [
        {
          event: "registered",
          account: row?.["id"],
          caller: { address: "192.0.2.1", device: { browser: "Chrome", system: "iPhone", country: null } },
        },
      ],
    ]);
  });
});

describe("the remains of guesses", () => {
  it("are notes, and a word to whoever is to warn the owner", async () => {
    const locked: unknown[] = [];
    at = openPool({
      onGuessLock: async (...given) => void locked.push(given),
      limits: { guesses: { ...DEFAULT_LIMITS.guesses, free: 2 } },
    });
    const sub = await at.register();
    const guess = () =>
      at.call("InitiateAuth", {
        AuthFlow: "USER_PASSWORD_AUTH",
        AuthParameters: { USERNAME: PHONE, PASSWORD: "Wrong-1-password" },
      });
    await guess();
    expect(at.noted()).toEqual(["sign_in_failed"]);
    expect(locked).toEqual([]);
    await guess();
    expect(at.noted()).toEqual(["sign_in_failed", "sign_in_failed", "locked"]);
    expect(locked).toEqual([[sub, NOW + 3_600_000]]);
    const refused = await guess();
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect(at.noted().at(-1)).toBe("sign_in_refused");
  });

  it("need nobody to tell", async () => {
    at = openPool({ limits: { guesses: { ...DEFAULT_LIMITS.guesses, free: 1 } } });
    await at.register();
    const wrong = { USERNAME: PHONE, PASSWORD: "Wrong-1-password" };
    const answer = await at.call("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: wrong });
    expect(answer.type).toBe("NotAuthorizedException");
  });
});

describe("an account", () => {
  it("is exported without secrets, and found by its number of now", async () => {
    const sub = driverId.parse(await at.register());
    expect(await at.pool.exportAccount(sub)).toEqual({
      phoneNumber: PHONE,
      phoneVerified: true,
      attributes: {},
      status: "CONFIRMED",
      createdAt: NOW,
      signIns: [],
      passkeys: [],
    });
    expect(await at.pool.exportAccount(OTHER)).toBeNull();
    expect([await at.pool.findNumber(sub), await at.pool.findNumber(OTHER)]).toEqual([PHONE, null]);
  });

  it("that nobody confirmed within a day is swept away", async () => {
    await at.call("SignUp", { Username: PHONE, Password: PASSWORD });
    at.clock.now = NOW + DAY_MS;
    expect(await at.pool.sweepUnconfirmed()).toBe(0);
    at.clock.now += 1;
    expect(await at.pool.sweepUnconfirmed()).toBe(1);
    expect(at.rows(`SELECT id FROM pool_users`)).toEqual([]);
  });

  it("that somebody registers again a day later is there for as long as its code", async () => {
    await at.call("SignUp", { Username: PHONE, Password: PASSWORD });
    at.clock.now = NOW + DAY_MS;
    await at.call("SignUp", { Username: PHONE, Password: PASSWORD });
    const confirm = { Username: PHONE, ConfirmationCode: at.code() };
    at.clock.now += DEFAULT_LIMITS.codeLifetimeMs - 1;
    expect(await at.pool.sweepUnconfirmed()).toBe(0);
    const kept = at.image();
    at.clock.now += 1;
    expect(await at.pool.sweepUnconfirmed()).toBe(1);
    at = openPool({ now: () => NOW + DAY_MS + 1 }, kept);
    expect((await at.call("ConfirmSignUp", confirm)).type).toBe("done");
  });
});

describe("a password of words that a stranger knows", () => {
  const CONTEXT =
    "InvalidPasswordException: Provided password cannot be made of the product's name or of your name, phone number or e-mail address.";

  it("is refused at registering, at a change and at a reset, where it doesn't use up the code", async () => {
    const at = openPool({ productName: "Jornada" });
    const ask = async (operation: string, body: object) => {
      const { status, type, answer } = await at.call(operation, body);
      return status === 200 ? answer : `${type}: ${answer["message"]}`;
    };
    const UserAttributes = [{ Name: "name", Value: "Ana Conceicao" }];
    const signUp = { Username: PHONE, UserAttributes };
    for (const Password of ["Jornada1!", "Conceicao-12", `Aa!${PHONE.slice(2)}`])
      expect(await ask("SignUp", { ...signUp, Password })).toBe(CONTEXT);
    expect(at.texts).toEqual([]);
    await at.call("SignUp", { ...signUp, Password: PASSWORD });
    const ConfirmationCode = /\d{6}/.exec(at.texts[0]?.body ?? "")?.[0];
    expect(await ask("ConfirmSignUp", { Username: PHONE, ConfirmationCode })).toEqual({});
    await at.call("ForgotPassword", { Username: PHONE });
    const code = /\d{6}/.exec(at.texts.at(-1)?.body ?? "")?.[0];
    const reset = (Password: string) =>
      ask("ConfirmForgotPassword", { Username: PHONE, ConfirmationCode: code, Password });
    for (const Password of ["Jornada1!", `Aa!${PHONE.slice(2)}`]) expect(await reset(Password)).toBe(CONTEXT);
    expect(await reset("Jornada-2-demo")).toEqual({});
  });
});
