import { Hono } from "hono";
import { errors, exportJWK, generateKeyPair, SignJWT } from "jose";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AppEnv } from "../../worker/http/app-env.ts";
import { isolateOf, provideIsolate } from "../../worker/http/isolate.ts";
import { announceResponse, openRequestScope } from "../../worker/http/request-scope.ts";
import { trackRequest } from "../../worker/http/errors/track-request.ts";
import { createDeps } from "../../durable/deps.ts";
import { createTokenKeys, openUserPool } from "../../worker/http/gate/user-pool.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { appWith } from "./app-with.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

const texts: { to: string | null; body: string | null }[] = [];
const gateway = {
  fetch: async (request: Request) => {
    const sent = new URLSearchParams(await request.text());
    texts.push({ to: sent.get("To"), body: sent.get("Body") });
    return Response.json({ sid: "SM1" }, { status: 201 });
  },
};

/** The bindings of a deployment with a database of its own, whose texts go to `texts`. */
function envWith(settings: Record<string, unknown> = {}) {
  const database = migratedDatabase();
  return {
    database,
    env: { ...DEMO_SETTINGS, DB: bindD1(database), DRIVER: {}, ASSETS: {}, SANDBOX: gateway, ...settings },
  };
}

describe("an isolate", () => {
  it("is made once for equal bindings and settings, and anew for others", () => {
    const { env } = envWith();
    const isolate = isolateOf(env);
    expect(isolateOf(env)).toBe(isolate);
    expect(isolateOf({ ...env })).toBe(isolate);
    const named = isolateOf({ ...env, PRODUCT_NAME: "Turno" });
    expect(named).not.toBe(isolate);
    expect(named.deps.config.productName).toBe("Turno");
    const { PUBLIC_URL: _url, ...fewer } = { ...env, PRODUCT_NAME: "Turno" };
    expect(() => isolateOf(fewer)).toThrow("PUBLIC_URL");
    expect(isolateOf({ ...env, MORE: "1" })).not.toBe(named);
  });

  it("gives each request its parts, and counts nothing of its own as the request's", async () => {
    const { env, database } = envWith();
    const lines: unknown[] = [];
    const log = vi
      .spyOn(console, "info")
      .mockImplementation((line: unknown) => lines.push(JSON.parse(String(line))));
    const app = new Hono<AppEnv>()
      .use(openRequestScope, trackRequest, provideIsolate)
      .get("/flex/parts", async (c) => {
        const { health, phoneCodes, deps, userPool, tokenKeys, operatorKeys } = c.var;
        const isolate = isolateOf(env);
        const own = { health, phoneCodes, deps, userPool, tokenKeys, operatorKeys };
        const others = Object.entries(own).filter(
          ([name, part]) => part === undefined || part !== Object(isolate)[name],
        );
        return c.json([others.map(([name]) => name), (await health()).degraded]);
      });
    expect(await (await app.request("/flex/parts", {}, env)).json()).toEqual([[], []]);
    expect(database.prepare("SELECT what FROM master_key_uses").all()).toEqual([
      { what: "current" },
      { what: expect.stringContaining("print:") },
    ]);
    expect(lines).toMatchObject([{ event: "request.handled", statements: 3 }]);
    log.mockRestore();
  });

  it("serves nothing as long as a master key is missing", async () => {
    const { env, database } = envWith();
    database.exec(
      "INSERT INTO master_key_uses (key_id, what, uses, counted_at) VALUES ('gone', 'passwords', 1, 0)",
    );
    const log = vi.spyOn(console, "error").mockReturnValue();
    const app = appWith({})
      .use(provideIsolate)
      .get("/", (c) => c.text("served"));
    expect((await app.request("/", {}, env)).status).toBe(500);
    database.exec("DELETE FROM master_key_uses");
    expect((await app.request("/", {}, env)).status).toBe(200);
    log.mockRestore();
  });
});

/** The deployment's pool under these settings. */
const poolOf = (settings: Record<string, unknown>, now = Date.now) => {
  const { env, database } = envWith({ IDENTITY: "embedded", ...settings });
  const deps = { ...createDeps(env), now };
  const pool = openUserPool(deps, env);
  if (!pool) throw new Error("there is no pool");
  const call = async (operation: string, body: object, address: string | null) => {
    const response = await pool.handle(
      new Request("http://localhost:5173/identity/", {
        method: "POST",
        headers: {
          "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
          ...(address === null ? {} : { "cf-connecting-ip": address }),
        },
        body: JSON.stringify({ ClientId: "jornadaweb", ...body }),
      }),
    );
    return JSON.parse(await response.text())["__type"] ?? "done";
  };
  return { pool, deps, database, call };
};

