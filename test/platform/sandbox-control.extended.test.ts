import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import type { JSONWebKeySet } from "jose";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { HOUR, MINUTE, START, openSandboxHarness, type SandboxHarness } from "./sandbox-harness.ts";

let harness: SandboxHarness;
beforeAll(async () => {
  harness = await openSandboxHarness();
});
afterAll(() => harness.server.stop());
beforeEach(() => harness.clear());

type Seen = {
  offerId: string;
  warehouseId: string;
  startsAt: string;
  endsAt: string;
  pay: { amount: number };
  surge: boolean;
  expiresAt: string;
};

async function offersSeen(token: string): Promise<Seen[]> {
  return (await harness.call("listOffers", { token })).body.offers as Seen[];
}

/** A driver's view, polling every twenty seconds for ten minutes. */
async function watch(world: Record<string, unknown>, email = "driver@example.com"): Promise<Seen[]> {
  await harness.clear({ generate: true, quotas: { limit: 10_000, windowSeconds: 60 }, ...world });
  const { token } = await harness.link(email);
  const seen = [];
  for (let step = 0; step <= 30; step++) {
    await harness.world({ now: START + step * 20_000 });
    seen.push(...(await offersSeen(token)));
  }
  return seen;
}

it("generates the same world from the same seed and a different one from another", async () => {
  const first = await watch({ seed: 7 });
  expect(await watch({ seed: 7 })).toEqual(first);
  expect(await watch({ seed: 8 })).not.toEqual(first);
});

it.each(["newyorkcity", "losangeles", "chicago", "phoenix"])(
  "generates plausible offers in %s",
  async (city) => {
    const seen = await watch({ tempo: 2 }, `driver+${city}@example.com`);
    const distinct = new Map(seen.map((offer) => [offer.offerId, offer]));
    expect(distinct.size).toBeGreaterThan(30);
    for (const offer of distinct.values()) {
      const [start, end] = [Date.parse(offer.startsAt), Date.parse(offer.endsAt)];
      const hours = (end - start) / HOUR;
      const hourlyCents = offer.pay.amount / hours;
      expect(hours * 2).toBe(Math.round(hours * 2));
      expect([hours >= 1, hours <= 6, hourlyCents >= 1800, hourlyCents <= 4500]).toEqual([
        true,
        true,
        true,
        true,
      ]);
      expect(start - Date.parse(offer.expiresAt)).toBeGreaterThan(25 * MINUTE);
      expect(start - START).toBeLessThanOrEqual(48 * HOUR + 10 * MINUTE);
    }
  },
);

it("raises pay, lets rivals win and expires offers", async () => {
  const seen = await watch({ tempo: 3 });
  const pays = Map.groupBy(seen, ({ offerId }) => offerId);
  const risen = [...pays.values()].filter(
    (listings) => new Set(listings.map(({ pay }) => pay.amount)).size > 1,
  );
  expect(risen.length).toBeGreaterThan(0);
  for (const listings of risen)
    expect(listings.at(-1)?.pay.amount).toBeGreaterThan(listings[0]?.pay.amount ?? 0);
  const early = [...pays.values()].filter((looks) => {
    const last = looks.at(-1);
    return last && Date.parse(last.expiresAt) < START + 10 * MINUTE && looks.length <= 2;
  });
  expect(early.length).toBeGreaterThan(0);
});

it("generates no offers if that is turned off", async () => {
  expect(await watch({ generate: false })).toEqual([]);
});

it("gives an offer to a rival after the configured delay, and to none with a share of zero", async () => {
  const { token } = await harness.link();
  await harness.drop();
  await harness.world({ rivals: { delayMs: 400, share: 1 }, now: START + 399 });
  expect(await offersSeen(token)).toHaveLength(1);
  await harness.world({ rivals: { delayMs: 400, share: 0 }, now: START + 400 });
  expect(await offersSeen(token)).toHaveLength(1);
  await harness.world({ rivals: { delayMs: 400, share: 1 } });
  expect(await offersSeen(token)).toEqual([]);
});

it("changes, withdraws and expires offers that were created by hand", async () => {
  const { token } = await harness.link();
  const kept = await harness.drop({ payCents: 9000, expiresAt: new Date(START + MINUTE).toISOString() });
  const withdrawn = await harness.drop();
  await harness.control("PATCH", `/sandbox/platform/offers/${kept}`, { payCents: 9700 });
  await harness.control("DELETE", `/sandbox/platform/offers/${withdrawn}`);
  expect((await offersSeen(token)).map(({ offerId, pay }) => [offerId, pay.amount])).toEqual([[kept, 9700]]);
  await harness.world({ now: START + MINUTE });
  expect(await offersSeen(token)).toEqual([]);
});

