import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import { parseHttpDate } from "./headers.ts";

/** `Date` has whole seconds, and an answer is under way for a while: less than this is no difference. */
const AGREES_WITHIN_MS: DurationMs = 10_000;
/** A difference that changes by less stays as it was, so that what is computed from it doesn't change with every answer. */
const STEADY_WITHIN_MS: DurationMs = 5_000;

/** How far our clock is ahead of the platform's, by the `Date` of its answers. */
export type PlatformClock = { read(headers: Headers, now: EpochMs): DurationMs };

export function createPlatformClock(): PlatformClock {
  let aheadMs: DurationMs = 0;
  return {
    read(headers, now) {
      const date = parseHttpDate(headers.get("date")?.trim() ?? "");
      if (date === null) return aheadMs;
      const found = Math.abs(now - date) < AGREES_WITHIN_MS ? 0 : now - date;
      if (found === 0 || Math.abs(found - aheadMs) > STEADY_WITHIN_MS) aheadMs = found;
      return aheadMs;
    },
  };
}