describe("the deployment's user pool", () => {
  it("is null where another pool signs drivers in", () => {
    const { env } = envWith();
    expect(openUserPool(createDeps(env), env)).toBeNull();
  });

  it("counts calls by network and operation, and none from inside or without a counter", async () => {
    const keys: string[] = [];
    const limit = async ({ key }: { key: string }) => (
      keys.push(key),
      { success: !key.startsWith("192.0.2.1 ") }
    );
    const counted = poolOf({ IDENTITY_LIMIT: { limit } });
    const ask = { Username: "+15550109999" };
    expect(await counted.call("ForgotPassword", ask, "192.0.2.1")).toBe("TooManyRequestsException");
    expect(await counted.call("ForgotPassword", ask, "192.0.2.2")).toBe("UserNotFoundException");
    expect(await counted.call("ForgotPassword", ask, null)).toBe("UserNotFoundException");
    expect(keys).toEqual(["192.0.2.1 ForgotPassword", "192.0.2.2 ForgotPassword"]);
    // A home has as many addresses of IPv6 as it wants.
    for (const address of ["2001:db8:0:7::1", "2001:db8::7:ffff:0:0:2"])
      await counted.call("GetUser", {}, address);
    expect(keys.slice(2)).toEqual(Array.from({ length: 2 }, () => "2001:db8:0:7::/64 GetUser"));
    expect(await poolOf({}).call("ForgotPassword", ask, "192.0.2.1")).toBe("UserNotFoundException");
  });

  it("texts codes in the product's name", async () => {
    texts.length = 0;
    const { call } = poolOf({ PRODUCT_NAME: "Turno" });
    const account = { Username: "+15550100177", Password: "Jornada-1-demo" };
    expect(await call("SignUp", account, "192.0.2.9")).toBe("done");
    expect(texts).toEqual([
      { to: "+15550100177", body: expect.stringMatching(/Turno.*\d{6}|\d{6}.*Turno/s) },
    ]);
  });
});

