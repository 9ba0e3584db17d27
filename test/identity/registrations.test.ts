import { beforeEach, expect, it } from "vitest";
import { poolUsers } from "../../db/schema/identity.ts";
import { newPhone, openPoolHarness, type PoolHarness } from "./harness.ts";

const OWNER = "203.0.113.7";
const STRANGER = "198.51.100.9";
const OWN_PASSWORD = "Owner-1-password";
const STRANGE_PASSWORD = "Stranger-1-password";
const DAY_MS = 86_400_000;

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

async function call(operation: string, body: object, address: string): Promise<unknown> {
  const answer = await harness.call(operation, { ClientId: harness.clientId, ...body }, address);
  return answer.status === 200 ? "done" : answer.body["__type"];
}

const signUp = (Username: string, address: string, Password: string) =>
  call("SignUp", { Username, Password }, address);
const confirm = (Username: string, address: string, code?: string) =>
  call("ConfirmSignUp", { Username, ConfirmationCode: code ?? harness.codeFor(Username) }, address);
const signIn = (USERNAME: string, PASSWORD: string) =>
  call("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: { USERNAME, PASSWORD } }, OWNER);
const wrongCode = (phone: string) => (harness.codeFor(phone) === "000000" ? "000001" : "000000");

it("counts the password of the one who enters the code, whoever registered the number before or after", async () => {
  const phone = newPhone();
  expect(await signUp(phone, STRANGER, STRANGE_PASSWORD)).toBe("done");
  expect(await signUp(phone, OWNER, OWN_PASSWORD)).toBe("done");
  harness.advanceClock(30_000);
  expect(await signUp(phone, STRANGER, STRANGE_PASSWORD)).toBe("done");
  expect(await confirm(phone, OWNER)).toBe("done");
  expect(await signIn(phone, STRANGE_PASSWORD)).toBe("NotAuthorizedException");
  expect(await signIn(phone, OWN_PASSWORD)).toBe("done");
});

it("takes nobody's password where the one who enters the code gave none, and has it reset", async () => {
  const phone = newPhone();
  await signUp(phone, STRANGER, STRANGE_PASSWORD);
  expect(await confirm(phone, OWNER)).toBe("done");
  expect(await signIn(phone, STRANGE_PASSWORD)).toBe("PasswordResetRequiredException");
  harness.advanceClock(30_000);
  await call("ForgotPassword", { Username: phone }, OWNER);
  const reset = { Username: phone, ConfirmationCode: harness.codeFor(phone), Password: OWN_PASSWORD };
  expect(await call("ConfirmForgotPassword", reset, OWNER)).toBe("done");
  expect(await signIn(phone, OWN_PASSWORD)).toBe("done");
});

it("lets the owner register while a stranger uses up the codes that may be sent", async () => {
  const phone = newPhone();
  for (let i = 0; i < 4; i += 1) {
    await signUp(phone, STRANGER, STRANGE_PASSWORD);
    harness.advanceClock(30_000);
  }
  expect(await signUp(phone, OWNER, OWN_PASSWORD)).toBe("done");
  expect(await confirm(phone, OWNER)).toBe("done");
  expect(await signIn(phone, OWN_PASSWORD)).toBe("done");
});

it("keeps a code for its owner when another network has used up its tries, also for a reset", async () => {
  const phone = newPhone();
  await signUp(phone, OWNER, OWN_PASSWORD);
  for (let i = 0; i < 5; i += 1)
    expect(await confirm(phone, STRANGER, wrongCode(phone))).toBe("CodeMismatchException");
  expect(await confirm(phone, STRANGER, wrongCode(phone))).toBe("LimitExceededException");
  expect(await confirm(phone, OWNER)).toBe("done");
  await call("ForgotPassword", { Username: phone }, OWNER);
  const reset = (ConfirmationCode: string, address: string) =>
    call("ConfirmForgotPassword", { Username: phone, ConfirmationCode, Password: OWN_PASSWORD }, address);
  for (let i = 0; i < 6; i += 1) await reset(wrongCode(phone), STRANGER);
  expect(await reset(harness.codeFor(phone), OWNER)).toBe("done");
});

it("checks at most 25 codes in all, from however many networks", async () => {
  const phone = newPhone();
  await signUp(phone, OWNER, OWN_PASSWORD);
  const results = [];
  for (let network = 0; network < 6; network += 1)
    for (let i = 0; i < 5; i += 1)
      results.push(await confirm(phone, `198.51.100.${network}`, wrongCode(phone)));
  expect(results.filter((result) => result === "CodeMismatchException")).toHaveLength(25);
});

it("sweeps accounts that nobody confirmed within a day, and no others", async () => {
  const { phone } = await harness.register();
  await signUp(newPhone(), STRANGER, STRANGE_PASSWORD);
  expect(await harness.pool.sweepUnconfirmed()).toBe(0);
  harness.advanceClock(DAY_MS + 1);
  expect(await harness.pool.sweepUnconfirmed()).toBe(1);
  expect((await harness.db.select().from(poolUsers)).map(({ phoneNumber }) => phoneNumber)).toEqual([phone]);
});

it("knows a page that changed its network by the secret that it sends along, and nobody else by it", async () => {
  const ClientMetadata = { registration: "0123456789abcdef0123456789abcdef" };
  const register = (Username: string) =>
    call("SignUp", { Username, Password: OWN_PASSWORD, ClientMetadata }, OWNER);
  const confirmWith = (Username: string, address: string, registration: string) => {
    const ConfirmationCode = harness.codeFor(Username);
    return call("ConfirmSignUp", { Username, ConfirmationCode, ClientMetadata: { registration } }, address);
  };
  const elsewhere = "192.0.2.44";
  const phone = newPhone();
  await register(phone);
  await signUp(phone, elsewhere, STRANGE_PASSWORD);
  expect(await confirmWith(phone, elsewhere, ClientMetadata.registration)).toBe("done");
  expect(await signIn(phone, OWN_PASSWORD)).toBe("done");

  const other = newPhone();
  await register(other);
  expect(await confirmWith(other, elsewhere, "f".repeat(32))).toBe("done");
  expect(await signIn(other, OWN_PASSWORD)).toBe("PasswordResetRequiredException");

  const reloaded = newPhone();
  await register(reloaded);
  expect(await confirm(reloaded, OWNER)).toBe("done");
  expect(await signIn(reloaded, OWN_PASSWORD)).toBe("done");
});
