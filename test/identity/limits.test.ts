import { beforeEach, expect, it } from "vitest";
import { openPoolHarness, newPhone, PASSWORD, type PoolHarness } from "./harness.ts";

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

type Failure = { type: unknown; message: unknown };

async function call(operation: string, body: object): Promise<Failure | "done"> {
  const response = await harness.call(operation, { ClientId: harness.clientId, ...body });
  if (response.status === 200) return "done";
  return { type: response.body["__type"], message: response.body["message"] };
}

function signIn(phone: string, password: string): Promise<Failure | "done"> {
  const AuthParameters = { USERNAME: phone, PASSWORD: password };
  return call("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters });
}

const WRONG = { type: "NotAuthorizedException", message: "Incorrect username or password." };
const LOCKED = { type: "NotAuthorizedException", message: "Password attempts exceeded" };
const LIMITED = {
  type: "LimitExceededException",
  message: "Attempt limit exceeded, please try after some time.",
};

it("locks sign-in for 1, 2, 4 seconds from the fifth wrong password on, for unknown numbers too", async () => {
  const { phone } = await harness.register();
  for (const name of [phone, newPhone()]) {
    for (let i = 0; i < 5; i++) expect(await signIn(name, "Wrong-1-password")).toEqual(WRONG);
    expect(await signIn(name, "Wrong-1-password")).toEqual(LOCKED);
    for (const lockMs of [1000, 2000, 4000]) {
      harness.advanceClock(lockMs - 1);
      expect(await signIn(name, PASSWORD)).toEqual(LOCKED);
      harness.advanceClock(1);
      expect(await signIn(name, "Wrong-1-password")).toEqual(WRONG);
    }
  }
});

it("resets the count of wrong passwords after a right one, and after 15 minutes", async () => {
  const { phone } = await harness.register();
  for (const reset of [() => signIn(phone, PASSWORD), async () => harness.advanceClock(15 * 60_000)]) {
    for (let i = 0; i < 4; i++) expect(await signIn(phone, "Wrong-1-password")).toEqual(WRONG);
    await reset();
    for (let i = 0; i < 4; i++) expect(await signIn(phone, "Wrong-1-password")).toEqual(WRONG);
    await signIn(phone, PASSWORD);
  }
});

it("checks only five of twenty passwords that are tried in parallel", async () => {
  const { phone } = await harness.register();
  const results = await Promise.all(Array.from({ length: 20 }, () => signIn(phone, "Wrong-1-password")));
  const count = (one: Failure) =>
    results.filter((other) => JSON.stringify(other) === JSON.stringify(one)).length;
  expect({ wrong: count(WRONG), locked: count(LOCKED) }).toEqual({ wrong: 5, locked: 15 });
});

it("lifts the lock when the password is reset", async () => {
  const { phone } = await harness.register();
  for (let i = 0; i < 9; i++) await signIn(phone, "Wrong-1-password");
  await call("ForgotPassword", { Username: phone });
  const ConfirmationCode = harness.codeFor(phone);
  await call("ConfirmForgotPassword", { Username: phone, ConfirmationCode, Password: "Other-2-password" });
  expect(await signIn(phone, "Other-2-password")).toBe("done");
});

it("allows five tries per code, parallel ones included", async () => {
  const phone = newPhone();
  await call("SignUp", { Username: phone, Password: PASSWORD });
  const right = harness.codeFor(phone);
  const wrong = right === "000000" ? "000001" : "000000";
  const tryCode = (ConfirmationCode: string) => call("ConfirmSignUp", { Username: phone, ConfirmationCode });
  const results = await Promise.all(Array.from({ length: 8 }, () => tryCode(wrong)));
  expect(results.filter((one) => one !== "done" && one.type === "CodeMismatchException")).toHaveLength(5);
  expect(await tryCode(right)).toEqual(LIMITED);
  harness.advanceClock(30_000);
  await call("ResendConfirmationCode", { Username: phone });
  expect(await tryCode(harness.codeFor(phone))).toBe("done");
});

it("sends another code at once the first time, then 30 seconds apart, and at most three more per hour", async () => {
  const { phone } = await harness.register();
  harness.texts.length = 0;
  /** @returns how many texts there are by then; a code that was sent before can still be entered */
  const requestCode = async () => {
    expect(await call("ForgotPassword", { Username: phone })).toBe("done");
    return harness.texts.length;
  };
  expect([await requestCode(), await requestCode(), await requestCode()]).toEqual([1, 2, 2]);
  harness.advanceClock(29_999);
  expect(await requestCode()).toBe(2);
  harness.advanceClock(1);
  expect(await requestCode()).toBe(3);
  harness.advanceClock(30_000);
  expect(await requestCode()).toBe(4);
  harness.advanceClock(30_000);
  expect(await requestCode()).toBe(4);
  harness.advanceClock(60 * 60_000);
  expect(await requestCode()).toBe(5);
});

it("keeps nobody from resetting a password by asking for codes, until the last one expires or has no tries left", async () => {
  const { phone } = await harness.register();
  for (let asked = 0; asked < 4; asked++) {
    await call("ForgotPassword", { Username: phone });
    harness.advanceClock(30_000);
  }
  const sent = harness.texts.length;
  expect(await call("ForgotPassword", { Username: phone })).toBe("done");
  const code = harness.codeFor(phone);
  const reset = { Username: phone, Password: "Other-2-password" };
  const wrong = { ...reset, ConfirmationCode: code === "000000" ? "000001" : "000000" };
  for (let tries = 0; tries < 4; tries++) await call("ConfirmForgotPassword", wrong);
  expect(await call("ForgotPassword", { Username: phone })).toBe("done");
  await call("ConfirmForgotPassword", wrong);
  expect(await call("ForgotPassword", { Username: phone })).toEqual(LIMITED);
  const response = await harness.call(
    "ConfirmForgotPassword",
    { ClientId: harness.clientId, ...reset, ConfirmationCode: code },
    "192.0.2.1",
  );
  expect(response.status).toBe(200);
  expect(await call("ForgotPassword", { Username: phone })).toEqual(LIMITED);
  expect(harness.texts).toHaveLength(sent);
});

it("writes the text in the user's language", async () => {
  const languages = [
    { ClientMetadata: { language: "pt" } },
    { UserAttributes: [{ Name: "locale", Value: "es-MX" }] },
    {},
  ];
  for (const more of languages) await call("SignUp", { Username: newPhone(), Password: PASSWORD, ...more });
  expect(harness.texts.map(({ body }) => body.slice(0, 2))).toEqual(["pt", "es", "en"]);
});

it("counts wrong tries to change a password separately from those at sign-in", async () => {
  const { phone } = await harness.register();
  const AuthParameters = { USERNAME: phone, PASSWORD };
  const start = { ClientId: harness.clientId, AuthFlow: "USER_PASSWORD_AUTH", AuthParameters };
  const { body } = await harness.call("InitiateAuth", start);
  const { AccessToken } = Object(body["AuthenticationResult"]);
  const change = { AccessToken, PreviousPassword: "Wrong-1-password", ProposedPassword: "Other-2-password" };
  for (let i = 0; i < 5; i++) expect(await call("ChangePassword", change)).toEqual(WRONG);
  expect(await call("ChangePassword", change)).toEqual(LIMITED);
  expect(await signIn(phone, PASSWORD)).toBe("done");
});

it("locks for 15 minutes at most", async () => {
  const { phone } = await harness.register();
  for (let i = 0; i < 15; i++) {
    expect(await signIn(phone, "Wrong-1-password")).toEqual(WRONG);
    harness.advanceClock(i < 14 ? 2 ** Math.max(0, i - 4) * 1000 : 0);
  }
  harness.advanceClock(15 * 60_000 - 1);
  expect(await signIn(phone, PASSWORD)).toEqual(LOCKED);
  harness.advanceClock(1);
  expect(await signIn(phone, PASSWORD)).toBe("done");
});

it("keeps the count of one account while another one signs in", async () => {
  const [one, other] = [await harness.register(), await harness.register()];
  for (let i = 0; i < 4; i++) await signIn(one.phone, "Wrong-1-password");
  harness.advanceClock(1);
  await signIn(other.phone, "Wrong-1-password");
  expect(await signIn(one.phone, "Wrong-1-password")).toEqual(WRONG);
  expect(await signIn(one.phone, PASSWORD)).toEqual(LOCKED);
});

it("limits codes for unknown numbers like those for unconfirmed accounts", async () => {
  const [unconfirmed, unknown] = [newPhone(), newPhone()];
  await call("SignUp", { Username: unconfirmed, Password: PASSWORD });
  harness.advanceClock(30_000);
  for (const Username of [unconfirmed, unknown]) {
    expect(await call("ResendConfirmationCode", { Username })).toBe("done");
    expect(await call("ResendConfirmationCode", { Username })).toEqual(LIMITED);
  }
});

it("resets the count of wrong passwords after a right code in the custom flow", async () => {
  const { phone } = await harness.register();
  for (let round = 0; round < 2; round++) {
    harness.advanceClock(30_000);
    for (let i = 0; i < 4; i++) expect(await signIn(phone, "Wrong-1-password")).toEqual(WRONG);
    const start = {
      ClientId: harness.clientId,
      AuthFlow: "CUSTOM_AUTH",
      AuthParameters: { USERNAME: phone },
    };
    const { body } = await harness.call("InitiateAuth", start);
    expect(await harness.respond(body, { USERNAME: phone, ANSWER: harness.codeFor(phone) })).toHaveProperty(
      "AuthenticationResult",
    );
  }
});

it("starts the custom flow again with the previous code, unless that has no tries left", async () => {
  const { phone } = await harness.register();
  for (const USERNAME of [phone, newPhone()]) {
    const AuthParameters = { USERNAME };
    const start = { ClientId: harness.clientId, AuthFlow: "CUSTOM_AUTH", AuthParameters };
    const { body } = await harness.call("InitiateAuth", start);
    expect((await harness.call("InitiateAuth", start)).status).toBe(200);
    const wrong = harness.codeFor(phone) === "000000" ? "000001" : "000000";
    for (let i = 0; i < 5; i++) {
      expect(await harness.respond(body, { USERNAME, ANSWER: wrong })).toMatchObject({
        message: WRONG.message,
      });
    }
    expect((await harness.call("InitiateAuth", start)).body).toMatchObject({
      __type: "TooManyRequestsException",
    });
  }
  expect(harness.texts.filter(({ to }) => to === phone)).toHaveLength(2);
});
