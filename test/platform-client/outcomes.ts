import type { Operation } from "./harness.ts";

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

/** The outcome of each recorded response: operation, fixture, outcome. */
export const OUTCOMES: [Operation, string, unknown][] = [
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
        region: { name: "New York City" },
        timeZone: "America/New_York",
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
  ["listBlocks", "list-blocks", { kind: "blocks", blocks: [COMPLETED, SCHEDULED], skipped: 0 }],
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
      skipped: 0,
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
