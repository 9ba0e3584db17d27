import { expect, it } from "vitest";
import { CONTRACT_RESPONSES } from "../platform/contract.ts";
import { responseViolations, requestViolations, RECORDED } from "./contract.ts";
import { OUTCOMES } from "./outcomes.ts";
import {
  NOW,
  AGENT,
  bodyOf,
  CALLS,
  OPERATIONS,
  problemResponse,
  replayResponse,
  createPlatformHarness,
  ids,
  type Operation,
} from "./harness.ts";

it.each([...RECORDED])("has a recorded response %s that conforms to the contract", (_, recorded) => {
  expect(responseViolations(recorded)).toEqual([]);
});

it.each(OPERATIONS)("sends a request for %s that conforms to the contract", async (name, call) => {
  const { platform, requests } = createPlatformHarness(() => problemResponse(500, "internal"));
  await call(platform);
  expect(await Promise.all(requests.map(requestViolations))).toEqual([[]]);
  expect(requests[0]?.headers.get("user-agent")).toBe(AGENT);
  expect(requests[0]?.headers.get("idempotency-key")).toBe(name === "acceptOffer" ? "prefix-00001" : null);
});

it("detects contract violations in requests and responses", async () => {
  const url = "https://platform.example/v1/offers/off_1/accept?now=1";
  const request = new Request(url, { method: "POST", body: JSON.stringify({ payAtLeast: -1 }) });
  expect(await requestViolations(request)).toEqual([
    "/v1/offers/{offerId}/accept misses Idempotency-Key",
    "now is not foreseen",
    "/payAtLeast must be >= 0",
    "/v1/offers/{offerId}/accept with or without a token",
  ]);
  const answer = { operation: "acceptOffer", status: 409, headers: {}, body: { status: 409 } };
  expect(responseViolations(answer)).toEqual([
    " must have required property 'code'",
    " must have required property 'title'",
  ]);
});

it.each(OUTCOMES)("parses %s from %s without unknown fields", async (name, fixture, outcome) => {
  expect(await CALLS[name](createPlatformHarness(() => replayResponse(fixture)).platform)).toEqual(outcome);
});

it("has a recorded success for every operation and an outcome for every recording", () => {
  const read = new Set(OUTCOMES.map(([, fixture]) => fixture));
  expect([...RECORDED.keys()].filter((name) => !read.has(name))).toEqual(["list-offers-unchanged"]);
  const succeeded = new Set(
    [...RECORDED.values()].filter(({ status }) => status < 300).map((r) => r.operation),
  );
  expect(OPERATIONS.map(([name]) => name).filter((name) => !succeeded.has(name))).toEqual([]);
});

/** The code of a status that the contract has for many calls, and that is recorded for few. */
const CODE_ANYWHERE: Readonly<Record<string, string>> = {
  401: "invalid_token",
  403: "verification_required",
  404: "session_not_found",
  429: "rate_limited",
};

it.each(CONTRACT_RESPONSES)("understands %s of the contract", async (response) => {
  const [operation = "", status = ""] = response.split(" ");
  const call = OPERATIONS.find(([name]) => name === operation)?.[1];
  const recorded = [...RECORDED].filter(
    ([, given]) => given.operation === operation && given.status === Number(status),
  );
  const answers = recorded.map(
    ([name]) =>
      () =>
        replayResponse(name),
  );
  const code = CODE_ANYWHERE[status];
  if (answers.length === 0 && code !== undefined) answers.push(() => problemResponse(Number(status), code));
  expect([call, answers]).toEqual([expect.any(Function), expect.arrayContaining([expect.any(Function)])]);
  for (const answer of answers) {
    const { platform } = createPlatformHarness(answer);
    const outcome =
      status === "304"
        ? await platform.listOffers({ accessToken: "at", warehouseIds: [], etag: '"w/17"' })
        : await call?.(platform);
    expect(["unreachable", "unreadable", "refused", undefined]).not.toContain(outcome?.kind);
  }
});

it("handles an unknown code by its status", async () => {
  const answer = async (name: Operation, status: number) =>
    CALLS[name](createPlatformHarness(() => problemResponse(status, "brand_new")).platform);
  expect(await answer("createSession", 401)).toEqual({ kind: "invalid_credentials" });
  expect(await answer("createSession", 423)).toEqual({ kind: "account_locked" });
  expect(await answer("readSession", 404)).toEqual({ kind: "session_not_found" });
  expect(await answer("answerOtp", 410)).toEqual({ kind: "otp_expired" });
  expect(await answer("answerOtp", 400)).toEqual({ kind: "refused", status: 400 });
  expect(await answer("acceptOffer", 409)).toEqual({ kind: "refused", status: 409 });
  expect(await answer("acceptOffer", 403)).toEqual({ kind: "refused", status: 403 });
  expect(await answer("checkIn", 409)).toEqual({ kind: "refused", status: 409 });
  expect(await answer("forfeitBlock", 404)).toEqual({ kind: "block_not_found" });
});

