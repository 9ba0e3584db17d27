import { createScheduledController, env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { LIVE_CLOSE_REVOKED, LIVE_PROTOCOL } from "../../../db/shapes/work/live.ts";
import type { CalendarAddressResponse } from "../../../worker/contract/account/calendar.ts";
import type { SessionsResponse } from "../../../worker/contract/account/security.ts";
import worker from "../../../worker/index.ts";
import { DriverClient } from "../../support/driver-client.ts";
import { actOnAll, owner } from "../console-harness.ts";
import { createPushSubscriber } from "../../support/push-subscriber.ts";
import {
  callPool,
  embedded,
  newPhone,
  PASSWORD,
  signInMember,
  signUpMember,
  textedCode,
  type Member,
} from "../embedded-pool.ts";
import { advanceClock, apiTarget, driverObject, resetPlatform } from "../harness.ts";
import { PUSH } from "../push-harness.ts";

beforeEach(() => resetPlatform());

const NEW_PASSWORD = "Other-2-password";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * A sign-in with all that it can make: a socket, a ticket, an arrived token, a browser that takes pushes, and the
 * calendar address, of which a driver has one.
 */
type Device = Pick<Member, "client" | "accessToken" | "refreshToken"> & {
  socket: { code: number | null };
  ticket: string;
  arrivedToken: string;
  endpoint: string;
  calendar: string;
};

let browsers = 0;

async function requestSocket(ticket: string): Promise<Response> {
  return embedded.fetch(`${embedded.origin}/flex/v1/live`, {
    headers: { upgrade: "websocket", "sec-websocket-protocol": `${LIVE_PROTOCOL}, ticket.${ticket}` },
  });
}

/** Whether a page opens another socket, as after it lost one. */
async function resumes(client: DriverClient): Promise<boolean> {
  const response = await client.call("POST", "/flex/v1/live/ticket");
  if (!response.ok) return false;
  const { ticket } = await response.json<{ ticket: string }>();
  return (await requestSocket(ticket)).status === 101;
}

async function useAll(session: Pick<Member, "client" | "accessToken" | "refreshToken">): Promise<Device> {
  const { client } = session;
  const { webSocket } = await requestSocket((await client.ticket()).ticket);
  if (!webSocket) throw new Error("no socket");
  const socket: Device["socket"] = { code: null };
  webSocket.addEventListener("close", ({ code }) => {
    socket.code = code;
  });
  webSocket.accept();
  browsers += 1;
  const { subscription } = await createPushSubscriber(`https://push.sandbox.test/send/ended-${browsers}`);
  expect((await client.call("PUT", PUSH, { body: subscription })).status).toBe(204);
  const { token } = await client.fetchJson<{ token: string }>("GET", "/flex/v1/user/im-here/data");
  const { ticket } = await client.ticket();
  const { address } = await client.fetchJson<CalendarAddressResponse>("POST", "/flex/v1/calendar", {
    body: { withPay: false },
  });
  return {
    ...session,
    socket,
    ticket,
    arrivedToken: token,
    endpoint: subscription.endpoint,
    calendar: address,
  };
}

async function openTwoDevices() {
  const member = await signUpMember();
  const { client, phoneNumber } = member;
  expect((await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber })).status).toBe(200);
  const { idToken, ...tokens } = await signInMember(phoneNumber);
  const others = new DriverClient({ ...embedded, token: idToken });
  return { member, own: await useAll(member), other: await useAll({ client: others, ...tokens }) };
}

type Devices = Awaited<ReturnType<typeof openTwoDevices>>;

const objectOf = ({ member }: Pick<Devices, "member">) =>
  driverObject({ ...member, token: "", email: "", warehouseIds: [] });

async function arrivedPushes(): Promise<string[]> {
  const answer = await apiTarget.fetch(`${apiTarget.origin}/sandbox/push`);
  const { messages } = await answer.json<{ messages: { endpoint: string }[] }>();
  return messages.map(({ endpoint }) => endpoint);
}

/** Sends a push to whoever takes one. @returns the endpoints that got it */
async function pushed(devices: Devices): Promise<string[]> {
  const before = (await arrivedPushes()).length;
  const id = crypto.randomUUID();
  const text = { en: "Line", es: "Line", pt: "Line" };
  await objectOf(devices).announce({ id, text, endsAt: Date.now() + 60 * DAY_MS });
  // The newest first.
  const all = await arrivedPushes();
  return all.slice(0, all.length - before).toSorted();
}

