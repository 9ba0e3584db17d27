import { MAX_WAIT_MS, type Quota } from "../engine/quota/quota.ts";
import { DAY_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";

/** A longer window is none that calls are counted in. */
const MAX_RESET_MS: DurationMs = 31 * DAY_MS;

/**
 * Parses `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds from now, a month at most); null unless all three are
 * valid. The engine decides how long to wait for a used-up quota.
 */
export function parseQuota(headers: Headers, now: EpochMs): Quota | null {
  const limit = wholeNumber(headers.get("ratelimit-limit"));
  const remaining = wholeNumber(headers.get("ratelimit-remaining"));
  const resetMs = secondsToMs(headers.get("ratelimit-reset"));
  if (limit === null || remaining === null || resetMs === null) return null;
  return { limit, remaining, resetAt: now + Math.min(resetMs, MAX_RESET_MS) };
}

/**
 * When a response says to ask again, by `Retry-After` (RFC 9110, 10.2.3): from `now` to four hours from then; null if
 * the header is missing or malformed. A date is read against the response's own `Date`, since the platform's clock
 * and ours may differ.
 */
export function parseRetryAfter(headers: Headers, now: EpochMs): EpochMs | null {
  const waitMs = parseWaitMs(headers, now);
  return waitMs === null ? null : now + Math.min(Math.max(0, waitMs), MAX_WAIT_MS);
}

/** As `parseRetryAfter`; where a refusal doesn't have that, when the quota is full again. */
export function parseRefusalEnd(headers: Headers, now: EpochMs): EpochMs | null {
  const retryAt = parseRetryAfter(headers, now);
  if (retryAt !== null) return retryAt;
  const resetMs = secondsToMs(headers.get("ratelimit-reset"));
  return resetMs === null ? null : now + Math.min(resetMs, MAX_WAIT_MS);
}

function parseWaitMs(headers: Headers, now: EpochMs): DurationMs | null {
  const given = headers.get("retry-after")?.trim() ?? "";
  const waitMs = secondsToMs(given);
  if (waitMs !== null) return waitMs;
  const at = parseHttpDate(given);
  return at === null ? null : at - (parseHttpDate(headers.get("date")?.trim() ?? "") ?? now);
}

/** An HTTP date, which starts with a weekday; null if it is none. Date.parse accepts much more than that. */
export function parseHttpDate(text: string): EpochMs | null {
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

function secondsToMs(text: string | null): DurationMs | null {
  const seconds = wholeNumber(text);
  return seconds === null ? null : seconds * 1000;
}

/** At most nine digits: 31 years in seconds, far below the limit of safe integers. */
function wholeNumber(text: string | null): number | null {
  return text && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : null;
}
