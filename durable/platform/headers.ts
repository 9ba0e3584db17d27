import type { Quota } from "../engine/types.ts";
import type { EpochMs } from "../../db/shapes/units.ts";

/** What `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds from now) leave; null unless all three can be read. */
export function parseQuota(headers: Headers, now: EpochMs): Quota | null {
  const limit = wholeNumber(headers.get("ratelimit-limit"));
  const remaining = wholeNumber(headers.get("ratelimit-remaining"));
  const reset = wholeNumber(headers.get("ratelimit-reset"));
  if (limit === null || remaining === null || reset === null) return null;
  return { limit, remaining, resetAt: now + reset * 1000 };
}

/** `Retry-After` in seconds or as an HTTP date (RFC 9110, 10.2.3), never before `now`; null where it is missing or neither. */
export function parseRetryAfter(headers: Headers, now: EpochMs): EpochMs | null {
  const given = headers.get("retry-after")?.trim() ?? "";
  const seconds = wholeNumber(given);
  if (seconds !== null) return now + seconds * 1000;
  // Without a weekday up front it is no HTTP date, though Date.parse takes much more.
  if (!/^[A-Z][a-z]{2,8},? /.test(given)) return null;
  const at = Date.parse(given);
  return Number.isNaN(at) ? null : Math.max(at, now);
}

/** At most nine digits: 31 years in seconds, far from where a number loses exactness. */
function wholeNumber(text: string | null): number | null {
  return text && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : null;
}
