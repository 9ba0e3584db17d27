import { exportJWK, generateKeyPair, SignJWT, type JWTHeaderParameters, type JWTPayload } from "jose";
import { describe, expect, it } from "vitest";
import { createDeps } from "../../../durable/deps.ts";
import { serveConsole } from "../../../worker/http/pages/console-page.ts";
import { createOperatorKeys, forSupport, operatorRouter } from "../../../worker/http/gate/operator-gate.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { appWith } from "../app-with.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const NOW_S = NOW / 1000;
const LEEWAY_S = 30;
const LIMIT_BYTES = 64 * 1024;
const OWNER = "owner@example.com";
const SUPPORT = "support@example.com";
const ISSUER = "https://access.localhost";
const AUDIENCE = "sandbox-console";
const SERVICE = "c0ffee00000000000000000000000000.access";

const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });

/** A token of Access for these claims; null leaves one out. */
async function tokenOf(
  change: Record<string, unknown> = {},
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  const given = {
    type: "app",
    email: OWNER,
    iss: ISSUER,
    aud: [AUDIENCE],
    iat: NOW_S,
    exp: NOW_S + 60,
    ...change,
  };
  const claims: JWTPayload = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "k1", ...header }).sign(privateKey);
}

/** A deployment whose keys of Access and whose files are answered here. */
function deploy(
  settings: Record<string, string> = {},
  { pagePolicy = "default-src 'self' https://js.stripe.com" } = {},
) {
  const fetched: string[] = [];
  const files: string[] = [];
  const access = {
    fetch: async (request: Request) => {
      fetched.push(`${request.method} ${request.url} ${request.headers.get("accept")}`);
      const keys = [{ ...(await exportJWK(publicKey)), kid: "k1" }];
      return request.url.startsWith(`${ISSUER}/`)
        ? Response.json({ keys })
        : new Response(null, { status: 503 });
    },
  };
  const assets = {
    fetch: async (url: string) => {
      const { pathname } = new URL(url);
      files.push(pathname);
      return pathname === "/ops/assets/gone.js"
        ? new Response(null, { status: 404 })
        : new Response(pathname, {
            headers: pagePolicy === "" ? {} : { "content-security-policy": pagePolicy },
          });
    },
  };
  const database = { withSession: () => ({ getBookmark: () => null }) };
  const env = { ...DEMO_SETTINGS, ...settings, DB: database, DRIVER: {}, ASSETS: assets, SANDBOX: access };
  const deps = { ...createDeps(env), now: () => NOW };
  const operatorKeys = createOperatorKeys(deps);
  const app = appWith({ deps, operatorKeys })
    .route(
      "/ops/v1",
      operatorRouter()
        .get("/all", forSupport(), (c) => c.json({ ...c.var.operator, hasDb: c.var.db !== undefined }))
        .get("/owners", (c) => c.json(c.var.operator))
        .post(
          "/late",
          (_c, next) => next(),
          forSupport(),
          async (c) => c.text(await c.req.text()),
        ),
    )
    .get("/ops/*", serveConsole);
  const headersOf = new Map<string, Headers>();
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await app.request(`https://jornada.example${path}`, init, env);
    const body = await response.text();
    headersOf.set(path, response.headers);
    return { status: response.status, body: body.startsWith("{") ? JSON.parse(body) : body };
  };
  const as = async (path: string, token: string, init: RequestInit = {}) =>
    call(path, { ...init, headers: { "cf-access-jwt-assertion": token } });
  return { call, as, fetched, files, headersOf };
}

describe("an operator", () => {
  it("is who Access names and our lists have, whatever the case of the address", async () => {
    const { as, call, fetched } = deploy();
    expect(fetched).toEqual([]);
    expect(await as("/ops/v1/all", await tokenOf({ email: "Owner@Example.com" }))).toEqual({
      status: 200,
      body: { name: OWNER, role: "owner", hasDb: true },
    });
    const cookie = `CF_Authorization=${await tokenOf({ email: SUPPORT })}`;
    expect((await call("/ops/v1/all", { headers: { cookie } })).body).toMatchObject({
      name: SUPPORT,
      role: "support",
    });
    const service = await tokenOf({ email: null, common_name: SERVICE, sub: "" });
    expect((await as("/ops/v1/owners", service)).body).toEqual({ name: SERVICE, role: "owner" });
    expect(fetched).toEqual([
      expect.stringMatching(/^GET https:\/\/access\.localhost\/cdn-cgi\/access\/certs .*json/),
    ]);
  });

  it("is nobody on neither list, and nobody without a token", async () => {
    const { as, call } = deploy();
    const stranger = await as("/ops/v1/all", await tokenOf({ email: "stranger@example.com" }));
    expect(stranger).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(await call("/ops/v1/all")).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  });

  it.each<[string, Record<string, unknown>]>([
    ["another application", { aud: ["other"] }],
    ["another team", { iss: "https://other.localhost" }],
    ["a session of the team", { type: "org" }],
    ["a service token that is a session of the team", { type: "org", email: null, common_name: SERVICE }],
    ["a token without an end", { exp: null }],
    ["a token without a beginning", { iat: null }],
    ["a token that has expired", { exp: NOW_S - LEEWAY_S }],
    ["an address that is none", { email: "owner" }],
    ["a service token named like an owner", { email: null, common_name: OWNER }],
    ["nobody", { email: null }],
  ])("is not %s", async (_name, claims) => {
    const { as } = deploy();
    expect(await as("/ops/v1/all", await tokenOf(claims))).toMatchObject({
      status: 401,
      body: { code: "unauthenticated" },
    });
  });

  it("is trusted half a minute longer than their token, by our clock", async () => {
    const { as } = deploy();
    expect((await as("/ops/v1/all", await tokenOf({ exp: NOW_S - LEEWAY_S + 1 }))).status).toBe(200);
  });

  it("is known by a signature of Access alone", async () => {
    const { as } = deploy();
    expect((await as("/ops/v1/all", await tokenOf({}, { kid: "k2" }))).status).toBe(401);
    expect((await as("/ops/v1/all", "e30.e30.e30")).status).toBe(401);
  });

  it("is not refused where the keys of Access can't be fetched: we failed", async () => {
    const { as } = deploy({ ACCESS_TEAM_DOMAIN: "away.localhost" });
    expect((await as("/ops/v1/all", await tokenOf({ iss: "https://away.localhost" }))).status).toBe(500);
  });
});

