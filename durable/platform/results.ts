import type * as z from "zod";
import type { PlatformFailure, PollOutcome } from "../engine/types.ts";
import type { Warehouse } from "../../db/shapes/offer.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { driverJson, earningsJson, sessionJson, tokensJson } from "./parse.ts";

/** The pair that speaks for a driver. The access token lives for `expiresInMs`, counted from the answer's making. */
export type PlatformTokens = z.output<typeof tokensJson>;

/**
 * A linking under way. `sessionId` is a secret. `expiresAt` is when the present step lapses.
 * `tokens` come with the first answer whose state is `active`, and never again.
 */
export type PlatformSession = z.output<typeof sessionJson>;

/** The driver behind a token: region, IANA zone, ISO 4217 currency, and whether a selfie is asked for, with its page. */
export type PlatformDriver = z.output<typeof driverJson>;

/** The sum and its items, in minor units. */
export type PlatformEarnings = z.output<typeof earningsJson>;

type SessionProgress = { kind: "session"; session: PlatformSession };

/** Of `createSession`. */
export type CreateSessionResult =
  | SessionProgress
  | { kind: "invalid_credentials" }
  | { kind: "account_locked" }
  | PlatformFailure;

/** Of `readSession`. */
export type ReadSessionResult =
  | SessionProgress
  | { kind: "session_not_found" }
  | { kind: "approval_denied" }
  | PlatformFailure;

/** Of `answerOtp`; `attemptsLeft` is null where the platform does not say. */
export type AnswerOtpResult =
  | SessionProgress
  | { kind: "otp_invalid"; attemptsLeft: number | null }
  | { kind: "otp_expired" }
  | { kind: "approval_denied" }
  | { kind: "session_not_found" }
  | PlatformFailure;

/** Of any call that moves a linking on. */
export type SessionResult = CreateSessionResult | ReadSessionResult | AnswerOtpResult;

/** Of `resendOtp`. */
export type ResendOtpResult =
  | { kind: "sent" }
  | { kind: "session_not_found" }
  | { kind: "otp_expired" }
  | { kind: "approval_denied" }
  | PlatformFailure;

/** Of `refreshTokens`; `invalid_grant`: the driver must link again. Never `signed_out`. */
export type RefreshTokensResult =
  | { kind: "tokens"; tokens: PlatformTokens }
  | { kind: "invalid_grant" }
  | Exclude<PlatformFailure, { kind: "signed_out" }>;

/** Of `endSession`. */
export type EndSessionResult = { kind: "ended" } | PlatformFailure;

/** Of `readDriver`. */
export type DriverResult = { kind: "driver"; driver: PlatformDriver } | PlatformFailure;

/** Of `listWarehouses`; `skipped` counts those that could not be read. */
export type WarehousesResult =
  | { kind: "warehouses"; warehouses: readonly Warehouse[]; skipped: number }
  | PlatformFailure;

/** Of `listOffers`: the engine's `PollOutcome`, and in `skipped` how many offers could not be read. */
export type OffersResult =
  | (Extract<PollOutcome, { kind: "offers" }> & { skipped: number })
  | Exclude<PollOutcome, { kind: "offers" }>;

/** Of `forfeitBlock`. */
export type ForfeitResult =
  | { kind: "forfeited" }
  | { kind: "too_late" }
  | { kind: "block_not_found" }
  | PlatformFailure;

/** Where and when the driver's own device was: degrees, metres, the instant of the fix. */
export type Position = { latitude: number; longitude: number; accuracyMeters: number; observedAt: EpochMs };

/** Of `readEarnings`. */
export type EarningsResult = { kind: "earnings"; earnings: PlatformEarnings } | PlatformFailure;
