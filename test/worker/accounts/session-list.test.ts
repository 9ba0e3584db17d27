import { beforeEach, expect, it, vi, afterEach } from "vitest";
import { LIVE_CLOSE_REVOKED, LIVE_PROTOCOL } from "../../../db/shapes/work/live.ts";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import type { SessionsResponse } from "../../../worker/contract/account/security.ts";
import { DriverClient } from "../../support/driver-client.ts";
import { callPool, embedded, PASSWORD, signUpMember, type Member } from "../embedded-pool.ts";
import { createDriver, resetPlatform } from "../harness.ts";

const MINUTE_MS = 60_000;
const PATH = "/flex/v1/sessions";
const PHONE =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36";

beforeEach(() => resetPlatform());
afterEach(() => void vi.useRealTimers());

async function registerMember(): Promise<Member> {
  const member = await signUpMember();
  const { client, phoneNumber } = member;
  expect((await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber })).status).toBe(200);
  return member;
}

/** Signs in on a phone. */
async function onPhone({ phoneNumber }: Member): Promise<DriverClient> {
  const start = { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: { USERNAME: phoneNumber, PASSWORD } };
  const { body } = await callPool("InitiateAuth", start, { "user-agent": PHONE });
  return new DriverClient({ ...embedded, token: Object(body["AuthenticationResult"]).IdToken });
}

const list = async (client: DriverClient) => (await client.fetchJson<SessionsResponse>("GET", PATH)).sessions;

async function openDashboard(client: DriverClient): Promise<{ closed: Promise<number> }> {
  const { ticket } = await client.ticket();
  const { webSocket } = await embedded.fetch(`${embedded.origin}/flex/v1/live`, {
    headers: { upgrade: "websocket", "sec-websocket-protocol": `${LIVE_PROTOCOL}, ticket.${ticket}` },
  });
  if (!webSocket) throw new Error("no socket");
  webSocket.accept();
  return {
    closed: new Promise((resolve) => webSocket.addEventListener("close", ({ code }) => resolve(code))),
  };
}

it("lists where a driver is signed in, the caller's own first, with device and time", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const member = await registerMember();
  vi.setSystemTime(Date.now() + 5 * MINUTE_MS);
  const phone = await onPhone(member);
  const at = expect.any(Number);
  const [here, there] = await list(member.client);
  expect(here).toEqual({
    id: expect.any(String),
    isCurrent: true,
    takesPush: false,
    hasCalendar: false,
    browser: null,
    system: null,
    country: null,
    signedInAt: at,
    lastSeenAt: at,
  });
  expect(there).toMatchObject({ isCurrent: false, browser: "Chrome", system: "Android" });
  expect((await list(phone)).map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
    [there?.id, true],
    [here?.id, false],
  ]);
});

it("notes every quarter of an hour that a sign-in is used, and when it is renewed", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const member = await registerMember();
  const seen = async () => Object((await list(member.client))[0]).lastSeenAt;
  const signedInAt = await seen();
  vi.setSystemTime(signedInAt + 14 * MINUTE_MS);
  expect(await seen()).toBe(signedInAt);
  vi.setSystemTime(signedInAt + 16 * MINUTE_MS);
  // Noted once this response is on its way.
  await seen();
  expect(await seen()).toBe(signedInAt + 16 * MINUTE_MS);
  vi.setSystemTime(signedInAt + 20 * MINUTE_MS);
  const AuthParameters = { REFRESH_TOKEN: member.refreshToken };
  await callPool("InitiateAuth", { AuthFlow: "REFRESH_TOKEN_AUTH", AuthParameters }, { "user-agent": PHONE });
  expect((await list(member.client))[0]).toMatchObject({
    system: "Android",
    lastSeenAt: signedInAt + 20 * MINUTE_MS,
  });
});

it("ends one sign-in with its dashboard, and no other", async () => {
  const member = await registerMember();
  const [phone, desk] = [await onPhone(member), await onPhone(member)];
  const { closed } = await openDashboard(phone);
  const own = (await list(phone)).find(({ isCurrent }) => isCurrent)?.id ?? "";
  expect((await member.client.call("DELETE", `${PATH}/${own}`)).status).toBe(204);
  expect(await closed).toBe(LIVE_CLOSE_REVOKED);
  expect((await phone.call("GET", PATH)).status).toBe(401);
  expect(await list(desk)).toHaveLength(2);
  expect((await member.client.call("DELETE", `${PATH}/${own}`)).status).toBe(404);
});

it("ends all but the caller's", async () => {
  const member = await registerMember();
  const others = [await onPhone(member), await onPhone(member)];
  expect((await member.client.call("DELETE", PATH)).status).toBe(204);
  for (const other of others) expect((await other.call("GET", PATH)).status).toBe(401);
  expect(await list(member.client)).toMatchObject([{ isCurrent: true }]);
});

it("shows nobody another's sign-ins, and lets nobody end them", async () => {
  const [ana, bia] = [await registerMember(), await registerMember()];
  const [own] = await list(ana.client);
  expect((await bia.client.call("DELETE", `${PATH}/${own?.id}`)).status).toBe(404);
  expect((await bia.client.call("DELETE", PATH)).status).toBe(204);
  expect(await list(ana.client)).toEqual([own]);
  expect((await list(bia.client)).map(({ id }) => id)).not.toContain(own?.id);
});

it("is in the export, without what would identify a session to others", async () => {
  const member = await registerMember();
  await onPhone(member);
  const { account } = await member.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
  expect(account?.["signIns"]).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ browser: "Chrome", system: "Android", lastSeenAt: expect.any(Number) }),
    ]),
  );
});

it("is not known where another pool signs drivers in", async () => {
  const { client } = await createDriver();
  for (const [method, path] of [
    ["GET", PATH],
    ["DELETE", PATH],
    ["DELETE", `${PATH}/some`],
  ] as const) {
    expect((await client.call(method, path)).status).toBe(404);
  }
});