it("drops the response after the call took effect", async () => {
  const { token } = await harness.link();
  const offerId = await harness.drop();
  await harness.fault({ operation: "acceptOffer", fault: "lost_answer", times: 1 });
  const lost = await harness.accept(token, offerId);
  const again = await harness.accept(token, offerId);
  expect([lost.status, again.status, again.body.offerId]).toEqual([504, 200, offerId]);
  const { accepts } = await harness.control<{ accepts: object[] }>("GET", "/sandbox/platform/accepts");
  const { driverId } = (await harness.call("readDriver", { token })).body;
  const shared = { offerId, driverId, key: `key-${offerId}`, at: START, status: 200, code: null };
  expect(accepts).toEqual([
    { ...shared, fault: "lost_answer" },
    { ...shared, fault: null },
  ]);
});

it("has no effect if the fault comes first", async () => {
  const { token } = await harness.link();
  const offerId = await harness.drop();
  await harness.fault({ operation: "acceptOffer", fault: "timeout", times: 1, delayMs: 0 });
  expect((await harness.accept(token, offerId)).status).toBe(504);
  expect(await offersSeen(token)).toHaveLength(1);
});

it("holds a response until it is released", async () => {
  const { token } = await harness.link();
  const offerId = await harness.drop();
  await harness.fault({ operation: "acceptOffer", fault: "held", times: 1 });
  const taken = harness.accept(token, offerId);
  const held = () => harness.control("GET", "/sandbox/held");
  await expect.poll(held).toEqual({ held: ["acceptOffer"] });
  expect(await offersSeen(token)).toEqual([]);
  await harness.control("DELETE", "/sandbox/held");
  expect((await taken).status).toBe(200);
  expect(await held()).toEqual({ held: [] });
});

it("injects broken JSON, empty lists and a 400 rate limit as often as requested", async () => {
  const { token } = await harness.link();
  await harness.drop();
  const poll = () =>
    fetch(`${harness.server.url}/v1/offers`, { headers: { authorization: `Bearer ${token}` } });
  await harness.fault({ operation: "listOffers", fault: "broken_json", times: 1 });
  await harness.fault({ operation: "listOffers", fault: "empty", times: 2 });
  await harness.fault({ operation: "listOffers", fault: "400_rate_limited", times: 1, retryAfter: 9 });
  await expect((await poll()).json()).rejects.toThrow(SyntaxError);
  expect([await (await poll()).json(), await (await poll()).json()]).toEqual([
    { offers: [] },
    { offers: [] },
  ]);
  const limited = await poll();
  expect([limited.status, limited.headers.get("retry-after"), (await limited.json()).code]).toEqual([
    400,
    "9",
    "rate_limited",
  ]);
  expect(await offersSeen(token)).toHaveLength(1);
  expect(await harness.control("GET", "/sandbox/faults")).toEqual({ faults: [] });
});

it("injects faults with the given probability, reproducibly per seed", async () => {
  const strikes = async () => {
    await harness.clear({ seed: 3 });
    const { token } = await harness.link();
    await harness.fault({ operation: "readDriver", fault: "503", probability: 0.5 });
    const statuses = [];
    for (let tries = 0; tries < 20; tries++)
      statuses.push((await harness.call("readDriver", { token })).status);
    return statuses;
  };
  const first = await strikes();
  expect(new Set(first)).toEqual(new Set([200, 503]));
  expect(await strikes()).toEqual(first);
});

it("signs a driver out", async () => {
  const { token, refreshToken, driverId } = await harness.link();
  await harness.control("POST", `/sandbox/platform/drivers/${driverId}/sign-out`);
  expect((await harness.call("readDriver", { token })).status).toBe(401);
  expect((await harness.call("refreshTokens", { body: { refreshToken } })).status).toBe(401);
});

it("counts polls since an instant", async () => {
  const { token } = await harness.link();
  await offersSeen(token);
  await harness.world({ now: START + 5000 });
  await offersSeen(token);
  await offersSeen(token);
  const polls = (since: number) => harness.control("GET", `/sandbox/platform/polls?since=${since}`);
  expect([await polls(0), await polls(START + 1), await polls(START + 5001)]).toEqual([
    { count: 3, last: START + 5000 },
    { count: 2, last: START + 5000 },
    { count: 0, last: null },
  ]);
});

