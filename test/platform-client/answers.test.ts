import { expect, it } from "vitest";
import { faultsOfAnswer, faultsOfRequest, RECORDED } from "./contract.ts";
import { AGENT, bodyOf, CALLS, OPERATIONS, problem, replay, stage, type Operation } from "./stage.ts";

const at = (text: string) => Date.parse(text);

const SCHEDULED = {
  blockId: "blk_1",
  offerId: "off_1",
  warehouseId: "DNY4",
  serviceType: "parcel",
  startsAt: at("2026-11-22T14:00:00Z"),
  endsAt: at("2026-11-22T17:30:00Z"),
  payCents: 9450,
  currency: "USD",
  status: "scheduled",
  acceptedAt: at("2026-11-21T12:00:00.120Z"),
  checkedInAt: null,
};
const COMPLETED = {
  ...SCHEDULED,
  blockId: "blk_0",
  offerId: "off_0",
  startsAt: at("2026-11-20T14:00:00Z"),
  endsAt: at("2026-11-20T17:30:00Z"),
  status: "completed",
  acceptedAt: at("2026-11-19T12:00:00Z"),
  checkedInAt: at("2026-11-20T13:55:00Z"),
};
const QUOTA = { limit: 120, remaining: 87, resetAt: at("2026-11-21T12:00:31Z") };
const session = (state: string, expiresAt: string) => ({
  sessionId: "ses_9fK2",
  state,
  expiresAt: at(expiresAt),
  otp: null,
  tokens: null,
});