/** The channels of a device that still work. */
async function worksOf(
  { client, socket, ticket, arrivedToken, endpoint, calendar }: Device,
  got: readonly string[],
) {
  const arrived = { headers: { authorization: `ImHere ${arrivedToken}` } };
  const file = await (await embedded.fetch(calendar)).text();
  return {
    socket: socket.code === null,
    ticket: (await requestSocket(ticket)).status === 101,
    resume: await resumes(client),
    arrivedToken: (await client.call("GET", "/flex/v1/blocks/next", arrived)).status === 200,
    push: got.includes(endpoint),
    calendar: file.startsWith("BEGIN:VCALENDAR") && !/^UID:(?:paused|gone)@/m.test(file),
  };
}

const ALL = { socket: true, ticket: true, resume: true, arrivedToken: true, push: true, calendar: true };
const NOTHING = {
  socket: false,
  ticket: false,
  resume: false,
  arrivedToken: false,
  push: false,
  calendar: false,
};

const runCron = () => worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);

async function resetPassword(Username: string): Promise<void> {
  await callPool("ForgotPassword", { Username });
  const ConfirmationCode = await textedCode(Username);
  await callPool("ConfirmForgotPassword", { Username, ConfirmationCode, Password: NEW_PASSWORD });
}

const changePassword = ({ own: { accessToken: AccessToken } }: Devices) =>
  callPool("ChangePassword", { AccessToken, PreviousPassword: PASSWORD, ProposedPassword: NEW_PASSWORD });

async function changePhone({ own: { accessToken: AccessToken } }: Devices): Promise<void> {
  const Value = newPhone();
  await callPool("UpdateUserAttributes", { AccessToken, UserAttributes: [{ Name: "phone_number", Value }] });
  const Code = await textedCode(Value);
  await callPool("VerifyUserAttribute", { AccessToken, AttributeName: "phone_number", Code });
}