it("accepts texts like Twilio and lists the newest first", async () => {
  const send = (form: Record<string, string>, authorization = `Basic ${btoa("AC123:secret")}`) =>
    fetch(`${harness.server.url}/2010-04-01/Accounts/AC123/Messages.json`, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams(form),
    });
  const text = { To: "+15550100100", From: "+15550100000", Body: "Block captured" };
  const sent = await send(text);
  expect([sent.status, await sent.json()]).toMatchObject([
    201,
    {
      sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
      account_sid: "AC123",
      to: text.To,
      body: text.Body,
      status: "queued",
    },
  ]);
  await send({ ...text, Body: "Your code is 123456" });
  await send({ ...text, To: "+15550100101" });
  const refusals = [await send(text, "Basic bm9ib2R5Og=="), await send({ ...text, To: "5550100" })];
  expect(
    await Promise.all(refusals.map(async (refusal) => [refusal.status, (await refusal.json()).code])),
  ).toEqual([
    [401, 20003],
    [400, 21211],
  ]);
  const inbox = await harness.control<{ messages: object[] }>("GET", "/sandbox/sms?to=+15550100100");
  expect(inbox.messages).toEqual([
    { id: expect.any(String), to: text.To, body: "Your code is 123456", at: START },
    { id: expect.any(String), to: text.To, body: "Block captured", at: START },
  ]);
});

it("lists the numbers whose texts fail, for the desk", async () => {
  const numbers = () => harness.control<{ numbers: object[] }>("GET", "/sandbox/sms/numbers");
  const number = "+15550100100";
  await harness.control("POST", "/sandbox/sms/numbers", { number, code: 30_003 });
  await harness.control("POST", "/sandbox/sms/numbers", { number: "+15550100101", code: null });
  expect(await numbers()).toEqual({ numbers: [{ number, code: 30_003, isStopped: false }] });
  await harness.control("POST", "/sandbox/sms/numbers", { number, code: null });
  expect(await numbers()).toEqual({ numbers: [] });
});

it("signs user pool tokens with keys that survive a reset", async () => {
  const issuer = "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Sandbox";
  const order = { sub: "0001", phoneNumber: "+15550100100", clientId: "client", issuer };
  type Pair = { idToken: string; accessToken: string };
  const { idToken, accessToken } = await harness.control<Pair>("POST", "/sandbox/identity/token", order);
  await harness.clear();
  await harness.server.evict();
  const jwks = await harness.control<JSONWebKeySet>("GET", "/us-east-1_Sandbox/.well-known/jwks.json");
  expect(await harness.control("GET", "/sandbox/identity/us-east-1_Sandbox/.well-known/jwks.json")).toEqual(
    jwks,
  );
  const keys = createLocalJWKSet(jwks);
  const { payload } = await jwtVerify(idToken, keys, { issuer, audience: "client", algorithms: ["RS256"] });
  expect(payload).toMatchObject({
    sub: "0001",
    token_use: "id",
    "cognito:username": "0001",
    phone_number: "+15550100100",
    phone_number_verified: true,
  });
  const access = await jwtVerify(accessToken, keys, { issuer, algorithms: ["RS256"] });
  expect(access.payload).toMatchObject({
    token_use: "access",
    client_id: "client",
    event_id: payload["event_id"],
  });
  expect(decodeProtectedHeader(idToken).kid).not.toBe(decodeProtectedHeader(accessToken).kid);
});

it("restores its world after an eviction", async () => {
  const { token, refreshToken } = await harness.link();
  const offerId = await harness.drop();
  const taken = await harness.accept(token, offerId);
  await harness.drop({ inMinutes: 600 });
  const before = await harness.control("GET", "/sandbox/platform/world");
  await harness.server.evict();
  expect(await harness.control("GET", "/sandbox/platform/world")).toEqual(before);
  expect((await harness.accept(token, offerId)).body).toEqual(taken.body);
  expect((await harness.call("refreshTokens", { body: { refreshToken } })).status).toBe(200);
});

it("serves a desk page without external resources", async () => {
  const page = await (await fetch(`${harness.server.url}/sandbox`)).text();
  expect(page).toContain("Sandbox");
  expect(page).not.toMatch(/(?:src|href)="https?:/);
});
