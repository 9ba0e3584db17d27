import * as z from "zod/mini";
import type { PlatformFailure } from "../engine/state/outcomes.ts";
import { MINUTE_MS, type DriverId, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";
import { decodeVersioned, encodeVersioned, unchanged, type Versioned } from "../../db/shapes/versioned.ts";
import { sealedUnder, type Keys } from "../runtime/keys.ts";
import type { RefreshTokensResult, PlatformTokens } from "./results.ts";

/** A token is refreshed when less than this is left, or less than a tenth of its lifetime if that is below 50 minutes. */
const REFRESH_EARLY_MS = 5 * MINUTE_MS;
const REFRESH_EARLY_SHARE = 0.1;
/**
 * How long an early refresh that may have succeeded waits for its repeat. The platform allows one, within 60 s: a platform
 * in trouble needs time to answer it, and nobody needs the new pair yet.
 */
const REPEAT_AFTER_MS: DurationMs = 30_000;
/** How long a refresh that callers await waits for its repeat: at once, a platform in trouble would spend it. */
const AWAITED_REPEAT_AFTER_MS: DurationMs = 5_000;
/** How soon an early refresh is retried after its repeat failed, too, while the token is still valid. */
const EARLY_RETRY_MS: DurationMs = 10_000;

/** The pair as sealed. `issuedAt` is when it was requested, so that `expiresAt` errs on the early side. */
const tokenPair = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  issuedAt: z.number(),
  expiresAt: z.number(),
});
type StoredTokens = z.infer<typeof tokenPair>;
export const storedTokens: Versioned<StoredTokens> = { shape: tokenPair, upcasts: [unchanged] };

/** Storage for the sealed pair. Synchronous, so that comparing and saving are one transaction. */
export type TokenStore = {
  load(): string | null;
  save(sealed: string | null): void;
  /** Removes a pair that was decrypted but could not be parsed. */
  setAside(error: unknown): void;
};

/**
 * The access token to call with, or why there is none. `signed_out` only if no pair is stored, or the platform refused
 * the refresh token with `invalid_grant`; a refresh that failed in any other way is `unreachable`.
 */
export type TokenResult = { kind: "token"; token: string } | PlatformFailure;

/** Keeps one driver's tokens valid. */
export type TokenManager = {
  /**
   * A token that should be valid. Shortly before it expires, a new pair is fetched in the background; after
   * that, the caller waits for it. `signed_out` if the driver must link (again).
   */
  accessToken(): Promise<TokenResult>;
  /** Marks a token that the platform refused, so that it is not used again. */
  invalidate(token: string): void;
  /**
   * Makes a call with a token. If the platform refuses the token, repeats the call once with a new one. If it refuses
   * that too, for example a gateway before it, the call is `unreachable`: a new token says that the link stands.
   */
  withToken<Answer extends { kind: string; retryAt?: unknown }>(
    call: (accessToken: string) => Promise<Answer>,
  ): Promise<Answer | PlatformFailure>;
  /** Seals the pair of a new link as it is stored, without using it. */
  seal(tokens: PlatformTokens): Promise<string>;
  /** Uses the sealed pair of a new link from here on. The result of a refresh in flight for the old pair is discarded. */
  adopt(sealed: string): void;
  /**
   * Seals the pair under the current master key, unless it is or a refresh is under way or waits for its repeat.
   * @returns the id of the key that it is sealed under now; null if there is no pair
   */
  reseal(): Promise<string | null>;
  /** Deletes the pair. */
  forget(): void;
};

/** A pair and the sealed text that it was decrypted from. A refresh is applied only if that text is still stored. */
type LoadedTokens = { sealed: string; tokens: StoredTokens };

/**
 * Stores one driver's tokens, sealed with the driver's id as context. Rotation is crash-safe: the old refresh
 * token stays stored until the new pair is written. If the response is lost, or we crash before the write, the
 * refresh is repeated with the old token, and the platform returns the same pair for 60 s.
 */