/** What each recorded answer becomes: the call's operation, the fixture, the outcome. */
const OUTCOMES: [Operation, string, unknown][] = [
  [
    "createSession",
    "create-session",
    {
      kind: "session",
      session: {
        ...session("otp_required", "2026-11-21T12:10:00Z"),
        otp: { channel: "sms", destination: "*** *** 4821" },
      },
    },
  ],
  ["createSession", "create-session-wrong", { kind: "invalid_credentials" }],
  ["createSession", "create-session-locked", { kind: "account_locked" }],
  [
    "readSession",
    "read-session-waiting",
    { kind: "session", session: session("approval_required", "2026-11-21T12:15:00Z") },
  ],
  [
    "readSession",
    "read-session-active",
    {
      kind: "session",
      session: {
        ...session("active", "2026-11-21T12:15:00Z"),
        tokens: { accessToken: "at_live.1", refreshToken: "rt_live.1", expiresInMs: 3_600_000 },
      },
    },
  ],
  ["readSession", "read-session-missing", { kind: "session_not_found" }],
  [
    "answerOtp",
    "answer-otp",
    { kind: "session", session: session("approval_required", "2026-11-21T12:15:00Z") },
  ],
  ["answerOtp", "answer-otp-wrong", { kind: "otp_invalid", attemptsLeft: 3 }],
  ["answerOtp", "answer-otp-expired", { kind: "otp_expired" }],
  ["answerOtp", "answer-otp-denied", { kind: "approval_denied" }],
  ["answerOtp", "read-session-missing", { kind: "session_not_found" }],
  ["resendOtp", "resend-otp", { kind: "sent" }],
  ["resendOtp", "read-session-missing", { kind: "session_not_found" }],
  [
    "refreshTokens",
    "refresh-tokens",
    {
      kind: "tokens",
      tokens: { accessToken: "at_live.2", refreshToken: "rt_live.2", expiresInMs: 3_600_000 },
    },
  ],
  ["refreshTokens", "refresh-tokens-refused", { kind: "invalid_grant" }],
  ["endSession", "end-session", { kind: "ended" }],
  [
    "readDriver",
    "read-driver",
    {
      kind: "driver",
      driver: {
        driverId: "drv_31",
        region: { id: "nyc", name: "New York City" },
        timeZone: "America/New_York",
        currency: "USD",
        verification: { required: true, url: "https://platform.example/selfie?s=1" },
      },
    },
  ],
  [
    "listWarehouses",
    "list-warehouses",
    {
      kind: "warehouses",
      skipped: 0,
      warehouses: [
        {
          warehouseId: "DNY4",
          name: "Bethpage (DNY4)",
          address: "2 Grumman Rd",
          serviceType: "parcel",
          timeZone: "America/New_York",
          latitude: 40.75,
          longitude: -73.49,
          geofenceMeters: 150,
        },
        {
          warehouseId: "WFM-12",
          name: null,
          address: null,
          serviceType: "whole_foods",
          timeZone: "America/New_York",
          latitude: 40.7,
          longitude: -73.9,
          geofenceMeters: 80,
        },
      ],
    },
  ],
  [
    "listOffers",
    "list-offers",
    {
      kind: "offers",
      skipped: 0,
      quota: QUOTA,
      etag: '"w/17"',
      offers: [
        {
          offerId: "off_1",
          warehouseId: "DNY4",
          serviceType: "parcel",
          startsAt: at("2026-11-22T14:00:00Z"),
          endsAt: at("2026-11-22T17:30:00Z"),
          payCents: 9450,
          currency: "USD",
          surge: true,
          expiresAt: at("2026-11-21T12:30:00.250Z"),
        },
        {
          offerId: "off_2",
          warehouseId: "WFM-12",
          serviceType: "whole_foods",
          startsAt: at("2026-11-22T20:00:00Z"),
          endsAt: at("2026-11-22T22:00:00Z"),
          payCents: 4400,
          currency: "USD",
          surge: false,
          expiresAt: at("2026-11-21T13:00:00Z"),
        },
      ],
    },
  ],
  [
    "listOffers",
    "list-offers-verification",
    { kind: "verification_required", url: "https://platform.example/selfie?s=2" },
  ],
  ["listOffers", "rate-limited", { kind: "rate_limited", retryAt: at("2026-11-21T12:00:45Z") }],
  ["acceptOffer", "accept-offer", { kind: "won", block: SCHEDULED }],
  ["acceptOffer", "accept-offer-offer-gone", { kind: "lost", reason: "offer_gone" }],
  ["acceptOffer", "accept-offer-overlap", { kind: "lost", reason: "overlap" }],
  ["acceptOffer", "accept-offer-weekly-limit", { kind: "lost", reason: "weekly_limit" }],
  ["acceptOffer", "accept-offer-pay-changed", { kind: "lost", reason: "pay_changed" }],
  ["acceptOffer", "accept-offer-already-yours", { kind: "already_yours", block: SCHEDULED }],
  ["listBlocks", "list-blocks", { kind: "blocks", blocks: [COMPLETED, SCHEDULED] }],
  ["forfeitBlock", "forfeit-block", { kind: "forfeited" }],
  ["forfeitBlock", "forfeit-block-late", { kind: "too_late" }],
  ["forfeitBlock", "forfeit-block-missing", { kind: "block_not_found" }],
  [
    "checkIn",
    "check-in",
    {
      kind: "checked_in",
      block: { ...SCHEDULED, status: "checked_in", checkedInAt: at("2026-11-22T13:50:00Z") },
    },
  ],
  ["checkIn", "check-in-outside", { kind: "outside_geofence", distanceMeters: 412.5 }],
  ["checkIn", "check-in-early", { kind: "too_early", opensAt: at("2026-11-22T13:45:00Z") }],
  ["checkIn", "check-in-late", { kind: "too_late" }],
  ["checkIn", "check-in-again", { kind: "already_checked_in" }],
  ["checkIn", "check-in-missing", { kind: "block_not_found" }],
  [
    "readEarnings",
    "read-earnings",
    {
      kind: "earnings",
      earnings: {
        currency: "USD",
        totalCents: 15650,
        items: [
          { blockId: "blk_0", amountCents: 9450, tipsCents: 1200 },
          { blockId: "blk_9", amountCents: 5000, tipsCents: 0 },
        ],
      },
    },
  ],
];

it.each([...RECORDED])("keeps the contract in the recorded answer %s", (_, recorded) => {
  expect(faultsOfAnswer(recorded)).toEqual([]);
});

