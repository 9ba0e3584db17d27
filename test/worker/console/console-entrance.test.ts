import { env, SELF } from "cloudflare:test";
import { generateKeyPair, SignJWT } from "jose";
import * as z from "zod/mini";
import { beforeAll, describe, expect, it } from "vitest";
import { app } from "../../../worker/app.ts";
import type { ActKind } from "../../../db/shapes/operators.ts";
import { deploymentAct, driverAct } from "../../../worker/contract/console/operator-acts.ts";
import type { MeResponse } from "../../../worker/contract/console/operators.ts";
import { parseResponse } from "../../support/driver-client.ts";
import { accessToken, OWNER, SUPPORT, type OperatorClient, owner, support } from "../console-harness.ts";
import { apiTarget, createDriver, deployment, resetPlatform, type TestDriver } from "../harness.ts";

const SERVICE_TOKEN = "c0ffee00000000000000000000000000.access";

let driver: TestDriver;

beforeAll(async () => {
  await resetPlatform();
  driver = await createDriver();
});

/** The calls that each role may make. A route of the console without a row here fails the test below. */
const ROUTES: Record<string, "support" | "owner"> = {
  "GET /ops/v1/me": "support",
  "GET /ops/v1/acts": "support",
  "POST /ops/v1/acts": "owner",
  "GET /ops/v1/prices": "support",
  "GET /ops/v1/prices/preview": "owner",
  "GET /ops/v1/cities": "support",
  "GET /ops/v1/raffles": "support",
  "GET /ops/v1/raffles/:id": "support",
  "GET /ops/v1/feedback": "support",
  "GET /ops/v1/errors": "support",
  "GET /ops/v1/announcements": "support",
  "GET /ops/v1/money": "support",
  "GET /ops/v1/money/payments": "support",
  "GET /ops/v1/money/refunds": "support",
  "GET /ops/v1/money/disputes": "support",
  "POST /ops/v1/exports": "support",
  "GET /ops/v1/alerts": "support",
  "GET /ops/v1/reconcile": "owner",
  "GET /ops/v1/journal": "owner",
  "GET /ops/v1/limits": "owner",
  "GET /ops/v1/requests": "support",
  "POST /ops/v1/requests/:id": "owner",
  "GET /ops/v1/requests/:id/export": "support",
  "GET /ops/v1/fleet": "support",
  "GET /ops/v1/fleet/cities": "support",
  "GET /ops/v1/fleet/drivers": "support",
  "GET /ops/v1/drivers": "support",
  "GET /ops/v1/drivers/:id": "support",
  "GET /ops/v1/drivers/:id/live": "support",
  "POST /ops/v1/drivers/:id/acts": "support",
};

const routes = Object.entries(ROUTES).map(([route, role]) => {
  const [method = "", path = ""] = route.split(" ");
  return { route, method, role, path };
});

const pathOf = (path: string) => path.replace(":id", driver.driverId);

