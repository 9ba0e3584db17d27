import { createScheduledController, env, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { LIVE_CLOSE_REVOKED, LIVE_PROTOCOL } from "../../../db/shapes/work/live.ts";
import worker from "../../../worker/index.ts";
import type { DriverClient } from "../../support/driver-client.ts";
import { linkPlatformAccount } from "../../support/sandbox-client.ts";
import { callPool, embedded, newPhone, signUpMember, textedCode, type Member } from "../embedded-pool.ts";
import { advanceClock, driverObject, platformWorld, apiTarget, resetPlatform } from "../harness.ts";

beforeEach(() => resetPlatform());

/** A member with a record. */
async function registerMember(phoneNumber?: string): Promise<Member> {
  const member = await signUpMember(phoneNumber);
  const answer = await register(member);
  if (!answer.ok) throw new Error(`registering failed: ${answer.status}`);
  return member;
}

const register = ({ client, phoneNumber }: Pick<Member, "client" | "phoneNumber">) =>
  client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });

async function requestSocket(ticket: string): Promise<Response> {
  return embedded.fetch(`${embedded.origin}/flex/v1/live`, {
    headers: { upgrade: "websocket", "sec-websocket-protocol": `${LIVE_PROTOCOL}, ticket.${ticket}` },
  });
}

/** An open dashboard: whether it still is, and with which code the server closes it. */
type Dashboard = { closed: Promise<number>; isOpen(): boolean };

async function open(client: DriverClient): Promise<Dashboard> {
  const { webSocket } = await requestSocket((await client.ticket()).ticket);
  if (!webSocket) throw new Error("no socket");
  let isOpen = true;
  webSocket.accept();
  const closed = new Promise<number>((resolve) =>
    webSocket.addEventListener("close", ({ code }) => {
      isOpen = false;
      resolve(code);
    }),
  );
  return { closed, isOpen: () => isOpen };
}

async function changePhone({ accessToken: AccessToken }: Member, to: string): Promise<void> {
  await callPool("UpdateUserAttributes", {
    AccessToken,
    UserAttributes: [{ Name: "phone_number", Value: to }],
  });
  const Code = await textedCode(to);
  const { status } = await callPool("VerifyUserAttribute", {
    AccessToken,
    AttributeName: "phone_number",
    Code,
  });
  if (status !== 200) throw new Error(`verifying failed: ${status}`);
}

const runCron = () => worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);

const isPending = async ({ driverId }: Member) =>
  (await env.DB.prepare(`SELECT * FROM account_changes WHERE user_id = ?`).bind(driverId).first()) !== null;

describe("a deletion, by whichever door", () => {
  const doors: [string, (member: Member) => Promise<unknown>][] = [
    ["the protocol", ({ accessToken: AccessToken }) => callPool("DeleteUser", { AccessToken })],
    ["the API", ({ client }) => client.call("DELETE", "/flex/v1/user")],
  ];

  it.each(doors)("stops the object, closes its sockets and frees the number: %s", async (_door, leave) => {
    const member = await registerMember();
    const email = `${member.driverId}@example.com`;
    await linkPlatformAccount({ ...embedded, client: member.client }, email);
    const dashboard = await open(member.client);
    const { ticket } = await member.client.ticket();
    const { token } = await member.client.fetchJson<{ token: string }>("GET", "/flex/v1/user/im-here/data");

    await leave(member);

    expect(await dashboard.closed).toBe(LIVE_CLOSE_REVOKED);
    expect((await requestSocket(ticket)).status).toBe(401);
    const arrived = { headers: { authorization: `ImHere ${token}` } };
    expect((await member.client.call("GET", "/flex/v1/blocks/next", arrived)).status).toBe(401);
    const { drivers } = await platformWorld(apiTarget);
    expect(drivers.some((known) => known.email === email && known.linked)).toBe(false);
    const rows = await runInDurableObject(
      driverObject({ ...member, token: "", email, warehouseIds: [] }),
      (_object, { storage }) => storage.sql.exec("SELECT key FROM state").toArray(),
    );
    expect(rows).toEqual([]);
    expect((await register(await signUpMember(member.phoneNumber))).status).toBe(200);
    expect(await isPending(member)).toBe(false);
  });

  it("that stopped halfway is finished by the cron, and the number is free before", async () => {
    const member = await registerMember();
    const dashboard = await open(member.client);
    // DeleteUser's first write.
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO account_changes (user_id, revision, is_deleted, changed_at) VALUES (?, 1, 1, ?)`,
      ).bind(member.driverId, Date.now()),
      env.DB.prepare(`DELETE FROM users WHERE id = ?`).bind(member.driverId),
      env.DB.prepare(`DELETE FROM pool_users WHERE id = ?`).bind(member.driverId),
      env.DB.prepare(`DELETE FROM pool_sessions WHERE user_id = ?`).bind(member.driverId),
    ]);
    expect((await register(await signUpMember(member.phoneNumber))).status).toBe(200);
    advanceClock(61_000);
    await runCron();
    expect(await dashboard.closed).toBe(LIVE_CLOSE_REVOKED);
    expect(await isPending(member)).toBe(false);
  });
});

describe("a changed number", () => {
  it("reaches the record and the object, and the old one's next owner registers", async () => {
    const member = await registerMember();
    const wanted = newPhone();
    await changePhone(member, wanted);
    const { Item } = await member.client.fetchJson<{ Item: { phoneNumber: string } }>("GET", "/flex/v1/user");
    expect(Item.phoneNumber).toBe(wanted);
    const owner = await runInDurableObject(
      driverObject({ ...member, token: "", email: "", warehouseIds: [] }),
      (_object, { storage }) =>
        storage.sql.exec<{ value: string }>("SELECT value FROM state WHERE key = 'owner'").one().value,
    );
    expect(owner).toContain(wanted);
    expect(owner).not.toContain(member.phoneNumber);
    expect((await register(await signUpMember(member.phoneNumber))).status).toBe(200);
  });

  it("that the record missed is made up for when the number's owner registers", async () => {
    const member = await registerMember();
    const wanted = newPhone();
    await env.DB.prepare(`UPDATE pool_users SET phone_number = ? WHERE id = ?`)
      .bind(wanted, member.driverId)
      .run();
    expect((await register(await signUpMember(member.phoneNumber))).status).toBe(200);
    const { Item } = await member.client.fetchJson<{ Item: { phoneNumber: string } }>("GET", "/flex/v1/user");
    expect(Item.phoneNumber).toBe(wanted);
  });

  it("is the record's from the start, though the token still names the old one", async () => {
    const member = await signUpMember();
    const wanted = newPhone();
    await changePhone(member, wanted);
    expect((await register(member)).status).toBe(200);
    const { Item } = await member.client.fetchJson<{ Item: { phoneNumber: string } }>("GET", "/flex/v1/user");
    expect(Item.phoneNumber).toBe(wanted);
  });
});
