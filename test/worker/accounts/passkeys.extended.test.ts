import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import type {
  Passkey,
  PasskeyOfferResponse,
  PasskeysResponse,
} from "../../../worker/contract/account/passkeys.ts";
import type { SecurityResponse } from "../../../worker/contract/account/security.ts";
import { DriverClient } from "../../support/driver-client.ts";
import { createPushSubscriber } from "../../support/push-subscriber.ts";
import { createAuthenticator, type Authenticator } from "../../support/software-authenticator.ts";
import { callPool, embedded, signInMember, signUpMember, textedCode, type Member } from "../embedded-pool.ts";
import { apiTarget, createDriver, resetPlatform } from "../harness.ts";
import { PUSH } from "../push-harness.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PATH = "/flex/v1/passkeys";
const NEW_PASSWORD = "Other-2-password";

beforeEach(async () => {
  await resetPlatform();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});
afterEach(() => void vi.useRealTimers());

const later = (lengthMs: number) => vi.setSystemTime(Date.now() + lengthMs);

async function outcome(response: Response): Promise<[number, string?]> {
  const { code } = Object(JSON.parse((await response.text()) || "{}"));
  return code === undefined ? [response.status] : [response.status, code];
}

async function join(): Promise<Member> {
  const member = await signUpMember();
  const { client, phoneNumber } = member;
  expect((await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber })).status).toBe(200);
  return member;
}

/** Adds a passkey by the API. */
async function add(
  client: DriverClient,
  name = "Pixel",
): Promise<{ device: Authenticator; passkey: Passkey }> {
  const device = await createAuthenticator(embedded.origin);
  const { options, ticket } = await client.fetchJson<PasskeyOfferResponse>("POST", `${PATH}/offer`);
  const body = { ticket, name, credential: await device.create(options) };
  const response = await client.call("POST", PATH, { body });
  expect(response.status).toBe(200);
  return { device, passkey: await response.json<Passkey>() };
}

/** Signs in by a passkey. */
async function signInBy(device: Authenticator): Promise<DriverClient> {
  const start = { AuthFlow: "CUSTOM_AUTH", AuthParameters: { USERNAME: "passkey" } };
  const { ChallengeName, Session, ChallengeParameters } = Object(
    (await callPool("InitiateAuth", start)).body,
  );
  const ANSWER = JSON.stringify(await device.sign(JSON.parse(ChallengeParameters.WEBAUTHN_OPTIONS)));
  const { body } = await callPool("RespondToAuthChallenge", {
    ChallengeName,
    Session,
    ChallengeResponses: { USERNAME: "passkey", ANSWER },
  });
  return new DriverClient({ ...embedded, token: Object(body["AuthenticationResult"]).IdToken });
}

const view = (client: DriverClient) => client.fetchJson<PasskeysResponse>("GET", PATH);

async function recover({ phoneNumber }: Member): Promise<DriverClient> {
  await callPool("ForgotPassword", { Username: phoneNumber });
  const ConfirmationCode = await textedCode(phoneNumber);
  const reset = { Username: phoneNumber, ConfirmationCode, Password: NEW_PASSWORD };
  expect((await callPool("ConfirmForgotPassword", reset)).status).toBe(200);
  later(1000);
  const { idToken } = await signInMember(phoneNumber, NEW_PASSWORD);
  return new DriverClient({ ...embedded, token: idToken });
}

