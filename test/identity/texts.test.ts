import { expect, it } from "vitest";
import { loadAlerts } from "../../db/queries/fleet/alerts.ts";
import { insertTextReply, loadTextDelivery } from "../../db/queries/texts/delivery.ts";
import { openPoolHarness, newPhone, PASSWORD, type PoolHarness } from "./harness.ts";

type Harness = PoolHarness;
type Caller = (operation: string, body: object, address?: string) => Promise<string>;

/** Calls an operation. @returns the type of the error, or `done` */
function callerOf(harness: Harness): Caller {
  return async (operation, body, address) => {
    const answer = await harness.call(operation, { ClientId: harness.clientId, ...body }, address);
    return answer.status === 200 ? "done" : String(answer.body["__type"]);
  };
}

const signUp = (phone: string) => ({ Username: phone, Password: PASSWORD });

/** How often each answer came. */
function tally(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

/** Every operation that sends a text, as a call for an account of its own. */
async function openTextCalls(harness: Harness): Promise<Record<string, () => Promise<string>>> {
  const call = callerOf(harness);
  const { ClientId } = { ClientId: harness.clientId };
  const unconfirmed = newPhone();
  await call("SignUp", signUp(unconfirmed));
  const [forgetful, custom, mover, checker, factor] = await Promise.all(
    Array.from({ length: 5 }, () => harness.register()),
  );
  if (!forgetful || !custom || !mover || !checker || !factor) throw new Error("not registered");
  const moving = await harness.signIn(mover);
  const checking = await harness.signIn(checker);
  const { AccessToken } = await harness.signIn(factor);
  await call("SetUserMFAPreference", { AccessToken, SMSMfaSettings: { Enabled: true, PreferredMfa: true } });
  const password = { USERNAME: factor.phone, PASSWORD };
  return {
    SignUp: () => call("SignUp", signUp(newPhone())),
    ResendConfirmationCode: () => call("ResendConfirmationCode", { Username: unconfirmed }),
    ForgotPassword: () => call("ForgotPassword", { Username: forgetful.phone }),
    "InitiateAuth CUSTOM_AUTH": () =>
      call("InitiateAuth", { ClientId, AuthFlow: "CUSTOM_AUTH", AuthParameters: { USERNAME: custom.phone } }),
    "InitiateAuth SMS_MFA": () =>
      call("InitiateAuth", { ClientId, AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: password }),
    UpdateUserAttributes: () =>
      call("UpdateUserAttributes", {
        AccessToken: moving.AccessToken,
        UserAttributes: [{ Name: "phone_number", Value: newPhone() }],
      }),
    GetUserAttributeVerificationCode: () =>
      call("GetUserAttributeVerificationCode", {
        AccessToken: checking.AccessToken,
        AttributeName: "phone_number",
      }),
  };
}

it.each(["credentials", "request", "busy", "gateway", "timeout", "unreachable"] as const)(
  "tells every caller, the log and health that the gateway failed (%s), without a number, and recovers",
  async (reason) => {
    const harness = await openPoolHarness();
    const calls = Object.entries(await openTextCalls(harness));
    const numbers = [...new Set(harness.texts.map(({ to }) => to))];
    harness.setGatewayFailure(reason);
    harness.logs.length = 0;
    for (const [name, call] of calls)
      expect([name, await call()]).toEqual([name, "CodeDeliveryFailureException"]);
    expect(await loadAlerts(harness.db, Date.now())).toMatchObject([{ name: "texts.gateway", reason }]);
    const failed = harness.logs.filter(({ event }) => event === "texts.failed");
    expect(failed).toEqual(calls.map(() => ({ event: "texts.failed", reason, area: "+1555" })));
    expect(harness.logs.filter(({ event }) => event === "texts.gateway.failed")).toHaveLength(1);
    for (const number of numbers) expect(JSON.stringify(harness.logs)).not.toContain(number);
    // At once, and as often as the first time.
    harness.setGatewayFailure(null);
    for (const [name, call] of calls) expect([name, await call()]).toEqual([name, "done"]);
    expect(await loadAlerts(harness.db, Date.now())).toEqual([]);
  },
);

it("lets a number register again at once after its code couldn't be sent", async () => {
  const harness = await openPoolHarness();
  const call = callerOf(harness);
  const phone = newPhone();
  harness.setGatewayFailure("credentials");
  for (let i = 0; i < 10; i++)
    expect(await call("SignUp", signUp(phone))).toBe("CodeDeliveryFailureException");
  harness.setGatewayFailure(null);
  expect(await call("SignUp", signUp(phone))).toBe("done");
});

it("keeps the code of a text that may have arrived all the same", async () => {
  const harness = await openPoolHarness();
  const call = callerOf(harness);
  const { phone } = await harness.register();
  expect(await call("ForgotPassword", { Username: phone })).toBe("done");
  harness.setGatewayFailure("timeout");
  expect(await call("ForgotPassword", { Username: phone })).toBe("CodeDeliveryFailureException");
  const wrong = { Username: phone, ConfirmationCode: "000000", Password: "Other-2-password" };
  expect(await call("ConfirmForgotPassword", wrong)).toBe("CodeMismatchException");
});

it("reports no gateway in trouble where it refuses one number", async () => {
  const harness = await openPoolHarness();
  harness.setGatewayFailure("number");
  expect(await callerOf(harness)("SignUp", signUp(newPhone()))).toBe("CodeDeliveryFailureException");
  expect(await loadAlerts(harness.db, Date.now())).toEqual([]);
});

it.each([
  ["Jamaica", "+18765550123"],
  ["the Dominican Republic", "+18095550123"],
  ["Puerto Rico", "+17875550123"],
  ["a premium number", "+19005550123"],
  ["a toll-free number", "+18005550123"],
  ["an area code that doesn't exist", "+11115550123"],
  ["an exchange that doesn't exist", "+12120100100"],
])("sends no text to %s", async (_what, phone) => {
  const harness = await openPoolHarness();
  const call = callerOf(harness);
  expect(await call("SignUp", signUp(phone))).toBe("InvalidParameterException");
  const { AccessToken } = await harness.signIn(await harness.register());
  const UserAttributes = [{ Name: "phone_number", Value: phone }];
  expect(await call("UpdateUserAttributes", { AccessToken, UserAttributes })).toBe(
    "InvalidParameterException",
  );
  expect(harness.texts.filter(({ to }) => to === phone)).toEqual([]);
  expect(await call("SignUp", signUp(phone))).toBe("InvalidParameterException");
});

it.each(["+12125550123", "+14165550123", "+15550000001"])("sends texts to %s", async (phone) => {
  const harness = await openPoolHarness();
  expect(await callerOf(harness)("SignUp", signUp(phone))).toBe("done");
});

it("counts every operation that sends a text against the ceiling of its kind of number", async () => {
  for (const [name, kind] of [
    ["SignUp", "toNewNumbers"],
    ["ResendConfirmationCode", "toNewNumbers"],
    ["UpdateUserAttributes", "toNewNumbers"],
    ["ForgotPassword", "toProvedNumbers"],
    ["InitiateAuth CUSTOM_AUTH", "toProvedNumbers"],
    ["InitiateAuth SMS_MFA", "toProvedNumbers"],
    ["GetUserAttributeVerificationCode", "toProvedNumbers"],
  ] as const) {
    // Registering six accounts takes six texts to new numbers.
    const before = kind === "toNewNumbers" ? 6 : 0;
    const textLimits = { [kind]: { perHour: before, perDay: 1000 } };
    const harness = await openPoolHarness({ textLimits });
    const calls = await openTextCalls(harness);
    harness.logs.length = 0;
    const answers = [await calls[name]?.(), await calls[name]?.()];
    expect([name, ...answers]).toEqual([name, ...answers.map(() => "CodeDeliveryFailureException")]);
    const ceiling = kind === "toNewNumbers" ? "to_new_numbers" : "to_proved_numbers";
    expect(harness.logs.filter(({ event }) => event === "texts.ceiling.reached")).toEqual([
      { event: "texts.ceiling.reached", ceiling, by: "hour", most: before },
    ]);
    expect(await loadAlerts(harness.db, Date.now())).toMatchObject([
      { name: `texts.${ceiling}`, reason: "ceiling_by_hour" },
    ]);
    harness.advanceClock(60 * 60_000);
    expect(await loadAlerts(harness.db, Date.now())).toEqual([]);
  }
});

it("sends what the ceiling allows and not one more, to callers at the same time", async () => {
  const harness = await openPoolHarness({ textLimits: { toNewNumbers: { perHour: 7, perDay: 9 } } });
  const call = callerOf(harness);
  const registerMany = async (times: number) =>
    tally(await Promise.all(Array.from({ length: times }, () => call("SignUp", signUp(newPhone())))));
  expect(await registerMany(20)).toEqual({ done: 7, CodeDeliveryFailureException: 13 });
  harness.advanceClock(60 * 60_000);
  expect(await registerMany(5)).toEqual({ done: 2, CodeDeliveryFailureException: 3 });
  harness.advanceClock(23 * 60 * 60_000);
  expect(await registerMany(1)).toEqual({ done: 1 });
  expect(harness.texts).toHaveLength(10);
});

it("counts all addresses of an IPv6 network as one, and each IPv4 address by itself", async () => {
  const harness = await openPoolHarness();
  const call = callerOf(harness);
  const from = async (addresses: readonly string[]) => {
    const answers: string[] = [];
    for (const address of addresses) answers.push(await call("SignUp", signUp(newPhone()), address));
    return tally(answers);
  };
  const home = Array.from({ length: 60 }, (_, i) => `2001:db8:0:7:${i.toString(16)}::1`);
  expect(await from(home)).toEqual({ done: 20, LimitExceededException: 40 });
  expect(await from(["2001:db8:0:8::1", "2001:db8::8:1:2:3:4"])).toEqual({ done: 2 });
  expect(await from(Array.from({ length: 21 }, () => "192.0.2.1"))).toEqual({
    done: 20,
    LimitExceededException: 1,
  });
  expect(await from(["::ffff:192.0.2.1", "192.0.2.2"])).toEqual({ LimitExceededException: 1, done: 1 });
});

it("counts what eight accounts have sent to one stranger together", async () => {
  const harness = await openPoolHarness();
  const call = callerOf(harness);
  const stranger = newPhone();
  const answers: string[] = [];
  for (let i = 0; i < 8; i++) {
    const { AccessToken } = await harness.signIn(await harness.register());
    const UserAttributes = [{ Name: "phone_number", Value: stranger }];
    answers.push(await call("UpdateUserAttributes", { AccessToken, UserAttributes }));
  }
  expect(tally(answers)).toEqual({ done: 5, TooManyRequestsException: 3 });
  expect(harness.texts.filter(({ to }) => to === stranger)).toHaveLength(5);
});

it("counts what one account has sent for different purposes together", async () => {
  const harness = await openPoolHarness();
  const call = callerOf(harness);
  const account = await harness.register();
  harness.advanceClock(60 * 60_000);
  const { AccessToken } = await harness.signIn(account);
  const answers: string[] = [];
  for (let i = 0; i < 4; i++) {
    harness.advanceClock(60_000);
    const UserAttributes = [{ Name: "phone_number", Value: newPhone() }];
    answers.push(await call("UpdateUserAttributes", { AccessToken, UserAttributes }));
    answers.push(await call("ForgotPassword", { Username: account.phone }));
  }
  expect(tally(answers)).toEqual({ done: 8 });
  const AuthParameters = { USERNAME: account.phone };
  expect(await call("InitiateAuth", { AuthFlow: "CUSTOM_AUTH", AuthParameters })).toBe(
    "TooManyRequestsException",
  );
});

it("keeps the codes of proved numbers and drivers' texts going when strangers' numbers reach their ceiling", async () => {
  const harness = await openPoolHarness({ textLimits: { toNewNumbers: { perHour: 1, perDay: 1 } } });
  const call = callerOf(harness);
  const { phone } = await harness.register();
  expect(await call("SignUp", signUp(newPhone()))).toBe("CodeDeliveryFailureException");
  expect(await call("ForgotPassword", { Username: phone })).toBe("done");
  expect(await harness.door.sendText({ to: phone, body: "captured", account: "" })).toMatchObject({
    kind: "sent",
  });
});

it("sends no code to a number that replied STOP, says so to known and unknown ones alike, and uses up no limit", async () => {
  const harness = await openPoolHarness();
  const { phone } = await harness.register();
  const stranger = newPhone();
  for (const phoneNumber of [phone, stranger])
    await insertTextReply(harness.db, { id: phoneNumber, phoneNumber, word: "stop", at: Date.now() });
  harness.texts.length = 0;
  const ask = async (operation: string, body: object) => {
    const answer = await harness.call(operation, { ClientId: harness.clientId, ...body });
    return [answer.body["__type"], answer.body["message"]];
  };
  const stopped = ["CodeDeliveryFailureException", "The phone number is opted out of texts."];
  const signIn = (USERNAME: string) => ({ AuthFlow: "CUSTOM_AUTH", AuthParameters: { USERNAME } });
  for (let i = 0; i < 10; i++) expect(await ask("ForgotPassword", { Username: phone })).toEqual(stopped);
  for (const number of [phone, stranger]) expect(await ask("InitiateAuth", signIn(number))).toEqual(stopped);
  expect(harness.texts).toEqual([]);
  await insertTextReply(harness.db, { id: "start", phoneNumber: phone, word: "start", at: Date.now() + 1 });
  expect(await callerOf(harness)("ForgotPassword", { Username: phone })).toBe("done");
});

it("learns of a STOP that only the gateway knows, and says so", async () => {
  const harness = await openPoolHarness();
  const { phone } = await harness.register();
  harness.setGatewayFailure("stopped");
  const answer = await harness.call("ForgotPassword", { ClientId: harness.clientId, Username: phone });
  expect(answer.body["message"]).toBe("The phone number is opted out of texts.");
  expect(await loadTextDelivery(harness.db, phone, Date.now())).toMatchObject({ status: "stopped" });
  expect(await loadAlerts(harness.db, Date.now())).toEqual([]);
});

it("sends a paused number no news, but what happened to the account, and codes", async () => {
  const harness = await openPoolHarness();
  const { phone } = await harness.register();
  harness.setGatewayFailure("number");
  const text = { to: phone, body: "captured", account: "" };
  for (let i = 0; i < 3; i++) expect((await harness.door.sendText(text)).kind).toBe("failed");
  harness.setGatewayFailure(null);
  expect(await harness.door.sendText(text)).toEqual({ kind: "held", reason: "paused" });
  expect((await harness.door.sendNotice(text)).kind).toBe("sent");
  expect(await callerOf(harness)("ForgotPassword", { Username: phone })).toBe("done");
});

it("stops drivers' texts at a ceiling of their own, and no code with them", async () => {
  const harness = await openPoolHarness({ textLimits: { toDrivers: { perHour: 2, perDay: 2 } } });
  const { phone } = await harness.register();
  const sent = [];
  for (let i = 0; i < 3; i++)
    sent.push((await harness.door.sendText({ to: phone, body: "captured", account: "" })).kind);
  expect(sent).toEqual(["sent", "sent", "held"]);
  expect(await loadAlerts(harness.db, Date.now())).toMatchObject([{ name: "texts.to_drivers" }]);
  expect(await callerOf(harness)("ForgotPassword", { Username: phone })).toBe("done");
});

it("answers unknown numbers like unconfirmed ones at every limit, and lets them use up no ceiling", async () => {
  const harness = await openPoolHarness({ textLimits: { toNewNumbers: { perHour: 2, perDay: 5 } } });
  const call = callerOf(harness);
  const resend = (Username: string) => call("ResendConfirmationCode", { Username });
  for (let i = 0; i < 10; i++) expect(await resend(newPhone())).toBe("done");
  const unconfirmed = newPhone();
  expect(await call("SignUp", signUp(unconfirmed))).toBe("done");
  expect(await resend(unconfirmed)).toBe("done");
  harness.advanceClock(30_000);
  expect([await resend(unconfirmed), await resend(newPhone())]).toEqual([
    "CodeDeliveryFailureException",
    "CodeDeliveryFailureException",
  ]);
});
