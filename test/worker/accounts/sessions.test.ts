import { env } from "cloudflare:test";
import { SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callPool, signInMember, signUpMember, embedded } from "../embedded-pool.ts";
import { resetPlatform } from "../harness.ts";
import { createDeps } from "../../../durable/deps.ts";
import { createPoolContext } from "../../../worker/identity/pool-context.ts";
import { loadOrCreateSigningKeys } from "../../../worker/identity/tokens/signing-keys.ts";
import { DriverClient } from "../../support/driver-client.ts";

beforeEach(() => resetPlatform());
afterEach(() => void vi.useRealTimers());

/** 404 means that the token was accepted, since its user has no driver record. */
async function statusFor(client: DriverClient): Promise<number> {
  return (await client.call("GET", "/flex/v1/user")).status;
}

describe("a session after a global sign-out", () => {
  it("is refused immediately by the isolate that ended it", async () => {
    const { accessToken, client, phoneNumber } = await signUpMember();
    const { idToken } = await signInMember(phoneNumber);
    const onAnotherDevice = new DriverClient({ ...embedded, token: idToken });
    const before = [await statusFor(client), await statusFor(onAnotherDevice)];
    await callPool("GlobalSignOut", { AccessToken: accessToken });
    const after = [await statusFor(client), await statusFor(onAnotherDevice)];
    expect([before, after]).toEqual([
      [404, 404],
      [401, 401],
    ]);
  });

  it("is refused within a minute by other isolates, which cache that it was live", async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const { client, phoneNumber } = await signUpMember();
    const before = await statusFor(client);
    // The effect of a sign-out in another isolate.
    await env.DB.prepare(
      `UPDATE pool_sessions SET revoked_at = ? WHERE user_id = (SELECT id FROM pool_users WHERE phone_number = ?)`,
    )
      .bind(start, phoneNumber)
      .run();
    vi.setSystemTime(start + 60_000);
    expect([before, await statusFor(client)]).toEqual([404, 401]);
  });

  it("does not affect other users", async () => {
    const [signedOut, other] = [await signUpMember(), await signUpMember()];
    await callPool("GlobalSignOut", { AccessToken: signedOut.accessToken });
    expect([await statusFor(signedOut.client), await statusFor(other.client)]).toEqual([401, 404]);
  });
});

it("is known by a token that the key for id tokens signed, and not the one for access tokens", async () => {
  const { phoneNumber } = await signUpMember();
  const { idToken } = await signInMember(phoneNumber);
  const deps = createDeps({ ...env, IDENTITY: "embedded" });
  const keys = await loadOrCreateSigningKeys(
    createPoolContext({
      ...deps,
      ...deps.config.identity,
      publicUrl: deps.config.publicUrl,
      randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
      messages: { code: () => "" },
    }),
  );
  const claims = JSON.parse(atob((idToken.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")));
  const signWith = async (use: "id" | "access") => {
    const { kid, key } = keys[use];
    const token = await new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid }).sign(key);
    return statusFor(new DriverClient({ ...embedded, token }));
  };
  expect([await signWith("id"), await signWith("access")]).toEqual([404, 401]);
});