it("has a step's end by our clock, and of how a code was sent as much as the platform says", async () => {
  const read = async (otp: unknown, headers: Record<string, string> = {}) => {
    const body = { sessionId: "s-1", state: "otp_required", expiresAt: new Date(NOW).toISOString(), otp };
    const { platform } = createPlatformHarness(() => Response.json(body, { headers }));
    const result = await platform.readSession({ sessionId: "s-1" });
    return result.kind === "session" && [result.session.expiresAt - NOW, result.session.otp];
  };
  const sent = { channel: "sms", destination: "*** 4821" };
  const date = new Date(NOW - 300_000).toUTCString();
  expect([
    await read(sent, { date }),
    await read({ ...sent, channel: "voice" }),
    await read({ channel: "email" }),
    await read(undefined),
  ]).toEqual([
    [300_000, sent],
    [0, { ...sent, channel: null }],
    [0, { channel: "email", destination: null }],
    [0, null],
  ]);
});

it("says when a check-in opens by our clock", async () => {
  const opensAfter = async (headers: Record<string, string>) => {
    const body = { ...bodyOf("check-in-early"), opensAt: new Date(NOW + 60_000).toISOString() };
    const { platform } = createPlatformHarness(() => replayResponse("check-in-early", { body, headers }));
    const outcome = await platform.checkIn({
      accessToken: "at",
      blockId: ids.block("blk_1"),
      position: { latitude: 40.75, longitude: -73.49, accuracyMeters: 12, observedAt: NOW },
    });
    return outcome.kind === "too_early" && Number(outcome.opensAt) - NOW;
  };
  expect([await opensAfter({}), await opensAfter({ date: new Date(NOW - 300_000).toUTCString() })]).toEqual([
    60_000, 360_000,
  ]);
});

it("ends a link only on invalid_grant, not on any other 401", async () => {
  const { platform } = createPlatformHarness(() => problemResponse(401, "invalid_token"));
  expect(await CALLS.refreshTokens(platform)).toEqual({ kind: "refused", status: 401 });
  expect(await CALLS.readDriver(platform)).toEqual({ kind: "signed_out" });
});

it("has null for details that a refusal leaves out", async () => {
  const answer = (name: Operation, status: number, code: string) =>
    CALLS[name](createPlatformHarness(() => problemResponse(status, code)).platform);
  expect(await answer("answerOtp", 400, "otp_invalid")).toEqual({ kind: "otp_invalid", attemptsLeft: null });
  expect(await answer("checkIn", 409, "outside_geofence")).toEqual({
    kind: "outside_geofence",
    distanceMeters: null,
  });
  expect(await answer("checkIn", 409, "too_early")).toEqual({ kind: "too_early", opensAt: null });
  expect(await answer("acceptOffer", 409, "already_yours")).toEqual({ kind: "already_yours", block: null });
});

it("drops a URL that is not http or https", async () => {
  const body = { ...bodyOf("list-offers-verification"), url: "javascript:alert(1)" };
  const { platform } = createPlatformHarness(() => replayResponse("list-offers-verification", { body }));
  expect(await CALLS.listOffers(platform)).toEqual({ kind: "verification_required", url: null });
});

it.each<[string, unknown]>([
  ["an instant of acceptance", { ...bodyOf("accept-offer"), acceptedAt: undefined }],
  ["pay that can be read", { ...bodyOf("accept-offer"), pay: "94.50" }],
  ["pay", { ...bodyOf("accept-offer"), pay: undefined }],
  ["an id of less than 80 letters", { ...bodyOf("accept-offer"), blockId: "b".repeat(80) }],
  ["an offer", { ...bodyOf("accept-offer"), offerId: undefined }],
  ["the offer that was asked for", { ...bodyOf("accept-offer"), offerId: "off_7" }],
  ["anything that we know", { granted: true }],
  ["a body", null],
])("takes a 2xx to an accept for a yes, without %s", async (_what, body) => {
  const { platform } = createPlatformHarness(() => Response.json(body));
  expect(await CALLS.acceptOffer(platform)).toMatchObject({ kind: "won" });
});

it("takes a 2xx to a check-in for a yes", async () => {
  const body = { ...bodyOf("check-in"), blockId: "blk_7" };
  const { platform } = createPlatformHarness(() => replayResponse("check-in", { body }));
  expect(await CALLS.checkIn(platform)).toMatchObject({ kind: "checked_in" });
});

it("asks again where a 2xx contradicts itself", async () => {
  const { platform } = createPlatformHarness(() => Response.json({ status: 409, code: "offer_gone" }));
  expect(await CALLS.acceptOffer(platform)).toEqual({ kind: "unreadable" });
});
