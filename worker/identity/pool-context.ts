import type { Db } from "../../db/client.ts";
import type { GuessPolicy } from "../../db/queries/identity/guesses.ts";
import type { SigningKeyRow } from "../../db/queries/identity/signing-keys.ts";
import type { SendPolicy } from "../../db/queries/identity/codes.ts";
import type { LockPolicy } from "../../db/queries/identity/locks.ts";
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type DurationMs,
  type EpochMs,
  type DriverId,
} from "../../db/shapes/units.ts";
import type { KeyBytes, Keys } from "../../durable/runtime/keys.ts";
import type { TextDoor } from "../../durable/texts/text-door.ts";
import type { SecurityLog, SecurityEvent } from "../../durable/security-log.ts";
import type { Afterwards } from "../../durable/runtime/afterwards.ts";
import type { Log } from "../../durable/runtime/log.ts";
import { unknownBrowser, type CallingBrowser, type Device } from "./device.ts";
import type { Language } from "../../db/shapes/language.ts";

/** Behaviour that Cognito configures on the pool and its app client. */
export type PoolSettings = {
  /**
   * Same as the Cognito client setting. `ENABLED`: sign-in, resend and confirmation respond to an unknown number exactly
   * as to a known one: same text, same timing, a stable salt and sub. `LEGACY`: they return `UserNotFoundException`.
   * Either way SignUp reveals that a number is taken, and sign-in that an account is unconfirmed, as on AWS.
   */
  preventUserExistenceErrors: "ENABLED" | "LEGACY";
  /**
   * ForgotPassword returns `UserNotFoundException` for an unknown number, whatever the setting above, so that the page
   * can show 'No account found with this phone number'. Besides SignUp, it is the only call that reveals this.
   */
  forgotPasswordRevealsUnknown: boolean;
  /**
   * Like `MfaConfiguration` of a Cognito pool: `OPTIONAL` if true, else `OFF`. Off for drivers, since the page can't answer
   * a second factor: nobody can enable one, and the pool ignores one that an account still has.
   */
  secondFactors: boolean;
};

/** Lifetimes and rate limits, all with defaults. */
export type PoolLimits = {
  tokenLifetimeSeconds: number;
  refreshLifetimeMs: DurationMs;
  /** How long a refresh token is still accepted that was replaced. At most a minute, as with Cognito's rotation. */
  refreshGraceMs: DurationMs;
  /** How long a client may take to respond to a challenge. */
  challengeLifetimeMs: DurationMs;
  codeLifetimeMs: DurationMs;
  /** Tries at one code by one network, and by all of them. */
  codeTries: { perNetwork: number; inAll: number };
  sending: SendPolicy;
  lock: LockPolicy;
  /** Wrong passwords and codes of an account together, over days. */
  guesses: GuessPolicy;
  /** The form of a code while it is being guessed at: so long that tries at it need no narrow limit. */
  longCode: { digits: number; triesInAll: number };
  /** An unconfirmed account older than this is deleted. */
  unconfirmedLifetimeMs: DurationMs;
};

/** Dependencies and configuration of a pool. */
export type PoolDeps = {
  db: Db;
  keys: Keys;
  texts: Pick<TextDoor, "admitCode">;
  messages: { code(language: Language, code: string): string };
  now: () => EpochMs;
  randomBytes: (length: number) => KeyBytes;
  /** No trailing slash. The issuer is `<publicUrl>/identity/<poolId>`. */
  publicUrl: string;
  /** At most 55 characters, `^[\w-]+_[0-9a-zA-Z]+$`. Every password verifier contains it: changing it locks everyone out. */
  poolId: string;
  clientId: string;
  /** A password isn't made of it. */
  productName?: string;
  log: Log;
  security?: SecurityLog;
  /** Called after each change that others follow: deletion, number, password, ended sessions. Must not throw. */
  onAccountChange?: (id: DriverId) => Promise<void>;
  /** Does what the caller needn't wait for; left out, it is done first. */
  afterwards?: Afterwards;
  /** Called when guesses lock an account for those who never signed in to it. Must not throw. */
  onGuessLock?: (id: string, until: EpochMs) => Promise<void>;
  /** Rate limit, checked before the body is read. Optional: without it every call is allowed. */
  isAllowed?: (request: Request, operation: string) => Promise<boolean>;
  /**
   * Checks the challenge before registering, and before any code once a ceiling of texts is reached, by the token in
   * `ClientMetadata.challenge`. Null: no challenge.
   */
  isHuman?: ((token: string | null, address: string | null) => Promise<boolean>) | null;
  settings?: Partial<PoolSettings>;
  limits?: Partial<PoolLimits>;
};