async function textsTo(phoneNumber: string): Promise<string[]> {
  const to = encodeURIComponent(phoneNumber);
  const response = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms?to=${to}`);
  const { messages } = await response.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

describe("a driver's passkeys", () => {
  it("are added, listed with their dates, named, and removed; log and texts say so", async () => {
    const member = await join();
    const { client, phoneNumber } = member;
    expect(await view(client)).toEqual({ passkeys: [], limit: 10, removableFrom: null, recoveredAt: null });
    const { device, passkey } = await add(client, "  Pixel  ");
    const added = Date.now();
    expect(passkey).toEqual({
      id: expect.any(String),
      name: "Pixel",
      createdAt: added,
      lastUsedAt: null,
      isCurrent: false,
    });
    later(HOUR_MS);
    const fresh = await signInBy(device);
    const { passkeys } = await view(fresh);
    expect(passkeys).toEqual([{ ...passkey, lastUsedAt: Date.now(), isCurrent: true }]);
    const own = `${PATH}/${passkey.id}`;
    expect(await outcome(await client.call("PATCH", own, { body: { name: "Work phone" } }))).toEqual([204]);
    expect((await view(client)).passkeys).toMatchObject([{ name: "Work phone", isCurrent: false }]);
    expect(await outcome(await client.call("PATCH", own, { body: { name: "  " } }))).toEqual([
      400,
      "invalid_request",
    ]);
    expect(await outcome(await fresh.call("DELETE", own))).toEqual([204]);
    expect(await outcome(await fresh.call("DELETE", own))).toEqual([404, "not_found"]);
    expect((await view(client)).passkeys).toEqual([]);
    const { items } = await client.fetchJson<SecurityResponse>("GET", "/flex/v1/security");
    expect(items.map(({ event }) => event)).toEqual([
      "passkey_removed",
      "sign_in",
      "passkey_added",
      "sign_in",
      "registered",
    ]);
    const told = async () =>
      (await textsTo(phoneNumber)).filter((body) => body.includes("passkey was added"));
    await expect.poll(told).toHaveLength(2);
  });

  it("are added and removed after a fresh sign-in alone, and one by a passkey is fresh", async () => {
    const { client } = await join();
    const { device, passkey } = await add(client);
    const offer = await client.fetchJson<PasskeyOfferResponse>("POST", `${PATH}/offer`);
    later(10 * MINUTE_MS + 1000);
    const again: [number, string] = [403, "sign_in_again"];
    expect(await outcome(await client.call("POST", `${PATH}/offer`))).toEqual(again);
    const credential = await (await createAuthenticator(embedded.origin)).create(offer.options);
    const body = { ticket: offer.ticket, name: "Late", credential };
    expect(await outcome(await client.call("POST", PATH, { body }))).toEqual(again);
    expect(await outcome(await client.call("DELETE", `${PATH}/${passkey.id}`))).toEqual(again);
    const fresh = await signInBy(device);
    await add(fresh, "Laptop");
    expect(await outcome(await fresh.call("DELETE", `${PATH}/${passkey.id}`))).toEqual([204]);
  });

  it("are no other driver's to see, name or remove", async () => {
    const { client } = await join();
    const { passkey } = await add(client);
    const stranger = await join();
    expect((await view(stranger.client)).passkeys).toEqual([]);
    const path = `${PATH}/${passkey.id}`;
    expect(await outcome(await stranger.client.call("PATCH", path, { body: { name: "Mine" } }))).toEqual([
      404,
      "not_found",
    ]);
    expect(await outcome(await stranger.client.call("DELETE", path))).toEqual([404, "not_found"]);
    expect(await outcome(await stranger.client.call("POST", `${PATH}/undo-recovery`))).toEqual([
      410,
      "undo_expired",
    ]);
    const { options, ticket } = await client.fetchJson<PasskeyOfferResponse>("POST", `${PATH}/offer`);
    const credential = await (await createAuthenticator(embedded.origin)).create(options);
    const body = { ticket, name: "Mine", credential };
    expect(await outcome(await stranger.client.call("POST", PATH, { body }))).toEqual([
      400,
      "invalid_request",
    ]);
    expect((await view(client)).passkeys).toHaveLength(1);
  });

  it("are unknown where another pool signs drivers in", async () => {
    const { client } = await createDriver();
    for (const [method, path] of [
      ["GET", PATH],
      ["POST", `${PATH}/offer`],
      ["POST", `${PATH}/undo-recovery`],
      ["DELETE", `${PATH}/1`],
    ] as const)
      expect(await outcome(await client.call(method, path))).toEqual([404, "not_found"]);
  });

  it("stand in the export without keys, and go with the account", async () => {
    const { client, driverId } = await join();
    const { device } = await add(client);
    const exported = await client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
    expect(Object(exported.account).passkeys).toEqual([
      { name: "Pixel", createdAt: Date.now(), lastUsedAt: null, removedAt: null },
    ]);
    expect(JSON.stringify(exported)).not.toContain(device.credentialId);
    expect(await outcome(await client.call("DELETE", "/flex/v1/user"))).toEqual([204]);
    const { results } = await env.DB.prepare(`SELECT id FROM pool_passkeys WHERE user_id = ?`)
      .bind(driverId)
      .all();
    expect(results).toEqual([]);
  });
});

describe("after a password that a texted code set", () => {
  async function arrivals(): Promise<{ endpoint: string; body: string }[]> {
    const answer = await apiTarget.fetch(`${apiTarget.origin}/sandbox/push`);
    return (await answer.json<{ messages: { endpoint: string; body: string }[] }>()).messages;
  }

  async function listen(client: DriverClient, name: string) {
    const browser = await createPushSubscriber(`https://push.sandbox.test/send/${name}`);
    expect((await client.call("PUT", PUSH, { body: browser.subscription })).status).toBe(204);
    return browser;
  }

  it("a push warns the browsers that passkeys signed in, which end with their sessions, and no others", async () => {
    const member = await join();
    const { device } = await add(member.client);
    await listen(member.client, "by-password");
    const browser = await listen(await signInBy(device), "by-passkey");
    const before = (await arrivals()).length;
    const thief = await recover(member);
    await expect.poll(async () => (await arrivals()).length).toBe(before + 1);
    const [warning] = await arrivals();
    expect(warning?.endpoint).toBe(browser.subscription.endpoint);
    expect(await browser.open(warning?.body ?? "")).toMatchObject({
      title: "Your password was reset by text",
      url: "/flex/profile",
      tag: "recovered",
      event: "needs_you",
    });
    expect((await view(thief)).passkeys).toHaveLength(1);
  });

  it("passkeys can't be removed for a day, and one from before undoes it", async () => {
    const member = await join();
    const { device, passkey } = await add(member.client);
    later(MINUTE_MS);
    const thief = await recover(member);
    const { removableFrom, recoveredAt } = await view(thief);
    expect([removableFrom, recoveredAt]).toEqual([Date.now() - 1000 + 24 * HOUR_MS, null]);
    const path = `${PATH}/${passkey.id}`;
    expect(await outcome(await thief.call("DELETE", path))).toEqual([409, "passkeys_held"]);
    expect(await outcome(await thief.call("POST", `${PATH}/undo-recovery`))).toEqual([410, "undo_expired"]);
    const owner = await signInBy(device);
    expect(await view(owner)).toMatchObject({ removableFrom: null, recoveredAt: Date.now() - 1000 });
    expect(await outcome(await owner.call("POST", `${PATH}/undo-recovery`))).toEqual([204]);
    later(MINUTE_MS);
    expect(await outcome(await thief.call("GET", PATH))).toEqual([401, "unauthenticated"]);
    expect(await view(owner)).toMatchObject({ recoveredAt: null, passkeys: [{ id: passkey.id }] });
    const { items } = await owner.fetchJson<SecurityResponse>("GET", "/flex/v1/security");
    expect(items[0]).toMatchObject({ event: "change_undone" });
  });
});
