import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import type { Deps } from "../../../durable/deps.ts";
import { DAY_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import { areKeysAway } from "./signed-token.ts";

/** How long keys are used before they are read anew. */
const CACHE_MS = 10 * MINUTE_MS;
/** How soon they are read again for a key that nobody knows, or after the issuer could not be reached. */
const COOLDOWN_MS = MINUTE_MS / 2;
/** A driver waits for it. */
const TIMEOUT_MS: DurationMs = 3_000;
/** How long the last keys count while the issuer can't be reached: it changes them rarely, and announces new ones first. */
const LAST_KEYS_MS = DAY_MS;

/**
 * The keys at an issuer's address; fetched on first use, again now and then, and when an unknown key id appears. While the
 * issuer can't be reached, its last keys count: its outage is none of ours.
 */
export function createIssuerKeys(address: URL, { send, now }: Pick<Deps, "send" | "now">): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(address, {
    [customFetch]: (url, { method, headers, redirect, signal }) =>
      send(new Request(url, { method, headers, redirect, signal })),
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: CACHE_MS,
    timeoutDuration: TIMEOUT_MS,
  });
  let readAt: EpochMs = 0;
  let away: { error: unknown; until: EpochMs; lastKeys: JWTVerifyGetKey } | null = null;

  function lastKeys(): JWTVerifyGetKey | null {
    const jwks = now() - readAt <= LAST_KEYS_MS ? remote.jwks() : undefined;
    return jwks ? createLocalJWKSet(jwks) : null;
  }

  return async (header, token) => {
    if (!away || now() >= away.until) {
      away = null;
      try {
        const key = await remote(header, token);
        readAt = now();
        return key;
      } catch (error) {
        const known = areKeysAway(error) ? lastKeys() : null;
        if (!known) throw error;
        away = { error, until: now() + COOLDOWN_MS, lastKeys: known };
      }
    }
    const { error, lastKeys: keys } = away;
    try {
      return await keys(header, token);
    } catch {
      // The issuer may have another key by now.
      throw error;
    }
  };
}
