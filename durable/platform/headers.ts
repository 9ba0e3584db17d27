import type { Quota } from "../engine/types.ts";
import type { EpochMs } from "../../db/shapes/units.ts";

/** Parses `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds from now); null unless all three are valid. */
export function parseQuota(headers: Headers, now: EpochMs): Quota | null {
  const limit = wholeNumber(headers.get("ratelimit-limit"));
  const remaining = wholeNumber(headers.get("ratelimit-remaining"));
  const reset = wholeNumber(headers.get("ratelimit-reset"));
  if (limit === null || remaining === null || reset === null) return null;
  return { limit, remaining, resetAt: now + reset * 1000 };
}

/** Parses `Retry-After`, in seconds or as an HTTP date (RFC 9110, 10.2.3), never before `now`; null if missing or malformed. */
export function parseRetryAfter(headers: Headers, now: EpochMs): EpochMs | null {
  const given = headers.get("retry-after")?.trim() ?? "";
  const seconds = wholeNumber(given);
  if (seconds !== null) return now + seconds * 1000;
  // An HTTP date starts with a weekday; Date.parse accepts much more than that.
  if (!/^[A-Z][a-z]{2,8},? /.test(given)) return null;
  const at = Date.parse(given);
  return Number.isNaN(at) ? null : Math.max(at, now);
}

/** At most nine digits: 31 years in seconds, far below the limit of safe integers. */
function wholeNumber(text: string | null): number | null {
  return text && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : null;
}
