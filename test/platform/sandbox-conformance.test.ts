import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { CONTRACT_RESPONSES, CODES } from "./contract.ts";
import { BETHPAGE, HOUR, MINUTE, START, openSandboxHarness } from "./sandbox-harness.ts";

let harness: Awaited<ReturnType<typeof openSandboxHarness>>;
beforeAll(async () => {
  harness = await openSandboxHarness();
});
afterAll(() => harness.server.stop());
beforeEach(() => harness.clear());

const wide = {
  from: new Date(START - 24 * HOUR).toISOString(),
  to: new Date(START + 60 * 24 * HOUR).toISOString(),
};
const arrivedAt = (position: { latitude: number; longitude: number }) => ({
  ...position,
  accuracyMeters: 12,
  observedAt: new Date(START).toISOString(),
});
const repeated = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);
const problem = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body.code];

it("links a driver by code and approval on the device, and returns the tokens once", async () => {
  await harness.world({ autoApproveMs: null });
  const begun = await harness.begin("ana@example.com");
  const path = { sessionId: String(begun.body.sessionId) };
  expect(begun.body).toMatchObject({
    state: "otp_required",
    otp: { channel: "email", destination: "a***@e***" },
  });

  const code = await harness.codeFor("ana@example.com");
  const waiting = await harness.call("answerOtp", { path, body: { code } });
  expect(waiting.body).toMatchObject({ state: "approval_required" });
  expect((await harness.call("readSession", { path })).body).not.toHaveProperty("tokens");

  await harness.control("POST", `/sandbox/platform/sessions/${path.sessionId}/approve`);
  const active = await harness.call("readSession", { path });
  expect(active.body).toMatchObject({ state: "active", tokens: { expiresIn: 3600 } });
  const later = await harness.call("readSession", { path });
  expect([later.body.state, later.body.tokens]).toEqual(["active", undefined]);
});

it("texts the code for an e-mail with +sms, and masks the number", async () => {
  const { body } = await harness.begin("ana+sms@example.com");
  expect(body.otp).toMatchObject({
    channel: "sms",
    destination: expect.stringMatching(/^\*{3} \*{3} \d{4}$/),
  });
});

it("rejects a wrong password and locks the account after five", async () => {
  const refusals = [];
  for (let tries = 0; tries < 5; tries++)
    refusals.push(problem(await harness.begin("ana@example.com", "wrong")));
  expect(refusals).toEqual([...repeated(4, [401, "invalid_credentials"]), [423, "account_locked"]]);
  expect(problem(await harness.begin("ana@example.com"))).toEqual([423, "account_locked"]);
  await harness.world({ now: START + 15 * MINUTE });
  expect((await harness.begin("ana@example.com")).status).toBe(201);
});

it("counts down the tries of a code, then locks", async () => {
  const { body } = await harness.begin("ana@example.com");
  const path = { sessionId: String(body.sessionId) };
  const right = await harness.codeFor("ana@example.com");
  const code = right === "000000" ? "111111" : "000000";
  const left = [];
  for (let tries = 0; tries < 5; tries++)
    left.push((await harness.call("answerOtp", { path, body: { code } })).body);
  expect(left.map(({ code, attemptsLeft }) => [code, attemptsLeft])).toEqual(
    [4, 3, 2, 1, 0].map((count) => ["otp_invalid", count]),
  );
  expect(problem(await harness.call("answerOtp", { path, body: { code: right } }))).toEqual([
    410,
    "otp_expired",
  ]);
  expect((await harness.call("readSession", { path })).body.state).toBe("expired");
  expect(problem(await harness.begin("ana@example.com"))).toEqual([423, "account_locked"]);
});