async function undoPassword(devices: Devices): Promise<void> {
  await changePassword(devices);
  const to = encodeURIComponent(devices.member.phoneNumber);
  const response = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms?to=${to}`);
  const { messages } = await response.json<{ messages: { body: string }[] }>();
  const token = messages.flatMap(({ body }) => /\/undo#([\w-]{22})$/.exec(body)?.[1] ?? [])[0] ?? "";
  const headers = { authorization: `Undo ${token}` };
  await embedded.fetch(`${embedded.origin}/flex/v1/undo`, { method: "POST", headers });
}

async function endOtherByList({ own: { client } }: Devices): Promise<void> {
  const { sessions } = await client.fetchJson<SessionsResponse>("GET", "/flex/v1/sessions");
  const other = sessions.find(({ isCurrent }) => !isCurrent);
  await client.call("DELETE", `/flex/v1/sessions/${other?.id}`);
}

/** As an operator does: see `worker/console/driver-acts.ts`. */
async function disable({ member }: Devices): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(`UPDATE pool_users SET enabled = 0 WHERE id = ?`).bind(member.driverId),
    env.DB.prepare(
      `INSERT INTO account_changes (user_id, revision, is_deleted, changed_at) VALUES (?, 1, 0, ?)`,
    ).bind(member.driverId, Date.now()),
  ]);
  advanceClock(61_000);
  await runCron();
}

/** After a leak. */
async function signEverybodyOut(): Promise<void> {
  const response = await actOnAll(owner, { act: "end_sessions", reason: "Master key leaked" });
  expect(response.status).toBe(200);
  advanceClock(61_000);
  await runCron();
}

/** A stolen refresh token is used after its owner's. */
async function reuseRefreshToken({ other }: Devices): Promise<void> {
  const renew = () =>
    callPool("InitiateAuth", {
      AuthFlow: "REFRESH_TOKEN_AUTH",
      AuthParameters: { REFRESH_TOKEN: other.refreshToken },
    });
  await renew();
  advanceClock(5 * MINUTE_MS);
  await renew();
}

describe("sockets, tickets, tokens, pushes and the calendar of a session end with it", () => {
  const ends: [string, (devices: Devices) => Promise<unknown>, { own: boolean; other: boolean }][] = [
    [
      "a global sign-out",
      ({ own: { accessToken: AccessToken } }) => callPool("GlobalSignOut", { AccessToken }),
      { own: false, other: false },
    ],
    ["a password reset", ({ member }) => resetPassword(member.phoneNumber), { own: false, other: false }],
    ["a password change", changePassword, { own: true, other: false }],
    ["a changed number", changePhone, { own: true, other: false }],
    [
      "revoking one",
      ({ own: { refreshToken: Token } }) => callPool("RevokeToken", { Token }),
      { own: false, other: true },
    ],
    ["signing one out in the list", endOtherByList, { own: true, other: false }],
    [
      "signing all others out",
      ({ own: { client } }) => client.call("DELETE", "/flex/v1/sessions"),
      { own: true, other: false },
    ],
    ["an undone change", undoPassword, { own: false, other: false }],
    ["a disabled account", disable, { own: false, other: false }],
    ["operators who sign everybody out", signEverybodyOut, { own: false, other: false }],
    ["a refresh token that was used twice", reuseRefreshToken, { own: true, other: false }],
    [
      "a deleted account",
      ({ own: { client } }) => client.call("DELETE", "/flex/v1/user"),
      { own: false, other: false },
    ],
  ];

  it.each(ends)("%s", async (name, end, lives) => {
    const devices = await openTwoDevices();
    const both = [devices.own.endpoint, devices.other.endpoint].toSorted();
    expect(await pushed(devices)).toEqual(both);
    await end(devices);
    const ended = [devices.own, devices.other].filter((_, index) => !(index === 0 ? lives.own : lives.other));
    for (const { socket } of ended) await expect.poll(() => socket.code).toBe(LIVE_CLOSE_REVOKED);
    const got = await pushed(devices);
    // A ticket is good for half a minute, which a way that takes longer outlasts.
    const own = await worksOf(devices.own, got);
    const other = await worksOf(devices.other, got);
    const late = name.includes("twice") ? { ticket: false } : {};
    // The address of a deleted account answers with an empty calendar, so that programs drop its blocks.
    const silent = name === "a deleted account" ? { ...NOTHING, calendar: true } : NOTHING;
    expect({ own, other }).toEqual({
      // The other's making of the address took the place of this one's.
      own: lives.own ? { ...ALL, ...late, calendar: false } : silent,
      other: lives.other ? { ...ALL, ...late } : silent,
    });
  });

  it("also by itself, where nobody uses it for two weeks", async () => {
    const devices = await openTwoDevices();
    advanceClock(10 * DAY_MS);
    const renewed = await callPool("GetTokensFromRefreshToken", { RefreshToken: devices.own.refreshToken });
    const { IdToken } = Object(renewed.body["AuthenticationResult"]);
    advanceClock(5 * DAY_MS);
    const idle = await callPool("GetTokensFromRefreshToken", { RefreshToken: devices.other.refreshToken });
    expect(idle.body).toMatchObject({ message: "Refresh Token has expired" });
    await worker.scheduled(createScheduledController({ cron: "7 * * * *" }), {
      ...env,
      IDENTITY: "embedded",
    });
    advanceClock(61_000);
    await worker.scheduled(createScheduledController({ cron: "* * * * *" }), {
      ...env,
      IDENTITY: "embedded",
    });
    expect(await objectOf(devices).pushSessions()).toHaveLength(1);
    const again = await callPool("GetTokensFromRefreshToken", {
      RefreshToken: Object(renewed.body["AuthenticationResult"]).RefreshToken,
    });
    const client = new DriverClient({
      ...embedded,
      token: Object(again.body["AuthenticationResult"]).IdToken,
    });
    const { sessions } = await client.fetchJson<SessionsResponse>("GET", "/flex/v1/sessions");
    expect({ renewed: typeof IdToken, sessions: sessions.length }).toEqual({
      renewed: "string",
      sessions: 1,
    });
  });

  it("also by itself, after its time", async () => {
    const devices = await openTwoDevices();
    advanceClock(31 * DAY_MS);
    expect(await pushed(devices)).toEqual([]);
    expect(await objectOf(devices).pushSessions()).toEqual([]);
  });
});

describe("a browser that takes pushes", () => {
  it("is listed with its sign-in, noted, and texted where the sign-in is new", async () => {
    const { member, own } = await openTwoDevices();
    const { sessions } = await own.client.fetchJson<SessionsResponse>("GET", "/flex/v1/sessions");
    expect(sessions.map(({ takesPush }) => takesPush)).toEqual([true, true]);
    const { results } = await env.DB.prepare(
      `SELECT times FROM security_events WHERE user_id = ? AND event = 'push_added'`,
    )
      .bind(member.driverId)
      .all();
    expect(results).toEqual([{ times: 2 }]);
    const to = encodeURIComponent(member.phoneNumber);
    const answer = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms?to=${to}`);
    const { messages } = await answer.json<{ messages: { body: string }[] }>();
    expect(messages.filter(({ body }) => body.includes("notifications were turned on"))).not.toEqual([]);
  });

  it("needs a fresh sign-in, unless it is subscribed already", async () => {
    const { client, phoneNumber } = await signUpMember();
    await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
    const [known, late] = await Promise.all(
      ["known", "late"].map((name) => createPushSubscriber(`https://push.sandbox.test/send/${name}`)),
    );
    const put = async (body: unknown) => (await client.call("PUT", PUSH, { body })).status;
    expect(await put(known?.subscription)).toBe(204);
    advanceClock(11 * MINUTE_MS);
    expect([await put(known?.subscription), await put(late?.subscription)]).toEqual([204, 403]);
  });
});