export function createTokenManager({
  driverId,
  keys,
  store,
  refresh,
  inBackground,
  sleep,
  now,
  waitsUntil,
}: {
  driverId: DriverId;
  keys: Pick<Keys, "seal" | "open" | "keyOf" | "currentId">;
  store: TokenStore;
  refresh: (refreshToken: string) => Promise<RefreshTokensResult>;
  /** Runs a refresh that nobody waits for, when there is a connection for it. */
  inBackground: (work: () => Promise<TokenResult>) => Promise<TokenResult>;
  sleep: (length: DurationMs) => Promise<void>;
  now: () => EpochMs;
  /**
   * The end of the wait that the platform asked for, null if it may be called. Decided by the caller, which sees every
   * call.
   */
  waitsUntil: () => EpochMs | null;
}): TokenManager {
  let loaded: LoadedTokens | null = null;
  let refused: string | null = null;
  let refreshing: { sealed: string; outcome: Promise<TokenResult> } | null = null;
  /** Consecutive failed refreshes, and when the next early refresh may start. */
  let failures = 0;
  let earlyRetryAt: EpochMs = 0;
  /** Whether a background refresh is under way, or waits for a connection or for its repeat. */
  let isQueued = false;
  /** Whether a background refresh may have succeeded although its response was lost, and was not repeated yet. */
  let isRepeatDue = false;
  /**
   * A wait that a background refresh got. Nobody awaited that refresh, so the next caller gets it, and whoever calls in
   * the same instant: only then does the one who decides about waits know of it.
   */
  let unreported: { refusal: PlatformFailure; reportedAt: EpochMs | null } | null = null;

  async function load(): Promise<LoadedTokens | null> {
    const sealed = store.load();
    if (sealed === null) return null;
    if (loaded?.sealed === sealed) return loaded;
    const plain = await keys.open("tokens", { sealed, context: driverId });
    if (store.load() !== sealed) return load();
    if (plain === null) return null;
    try {
      loaded = { sealed, tokens: decodeVersioned(storedTokens, plain) };
      return loaded;
    } catch (error) {
      store.setAside(error);
      return null;
    }
  }

  async function seal({ expiresInMs, ...pair }: PlatformTokens, issuedAt: EpochMs): Promise<LoadedTokens> {
    const tokens = { ...pair, issuedAt, expiresAt: issuedAt + expiresInMs };
    const sealed = await keys.seal("tokens", {
      plain: encodeVersioned(storedTokens, tokens),
      context: driverId,
    });
    return { sealed, tokens };
  }

  /** Runs one refresh at a time per stored pair; concurrent callers share it. */
  function refreshOnce(from: LoadedTokens, { isAwaited }: { isAwaited: boolean }): Promise<TokenResult> {
    if (refreshing?.sealed === from.sealed) return refreshing.outcome;
    const outcome = rotate(from, { isAwaited }).finally(() => {
      if (refreshing?.outcome === outcome) refreshing = null;
    });
    refreshing = { sealed: from.sealed, outcome };
    return outcome;
  }

  async function rotate(from: LoadedTokens, { isAwaited }: { isAwaited: boolean }): Promise<TokenResult> {
    // Never send a refresh token that was already exchanged: the grace period covers one lost response only.
    if (store.load() !== from.sealed) return resolveCurrent();
    const askedAt = now();
    let result = await refresh(from.tokens.refreshToken);
    // The refresh may have succeeded although its response was lost: within the grace period we get the same pair.
    const isLost = mayHaveSucceeded(result) && statedWait(result) === null && failures === 0;
    isRepeatDue = isLost && !isAwaited;
    if (isLost && isAwaited) {
      await sleep(AWAITED_REPEAT_AFTER_MS);
      if (store.load() !== from.sealed) return resolveCurrent();
      if (waitsUntil() === null) result = await refresh(from.tokens.refreshToken);
    }
    if (result.kind === "tokens") {
      const fresh = await seal(result.tokens, askedAt);
      if (store.load() !== from.sealed) return resolveCurrent();
      store.save(fresh.sealed);
      loaded = fresh;
      failures = 0;
      return { kind: "token", token: fresh.tokens.accessToken };
    }
    if (store.load() !== from.sealed) return resolveCurrent();
    if (result.kind === "invalid_grant") {
      forget();
      return { kind: "signed_out" };
    }
    failures += 1;
    earlyRetryAt = now() + EARLY_RETRY_MS;
    return result.kind === "refused" ? toUnreachable(result) : result;
  }

  /** The stored pair changed during a refresh (linked again, or deleted): use the one that is stored now. */
  async function resolveCurrent(): Promise<TokenResult> {
    const present = await load();
    return present ? { kind: "token", token: present.tokens.accessToken } : withoutTokens();
  }

  /**
   * A pair whose master key is missing, or is another under its id, is kept: the driver is linked again as soon as the key is
   * back.
   */
  function withoutTokens(): TokenResult {
    const sealed = store.load();
    const isKept = sealed !== null && keys.keyOf(sealed) !== "lost";
    return isKept ? { kind: "unreachable" } : { kind: "signed_out" };
  }

  function forget(): void {
    store.save(null);
    loaded = null;
  }

  /** Polls and accepts neither wait for this refresh nor fail with it. */
  async function refreshInBackground(from: LoadedTokens): Promise<void> {
    const refreshUnlessWaiting = () =>
      inBackground(async () => {
        const retryAt = waitsUntil();
        return retryAt === null ? refreshOnce(from, { isAwaited: false }) : { kind: "rate_limited", retryAt };
      }).catch(() => null);
    let result = await refreshUnlessWaiting();
    if (isRepeatDue) {
      await sleep(REPEAT_AFTER_MS);
      // A caller who couldn't use the old token has tried meanwhile, and tries again: the platform takes no third try.
      if (!isRepeatDue) return;
      isRepeatDue = false;
      result = await refreshUnlessWaiting();
    }
    if (!result || result.kind === "token") return;
    if (result.kind === "rate_limited" || statedWait(result) !== null)
      unreported = { refusal: result, reportedAt: null };
  }

  async function accessToken(): Promise<TokenResult> {
    const present = await load();
    if (!present) return withoutTokens();
    const { accessToken: token, issuedAt, expiresAt } = present.tokens;
    const left = expiresAt - now();
    if (unreported) {
      unreported.reportedAt ??= now();
      if (unreported.reportedAt === now()) return unreported.refusal;
      unreported = null;
    }
    if (token === refused || left <= 0) {
      const retryAt = waitsUntil();
      return retryAt === null ? refreshOnce(present, { isAwaited: true }) : { kind: "rate_limited", retryAt };
    }
    const early = Math.min(REFRESH_EARLY_MS, (expiresAt - issuedAt) * REFRESH_EARLY_SHARE);
    if (left < early && now() >= earlyRetryAt && waitsUntil() === null && !isQueued) {
      // In the background: polls and accepts neither wait for it nor fail with it.
      isQueued = true;
      void refreshInBackground(present).finally(() => {
        isQueued = false;
      });
    }
    return { kind: "token", token };
  }

  function invalidate(token: string): void {
    refused = token;
  }

  return {
    accessToken,
    invalidate,
    forget,

    async withToken(call) {
      const first = await accessToken();
      if (first.kind !== "token") return first;
      const answer = await call(first.token);
      if (answer.kind !== "signed_out") return answer;
      invalidate(first.token);
      const second = await accessToken();
      if (second.kind !== "token") return second;
      const repeated = await call(second.token);
      return repeated.kind === "signed_out" ? toUnreachable(repeated) : repeated;
    },

    async reseal() {
      const present = await load();
      const sealed = store.load();
      if (sealed === null) return null;
      if (!present || refreshing || isQueued || sealedUnder(sealed) === keys.currentId)
        return sealedUnder(sealed);
      const plain = encodeVersioned(storedTokens, present.tokens);
      const fresh = {
        sealed: await keys.seal("tokens", { plain, context: driverId }),
        tokens: present.tokens,
      };
      if (refreshing || isQueued || store.load() !== present.sealed) return sealedUnder(store.load() ?? "");
      store.save(fresh.sealed);
      loaded = fresh;
      return keys.currentId;
    },

    seal: async (tokens) => (await seal(tokens, now())).sealed,

    adopt(sealed) {
      store.save(sealed);
      failures = 0;
      earlyRetryAt = 0;
      unreported = null;
    },
  };
}

/** The end of the wait that the platform stated; null if it stated none. */
function statedWait(result: RefreshTokensResult | PlatformFailure): EpochMs | null {
  return "retryAt" in result ? (result.retryAt ?? null) : null;
}

/** A failure to be waited out, with the wait that the platform stated, if any. */
function toUnreachable({ retryAt }: { retryAt?: unknown }): PlatformFailure {
  return { kind: "unreachable", ...(typeof retryAt === "number" ? { retryAt } : {}) };
}

function mayHaveSucceeded({ kind }: RefreshTokensResult): boolean {
  return kind === "timeout" || kind === "unreachable" || kind === "unreadable";
}
