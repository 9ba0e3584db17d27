import { beforeEach, expect, it } from "vitest";
import { openPoolHarness, newPhone, PASSWORD, type PoolHarness } from "./harness.ts";

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

type Said = { type: unknown; message: unknown };

async function say(operation: string, body: object): Promise<Said | "done"> {
  const answer = await harness.call(operation, { ClientId: harness.clientId, ...body });
  if (answer.status === 200) return "done";
  return { type: answer.body["__type"], message: answer.body["message"] };
}

function enter(phone: string, password: string): Promise<Said | "done"> {
  const AuthParameters = { USERNAME: phone, PASSWORD: password };
  return say("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters });
}

const WRONG = { type: "NotAuthorizedException", message: "Incorrect username or password." };
const LOCKED = { type: "NotAuthorizedException", message: "Password attempts exceeded" };
const LIMITED = {
  type: "LimitExceededException",
  message: "Attempt limit exceeded, please try after some time.",
};

it("locks after five wrong passwords for a second, then two, then four; known and unknown numbers alike", async () => {
  const { phone } = await harness.register();
  for (const name of [phone, newPhone()]) {
    for (let i = 0; i < 5; i++) expect(await enter(name, "Wrong-1-password")).toEqual(WRONG);
    expect(await enter(name, "Wrong-1-password")).toEqual(LOCKED);
    for (const lockMs of [1000, 2000, 4000]) {
      harness.advanceClock(lockMs - 1);
      expect(await enter(name, PASSWORD)).toEqual(LOCKED);
      harness.advanceClock(1);
      expect(await enter(name, "Wrong-1-password")).toEqual(WRONG);
    }
  }
});

it("forgets wrong passwords after a right one, and after a quarter of an hour", async () => {
  const { phone } = await harness.register();
  for (const forget of [() => enter(phone, PASSWORD), async () => harness.advanceClock(15 * 60_000)]) {
    for (let i = 0; i < 4; i++) expect(await enter(phone, "Wrong-1-password")).toEqual(WRONG);
    await forget();
    for (let i = 0; i < 4; i++) expect(await enter(phone, "Wrong-1-password")).toEqual(WRONG);
    await enter(phone, PASSWORD);
  }
});

it("lets no more than five of many passwords at once be tried", async () => {
  const { phone } = await harness.register();
  const said = await Promise.all(Array.from({ length: 20 }, () => enter(phone, "Wrong-1-password")));
  const count = (one: Said) => said.filter((other) => JSON.stringify(other) === JSON.stringify(one)).length;
  expect({ wrong: count(WRONG), locked: count(LOCKED) }).toEqual({ wrong: 5, locked: 15 });
});

it("ends a lock with a new password", async () => {
  const { phone } = await harness.register();
  for (let i = 0; i < 9; i++) await enter(phone, "Wrong-1-password");
  await say("ForgotPassword", { Username: phone });
  const ConfirmationCode = harness.codeFor(phone);
  await say("ConfirmForgotPassword", { Username: phone, ConfirmationCode, Password: "Other-2-password" });
  expect(await enter(phone, "Other-2-password")).toBe("done");
});

it("gives a code five tries, many at once included", async () => {
  const phone = newPhone();
  await say("SignUp", { Username: phone, Password: PASSWORD });
  const right = harness.codeFor(phone);
  const wrong = right === "000000" ? "000001" : "000000";
  const tryCode = (ConfirmationCode: string) => say("ConfirmSignUp", { Username: phone, ConfirmationCode });
  const said = await Promise.all(Array.from({ length: 8 }, () => tryCode(wrong)));
  expect(said.filter((one) => one !== "done" && one.type === "CodeMismatchException")).toHaveLength(5);
  expect(await tryCode(right)).toEqual(LIMITED);
  harness.advanceClock(30_000);
  await say("ResendConfirmationCode", { Username: phone });
  expect(await tryCode(harness.codeFor(phone))).toBe("done");
});

it("sends a code again no sooner than after 30 seconds, and ten an hour at most", async () => {
  const { phone } = await harness.register();
  const ask = () => say("ForgotPassword", { Username: phone });
  expect(await ask()).toBe("done");
  harness.advanceClock(29_999);
  expect(await ask()).toEqual(LIMITED);
  for (let i = 1; i < 10; i++) {
    harness.advanceClock(30_000);
    expect(await ask()).toBe("done");
  }
  harness.advanceClock(30_000);
  expect(await ask()).toEqual(LIMITED);
  harness.advanceClock(60 * 60_000);
  expect(await ask()).toBe("done");
});

it("says when a text could not be sent, and sends another at once", async () => {
  const { phone } = await harness.register();
  harness.setTextsBroken(true);
  expect(await say("ForgotPassword", { Username: phone })).toMatchObject({
    type: "CodeDeliveryFailureException",
  });
  harness.setTextsBroken(false);
  expect(await say("ForgotPassword", { Username: phone })).toBe("done");
});

it("writes the text in the driver's language", async () => {
  const languages = [
    { ClientMetadata: { language: "pt" } },
    { UserAttributes: [{ Name: "locale", Value: "es-MX" }] },
    {},
  ];
  for (const more of languages) await say("SignUp", { Username: newPhone(), Password: PASSWORD, ...more });
  expect(harness.texts.map(({ body }) => body.slice(0, 2))).toEqual(["pt", "es", "en"]);
});

it("counts wrong previous passwords apart from those of sign-ins", async () => {
  const { phone } = await harness.register();
  const AuthParameters = { USERNAME: phone, PASSWORD };
  const signIn = { ClientId: harness.clientId, AuthFlow: "USER_PASSWORD_AUTH", AuthParameters };
  const { body } = await harness.call("InitiateAuth", signIn);
  const { AccessToken } = Object(body["AuthenticationResult"]);
  const change = { AccessToken, PreviousPassword: "Wrong-1-password", ProposedPassword: "Other-2-password" };
  for (let i = 0; i < 5; i++) expect(await say("ChangePassword", change)).toEqual(WRONG);
  expect(await say("ChangePassword", change)).toEqual(LIMITED);
  expect(await enter(phone, PASSWORD)).toBe("done");
});

it("gives a number up that was never confirmed, after an hour", async () => {
  const phone = newPhone();
  const register = () => say("SignUp", { Username: phone, Password: PASSWORD });
  expect(await register()).toBe("done");
  harness.advanceClock(60 * 60_000);
  expect(await register()).toMatchObject({ type: "UsernameExistsException" });
  harness.advanceClock(1);
  expect(await register()).toBe("done");
});
