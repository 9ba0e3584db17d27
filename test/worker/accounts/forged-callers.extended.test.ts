import { SELF } from "cloudflare:test";
import { generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { LIVE_PROTOCOL } from "../../../db/shapes/work/live.ts";
import type { ApiRoute } from "../../../worker/contract/api-route.ts";
import { API_ROUTES } from "../../../worker/contract/api-routes.ts";
import { app } from "../../../worker/app.ts";
import { apiTarget, createDriver, resetPlatform, type TestDriver } from "../harness.ts";

const PREFIX = "/flex/v1";
const UUID = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** Every call that belongs to a driver, as the contract has it. */
const calls = Object.entries<ApiRoute>(API_ROUTES)
  .filter(([call]) => call.includes(` ${PREFIX}`))
  .map(([call, { auth }]) => {
    const [method = "", template = ""] = call.split(" ");
    return { call, method, auth, path: template.replaceAll(/\{(\w+)\}/g, (_match, name) => placeFor(name)) };
  });

function placeFor(parameter: string): string {
  return parameter === "phone" ? "+15550109999" : UUID;
}

let victim: TestDriver;
let forged: Map<string, string | null>;

beforeAll(async () => {
  await resetPlatform();
  victim = await createDriver();
  const [header = "", payload = "", signature = ""] = victim.token.split(".");
  const claims: Record<string, unknown> = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
  const { kid }: { kid: string } = JSON.parse(atob(header.replaceAll("-", "+").replaceAll("_", "/")));
  const sandboxToken = async (change: Record<string, unknown>) => {
    const response = await SELF.fetch(`${apiTarget.origin}/sandbox/identity/token`, {
      method: "POST",
      body: JSON.stringify({
        sub: victim.driverId,
        phoneNumber: victim.phoneNumber,
        clientId: claims["aud"],
        issuer: claims["iss"],
        ...change,
      }),
    });
    return response.json<{ idToken: string; accessToken: string }>();
  };
  const { privateKey } = await generateKeyPair("RS256");
  const selfSigned = (alg: string, key: CryptoKey | Uint8Array) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
  const { token: arrived } = await victim.client.fetchJson<{ token: string }>(
    "GET",
    "/flex/v1/user/im-here/data",
  );
  const { ticket } = await victim.client.ticket();
  const bearer = (token: string) => `Bearer ${token}`;
  forged = new Map<string, string | null>([
    ["nobody", null],
    ["an empty token", "Bearer "],
    ["another scheme", `Basic ${btoa(`${victim.driverId}:`)}`],
    ["a token that is none", bearer("e30.e30.e30")],
    ["a token without a signature", bearer(`${base64Url({ alg: "none", kid })}.${payload}.`)],
    ["a token that lost its signature", bearer(`${header}.${payload}.`)],
    ["a token with another subject", bearer(`${header}.${base64Url({ ...claims, sub: UUID })}.${signature}`)],
    ["a token of a key of one's own", bearer(await selfSigned("RS256", privateKey))],
    [
      "a token with an HMAC",
      bearer(await selfSigned("HS256", new TextEncoder().encode(kid.padEnd(32, "0")))),
    ],
    ["an expired token", bearer((await sandboxToken({ expiresIn: -60 })).idToken)],
    ["an access token", bearer((await sandboxToken({})).accessToken)],
    ["a token of another use", bearer((await sandboxToken({ tokenUse: "access" })).idToken)],
    ["a token for another client", bearer((await sandboxToken({ clientId: "other" })).idToken)],
    [
      "a token of another issuer",
      bearer((await sandboxToken({ issuer: "https://elsewhere.example" })).idToken),
    ],
    ["the token of the arrived frame as an id token", bearer(arrived)],
    ["a changed token of the arrived frame", `ImHere ${arrived.slice(0, -2)}xx`],
    ["an id token as the arrived frame's", `ImHere ${victim.token}`],
    ["a live ticket as an id token", bearer(ticket)],
  ]);
});

function base64Url(value: object): string {
  return btoa(JSON.stringify(value)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");
}

it("has a row for every route, so that none is added untried", () => {
  const declared = app.routes
    .filter(({ path, method }) => path.startsWith(PREFIX) && method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(\{[^/]*\})?/g, "{$1}")}`);
  expect(new Set(calls.map(({ call }) => call))).toEqual(new Set(declared));
});

it("knows the driver's own token, from which the forged ones are made", async () => {
  expect((await victim.client.call("GET", "/flex/v1/user")).status).toBe(200);
});

describe.each(calls)("$call", ({ method, path, auth }) => {
  it("is closed to every forged caller", async () => {
    const opened: string[] = [];
    for (const [name, authorization] of forged) {
      const headers = new Headers({ "content-type": "application/json" });
      if (authorization !== null) headers.set("authorization", authorization);
      if (auth === "ticket") {
        headers.set("upgrade", "websocket");
        headers.set(
          "sec-websocket-protocol",
          `${LIVE_PROTOCOL}, ticket.${authorization?.split(" ")[1] ?? ""}x`,
        );
      }
      const body = method === "GET" ? undefined : "{}";
      const response = await SELF.fetch(`${apiTarget.origin}${path}`, { method, headers, body });
      await response.body?.cancel();
      if (response.status !== 401) opened.push(`${name}: ${response.status}`);
    }
    expect(opened).toEqual([]);
  });
});
