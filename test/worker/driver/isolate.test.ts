import { createExecutionContext, env } from "cloudflare:test";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ConfigError } from "../../../durable/runtime/config.ts";
import { app } from "../../../worker/app.ts";
import { isolateOf } from "../../../worker/http/isolate.ts";
import { embedded, signUpMember } from "../embedded-pool.ts";
import { apiTarget, createDriver, resetPlatform } from "../harness.ts";

beforeAll(() => resetPlatform());
afterEach(() => vi.restoreAllMocks());

/** How often `run` derives a key from a master key (HKDF). */
async function countDerivations(run: () => Promise<unknown>): Promise<number> {
  const derive = vi.spyOn(crypto.subtle, "deriveBits");
  await run();
  return derive.mock.calls.length;
}

async function repeat(times: number, call: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) statuses.push((await call()).status);
  return [...new Set(statuses)];
}

describe("the state of an isolate", () => {
  it("serves concurrent requests from the first one on", async () => {
    const drivers = await Promise.all([createDriver(), createDriver(), createDriver()]);
    const tickets = await Promise.all(drivers.map(({ client }) => client.ticket()));
    expect(new Set(tickets.map(({ ticket }) => ticket)).size).toBe(3);
    const sealed = await Promise.all(
      drivers.map(({ client }) => client.sealed("PATCH", "/flex/v1/user", { mode: "secure" })),
    );
    expect(sealed.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("survives an aborted request", async () => {
    const member = await signUpMember();
    const controller = new AbortController();
    const abandoned = apiTarget
      .fetch(`${apiTarget.origin}/status/health`, { signal: controller.signal })
      .catch(() => null);
    controller.abort();
    await abandoned;
    expect((await member.client.call("GET", "/flex/v1/warehouses")).status).toBe(404);
  });

  it("derives each key once", async () => {
    const { client } = await createDriver();
    const body = await client.seal("PATCH", "/flex/v1/user", { mode: "secure" });
    const keySet = `${embedded.origin}/identity/local_Jornada1/.well-known/jwks.json`;
    const derivations = await countDerivations(async () => {
      expect(await repeat(30, () => client.call("POST", "/flex/v1/live/ticket"))).toEqual([200]);
      // A sealed body works once.
      expect(await repeat(1, () => client.call("PATCH", "/flex/v1/user", { body }))).toEqual([200]);
      expect(await repeat(30, () => embedded.fetch(keySet))).toEqual([200]);
    });
    // Tickets, the master key's print, and each of the pool's two signing keys, which are opened concurrently.
    expect(derivations).toBeLessThanOrEqual(4);
  });

  it("is cached per settings: equal settings share it, changed ones don't", () => {
    const isolate = isolateOf(env);
    expect(isolateOf({ ...env })).toBe(isolate);
    expect(isolateOf({ ...env, PRODUCT_NAME: "Another" }).deps.config.productName).toBe("Another");
    expect(isolateOf(env).deps.config.productName).toBe("Jornada");
  });

  it("fails on every request for malformed settings that everything needs", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const broken = { ...env, PUBLIC_URL: "nowhere" };
    for (let time = 0; time < 2; time += 1) {
      expect(() => isolateOf(broken)).toThrow(ConfigError);
      const request = new Request(`${apiTarget.origin}/status/config`);
      expect((await app.fetch(request, broken, createExecutionContext())).status).toBe(500);
    }
  });
});