async function statusOf(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const body = method === "GET" ? undefined : "{}";
  const response = await SELF.fetch(`${apiTarget.origin}${pathOf(path)}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  await response.body?.cancel();
  return response.status;
}

it("has a row for every route of the console, so that none is added untried", () => {
  const declared = app.routes
    .filter(({ path, method }) => path.startsWith("/ops/v1/") && method !== "ALL")
    .map(({ method, path }) => `${method} ${path}`);
  expect(new Set(Object.keys(ROUTES))).toEqual(new Set(declared));
});

describe.each(routes)("$route", ({ method, path, role }) => {
  it("is open to owners, to support where it says so, and to nobody else", async () => {
    const as = async (email: string) => {
      const status = await statusOf(method, path, {
        "cf-access-jwt-assertion": await accessToken({ email }),
      });
      return status === 403 || status === 401 ? "refused" : "let in";
    };
    expect(await as(OWNER)).toBe("let in");
    expect(await as(SUPPORT)).toBe(role === "support" ? "let in" : "refused");
    expect(await as("stranger@example.com")).toBe("refused");
  });

  it("is closed to a driver's token", async () => {
    const authorization = `Bearer ${driver.token}`;
    expect(await statusOf(method, path, { authorization })).toBe(401);
    expect(await statusOf(method, path, { "cf-access-jwt-assertion": driver.token })).toBe(401);
    expect(await statusOf(method, path, { cookie: `CF_Authorization=${driver.token}` })).toBe(401);
  });

  it("answers 404 where there is no console, to operators as well", async () => {
    const bare = deployment({ ACCESS_TEAM_DOMAIN: "", ACCESS_AUD: "", OPS_OWNERS: "", OPS_SUPPORT: "" });
    const headers = { "cf-access-jwt-assertion": await accessToken({ email: OWNER }) };
    expect((await bare.fetch(`${bare.origin}${pathOf(path)}`, { method, headers })).status).toBe(404);
  });
});

/** The acts that each role may do. An act without a row here does not compile. */
const ACTS = {
  days: "support",
  points: "support",
  refund: "support",
  special_price: "support",
  end_price: "support",
  sign_out: "support",
  unlink: "support",
  disable: "support",
  enable: "support",
  test_text: "support",
  resend_text: "support",
  show_phone: "support",
  check_payment: "support",
  end_renewal: "support",
  unlock: "support",
  change_number: "support",
  export_data: "support",
  erase: "support",
  export: "support",
  sale: "owner",
  end_sale: "owner",
  list_price: "owner",
  city_spots: "owner",
  raffle: "owner",
  end_raffle: "owner",
  draw: "owner",
  announce: "owner",
  end_announcement: "owner",
  after_restore: "owner",
  release_renewals: "owner",
  revoke_keys: "owner",
  rotate_keys: "owner",
  compensate_raffle: "owner",
  end_sessions: "owner",
  resolve_error: "owner",
  reopen_error: "owner",
  // Written by the console itself.
  refund_failed: "nobody",
  ask: "nobody",
  decline: "nobody",
  other: "nobody",
} as const satisfies Record<ActKind, "support" | "owner" | "nobody">;

it.each(Object.entries(ACTS))("%s is for %s", async (act, role) => {
  const onDriver = driverAct.def.options.some(({ shape }) => z.safeParse(shape.act, act).success);
  const onAll = deploymentAct.def.options.some(({ shape }) => z.safeParse(shape.act, act).success);
  expect([onDriver, onAll]).toEqual([role === "support" && act !== "export", role === "owner"]);
  if (role === "nobody") return;
  const path = onAll ? "/acts" : onDriver ? `/drivers/${driver.driverId}/acts` : "/exports";
  // Nothing more than its name: an operator with the right learns what is missing.
  const ask = async (client: OperatorClient) =>
    (await client.call("POST", path, { body: { act }, key: crypto.randomUUID() })).status;
  expect([await ask(owner), await ask(support)]).toEqual([400, role === "support" ? 400 : 403]);
});

it("opens nothing of the drivers' API to an operator", async () => {
  const token = await accessToken({ email: OWNER });
  const headers = { authorization: `Bearer ${token}`, "cf-access-jwt-assertion": token };
  expect(await statusOf("GET", "/flex/v1/user", headers)).toBe(401);
  expect(await statusOf("GET", "/flex/v1/payments", headers)).toBe(401);
});

it("is closed to every forged token of Access", async () => {
  const genuine = await accessToken({ email: OWNER });
  const [header = "", payload = "", signature = ""] = genuine.split(".");
  const decode = (part: string) => JSON.parse(atob(part.replaceAll("-", "+").replaceAll("_", "/")));
  const { kid } = decode(header);
  const claims = decode(payload);
  const encode = (value: object) =>
    btoa(JSON.stringify(value)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");
  const { privateKey } = await generateKeyPair("RS256");
  const forged = new Map<string, string>([
    ["nothing", ""],
    ["no token", "e30.e30.e30"],
    ["no signature", `${header}.${payload}.`],
    ["none as its algorithm", `${encode({ alg: "none", kid })}.${payload}.`],
    ["another's address", `${header}.${encode({ ...claims, email: "other@example.com" })}.${signature}`],
    ["another key", await new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey)],
    ["an HMAC", await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid }).sign(new Uint8Array(32))],
    ["another application", await accessToken({ email: OWNER, audience: "other" })],
    ["another team", await accessToken({ email: OWNER, issuer: "https://other.cloudflareaccess.com" })],
    ["a session of the team, not the application", await accessToken({ email: OWNER, type: "org" })],
    ["one that has expired", await accessToken({ email: OWNER, expiresIn: -60 })],
    ["a service token named like an owner", await accessToken({ commonName: OWNER })],
    ["nobody's", await accessToken({})],
  ]);
  const opened: string[] = [];
  for (const [name, token] of forged) {
    if ((await statusOf("GET", "/ops/v1/me", { "cf-access-jwt-assertion": token })) !== 401)
      opened.push(name);
  }
  expect(opened).toEqual([]);
  expect(await statusOf("GET", "/ops/v1/me", { "cf-access-jwt-assertion": genuine })).toBe(200);
});

it("knows an operator by the header of Access, by its cookie, and whatever the case of their address", async () => {
  const cookie = `CF_Authorization=${await accessToken({ email: "Support@Example.com" })}`;
  const response = await SELF.fetch(`${apiTarget.origin}/ops/v1/me`, { headers: { cookie } });
  expect(await parseResponse<MeResponse>(response, "me")).toEqual({
    operator: { name: SUPPORT, role: "support" },
    productName: "Jornada",
    currency: "USD",
    supportLimitCents: 5000,
    now: expect.any(Number),
    hasOwnPool: false,
  });
});

it("lets a service token in whose client id is on a list, and no other", async () => {
  const as = async (commonName: string) =>
    statusOf("GET", "/ops/v1/me", { "cf-access-jwt-assertion": await accessToken({ commonName }) });
  expect(await as(SERVICE_TOKEN)).toBe(200);
  expect(await as("0000000000000000000000000000beef.access")).toBe(403);
});

it("shows the page to operators only, and says nothing of it where there is none", async () => {
  const open = async (settings: Record<string, unknown>, headers: Record<string, string>) => {
    const { fetch, origin } = deployment(settings);
    return (await fetch(`${origin}/ops/drivers`, { headers })).status;
  };
  const headers = { "cf-access-jwt-assertion": await accessToken({ email: SUPPORT }) };
  expect(await open({}, headers)).toBe(200);
  expect(await open({}, {})).toBe(401);
  expect(await open({}, { authorization: `Bearer ${driver.token}` })).toBe(401);
  expect(
    await open({ ACCESS_TEAM_DOMAIN: "", ACCESS_AUD: "", OPS_OWNERS: "", OPS_SUPPORT: "" }, headers),
  ).toBe(404);
});

it("refuses an act without a key, which a form of another site can't send", async () => {
  const body = { act: "days", days: 1, reason: "a test" };
  for (const client of [owner, support]) {
    expect((await client.call("POST", `/drivers/${driver.driverId}/acts`, { body })).status).toBe(400);
  }
  expect(await owner.log(driver)).toEqual([]);
});

it("is alone on a host of its own, and not on the drivers'", async () => {
  const { fetch, origin } = deployment({ OPS_URL: "https://ops.example" });
  const headers = { "cf-access-jwt-assertion": await accessToken({ email: OWNER }) };
  const open = async (address: string) => (await fetch(address, { headers })).status;
  expect(await open("https://ops.example/ops/v1/me")).toBe(200);
  expect(await open("https://ops.example/ops/drivers")).toBe(200);
  // A raffle's page is at drivers' address: its data comes by a route of the console's own, and links name that address.
  await env.DB.prepare(
    `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash, draw_version) VALUES ('alone', '7days', 0, 1, 1, 'a', 1)`,
  ).run();
  expect(await open("https://ops.example/ops/v1/raffles/alone")).toBe(200);
  expect(await open("https://ops.example/ops/v1/raffles/none")).toBe(404);
  const me = await fetch("https://ops.example/ops/v1/me", { headers });
  expect(await me.json()).toMatchObject({ publicUrl: origin });
  for (const path of ["/", "/flex/dashboard", "/status/config", "/opsx"])
    expect([path, await open(`https://ops.example${path}`)]).toEqual([path, 404]);
  expect(await open(`${origin}/ops/v1/me`)).toBe(404);
  expect(await open(`${origin}/status/config`)).toBe(200);
});
