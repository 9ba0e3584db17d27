import { createLocalJWKSet, errors, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { describe, expect, it, vi } from "vitest";
import { LIVE_PROTOCOL } from "../../../db/shapes/work/live.ts";
import { driverId } from "../../../db/shapes/units.ts";
import { createDeps } from "../../../durable/deps.ts";
import type { AppEnv } from "../../../worker/http/app-env.ts";
import { byArrivedToken, issueArrivedToken } from "../../../worker/routes/work/check-in.ts";
import { gate, opens } from "../../../worker/http/gate/gate.ts";
import { byLiveTicket, issueLiveTicket } from "../../../worker/routes/work/live.ts";
import { openUserPool } from "../../../worker/http/gate/user-pool.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { appWith, callerOf } from "../app-with.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const SECONDS = NOW / 1000;
const ANA = driverId.parse("ana");

let now = NOW;
const DB = { withSession: () => ({ getBookmark: () => null }) };
const env = { ...DEMO_SETTINGS, DB, DRIVER: {}, ASSETS: {} };
const deps = { ...createDeps(env), now: () => now };
const { issuer, clientId } = deps.config.identity;

const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256", use: "sig" };
const tokenKeys = createLocalJWKSet({ keys: [jwk] });
const broken = async () => {
  throw new TypeError("no network");
};

/** Facts of the tokens and sessions that our own pool was asked about. */
const asked: unknown[] = [];
const embedded = openUserPool(createDeps({ ...env, IDENTITY: "embedded" }), env);
if (!embedded) throw new Error("there is no pool");
const own = (isLive: boolean) => ({
  ...embedded,
  isTokenLive: async (facts: unknown) => (asked.push(facts), isLive),
  isSessionLive: async (facts: unknown) => (asked.push(facts), isLive),
});

function api(pool: ReturnType<typeof own> | null, keys: AppEnv["Variables"]["tokenKeys"] = tokenKeys) {
  asked.length = 0;
  return appWith({ deps, userPool: pool, tokenKeys: keys })
    .use(gate)
    .get("/", (c) => c.json({ ...c.var.caller, since: String(c.var.caller.signedInAt) }))
    .get("/arrived", opens(byArrivedToken), (c) => c.json(c.var.caller))
    .get("/live", opens(byLiveTicket), (c) => c.json({ ...c.var.caller, ...c.var.liveTicket }));
}

async function get(app: ReturnType<typeof api>, path: string, headers: Record<string, string>) {
  const response = await app.request(path, { headers }, env);
  const { code, ...caller } = JSON.parse(await response.text());
  return code ?? caller;
}

const claims = {
  sub: "ana",
  iss: issuer,
  aud: clientId,
  token_use: "id",
  iat: SECONDS,
  exp: SECONDS + 3600,
  phone_number: "+15550100100",
  origin_jti: "session-1",
  auth_time: SECONDS - 60,
};

const sign = (over: JWTPayload = {}, header = {}) =>
  new SignJWT({ ...claims, ...over })
    .setProtectedHeader({ alg: "RS256", kid: "k1", ...header })
    .sign(privateKey);
const withToken = async (over: JWTPayload = {}, pool: ReturnType<typeof own> | null = null) =>
  get(api(pool), "/", { authorization: `Bearer ${await sign(over)}` });

describe("an id token", () => {
  it("says who calls, and since when they are signed in", async () => {
    expect(await withToken()).toEqual({
      driverId: "ana",
      phoneNumber: "+15550100100",
      sessionId: null,
      signedInAt: NOW - 60_000,
      since: String(NOW - 60_000),
    });
    expect(await withToken({ phone_number: undefined, auth_time: undefined })).toEqual({
      driverId: "ana",
      phoneNumber: null,
      sessionId: null,
      signedInAt: null,
      since: "null",
    });
  });

  it("is written with its scheme in any case", async () => {
    const token = await sign();
    for (const scheme of ["Bearer", "bearer", "BEARER"])
      expect(await get(api(null), "/", { authorization: `${scheme} ${token}` })).toMatchObject({
        driverId: "ana",
      });
    for (const authorization of [token, `Basic ${token}`, `Bearer${token}`, "Bearer", `Bearer  ${token}`])
      expect(await get(api(null), "/", { authorization })).toBe("unauthenticated");
  });

  it.each([
    ["of another issuer", { iss: "https://issuer.example" }],
    ["of another client", { aud: "other" }],
    ["for access", { token_use: "access" }],
    ["without a subject", { sub: undefined }],
    ["without an end", { exp: undefined }],
    ["without a beginning", { iat: undefined }],
    ["that ended half a minute ago", { exp: SECONDS - 30 }],
    ["that begins later", { nbf: SECONDS + 31 }],
    ["whose number is none", { phone_number: 5 }],
    ["whose session is none", { origin_jti: 5 }],
    ["whose sign-in is no time", { auth_time: "now" }],
  ])("%s is refused", async (_what, over) => {
    expect(await withToken(over)).toBe("unauthenticated");
  });

  it("may have ended a moment ago, by another clock", async () => {
    expect(await withToken({ exp: SECONDS - 29 })).toMatchObject({ driverId: "ana" });
  });

  it("is refused with another key, and not where the keys can't be read", async () => {
    const authorization = `Bearer ${await sign({}, { kid: "k2" })}`;
    expect(await get(api(null), "/", { authorization })).toBe("unauthenticated");
    const log = vi.spyOn(console, "error").mockReturnValue();
    expect(await get(api(null, broken), "/", { authorization })).toBe("internal");
    // Else an outage of an outside pool would sign its drivers out.
    for (const error of [new errors.JOSEError("503"), new errors.JWKSTimeout(), new errors.JWKSInvalid()]) {
      const away = async () => {
        throw error;
      };
      expect(await get(api(null, away), "/", { authorization })).toBe("internal");
    }
    log.mockRestore();
  });

  it("of our own pool counts as long as its session lives", async () => {
    expect(await withToken({}, own(true))).toMatchObject({ sessionId: "session-1" });
    expect(asked).toEqual([{ originJti: "session-1", userId: "ana", lifetimeSeconds: 3600 }]);
    expect(await withToken({}, own(false))).toBe("unauthenticated");
  });
});

describe("a token of the arrived frame", () => {
  const issue = (sessionId: string | null) =>
    issueArrivedToken(deps.keys, { driverId: ANA, sessionId, now: NOW });
  const call = async (token: string, pool: ReturnType<typeof own> | null = null) =>
    get(api(pool), "/arrived", { authorization: `ImHere ${token}` });

  it("opens its calls for ten minutes", async () => {
    const token = await issue(null);
    const caller = callerOf(driverId.parse("ana"));
    now = NOW + 10 * 60_000 - 1000;
    expect(await call(token)).toEqual(caller);
    now = NOW + 10 * 60_000;
    expect(await call(token)).toBe("unauthenticated");
    now = NOW;
    expect(await get(api(null), "/arrived", { authorization: `imhere ${token}` })).toEqual(caller);
  });

  it("counts as long as the session that it was issued in", async () => {
    expect(await call(await issue("session-1"), own(true))).toMatchObject({ sessionId: "session-1" });
    expect(asked).toEqual([{ originJti: "session-1", userId: "ana" }]);
    expect(await call(await issue("session-1"), own(false))).toBe("unauthenticated");
    expect(await call(await issue(null), own(true))).toBe("unauthenticated");
    expect(asked).toEqual([]);
  });

  it("leaves the call to the id token where there is none", async () => {
    const authorization = `Bearer ${await sign()}`;
    expect(await get(api(null), "/arrived", { authorization })).toMatchObject({
      phoneNumber: "+15550100100",
    });
    for (const header of ["ImHere", "ImHere ", `Other ${await issue(null)}`])
      expect(await get(api(null), "/arrived", { authorization: header })).toBe("unauthenticated");
    expect(await get(api(null), "/arrived", {})).toBe("unauthenticated");
  });

  it("is not one for the live connection, nor one of another key", async () => {
    const { ticket } = await issueLiveTicket(deps.keys, { driverId: ANA, sessionId: null, now: NOW });
    expect(await call(ticket)).toBe("unauthenticated");
    const others = createDeps({ ...env, MASTER_KEYS: `k9:${btoa("n".repeat(32))}` });
    const token = await issueArrivedToken(others.keys, { driverId: ANA, sessionId: null, now: NOW });
    expect(await call(token)).toBe("unauthenticated");
    const rotated = createDeps({
      ...env,
      MASTER_KEYS: `k9:${btoa("n".repeat(32))},${DEMO_SETTINGS.MASTER_KEYS}`,
    });
    expect(await byArrivedTokenWith(rotated, await issue(null))).toMatchObject({ driverId: "ana" });
  });
});

/** The call's result in a deployment with other master keys. */
async function byArrivedTokenWith(other: typeof deps, token: string): Promise<unknown> {
  const app = appWith({ deps: { ...other, now: () => now }, userPool: null }).get("/", async (c) =>
    c.json(await byArrivedToken(c)),
  );
  return (await app.request("/", { headers: { authorization: `ImHere ${token}` } })).json();
}

describe("a ticket for the live connection", () => {
  const issue = () => issueLiveTicket(deps.keys, { driverId: ANA, sessionId: "session-1", now: NOW });
  const call = (protocols: string) => get(api(null), "/live", { "sec-websocket-protocol": protocols });

  it("opens it for half a minute, and has an id of its own", async () => {
    const { ticket, expiresAt } = await issue();
    expect(expiresAt).toBe(NOW + 30_000);
    now = NOW + 29_000;
    const opened = await call(`${LIVE_PROTOCOL}, ticket.${ticket}`);
    expect(opened).toEqual({
      driverId: "ana",
      phoneNumber: null,
      sessionId: "session-1",
      signedInAt: null,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      expiresAt: NOW + 30_000,
    });
    now = NOW + 30_000;
    expect(await call(`${LIVE_PROTOCOL}, ticket.${ticket}`)).toBe("ticket_invalid");
    now = NOW;
    const { ticket: next } = await issue();
    expect((await call(`${LIVE_PROTOCOL},ticket.${next}`)).id).not.toBe(opened.id);
  });

  it("is refused in any other form", async () => {
    const { ticket } = await issue();
    const arrived = await issueArrivedToken(deps.keys, { driverId: ANA, sessionId: null, now: NOW });
    for (const protocols of [
      "",
      LIVE_PROTOCOL,
      `ticket.${ticket}`,
      `${LIVE_PROTOCOL}, ${ticket}`,
      `${LIVE_PROTOCOL}, token.${ticket}`,
      `other, ticket.${ticket}`,
      `${LIVE_PROTOCOL}, ticket.${ticket}x`,
      `${LIVE_PROTOCOL}, ticket.${arrived}`,
    ])
      expect(await call(protocols)).toBe("ticket_invalid");
    expect(await get(api(null), "/live", { authorization: `Bearer ${await sign()}` })).toBe("ticket_invalid");
  });
});