describe("the owner of an account", () => {
  const phone = "+15550100178";
  const codeIn = (text: { body: string | null } | undefined) => /\d{6}/.exec(text?.body ?? "")?.[0] ?? "";

  it("hears of a new password even if the caller hangs up, and that somebody guesses at it", async () => {
    texts.length = 0;
    let now = NOW;
    const { call } = poolOf({ PRODUCT_NAME: "Turno" }, () => now);
    const outlived: Promise<unknown>[] = [];
    const ctx = {
      waitUntil: (work: Promise<unknown>) => outlived.push(work),
      passThroughOnException: () => {},
      props: {},
    };
    const change = new Hono<AppEnv>().use(openRequestScope, announceResponse).post("/", async (c) => {
      const { ConfirmationCode } = await c.req.json();
      const reset = { Username: phone, ConfirmationCode, Password: "Jornada-2-demo" };
      return c.text(await call("ConfirmForgotPassword", reset, null));
    });
    await call("SignUp", { Username: phone, Password: "Jornada-1-demo" }, null);
    await call("ConfirmSignUp", { Username: phone, ConfirmationCode: codeIn(texts[0]) }, null);
    await call("ForgotPassword", { Username: phone }, null);
    const body = JSON.stringify({ ConfirmationCode: codeIn(texts[1]) });
    const done = await change.request("/", { method: "POST", body }, {}, ctx);
    // The note in the security log, and the text to the owner.
    expect([await done.text(), outlived.length]).toEqual(["done", 2]);
    await Promise.all(outlived);
    expect(texts.slice(2)).toEqual([{ to: phone, body: expect.stringMatching(/^Turno: .*password/) }]);
    const AuthParameters = { USERNAME: phone, PASSWORD: "Jornada-3-demo" };
    for (let tries = 0; tries < 40 && texts.length < 4; tries += 1) {
      now += 20 * 60_000;
      await call("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters }, null);
    }
    expect(texts.slice(3)).toEqual([{ to: phone, body: expect.stringMatching(/^Turno: .*guessing/) }]);
  });
});

describe("the keys of an outside pool", () => {
  it("are fetched from its issuer at the first token", async () => {
    const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
    const calls: string[] = [];
    const outside = {
      fetch: async (request: Request) => {
        calls.push(`${request.method} ${request.url} ${request.headers.get("accept")}`);
        return Response.json({ keys: [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256" }] });
      },
    };
    const { env } = envWith({ SANDBOX: outside, COGNITO_POOL_ID: "eu-west-1_Pool" });
    const keys = createTokenKeys(createDeps(env), null);
    const token = await new SignJWT({}).setProtectedHeader({ alg: "RS256", kid: "k1" }).sign(privateKey);
    const [header = "", payload = "", signature = ""] = token.split(".");
    const key = await keys({ alg: "RS256", kid: "k1" }, { protected: header, payload, signature });
    expect(key).toMatchObject({ type: "public" });
    expect(calls).toEqual([
      expect.stringMatching(
        /^GET https:\/\/cognito-idp\.eu-west-1\.amazonaws\.com\/eu-west-1_Pool\/\.well-known\/jwks\.json .*json/,
      ),
    ]);
  });
});

describe("an outside pool that can't be reached", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The keys of a pool, which answers as it is told to: null is never. */
  async function openOutside() {
    vi.useFakeTimers({ toFake: ["Date"], now: NOW });
    const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256" }] };
    const answers: { now: (() => Response) | null; asked: number } = {
      now: () => Response.json(jwks),
      asked: 0,
    };
    const outside = {
      fetch: async (request: Request) => {
        answers.asked += 1;
        if (answers.now) return answers.now();
        return new Promise<Response>((_, reject) => {
          request.signal.addEventListener("abort", () => reject(request.signal.reason));
        });
      },
    };
    const { env } = envWith({ SANDBOX: outside, COGNITO_POOL_ID: "eu-west-1_Pool" });
    const keys = createTokenKeys(createDeps(env), null);
    const read = async (kid: string) => {
      const token = await new SignJWT({}).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey);
      const [header = "", payload = "", signature = ""] = token.split(".");
      try {
        await keys({ alg: "RS256", kid }, { protected: header, payload, signature });
        return "read";
      } catch (error) {
        return error instanceof errors.JOSEError ? `${error.name} ${error.code}` : "broken";
      }
    };
    const comeBack = () => {
      answers.now = () => Response.json(jwks);
    };
    return { answers, read, comeBack };
  }

  const AWAY = "JOSEError ERR_JOSE_GENERIC";

  it("has its last keys count for a day, and is asked again twice a minute", async () => {
    const { answers, read, comeBack } = await openOutside();
    expect(await read("k1")).toBe("read");
    answers.now = () => new Response(null, { status: 503 });
    vi.setSystemTime(NOW + 11 * 60_000);
    expect([await read("k1"), await read("k1"), answers.asked]).toEqual(["read", "read", 2]);
    // A key that came since is none that nobody has: its owner isn't signed out.
    expect(await read("k2")).toBe(AWAY);
    vi.setSystemTime(NOW + 11 * 60_000 + 30_000);
    expect([await read("k1"), answers.asked]).toEqual(["read", 3]);
    vi.setSystemTime(NOW + 24 * 3_600_000 + 1);
    expect(await read("k1")).toBe(AWAY);
    comeBack();
    expect(await read("k1")).toBe("read");
    vi.setSystemTime(NOW + 24 * 3_600_000 + 60_000);
    expect(await read("k2")).toBe("JWKSNoMatchingKey ERR_JWKS_NO_MATCHING_KEY");
  });

  it("is given up after three seconds", async () => {
    const { answers, read } = await openOutside();
    answers.now = null;
    expect(await Promise.race([read("k1"), wait(4_000)])).toBe("JWKSTimeout ERR_JWKS_TIMEOUT");
  });
});

describe("the keys of our own pool", () => {
  it("are read anew after half a minute, and for a key that nobody knows", async () => {
    const { env } = envWith({ IDENTITY: "embedded" });
    let now = NOW;
    const deps = { ...createDeps(env), now: () => now };
    const pool = openUserPool(deps, env);
    if (!pool) throw new Error("there is no pool");
    let reads = 0;
    const counted = { ...pool, idTokenKeys: async () => ((reads += 1), pool.idTokenKeys()) };
    const keys = createTokenKeys(deps, counted);
    await pool.publicKeys();
    const { keys: published } = await pool.idTokenKeys();
    const kid = published[0]?.kid ?? "";
    const read = async (id: string) => keys({ alg: "RS256", kid: id }, { payload: "", signature: "" });
    const counts = [];
    for (const at of [NOW, NOW + 30_000, NOW + 30_001, NOW + 30_001 - 30_001]) {
      now = at;
      await read(kid);
      counts.push(reads);
    }
    expect(counts).toEqual([1, 1, 2, 3]);
    await expect(read("unknown")).rejects.toMatchObject({ code: "ERR_JWKS_NO_MATCHING_KEY" });
    expect(reads).toBe(4);
    // Reading the keys anew could not mend this.
    await expect(keys({ alg: "none", kid }, { payload: "", signature: "" })).rejects.toThrow();
    expect(reads).toBe(4);
  });
});
