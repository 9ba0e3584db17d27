import * as z from "zod/mini";
import type { PlatformFailure } from "../engine/types.ts";
import { MINUTE_MS, type DriverId, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";
import { decodeVersioned, encodeVersioned, unchanged, type Versioned } from "../../db/shapes/versioned.ts";
import type { Keys } from "../runtime/keys.ts";
import type { RefreshTokensResult, PlatformTokens } from "./results.ts";

/** A fresh pair is fetched when less than this is left, or less than a tenth of a life shorter than 50 minutes. */
const REFRESH_EARLY_MS = 5 * MINUTE_MS;
const REFRESH_EARLY_SHARE = 0.1;
/** While the access token still lives, an early refresh that failed is tried again after this. Well within the grace of 60 s. */
const EARLY_RETRY_MS: DurationMs = 10_000;

/** The pair as it is sealed. `issuedAt` is when it was asked for, so that `expiresAt` errs on the early side. */
const tokenPair = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  issuedAt: z.number(),
  expiresAt: z.number(),
});
type StoredTokens = z.infer<typeof tokenPair>;
export const storedTokens: Versioned<StoredTokens> = { shape: tokenPair, upcasts: [unchanged] };

/** Where the sealed pair is kept. All of it is synchronous: a write is one transaction. */
export type TokenStore = {
  load(): string | null;
  save(sealed: string | null): void;
  /** The pair was opened, and is none that can be read: from now on there is none. */
  setAside(error: unknown): void;
};

/** The access token to call with, or why there is none. */
export type TokenResult = { kind: "token"; token: string } | PlatformFailure;

/** The life of one driver's tokens. */
export type TokenManager = {
  /**
   * A token that should be valid. Near its end a fresh pair is fetched beside the caller; past it,
   * the caller waits for one. `signed_out` where the driver must link (again).
   */
  accessToken(): Promise<TokenResult>;
  /** Says that the platform refused this token: it is not given out again. */
  invalidate(token: string): void;
  /** Makes a call with a token; where the platform refuses it, once more with a fresh one. */
  withToken<Answer extends { kind: string }>(
    call: (accessToken: string) => Promise<Answer>,
  ): Promise<Answer | PlatformFailure>;
  /** Stores the pair of a new linking. A refresh under way for the old one comes to nothing. */
  replace(tokens: PlatformTokens): Promise<void>;
  /** Forgets the pair. */
  forget(): void;
};

/** A pair, with the very text it was opened from: what comes back is applied only while that still stands. */
type LoadedTokens = { sealed: string; tokens: StoredTokens };

/**
 * Keeps one driver's tokens, sealed with the driver's id as context. Rotation loses nothing: the
 * old refresh token stays stored until the fresh pair is written, and a lost answer (or a crash
 * before the write) is asked for again with it; the platform gives the same pair for 60 s.
 */
export function createTokenManager({
  driverId,
  keys,
  store,
  refresh,
  now,
  waitsUntil,
}: {
  driverId: DriverId;
  keys: Pick<Keys, "seal" | "open">;
  store: TokenStore;
  refresh: (refreshToken: string) => Promise<RefreshTokensResult>;
  now: () => EpochMs;
  /** The end of the wait that the platform asked for; null where it may be called. Who decides that stands above. */
  waitsUntil: () => EpochMs | null;
}): TokenManager {
  let loaded: LoadedTokens | null = null;
  let refused: string | null = null;
  let refreshing: { sealed: string; outcome: Promise<TokenResult> } | null = null;
  /** Failures to refresh in a row, and when an early refresh is tried again. */
  let failures = 0;
  let earlyRetryAt: EpochMs = 0;
  /** What an early refresh was told about waiting: nobody waited for its answer, so the next caller hears it. */
  let unheard: Extract<PlatformFailure, { kind: "rate_limited" }> | null = null;

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

  /** One refresh at a time for one stored pair; whoever comes meanwhile shares it. */
  function refreshOnce(from: LoadedTokens): Promise<TokenResult> {
    if (refreshing?.sealed === from.sealed) return refreshing.outcome;
    const outcome = rotate(from).finally(() => {
      if (refreshing?.outcome === outcome) refreshing = null;
    });
    refreshing = { sealed: from.sealed, outcome };
    return outcome;
  }

  async function rotate(from: LoadedTokens): Promise<TokenResult> {
    // A refresh token that was traded already must not be shown again: the grace is for one lost answer.
    if (store.load() !== from.sealed) return resolveCurrent();
    const askedAt = now();
    let result = await refresh(from.tokens.refreshToken);
    // The answer may have been lost after its effect: the grace gives the same pair.
    if (mayHaveSucceeded(result) && failures === 0) result = await refresh(from.tokens.refreshToken);
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
    return result;
  }

  /** The store changed during a refresh (linked anew, or forgotten): what stands there now decides. */
  async function resolveCurrent(): Promise<TokenResult> {
    const present = await load();
    return present ? { kind: "token", token: present.tokens.accessToken } : { kind: "signed_out" };
  }

  function forget(): void {
    store.save(null);
    loaded = null;
  }

  async function accessToken(): Promise<TokenResult> {
    const present = await load();
    if (!present) return { kind: "signed_out" };
    const { accessToken: token, issuedAt, expiresAt } = present.tokens;
    const left = expiresAt - now();
    if (token === refused || left <= 0) {
      const retryAt = waitsUntil();
      return retryAt === null ? refreshOnce(present) : { kind: "rate_limited", retryAt };
    }
    if (unheard) {
      const refusal = unheard;
      unheard = null;
      return refusal;
    }
    const early = Math.min(REFRESH_EARLY_MS, (expiresAt - issuedAt) * REFRESH_EARLY_SHARE);
    if (left < early && now() >= earlyRetryAt && waitsUntil() === null) {
      // Beside the caller: a poll or an accept does not wait for it, and its failure is not theirs.
      refreshOnce(present).then(
        (result) => {
          if (result.kind === "rate_limited") unheard = result;
        },
        () => undefined,
      );
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
      return second.kind === "token" ? call(second.token) : second;
    },

    async replace(tokens) {
      const fresh = await seal(tokens, now());
      store.save(fresh.sealed);
      loaded = fresh;
      failures = 0;
      earlyRetryAt = 0;
      unheard = null;
    },
  };
}

function mayHaveSucceeded({ kind }: RefreshTokensResult): boolean {
  return kind === "timeout" || kind === "unreachable" || kind === "unreadable";
}