it("expires a code after ten minutes and resends it after thirty seconds", async () => {
  const path = { sessionId: String((await harness.begin("ana@example.com")).body.sessionId) };
  const first = await harness.codeFor("ana@example.com");
  const early = await harness.call("resendOtp", { path });
  expect([...problem(early), early.headers.get("retry-after")]).toEqual([429, "rate_limited", "30"]);
  await harness.world({ now: START + 10 * MINUTE });
  expect(problem(await harness.call("answerOtp", { path, body: { code: first } }))).toEqual([
    410,
    "otp_expired",
  ]);

  const again = { sessionId: String((await harness.begin("ana@example.com")).body.sessionId) };
  await harness.world({ now: START + 11 * MINUTE });
  expect((await harness.call("resendOtp", { path: again })).status).toBe(202);
  const code = await harness.codeFor("ana@example.com");
  expect((await harness.call("answerOtp", { path: again, body: { code } })).body.state).toBe("active");
});

it("reports a denied approval and an unknown session", async () => {
  await harness.world({ autoApproveMs: null });
  const path = { sessionId: String((await harness.begin("ana@example.com")).body.sessionId) };
  const code = await harness.codeFor("ana@example.com");
  await harness.call("answerOtp", { path, body: { code } });
  await harness.control("POST", `/sandbox/platform/sessions/${path.sessionId}/deny`);
  expect((await harness.call("readSession", { path })).body.state).toBe("denied");
  expect(problem(await harness.call("answerOtp", { path, body: { code } }))).toEqual([
    410,
    "approval_denied",
  ]);

  const none = { sessionId: "nobody" };
  expect([
    problem(await harness.call("readSession", { path: none })),
    problem(await harness.call("answerOtp", { path: none, body: { code } })),
    problem(await harness.call("resendOtp", { path: none })),
  ]).toEqual(repeated(3, [404, "session_not_found"]));
});

it("rotates the refresh token and returns the same pair again within a minute", async () => {
  const { refreshToken } = await harness.link();
  const fresh = await harness.call("refreshTokens", { body: { refreshToken } });
  await harness.world({ now: START + MINUTE });
  const repeated = await harness.call("refreshTokens", { body: { refreshToken } });
  expect(repeated.body).toEqual(fresh.body);
  expect((await harness.call("readDriver", { token: String(fresh.body.accessToken) })).status).toBe(200);
  expect(problem(await harness.call("refreshTokens", { body: { refreshToken } }))).toEqual([
    401,
    "invalid_grant",
  ]);
});

it("rejects a used refresh token after the grace period", async () => {
  const { refreshToken } = await harness.link();
  await harness.call("refreshTokens", { body: { refreshToken } });
  await harness.world({ now: START + MINUTE + 1 });
  expect(problem(await harness.call("refreshTokens", { body: { refreshToken } }))).toEqual([
    401,
    "invalid_grant",
  ]);
});

it("revokes both tokens at the end of a session and rejects calls without a valid token", async () => {
  const { token, refreshToken } = await harness.link();
  expect((await harness.call("endSession", { token })).status).toBe(204);
  expect(problem(await harness.call("refreshTokens", { body: { refreshToken } }))).toEqual([
    401,
    "invalid_grant",
  ]);
  const block = { blockId: "blk_1" };
  const refusals = await Promise.all([
    harness.call("endSession", { token }),
    harness.call("readDriver", { token }),
    harness.call("listWarehouses", { token }),
    harness.call("listOffers", { token }),
    harness.accept(token, "of_1", { key: "12345678" }),
    harness.call("listBlocks", { token, query: wide }),
    harness.call("forfeitBlock", { token, path: block }),
    harness.call("checkIn", { token, path: block, body: arrivedAt(BETHPAGE) }),
    harness.call("readEarnings", { token, query: wide }),
  ]);
  expect(refusals.map(problem)).toEqual(repeated(9, [401, "invalid_token"]));
});

it("expires an access token", async () => {
  const { token } = await harness.link();
  await harness.world({ now: START + HOUR - 1 });
  expect((await harness.call("readDriver", { token })).status).toBe(200);
  await harness.world({ now: START + HOUR });
  expect(problem(await harness.call("readDriver", { token }))).toEqual([401, "invalid_token"]);
});

it("assigns a driver to the city named in the e-mail", async () => {
  const { token } = await harness.link("ana+phoenix@example.com");
  const driver = await harness.call("readDriver", { token });
  expect(driver.body).toMatchObject({ region: { name: "Phoenix" }, timeZone: "America/Phoenix" });
  const { warehouses } = (await harness.call("listWarehouses", { token })).body as {
    warehouses: { name?: string }[];
  };
  expect(warehouses.length).toBeGreaterThanOrEqual(5);
  expect(warehouses.some(({ name }) => name === undefined)).toBe(true);
});

