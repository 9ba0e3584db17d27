import { createScheduledController, env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import worker from "../../../worker/index.ts";
import type { ChatResponse } from "../../../worker/contract/voice.ts";
import { DriverClient } from "../../support/driver-client.ts";
import {
  callPool,
  newPhone,
  PASSWORD,
  signInMember,
  signUpMember,
  textedCode,
  type Member,
} from "../embedded-pool.ts";
import { advanceClock, apiTarget, deployment, resetPlatform } from "../harness.ts";

const CHAT = "http://chat.localhost/sandbox/chatwoot";
const SETTINGS = {
  IDENTITY: "embedded",
  CHATWOOT_URL: CHAT,
  OPS_URL: "http://ops.localhost",
  CHATWOOT_TOKEN: "sandbox",
  CHATWOOT_HMAC_KEY: "sandbox",
  CHATWOOT_ACCOUNT_ID: "1",
  CHATWOOT_API_TOKEN: "sandbox-agent",
};
const site = deployment(SETTINGS);
const HOUR_MS = 3_600_000;
const NEW_PASSWORD = "Other-2-password";

beforeEach(() => resetPlatform());

const runCron = (settings: Record<string, string> = SETTINGS) =>
  worker.scheduled(createScheduledController({ cron: "* * * * *" }), { ...env, ...settings });

/** The chat's identity of a driver who has a record. */
async function identityOf(
  { phoneNumber }: Pick<Member, "phoneNumber">,
  password = PASSWORD,
  at = site,
): Promise<ChatResponse> {
  const { idToken } = await signInMember(phoneNumber, password);
  return new DriverClient({ ...at, token: idToken }).fetchJson<ChatResponse>("GET", "/flex/v1/user/chat");
}

async function registerMember(phoneNumber = newPhone()): Promise<Member> {
  const member = await signUpMember(phoneNumber);
  const { ok } = await member.client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
  expect(ok).toBe(true);
  return member;
}

type Contact = { identifier: string; phoneNumber: string | null; messages: string[] };

async function contacts(): Promise<Contact[]> {
  const response = await apiTarget.fetch(`${apiTarget.origin}/sandbox/chatwoot/contacts`);
  const list = (await response.json<{ contacts: Contact[] }>()).contacts;
  return list.map(({ identifier, phoneNumber, messages }) => ({ identifier, phoneNumber, messages }));
}

/** As the widget does with the driver's identity. @returns the messages that its visitor sees, or the refusal */
async function openWidget(
  { identifier, identifierHash, phoneNumber }: ChatResponse,
  { message, online = false }: { message?: string; online?: boolean } = {},
): Promise<string[] | number> {
  const response = await apiTarget.fetch(
    `${apiTarget.origin}/sandbox/chatwoot/api/v1/widget/contact/set_user`,
    {
      method: "PATCH",
      body: JSON.stringify({
        identifier,
        identifier_hash: identifierHash,
        phone_number: phoneNumber,
        message,
        online,
      }),
    },
  );
  return response.ok ? (await response.json<{ messages: string[] }>()).messages : response.status;
}

async function changePhone({ accessToken: AccessToken }: Member, to: string): Promise<void> {
  const UserAttributes = [{ Name: "phone_number", Value: to }];
  await callPool("UpdateUserAttributes", { AccessToken, UserAttributes });
  const Code = await textedCode(to);
  const verified = await callPool("VerifyUserAttribute", {
    AccessToken,
    AttributeName: "phone_number",
    Code,
  });
  expect(verified.status).toBe(200);
}

describe("a number that changes hands", () => {
  it("brings its next owner nothing of the chat, whose contact goes with the account", async () => {
    const former = await registerMember();
    const identity = await identityOf(former);
    expect(await openWidget(identity, { message: "my card was declined" })).toEqual(["my card was declined"]);
    await callPool("DeleteUser", { AccessToken: former.accessToken });

    const next = await registerMember(former.phoneNumber);
    const nextIdentity = await identityOf(next);
    expect(nextIdentity.identifier).not.toBe(identity.identifier);
    expect(nextIdentity.identifier).toContain(next.phoneNumber);
    // Neither the number nor the former identifier opens the former chat.
    expect(await openWidget({ ...nextIdentity, identifier: identity.identifier })).toBe(401);
    expect(await openWidget(nextIdentity)).toEqual([]);

    await runCron();
    expect((await contacts()).map(({ identifier }) => identifier)).toEqual([nextIdentity.identifier]);
  });

  it("leaves a driver who changes it the same conversation, written to before or after", async () => {
    const driver = await registerMember();
    const before = await identityOf(driver);
    await openWidget(before, { message: "hello" });
    const phoneNumber = newPhone();
    await changePhone(driver, phoneNumber);

    const after = await identityOf({ phoneNumber });
    await openWidget(after, { message: "still me" });
    await runCron();
    expect(await openWidget(after)).toEqual(["hello", "still me"]);

    const third = newPhone();
    const { accessToken } = await signInMember(phoneNumber);
    await changePhone({ ...driver, accessToken }, third);
    const last = await identityOf({ phoneNumber: third });
    await runCron();
    expect(await openWidget(last)).toEqual(["hello", "still me"]);
    expect(await contacts()).toHaveLength(1);
    expect(await openWidget(before)).toEqual([]);
  });

  it("goes back to its first owner with the conversation", async () => {
    const driver = await registerMember();
    const before = await identityOf(driver);
    await openWidget(before, { message: "hello" });
    const phoneNumber = newPhone();
    await changePhone(driver, phoneNumber);
    await identityOf({ phoneNumber });
    const { accessToken } = await signInMember(phoneNumber);
    await changePhone({ ...driver, accessToken }, driver.phoneNumber);
    const again = await identityOf(driver);
    await runCron();
    expect(await openWidget(again)).toEqual(["hello"]);
    expect(await contacts()).toHaveLength(1);
  });
});

describe("the identity that a sign-in was given at the chat", () => {
  it("ends with the sign-in within a minute, and the driver keeps the conversation", async () => {
    const driver = await registerMember();
    const stolen = await identityOf(driver);
    await openWidget(stolen, { message: "my card ends in 4242" });
    await callPool("ForgotPassword", { Username: driver.phoneNumber });
    const ConfirmationCode = await textedCode(driver.phoneNumber);
    const reset = { Username: driver.phoneNumber, ConfirmationCode, Password: NEW_PASSWORD };
    await site.fetch(`${site.origin}/identity/`, {
      method: "POST",
      headers: { "x-amz-target": "AWSCognitoIdentityProviderService.ConfirmForgotPassword" },
      body: JSON.stringify({ ClientId: "jornadaweb", ...reset }),
    });
    await runCron();
    expect(await openWidget(stolen)).toEqual([]);
    const own = await identityOf(driver, NEW_PASSWORD);
    expect(own.identifier).not.toBe(stolen.identifier);
    expect(await openWidget(own)).toEqual(["my card ends in 4242"]);
    // It is the same for each sign-in, for as long as none ends, and stays once the ended ones are forgotten.
    await env.DB.prepare(`DELETE FROM pool_sessions WHERE revoked_at IS NOT NULL`).run();
    expect(await identityOf(driver, NEW_PASSWORD)).toEqual(own);
  });

  it("stays where the contact can't follow, for want of the chat's API", async () => {
    const bare = deployment({ ...SETTINGS, CHATWOOT_ACCOUNT_ID: "", CHATWOOT_API_TOKEN: "" });
    const driver = await registerMember();
    const before = await identityOf(driver, PASSWORD, bare);
    await callPool("GlobalSignOut", { AccessToken: driver.accessToken });
    expect(await identityOf(driver, PASSWORD, bare)).toEqual(before);
  });
});

describe("the contact of a deleted account", () => {
  it("is deleted as soon as the chat lets us", async () => {
    const driver = await registerMember();
    const identity = await identityOf(driver);
    await openWidget(identity, { message: "hello", online: true });
    await callPool("DeleteUser", { AccessToken: driver.accessToken });
    await runCron();
    // It refuses while the contact is online.
    expect(await contacts()).toHaveLength(1);
    await openWidget(identity);
    await runCron();
    expect(await contacts()).toHaveLength(1);
    advanceClock(HOUR_MS);
    await runCron();
    expect(await contacts()).toEqual([]);
    const left = env.DB.prepare(`SELECT * FROM chat_contacts WHERE driver_id = ?`).bind(driver.driverId);
    expect(await left.first()).toBeNull();
  });

  it("waits for a token that the chat accepts", async () => {
    const driver = await registerMember();
    await openWidget(await identityOf(driver), { message: "hello" });
    await callPool("DeleteUser", { AccessToken: driver.accessToken });
    await runCron({ IDENTITY: "embedded" });
    await runCron({ ...SETTINGS, CHATWOOT_API_TOKEN: "wrong" });
    expect(await contacts()).toHaveLength(1);
    advanceClock(HOUR_MS);
    await runCron();
    expect(await contacts()).toEqual([]);
  });
});
