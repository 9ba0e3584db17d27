import type { BlocksOutcome, PlatformFailure, PollOutcome } from "../engine/state/outcomes.ts";
import type { Warehouse } from "../../db/shapes/work/offer.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { EarningItemJson } from "./parse/earnings.ts";
import type { SessionJson, TokensJson } from "./parse/link-session.ts";
import type { DriverJson } from "./parse/platform-driver.ts";

/** A driver's token pair. The access token is valid for `expiresInMs` from when the response was created. */
export type PlatformTokens = TokensJson;

/**
 * A linking session. `sessionId` is a secret. `expiresAt` is the deadline of the present step. `tokens` are in the
 * first response with state `active` and in no later one.
 */
export type PlatformSession = SessionJson;

/**
 * The driver that a token belongs to: region, IANA time zone, and whether a selfie is required and where. Null is what
 * can't be read.
 */
export type PlatformDriver = DriverJson;

/** Total and items, in minor units. */
export type PlatformEarnings = {
  currency: string;
  totalCents: number;
  items: EarningItemJson[];
};

type SessionProgress = { kind: "session"; session: PlatformSession };

/**
 * Outcome of `createSession`. A lock is of the account's sign-in alone: `lockedUntil`, where the platform says it, is no wait
 * for other calls.
 */
export type CreateSessionResult =
  | SessionProgress
  | { kind: "invalid_credentials" }
  | { kind: "account_locked"; lockedUntil?: EpochMs }
  | PlatformFailure;

/** Outcome of `readSession`. */
export type ReadSessionResult =
  | SessionProgress
  | { kind: "session_not_found" }
  | { kind: "approval_denied" }
  | PlatformFailure;

/** Outcome of `answerOtp`. `attemptsLeft` is null if the platform leaves it out. */
export type AnswerOtpResult =
  | SessionProgress
  | { kind: "otp_invalid"; attemptsLeft: number | null }
  | { kind: "otp_expired" }
  | { kind: "approval_denied" }
  | { kind: "session_not_found" }
  | PlatformFailure;

/** Outcome of any call that advances a linking session. */
export type SessionResult = CreateSessionResult | ReadSessionResult | AnswerOtpResult;

/** Outcome of `resendOtp`. */
export type ResendOtpResult =
  | { kind: "sent" }
  | { kind: "session_not_found" }
  | { kind: "otp_expired" }
  | { kind: "approval_denied" }
  | PlatformFailure;

/** Outcome of `refreshTokens`. `invalid_grant` means that the driver must link again. Never `signed_out`. */
export type RefreshTokensResult =
  | { kind: "tokens"; tokens: PlatformTokens }
  | { kind: "invalid_grant" }
  | Exclude<PlatformFailure, { kind: "signed_out" }>;

/** Outcome of `endSession`. */
export type EndSessionResult = { kind: "ended" } | PlatformFailure;

/** Outcome of `readDriver`. */
export type DriverResult = { kind: "driver"; driver: PlatformDriver } | PlatformFailure;

/** Outcome of `listWarehouses`. `skipped` counts malformed warehouses. */
export type WarehousesResult =
  | { kind: "warehouses"; warehouses: readonly Warehouse[]; skipped: number }
  | PlatformFailure;

/** Outcome of `listOffers`: the engine's `PollOutcome`, with the number of malformed offers in `skipped`. */
export type OffersResult =
  | (Extract<PollOutcome, { kind: "offers" }> & { skipped: number })
  | Exclude<PollOutcome, { kind: "offers" }>;

/** Outcome of `listBlocks`: the engine's `BlocksOutcome`; `skipped` counts blocks that are not as the contract says. */
export type BlocksResult =
  | (Extract<BlocksOutcome, { kind: "blocks" }> & { skipped: number })
  | PlatformFailure;

/** Outcome of `forfeitBlock`. */
export type ForfeitResult =
  | { kind: "forfeited" }
  | { kind: "too_late" }
  | { kind: "block_not_found" }
  | PlatformFailure;

/** A position measured by the driver's own device: degrees, meters and the time of the fix. */
export type Position = { latitude: number; longitude: number; accuracyMeters: number; observedAt: EpochMs };

/** Outcome of `readEarnings`. `skipped` counts malformed items. */
export type EarningsResult =
  | { kind: "earnings"; earnings: PlatformEarnings; skipped: number }
  | PlatformFailure;
