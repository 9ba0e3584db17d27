import type { Db } from "../../db/client.ts";
import type { LockPolicy, SendPolicy } from "../../db/queries/identity-limits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";
import type { KeyBytes, Keys } from "../../durable/runtime/keys.ts";
import type { Log } from "../../durable/runtime/log.ts";
import type { Language } from "../../db/shapes/language.ts";

/** What an operator of a Cognito pool sets on the pool and its client. */
export type PoolSettings = {
  /**
   * As the client setting of the same name. `ENABLED`: sign-in, resend and confirmation answer for unknown numbers as
   * for known ones, in words, in time and with a stable salt and sub. `LEGACY`: they say `UserNotFoundException`.
   * SignUp says 'already exists' under both, and so does an unconfirmed account at sign-in, as on AWS.
   */
  preventUserExistenceErrors: "ENABLED" | "LEGACY";
  /**
   * ForgotPassword says `UserNotFoundException` for an unknown number, whatever the setting above, so that the page can
   * say 'No account found with this phone number'. It is the one call, beside SignUp, that tells who has an account.
   */
  forgotPasswordRevealsUnknown: boolean;
};

/** Lifetimes and limits; each has a default. */
export type PoolLimits = {
  tokenLifetimeSeconds: number;
  refreshLifetimeMs: DurationMs;
  /** How long a challenge may be answered. */
  challengeLifetimeMs: DurationMs;
  /** How far a signed timestamp may be off, either way. */
  clockLeewayMs: DurationMs;
  codeLifetimeMs: DurationMs;
  codeTries: number;
  sending: SendPolicy;
  lock: LockPolicy;
  /** After this an account that was never confirmed gives its number up to a new registration. */
  unconfirmedLifetimeMs: DurationMs;
};

/** What the pool is made of. */
export type PoolDeps = {
  db: Db;
  keys: Keys;
  sendText: (message: { to: string; body: string }) => Promise<unknown>;
  messages: { code(language: Language, code: string): string };
  now: () => EpochMs;
  randomBytes: (length: number) => KeyBytes;
  /** Without a slash at its end; the issuer is `<publicUrl>/identity/<poolId>`. */
  publicUrl: string;
  /** At most 55 characters, `^[\w-]+_[0-9a-zA-Z]+$`. It is part of every verifier: changing it locks everyone out. */
  poolId: string;
  clientId: string;
  log?: Log;
  /** Whether a call may go on; asked before its body is read. Left out, every one may. */
  isAllowed?: (request: Request, operation: string) => Promise<boolean>;
  settings?: Partial<PoolSettings>;
  limits?: Partial<PoolLimits>;
};

/** What every operation works with. */
export type PoolContext = Omit<PoolDeps, "settings" | "limits"> & {
  issuer: string;
  /** The pool id after its first `_`: what verifiers and proofs are made with. */
  name: string;
  settings: PoolSettings;
  limits: PoolLimits;
};

const DEFAULT_SETTINGS: PoolSettings = {
  preventUserExistenceErrors: "ENABLED",
  forgotPasswordRevealsUnknown: true,
};

const DEFAULT_LIMITS: PoolLimits = {
  tokenLifetimeSeconds: 3600,
  refreshLifetimeMs: 30 * DAY_MS,
  challengeLifetimeMs: 3 * MINUTE_MS,
  clockLeewayMs: 5 * MINUTE_MS,
  codeLifetimeMs: 10 * MINUTE_MS,
  codeTries: 5,
  sending: { minIntervalMs: 30_000, windowMs: HOUR_MS, maxSends: 10 },
  lock: { freeTries: 5, maxLockMs: 15 * MINUTE_MS, resetAfterMs: 15 * MINUTE_MS },
  unconfirmedLifetimeMs: HOUR_MS,
};

/**
 * What verifiers and proofs are made with: the pool id after its first `_`.
 * @throws {TypeError} where clients would refuse the pool id
 */
export function poolNameOf(poolId: string): string {
  if (poolId.length > 55 || !/^[\w-]+_[0-9a-zA-Z]+$/.test(poolId)) throw new TypeError("malformed pool id");
  return poolId.slice(poolId.indexOf("_") + 1);
}

/** @throws {TypeError} where clients would refuse the pool id */
export function createPoolContext(deps: PoolDeps): PoolContext {
  return {
    ...deps,
    issuer: `${deps.publicUrl}/identity/${deps.poolId}`,
    name: poolNameOf(deps.poolId),
    settings: { ...DEFAULT_SETTINGS, ...deps.settings },
    limits: { ...DEFAULT_LIMITS, ...deps.limits },
  };
}
