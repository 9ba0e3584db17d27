import { createScheduledController, env } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openDb } from "../../../db/client.ts";
import { loadKeyUses } from "../../../db/queries/identity/master-keys.ts";
import { health } from "../../../worker/contract/status.ts";
import worker from "../../../worker/index.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { callPool, newPhone, PASSWORD, signInMember, signUpMember } from "../embedded-pool.ts";
import { createActiveDriver, deployment, driverObject, resetPlatform } from "../harness.ts";

const OLD = DEMO_SETTINGS.MASTER_KEYS;
const NEW = `next:${btoa("n".repeat(32))}`;
const db = openDb(env.DB);

beforeEach(() => resetPlatform());

async function runMinute(settings: Record<string, string>): Promise<void> {
  await worker.scheduled(createScheduledController({ cron: "* * * * *" }), {
    ...env,
    IDENTITY: "embedded",
    ...settings,
  });
}

/** The values sealed under each key, as `key what` with their count. */
async function uses(): Promise<Record<string, number>> {
  return Object.fromEntries(
    (await loadKeyUses(db)).map(({ keyId, what, uses: count }) => [`${keyId} ${what}`, count]),
  );
}

const start = (settings: Record<string, string>) => {
  const target = deployment({ IDENTITY: "embedded", ...settings });
  return target.fetch(`${target.origin}/status/health`);
};

describe("the master keys", () => {
  it("are counted, what an older one sealed is sealed anew, and one in use can't be dropped unnoticed", async () => {
    await signUpMember();
    const driver = await createActiveDriver();
    await runMinute({});
    expect(await uses()).toEqual({
      "test current": 1,
      "test passwords": 1,
      "test signing_keys": 2,
      "test sessions": 1,
      "test platform_tokens": 1,
    });
    const logged = vi.spyOn(console, "error").mockReturnValue();
    expect((await start({ MASTER_KEYS: NEW })).status).toBe(500);
    expect(String(logged.mock.calls)).toContain(
      "MASTER_KEYS lacks the key test, which still seals 1 passwords, 2 signing keys, 1 sessions, 1 platform tokens",
    );
    logged.mockRestore();

    const rotated = { MASTER_KEYS: `${NEW},${OLD}` };
    expect(health.parse(await (await start(rotated)).json())).toMatchObject({ olderKeys: { test: 5 + 1 } });
    await runMinute(rotated);
    expect(await uses()).toMatchObject({
      "next current": 1,
      "next passwords": 1,
      "next signing_keys": 2,
      "test sessions": 1,
    });
    // The object of this test still has the old settings.
    expect(await driverObject(driver).resealTokens()).toBe("test");

    // The last session of the old key ends, and its object has another key.
    await env.DB.prepare("UPDATE pool_sessions SET revoked_at = 1 WHERE key_id = 'test'").run();
    await env.DB.prepare("UPDATE object_seals SET key_id = 'next' WHERE key_id = 'test'").run();
    await env.DB.prepare("UPDATE master_key_uses SET counted_at = 0").run();
    await runMinute(rotated);
    expect(
      health.parse(await (await start({ MASTER_KEYS: NEW, PRODUCT_NAME: "Alone" })).json()),
    ).not.toHaveProperty("olderKeys");
    await env.DB.prepare("DELETE FROM master_key_uses").run();
  });

  it("that are lost for good are named as such, and only then are their accounts given up", async () => {
    const { phoneNumber } = await signUpMember();
    await env.DB.prepare("DELETE FROM master_key_uses").run();
    await runMinute({});
    const lost = { MASTER_KEYS: NEW, LOST_MASTER_KEYS: "test" };
    expect((await start(lost)).status).toBe(200);
    await env.DB.prepare("DELETE FROM master_key_uses").run();
    expect((await signInMember(phoneNumber)).idToken).toMatch(/^ey/);
  });

  it("count what registered numbers wait with, which expires within a day", async () => {
    await callPool("SignUp", { Username: newPhone(), Password: PASSWORD });
    await env.DB.prepare("UPDATE master_key_uses SET counted_at = 0").run();
    await runMinute({});
    expect(await uses()).toMatchObject({ "test registrations": 1 });
    await env.DB.prepare("DELETE FROM pool_registrations").run();
  });
});
