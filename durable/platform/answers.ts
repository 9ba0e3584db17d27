import type * as z from "zod";
import type { PlatformFailure, PollOutcome, Warehouse } from "../engine/types.ts";
import type { EpochMs } from "../engine/units.ts";
import type { driverJson, earningsJson, sessionJson, tokensJson } from "./parse.ts";

/** The pair that speaks for a driver. The access token lives for `expiresInMs`, counted from the answer's making. */
export type Tokens = z.output<typeof tokensJson>;

/**
 * A linking under way. `sessionId` is a secret. `expiresAt` is when the present step lapses.
 * `tokens` come with the first answer whose state is `active`, and never again.
 */
export type Session = z.output<typeof sessionJson>;

/** The driver behind a token: region, IANA zone, ISO 4217 currency, and whether a selfie is asked for, with its page. */
export type PlatformDriver = z.output<typeof driverJson>;

/** The sum and its items, in minor units. */
export type Earnings = z.output<typeof earningsJson>;

type SessionStep = { kind: "session"; session: Session };

/** Of `createSession`. */
export type CreateSessionAnswer =
  | SessionStep
  | { kind: "invalid_credentials" }
  | { kind: "account_locked" }
  | PlatformFailure;

/** Of `readSession`. */
export type ReadSessionAnswer =
  | SessionStep
  | { kind: "session_not_found" }
  | { kind: "approval_denied" }
  | PlatformFailure;

/** Of `answerOtp`; `attemptsLeft` is null where the platform does not say. */
export type AnswerOtpAnswer =
  | SessionStep
  | { kind: "otp_invalid"; attemptsLeft: number | null }
  | { kind: "otp_expired" }
  | { kind: "approval_denied" }
  | { kind: "session_not_found" }
  | PlatformFailure;

/** Of any call that moves a linking on. */
export type SessionAnswer = CreateSessionAnswer | ReadSessionAnswer | AnswerOtpAnswer;

/** Of `resendOtp`. */
export type ResendAnswer =
  | { kind: "sent" }
  | { kind: "session_not_found" }
  | { kind: "otp_expired" }
  | { kind: "approval_denied" }
  | PlatformFailure;

/** Of `refreshTokens`; `invalid_grant`: the driver must link again. Never `signed_out`. */
export type RefreshAnswer =
  | { kind: "tokens"; tokens: Tokens }
  | { kind: "invalid_grant" }
  | Exclude<PlatformFailure, { kind: "signed_out" }>;

/** Of `endSession`. */
export type EndAnswer = { kind: "ended" } | PlatformFailure;

/** Of `readDriver`. */
export type DriverAnswer = { kind: "driver"; driver: PlatformDriver } | PlatformFailure;

/** Of `listWarehouses`; `skipped` counts those that could not be read. */
export type WarehousesAnswer =
  | { kind: "warehouses"; warehouses: readonly Warehouse[]; skipped: number }
  | PlatformFailure;

/** Of `listOffers`: the engine's `PollOutcome`, and in `skipped` how many offers could not be read. */
export type OffersAnswer =
  | (Extract<PollOutcome, { kind: "offers" }> & { skipped: number })
  | Exclude<PollOutcome, { kind: "offers" }>;

/** Of `forfeitBlock`. */
export type ForfeitAnswer =
  | { kind: "forfeited" }
  | { kind: "too_late" }
  | { kind: "block_not_found" }
  | PlatformFailure;

/** Where and when the driver's own device was: degrees, metres, the instant of the fix. */
export type Position = { latitude: number; longitude: number; accuracyMeters: number; observedAt: EpochMs };

/** Of `readEarnings`. */
export type EarningsAnswer = { kind: "earnings"; earnings: Earnings } | PlatformFailure;