describe("the console's gate", () => {
  it("opens to support what its first handler opens", async () => {
    const { as } = deploy();
    const support = await tokenOf({ email: SUPPORT });
    expect((await as("/ops/v1/all", support)).status).toBe(200);
    expect(await as("/ops/v1/owners", support)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect((await as("/ops/v1/late", support, { method: "POST" })).status).toBe(403);
    expect((await as("/ops/v1/late", await tokenOf(), { method: "POST", body: "x" })).body).toBe("x");
  });

  it("takes a body of 64 KiB, and no larger one", async () => {
    const { call } = deploy();
    const send = async (length: number) =>
      call("/ops/v1/late", {
        method: "POST",
        headers: { "cf-access-jwt-assertion": await tokenOf(), "content-length": `${length}` },
        body: "x".repeat(length),
      });
    expect((await send(LIMIT_BYTES)).status).toBe(200);
    expect(await send(LIMIT_BYTES + 1)).toMatchObject({ status: 413, body: { code: "too_large" } });
  });

  it("hides where there is no console", async () => {
    const bare = deploy({ ACCESS_TEAM_DOMAIN: "", ACCESS_AUD: "", OPS_OWNERS: "", OPS_SUPPORT: "" });
    expect(await bare.as("/ops/v1/all", await tokenOf())).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
  });
});

describe("the console's page", () => {
  it("is one file for all its addresses, beside its assets, for operators alone", async () => {
    const { as, call, files } = deploy();
    const support = await tokenOf({ email: SUPPORT });
    expect(await as("/ops/drivers/1", support)).toEqual({ status: 200, body: "/ops.html" });
    expect(await as("/ops/assets/a.js", support)).toEqual({ status: 200, body: "/ops/assets/a.js" });
    expect(await as("/ops/assets/gone.js", support)).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    expect(await call("/ops/assets/a.js")).toMatchObject({ status: 401 });
    expect(files).toEqual(["/ops.html", "/ops/assets/a.js", "/ops/assets/gone.js"]);
  });
});

describe("the console on a host of its own", () => {
  it("is at no other, and takes only what Access adds", async () => {
    const own = deploy({ OPS_URL: "https://jornada.example" });
    const cookie = `CF_Authorization=${await tokenOf()}`;
    expect((await own.as("/ops/v1/all", await tokenOf())).status).toBe(200);
    expect((await own.call("/ops/v1/all", { headers: { cookie } })).status).toBe(401);
    const other = deploy({ OPS_URL: "https://ops.example" });
    expect((await other.as("/ops/v1/all", await tokenOf())).status).toBe(404);
    expect((await other.as("/ops/drivers", await tokenOf())).status).toBe(404);
  });

  it("loads nothing from elsewhere, and no shared cache keeps its files", async () => {
    const { as, headersOf } = deploy();
    await as("/ops/drivers", await tokenOf());
    await as("/ops/assets/x.js", await tokenOf());
    const page = headersOf.get("/ops/drivers");
    expect(page?.get("content-security-policy")).not.toMatch(/https?:|unsafe/);
    expect(page?.get("content-security-policy")).toContain("object-src 'none'");
    expect(page?.get("cache-control")).toBe("no-store");
    expect(headersOf.get("/ops/assets/x.js")?.get("cache-control")).toMatch(/^private/);
  });

  it("has no policy where the page has none: the development server's scripts are inline", async () => {
    const { as, headersOf } = deploy({}, { pagePolicy: "" });
    await as("/ops/drivers", await tokenOf());
    expect(headersOf.get("/ops/drivers")?.get("content-security-policy")).toBeNull();
  });
});
