import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { addSecurityEvent, deleteOldSecurityEvents } from "../../../db/queries/accounts/security-events.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import type { SecurityResponse } from "../../../worker/contract/account/security.ts";
import { callPool, newPhone, PASSWORD, signUpMember, type Member } from "../embedded-pool.ts";
import { createDriver, resetPlatform } from "../harness.ts";

beforeEach(() => resetPlatform());

const db = openDb(env.DB);
const ANDROID = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36";

async function activity({ client }: Pick<Member, "client">, cursor?: string): Promise<SecurityResponse> {
  const query = cursor === undefined ? "" : `?cursor=${cursor}`;
  return client.fetchJson<SecurityResponse>("GET", `/flex/v1/security${query}`);
}

const namesOf = ({ items }: SecurityResponse) => items.map(({ event, times }) => [event, times]);

async function signIn(phoneNumber: string, password: string, address = "203.0.113.7") {
  const AuthParameters = { USERNAME: phoneNumber, PASSWORD: password };
  const headers = { "cf-connecting-ip": address, "user-agent": ANDROID };
  return callPool("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters }, headers);
}

it("shows drivers what happened to their account, and to no other", async () => {
  const [member, other] = [await signUpMember(), await signUpMember()];
  for (let i = 0; i < 3; i++) await signIn(member.phoneNumber, "Wrong-1-password");
  await callPool("ChangePassword", {
    AccessToken: member.accessToken,
    PreviousPassword: PASSWORD,
    ProposedPassword: "Other-2-password",
  });
  const seen = await activity(member);
  expect(namesOf(seen)).toEqual([
    ["password_changed", 1],
    ["sign_in_failed", 3],
    ["sign_in", 1],
    ["registered", 1],
  ]);
  expect(seen.items[1]).toMatchObject({ browser: "Chrome", system: "Android", country: null });
  expect(namesOf(await activity(other))).toEqual([
    ["sign_in", 1],
    ["registered", 1],
  ]);
  expect(JSON.stringify(seen)).not.toContain("203.0.113");
});

it("stores an attack in one row per network and hour, and few networks of an hour", async () => {
  const { driverId } = await createDriver();
  const now = Date.parse("2026-11-21T12:30:00Z");
  const event = {
    event: "sign_in_failed",
    userId: driverId,
    browser: null,
    system: null,
    country: null,
  } as const;
  await Promise.all(
    Array.from({ length: 300 }, (_, i) => addSecurityEvent(db, { ...event, network: `n${i % 100}`, now })),
  );
  const { results } = await env.DB.prepare(
    "SELECT count(*) AS n, sum(times) AS times FROM security_events WHERE user_id = ?",
  )
    .bind(driverId)
    .all();
  expect(results).toEqual([{ n: 11, times: 300 }]);
});

it("keeps 200 rows of an account, for 90 days", async () => {
  const driver = await createDriver();
  const now = Date.now();
  const event = {
    userId: driver.driverId,
    browser: null,
    system: null,
    country: null,
    network: "n",
  } as const;
  for (let hours = 205; hours > 0; hours--)
    await addSecurityEvent(db, { ...event, event: "sign_in", now: now - hours * HOUR_MS });
  const count = () =>
    env.DB.prepare("SELECT count(*) AS n FROM security_events WHERE user_id = ?")
      .bind(driver.driverId)
      .first<number>("n");
  expect(await count()).toBe(200);
  let pages = 0;
  let shown = 0;
  for (let cursor: string | undefined; pages < 20;) {
    const page = await activity(driver, cursor);
    pages += 1;
    shown += page.items.length;
    if (page.cursor === null) break;
    cursor = page.cursor;
  }
  expect([pages, shown]).toEqual([10, 200]);
  await deleteOldSecurityEvents(db, now + 90 * DAY_MS, 90 * DAY_MS);
  expect(await count()).toBe(0);
});

it("stores nothing for a number without an account, and deletes what it stored with one", async () => {
  const rows = () => env.DB.prepare("SELECT count(*) AS n FROM security_events").first<number>("n");
  const before = await rows();
  for (let i = 0; i < 3; i++) await signIn(newPhone(), "Wrong-1-password");
  expect(await rows()).toBe(before);
  const member = await signUpMember();
  expect(await rows()).toBeGreaterThan(before ?? 0);
  await callPool("DeleteUser", { AccessToken: member.accessToken });
  expect(await rows()).toBe(before);
});

it("puts it into the driver's export", async () => {
  const member = await signUpMember();
  await member.client.sealed("PUT", "/flex/v1/user", { name: "Ana Lima", phoneNumber: member.phoneNumber });
  const { security } = await member.client.fetchJson<{ security: Record<string, unknown>[] }>(
    "GET",
    "/flex/v1/user/export",
  );
  expect(security.map(({ event }) => event)).toEqual(["registered", "sign_in"]);
  expect(Object.keys(security[0] ?? {})).not.toContain("network");
});

it("refuses a malformed cursor", async () => {
  const { client } = await createDriver();
  expect((await client.call("GET", "/flex/v1/security?cursor=x")).status).toBe(400);
});
