import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callPool, signInMember, signUpMember, embedded } from "./embedded-pool.ts";
import { resetPlatform } from "./harness.ts";
import { DriverClient } from "../support/driver-client.ts";

beforeEach(() => resetPlatform());
afterEach(() => void vi.useRealTimers());

/** 404 says that the token was good: it is of somebody without a record. */
async function show(client: DriverClient): Promise<number> {
  return (await client.call("GET", "/flex/v1/user")).status;
}

describe("a session that was signed out everywhere", () => {
  it("is refused by the API at once where it was ended", async () => {
    const { accessToken, client, phoneNumber } = await signUpMember();
    const { idToken } = await signInMember(phoneNumber);
    const onAnotherDevice = new DriverClient({ ...embedded, token: idToken });
    const before = [await show(client), await show(onAnotherDevice)];
    await callPool("GlobalSignOut", { AccessToken: accessToken });
    const after = [await show(client), await show(onAnotherDevice)];
    expect([before, after]).toEqual([
      [404, 404],
      [401, 401],
    ]);
  });

  it("is refused within a minute by every other isolate, which took it for good until it looks again", async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const { client, phoneNumber } = await signUpMember();
    const before = await show(client);
    // What another isolate's sign-out leaves in D1; this one hears nothing of it.
    await env.DB.prepare(
      `UPDATE pool_sessions SET revoked_at = ? WHERE user_id = (SELECT id FROM pool_users WHERE phone_number = ?)`,
    )
      .bind(start, phoneNumber)
      .run();
    vi.setSystemTime(start + 60_000);
    expect([before, await show(client)]).toEqual([404, 401]);
  });

  it("is nobody else's", async () => {
    const [leaver, other] = [await signUpMember(), await signUpMember()];
    await callPool("GlobalSignOut", { AccessToken: leaver.accessToken });
    expect([await show(leaver.client), await show(other.client)]).toEqual([401, 404]);
  });
});