it.each(OPERATIONS)("keeps the contract in the request of %s", async (name, call) => {
  const { platform, requests } = stage(() => problem(500, "internal"));
  await call(platform);
  expect(await Promise.all(requests.map(faultsOfRequest))).toEqual([[]]);
  expect(requests[0]?.headers.get("user-agent")).toBe(AGENT);
  expect(requests[0]?.headers.get("idempotency-key")).toBe(name === "acceptOffer" ? "prefix-00001" : null);
});

it("finds what breaks the contract, in a request as in an answer", async () => {
  const url = "https://platform.example/v1/offers/off_1/accept?now=1";
  const request = new Request(url, { method: "POST", body: JSON.stringify({ payAtLeast: -1 }) });
  expect(await faultsOfRequest(request)).toEqual([
    "/v1/offers/{offerId}/accept misses Idempotency-Key",
    "now is not foreseen",
    "/payAtLeast must be >= 0",
    "/v1/offers/{offerId}/accept with or without a token",
  ]);
  const answer = { operation: "acceptOffer", status: 409, headers: {}, body: { status: 409 } };
  expect(faultsOfAnswer(answer)).toEqual([
    " must have required property 'code'",
    " must have required property 'title'",
  ]);
});

it.each(OUTCOMES)(
  "reads %s from %s, fields that it does not know left out",
  async (name, fixture, outcome) => {
    expect(await CALLS[name](stage(() => replay(fixture)).platform)).toEqual(outcome);
  },
);

it("has a recorded success for every operation, and an outcome for every recording", () => {
  const read = new Set(OUTCOMES.map(([, fixture]) => fixture));
  expect([...RECORDED.keys()].filter((name) => !read.has(name))).toEqual(["list-offers-unchanged"]);
  const succeeded = new Set(
    [...RECORDED.values()].filter(({ status }) => status < 300).map((r) => r.operation),
  );
  expect(OPERATIONS.map(([name]) => name).filter((name) => !succeeded.has(name))).toEqual([]);
});

it("treats a code that it does not know by its status", async () => {
  const answer = async (name: Operation, status: number) =>
    CALLS[name](stage(() => problem(status, "brand_new")).platform);
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

it("ends a linking on invalid_grant alone, not on any other 401", async () => {
  const { platform } = stage(() => problem(401, "invalid_token"));
  expect(await CALLS.refreshTokens(platform)).toEqual({ kind: "refused", status: 401 });
  expect(await CALLS.readDriver(platform)).toEqual({ kind: "signed_out" });
});

it("keeps the figures that a refusal left out as not known", async () => {
  const answer = (name: Operation, status: number, code: string) =>
    CALLS[name](stage(() => problem(status, code)).platform);
  expect(await answer("answerOtp", 400, "otp_invalid")).toEqual({ kind: "otp_invalid", attemptsLeft: null });
  expect(await answer("checkIn", 409, "outside_geofence")).toEqual({
    kind: "outside_geofence",
    distanceMeters: null,
  });
  expect(await answer("checkIn", 409, "too_early")).toEqual({ kind: "too_early", opensAt: null });
  expect(await answer("acceptOffer", 409, "already_yours")).toEqual({ kind: "already_yours", block: null });
});

it("hands on no page that is not http or https", async () => {
  const body = { ...bodyOf("list-offers-verification"), url: "javascript:alert(1)" };
  const { platform } = stage(() => replay("list-offers-verification", { body }));
  expect(await CALLS.listOffers(platform)).toEqual({ kind: "verification_required", url: null });
});

it("takes a block only for what was asked: another's is no win and no check-in", async () => {
  const won = stage(() => replay("accept-offer", { body: { ...bodyOf("accept-offer"), offerId: "off_7" } }));
  expect(await CALLS.acceptOffer(won.platform)).toEqual({ kind: "unreadable" });
  const checked = stage(() => replay("check-in", { body: { ...bodyOf("check-in"), blockId: "blk_7" } }));
  expect(await CALLS.checkIn(checked.platform)).toEqual({ kind: "unreadable" });
});