it("lists offers with the quota, answers 304 if nothing changed, and 429 once the quota is used up", async () => {
  await harness.world({ quotas: { limit: 4, windowSeconds: 30 } });
  const { token } = await harness.link();
  const offerId = await harness.drop();
  await harness.drop({ warehouseId: "nyc-wfm7", inMinutes: 300 });
  const quota = ({ headers }: { headers: Headers }) =>
    ["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`));

  const first = await harness.call("listOffers", { token, query: { warehouseIds: "nyc-dny4" } });
  expect(first.body.offers).toEqual([
    expect.objectContaining({ offerId, pay: { amount: 9000, currency: "USD" } }),
  ]);
  const known = {
    token,
    query: { warehouseIds: "nyc-dny4" },
    headers: { "If-None-Match": first.headers.get("etag") ?? "" },
  };
  const second = await harness.call("listOffers", known);
  await harness.control("PATCH", `/sandbox/platform/offers/${offerId}`, { payCents: 9500 });
  const third = await harness.call("listOffers", known);
  const all = await harness.call("listOffers", { token });
  const limited = await harness.call("listOffers", { token });
  expect([first, second, third, all, limited].map((reply) => [reply.status, ...quota(reply)])).toEqual([
    [200, "4", "3", "30"],
    [304, "4", "2", "30"],
    [200, "4", "1", "30"],
    [200, "4", "0", "30"],
    [429, "4", "0", "30"],
  ]);
  expect(all.body.offers).toHaveLength(2);
  expect(limited.headers.get("retry-after")).toBe("30");
  await harness.world({ now: START + 30_000 });
  expect((await harness.call("listOffers", { token })).status).toBe(200);
});

it("gives an offer to one driver and repeats the response to an idempotency key for a day", async () => {
  const { token } = await harness.link();
  const rival = await harness.link("rival@example.com");
  const offerId = await harness.drop({ inMinutes: 48 * 60 });
  const taken = await harness.accept(token, offerId, { payAtLeast: 9000 });
  expect(taken.body).toMatchObject({ offerId, status: "scheduled", pay: { amount: 9000 } });
  expect((await harness.accept(token, offerId, { payAtLeast: 9000 })).body).toEqual(taken.body);

  const other = await harness.accept(token, offerId, { key: "another-key" });
  expect([...problem(other), other.body.block]).toEqual([409, "already_yours", taken.body]);
  expect(problem(await harness.accept(rival.token, offerId))).toEqual([409, "offer_gone"]);
  expect((await harness.call("listOffers", { token })).body.offers).toEqual([]);

  await harness.world({ now: START + 24 * HOUR, accessTokenSeconds: 7 * 24 * 3600 });
  const later = await harness.link();
  expect(problem(await harness.accept(later.token, offerId))).toEqual([409, "already_yours"]);
});

it("repeats a refusal for its idempotency key even if the offer has changed", async () => {
  const { token } = await harness.link();
  const offerId = await harness.drop({ payCents: 8000 });
  expect(problem(await harness.accept(token, offerId, { payAtLeast: 8001 }))).toEqual([409, "pay_changed"]);
  await harness.control("PATCH", `/sandbox/platform/offers/${offerId}`, { payCents: 9000 });
  expect(problem(await harness.accept(token, offerId, { payAtLeast: 8001 }))).toEqual([409, "pay_changed"]);
  expect((await harness.accept(token, offerId, { key: "a-fresh-key", payAtLeast: 8001 })).status).toBe(200);
});

it("rejects overlapping blocks and allows adjacent ones", async () => {
  const { token, driverId } = await harness.link();
  const startsAt = new Date(START + 120 * MINUTE).toISOString();
  const byHand = { driverId, warehouseId: "nyc-dny4", startsAt, minutes: 180, payCents: 9000 };
  await harness.control("POST", "/sandbox/platform/blocks", byHand);
  expect(problem(await harness.accept(token, await harness.drop({ inMinutes: 270 })))).toEqual([
    409,
    "overlap",
  ]);
  expect((await harness.accept(token, await harness.drop({ inMinutes: 300 }))).status).toBe(200);
  expect((await harness.accept(token, await harness.drop({ inMinutes: 60, minutes: 60 }))).status).toBe(200);
});

it("applies the weekly limit from Monday to Sunday in the warehouse's time zone, by the block's start", async () => {
  await harness.world({ weeklyLimitMinutes: 300 });
  const { token } = await harness.link();
  const lateOnSunday = await harness.drop({ inMinutes: (6 * 24 + 12) * 60, minutes: 240 });
  const friday = await harness.drop({ inMinutes: 4 * 24 * 60, minutes: 90 });
  const nextMonday = await harness.drop({ inMinutes: (6 * 24 + 20) * 60, minutes: 240 });
  expect((await harness.accept(token, lateOnSunday)).status).toBe(200);
  expect(problem(await harness.accept(token, friday))).toEqual([409, "weekly_limit"]);
  expect((await harness.accept(token, nextMonday)).status).toBe(200);
});

it("requires a selfie until it is taken on the platform's page", async () => {
  const { token, driverId } = await harness.link();
  const offerId = await harness.drop();
  await harness.control("POST", `/sandbox/platform/drivers/${driverId}/verification`, { required: true });
  const refused = await harness.call("listOffers", { token });
  expect(problem(refused)).toEqual([403, "verification_required"]);
  expect(problem(await harness.accept(token, offerId))).toEqual([403, "verification_required"]);
  const url = String(refused.body.url);
  expect((await harness.call("readDriver", { token })).body.verification).toEqual({ required: true, url });
  expect(await (await fetch(url)).text()).toContain("Take the selfie");
  await fetch(url, { method: "POST" });
  expect((await harness.call("readDriver", { token })).body.verification).toEqual({ required: false });
  expect((await harness.accept(token, offerId)).status).toBe(200);
});

it("lists blocks by start within at most 62 days, including forfeited ones", async () => {
  const { token } = await harness.link();
  const late = await harness.accept(token, await harness.drop({ inMinutes: 600 }));
  const early = await harness.accept(token, await harness.drop({ inMinutes: 45 }));
  await harness.call("forfeitBlock", { token, path: { blockId: String(early.body.blockId) } });
  const { blocks } = (await harness.call("listBlocks", { token, query: wide })).body as { blocks: object[] };
  expect(blocks).toEqual([{ ...early.body, status: "forfeited" }, late.body]);
  const from = String(late.body.startsAt);
  const none = await harness.call("listBlocks", { token, query: { from: wide.from, to: from } });
  expect(none.body.blocks).toHaveLength(1);
  const to = new Date(Date.parse(wide.from) + 62 * 24 * HOUR + 1).toISOString();
  expect(problem(await harness.call("listBlocks", { token, query: { ...wide, to } }))).toEqual([
    400,
    "invalid_request",
  ]);
});

it("lets a driver forfeit their own block until 45 minutes before the start", async () => {
  const { token } = await harness.link();
  const rival = await harness.link("rival@example.com");
  const { body } = await harness.accept(token, await harness.drop());
  const path = { blockId: String(body.blockId) };
  expect(problem(await harness.call("forfeitBlock", { token: rival.token, path }))).toEqual([
    404,
    "block_not_found",
  ]);
  await harness.world({ now: START + 75 * MINUTE + 1 });
  const { token: again } = await harness.link();
  expect(problem(await harness.call("forfeitBlock", { token: again, path }))).toEqual([409, "too_late"]);
});

it("allows check-in inside the geofence from 30 minutes before the start", async () => {
  await harness.world({ accessTokenSeconds: 24 * 3600 });
  const { token } = await harness.link();
  const { body } = await harness.accept(token, await harness.drop());
  const path = { blockId: String(body.blockId) };
  const arrive = (position = BETHPAGE) => harness.call("checkIn", { token, path, body: arrivedAt(position) });

  const opensAt = new Date(START + 90 * MINUTE).toISOString();
  expect((await arrive()).body).toMatchObject({ code: "too_early", opensAt });
  await harness.world({ now: START + 90 * MINUTE });
  const far = await arrive({ ...BETHPAGE, latitude: BETHPAGE.latitude + 0.002 });
  expect(problem(far)).toEqual([409, "outside_geofence"]);
  expect(far.body.distanceMeters).toBeCloseTo(222.4, 0);
  expect((await arrive()).body).toMatchObject({ status: "checked_in", checkedInAt: opensAt });
  expect(problem(await arrive())).toEqual([409, "already_checked_in"]);
  const nowhere = { blockId: "blk_none" };
  const lost = await harness.call("checkIn", { token, path: nowhere, body: arrivedAt(BETHPAGE) });
  expect(problem(lost)).toEqual([404, "block_not_found"]);
});

it("closes check-in after the start and pays for blocks that have ended", async () => {
  await harness.world({ accessTokenSeconds: 24 * 3600 });
  const { token } = await harness.link();
  const { body } = await harness.accept(token, await harness.drop({ payCents: 8750 }));
  const path = { blockId: String(body.blockId) };
  await harness.world({ now: START + 135 * MINUTE + 1 });
  const late = await harness.call("checkIn", { token, path, body: arrivedAt(BETHPAGE) });
  expect(problem(late)).toEqual([409, "too_late"]);
  expect((await harness.call("readEarnings", { token, query: wide })).body).toMatchObject({
    total: 0,
    items: [],
  });
  await harness.world({ now: START + 300 * MINUTE });
  expect((await harness.call("readEarnings", { token, query: wide })).body).toEqual({
    currency: "USD",
    total: 8750,
    items: [{ blockId: path.blockId, amount: 8750, tips: 0 }],
  });
});

it("rejects requests that violate the contract", async () => {
  const { token } = await harness.link();
  const offerId = await harness.drop();
  const refusals = await Promise.all([
    harness.call("createSession", { malformed: true, body: { email: "nobody" } }),
    harness.call("refreshTokens", { malformed: true, body: {} }),
    harness.call("acceptOffer", { malformed: true, token, path: { offerId }, body: { payAtLeast: 0 } }),
    harness.call("listBlocks", { malformed: true, token }),
    harness.call("checkIn", { malformed: true, token, path: { blockId: "blk_1" }, body: { latitude: 91 } }),
  ]);
  expect(refusals.map(problem)).toEqual(repeated(5, [400, "invalid_request"]));
});

it("injects rate limits and failures into any call", async () => {
  const { token } = await harness.link();
  const sessionId = String((await harness.begin("ana@example.com")).body.sessionId);
  const block = { blockId: "blk_1" };
  const rounds = [{ fault: "429", retryAfter: 7 }, { fault: "500" }];
  for (const round of rounds) {
    await harness.fault({ operation: "*", ...round });
    const replies = [
      await harness.begin("ana@example.com"),
      await harness.call("readSession", { path: { sessionId } }),
      await harness.call("answerOtp", { path: { sessionId }, body: { code: "000000" } }),
      await harness.call("resendOtp", { path: { sessionId } }),
      await harness.call("refreshTokens", { body: { refreshToken: "any" } }),
      await harness.call("readDriver", { token }),
      await harness.call("listWarehouses", { token }),
      await harness.call("listOffers", { token }),
      await harness.accept(token, "of_1", { key: "12345678" }),
      await harness.call("listBlocks", { token, query: wide }),
      await harness.call("forfeitBlock", { token, path: block }),
      await harness.call("checkIn", { token, path: block, body: arrivedAt(BETHPAGE) }),
      await harness.call("readEarnings", { token, query: wide }),
    ];
    const code = round.fault === "429" ? "rate_limited" : "internal";
    expect(replies.map(problem)).toEqual(repeated(13, [Number(round.fault), code]));
    await harness.control("DELETE", "/sandbox/faults");
  }
});

it("has returned every status and code in the contract", () => {
  expect(CONTRACT_RESPONSES.filter((answer) => !harness.seen.answers.has(answer))).toEqual([]);
  expect(CODES.filter((code) => !harness.seen.codes.has(code))).toEqual([]);
});