/** Every operation's input: the dependencies with defaults applied, and the caller. */
export type PoolContext = Omit<PoolDeps, "settings" | "limits"> & {
  issuer: string;
  /** The caller's address; null for a call from inside. */
  address: string | null;
  /** The number of the provider's network that it belongs to; null if unknown. */
  asn: number | null;
  /** The signing keys as they are being read for this call; read on first use where it is missing. */
  keyRows?: Promise<SigningKeyRow[]>;
  /** The known identity of the caller's browser. */
  browser: CallingBrowser;
  /** The caller's software. */
  device: Device;
  /** The part of the pool id after its first `_`. SRP verifiers and proofs contain it. */
  name: string;
  settings: PoolSettings;
  limits: PoolLimits;
};

/** How long after a sign-in its token changes number or second factors, or deletes the account. */
export const FRESH_SIGN_IN_MS: DurationMs = 10 * MINUTE_MS;

const DEFAULT_SETTINGS: PoolSettings = {
  preventUserExistenceErrors: "ENABLED",
  forgotPasswordRevealsUnknown: true,
  secondFactors: false,
};

/** The limits of a pool that names no others. */
export const DEFAULT_LIMITS: PoolLimits = {
  tokenLifetimeSeconds: 3600,
  refreshLifetimeMs: 30 * DAY_MS,
  refreshGraceMs: MINUTE_MS,
  challengeLifetimeMs: 3 * MINUTE_MS,
  codeLifetimeMs: 10 * MINUTE_MS,
  codeTries: { perNetwork: 5, inAll: 25 },
  // The first one, and three more by the hour, of which the first needs no wait.
  sending: { promptSends: 2, minIntervalMs: 30_000, windowMs: HOUR_MS, maxSends: 4 },
  lock: { freeTries: 5, maxLockMs: 15 * MINUTE_MS, resetAfterMs: 15 * MINUTE_MS },
  guesses: { free: 20, firstLockMs: HOUR_MS, maxLockMs: DAY_MS, forgetOneMs: DAY_MS },
  longCode: { digits: 10, triesInAll: 1000 },
  unconfirmedLifetimeMs: DAY_MS,
};

/**
 * The part of a pool id after its first `_`, which SRP verifiers and proofs contain.
 * @throws {TypeError} if Cognito clients would reject the pool id
 */
export function poolNameOf(poolId: string): string {
  if (poolId.length > 55 || !/^[\w-]+_[0-9a-zA-Z]+$/.test(poolId)) throw new TypeError("malformed pool id");
  return poolId.slice(poolId.indexOf("_") + 1);
}

/** The last result of two parts that need each other's outcome in no way, once both have ended, whichever fails. */
export async function allOf<Result>(first: Promise<unknown>, last: Promise<Result>): Promise<Result> {
  const [one, other] = await Promise.allSettled([first, last]);
  if (one.status === "rejected") throw one.reason;
  if (other.status === "rejected") throw other.reason;
  return other.value;
}

/** Does what the caller needn't wait for: after the response, or first where nobody says when that is. */
export function doLater(
  { afterwards }: Pick<PoolDeps, "afterwards">,
  work: () => Promise<void>,
): Promise<void> {
  return afterwards ? afterwards(work) : work();
}

/** @throws {TypeError} if Cognito clients would reject the pool id */
export function createPoolContext(deps: PoolDeps): PoolContext {
  return {
    ...deps,
    address: null,
    asn: null,
    browser: unknownBrowser(),
    device: { browser: null, system: null, country: null },
    issuer: `${deps.publicUrl}/identity/${deps.poolId}`,
    name: poolNameOf(deps.poolId),
    settings: { ...DEFAULT_SETTINGS, ...deps.settings },
    limits: { ...DEFAULT_LIMITS, ...deps.limits },
  };
}

/** Notes what the caller did to an account, or tried to. Nobody waits for it. */
export async function noteEvent(
  pool: PoolContext,
  event: SecurityEvent["event"],
  account: string,
): Promise<void> {
  const { address, device } = pool;
  const { security } = pool;
  if (security) await doLater(pool, () => security.note({ event, account, caller: { address, device } }));
}
