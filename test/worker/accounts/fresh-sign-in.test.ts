import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { UserResponse } from "../../../worker/contract/account/user.ts";
import { DriverClient } from "../../support/driver-client.ts";
import { callPool, embedded, signInMember, signUpMember, type Member } from "../embedded-pool.ts";
import type { NotificationPreferences } from "../../../db/shapes/notifications.ts";
import { apiTarget, createActiveDriver, createDriver, resetPlatform } from "../harness.ts";

const MINUTE_MS = 60_000;

beforeEach(async () => {
  await resetPlatform();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});
afterEach(() => void vi.useRealTimers());

const later = (lengthMs: number) => vi.setSystemTime(Date.now() + lengthMs);
const clientWith = (token: string) => new DriverClient({ ...embedded, token });

async function outcome(response: Response): Promise<[number, string?]> {
  const { code } = Object(JSON.parse((await response.text()) || "{}"));
  return code === undefined ? [response.status] : [response.status, code];
}

/** A driver with a record, and two of their tokens: one of an old sign-in, and the same renewed. */
async function memberOfAnHourAgo(): Promise<{ member: Member; old: DriverClient; renewed: DriverClient }> {
  const member = await signUpMember();
  const { client, phoneNumber } = member;
  expect((await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber })).status).toBe(200);
  later(10 * MINUTE_MS + 1000);
  const { body } = await callPool("InitiateAuth", {
    AuthFlow: "REFRESH_TOKEN_AUTH",
    AuthParameters: { REFRESH_TOKEN: member.refreshToken },
  });
  return { member, old: client, renewed: clientWith(Object(body["AuthenticationResult"]).IdToken) };
}

describe("a token of a sign-in more than ten minutes ago", () => {
  it("deletes no account, renewed or not, until its owner signs in again", async () => {
    const { member, old, renewed } = await memberOfAnHourAgo();
    for (const client of [old, renewed]) {
      expect(await outcome(await client.call("DELETE", "/flex/v1/user"))).toEqual([403, "sign_in_again"]);
    }
    const { results } = await env.DB.prepare(`SELECT id FROM users WHERE id = ?`).bind(member.driverId).all();
    expect(results).toHaveLength(1);
    const fresh = clientWith((await signInMember(member.phoneNumber)).idToken);
    expect(await outcome(await fresh.call("DELETE", "/flex/v1/user"))).toEqual([204]);
  });

  it("sends texts to no other number, but to the driver's own again, and changes the name", async () => {
    const { member, renewed } = await memberOfAnHourAgo();
    const fresh = clientWith((await signInMember(member.phoneNumber)).idToken);
    const own = `/flex/v1/user/${member.phoneNumber}`;
    const details = (preferredPhoneNumber: string | null) => ({
      body: { name: "Bia", humanTimezone: "America/Chicago", humanRegion: null, preferredPhoneNumber },
    });
    const profile = (preferredPhoneNumber: string | null) =>
      ({ updateProfile: true, name: "Bia", preferredPhoneNumber }) as const;
    const other = "+15550107777";
    expect(await outcome(await renewed.call("PUT", own, details(other)))).toEqual([403, "sign_in_again"]);
    expect(await outcome(await renewed.patchUser(profile(other)))).toEqual([403, "sign_in_again"]);
    expect(await outcome(await fresh.patchUser(profile(other)))).toEqual([200]);
    expect(await outcome(await renewed.call("PUT", own, details(other)))).toEqual([200]);
    expect(await outcome(await renewed.patchUser(profile(other)))).toEqual([200]);
    expect(await outcome(await renewed.call("PUT", own, details(null)))).toEqual([200]);
    const { Item } = await renewed.fetchJson<UserResponse>("GET", "/flex/v1/user");
    expect(Item).toMatchObject({ name: "Bia", preferredPhoneNumber: null });
  });

  it("exports nothing and unlinks nothing", async () => {
    const { old, renewed } = await memberOfAnHourAgo();
    for (const client of [old, renewed]) {
      expect(await outcome(await client.call("GET", "/flex/v1/user/export"))).toEqual([403, "sign_in_again"]);
      expect(await outcome(await client.call("DELETE", "/flex/v1/setup"))).toEqual([403, "sign_in_again"]);
    }
  });

  it("deletes no account where another pool signs drivers in either", async () => {
    const { client } = await createDriver();
    later(10 * MINUTE_MS + 1000);
    expect(await outcome(await client.call("DELETE", "/flex/v1/user"))).toEqual([403, "sign_in_again"]);
  });
});

describe("the owner of an account", () => {
  const textsTo = async (phoneNumber: string) => {
    const to = encodeURIComponent(phoneNumber);
    const response = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms?to=${to}`);
    const { messages } = await response.json<{ messages: { body: string }[] }>();
    return messages.map(({ body }) => body);
  };

  it("is told by text that the platform account was unlinked", async () => {
    const driver = await createActiveDriver();
    expect(await outcome(await driver.client.call("DELETE", "/flex/v1/setup"))).toEqual([204]);
    const told = async () => (await textsTo(driver.phoneNumber)).filter((body) => body.includes("unlinked"));
    await expect.poll(told).toHaveLength(1);
    expect(await outcome(await driver.client.call("DELETE", "/flex/v1/setup"))).toEqual([204]);
    expect(await told()).toHaveLength(1);
  });

  it.each(["captured", "needs_you"] as const)(
    "is told by a last text that texts of '%s' were turned off",
    async (watched) => {
      const driver = await createDriver();
      const path = "/flex/v1/user/notifications";
      const before = await driver.client.fetchJson<NotificationPreferences>("GET", path);
      const put = async (body: NotificationPreferences) =>
        (await driver.client.call("PUT", path, { body })).status;
      const told = async () =>
        (await textsTo(driver.phoneNumber)).filter((body) => body.includes("turned off"));
      expect(await put({ ...before, service: { text: false, push: true } })).toBe(200);
      expect(await told()).toEqual([]);
      const off = { ...before, [watched]: { text: false, push: true } };
      expect([await put(off), await put(off)]).toEqual([200, 200]);
      await expect.poll(told).toHaveLength(1);
    },
  );
});
