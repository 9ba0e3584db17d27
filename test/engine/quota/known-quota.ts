import { nextPollAt } from "../../../durable/engine/state/cadence.ts";
import type { LearnedQuota, Quota } from "../../../durable/engine/quota/quota.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { NOON } from "../fixtures.ts";

/** Our knowledge of a quota, as far as it differs from `know()`. */
export type Known = Partial<Omit<LearnedQuota, "quota">> & Partial<Quota>;

/** A window of a minute, known, that began at noon, of which nothing is used. */
export function know({
  limit = 60,
  remaining = limit,
  resetAt = NOON + MINUTE_MS,
  ...rest
}: Known = {}): LearnedQuota {
  return {
    quota: { limit, remaining, resetAt },
    longestResetMs: MINUTE_MS,
    isWindowKnown: true,
    shortestTurnMs: null,
    anchorAt: resetAt,
    windowFrom: NOON,
    rolls: false,
    othersPerWindow: 0,
    blockedUntil: 0,
    ...rest,
  };
}

/** So many polls, the last at noon, at this distance. */
export const pollsOf = (count: number, gapMs: number) =>
  Array.from({ length: count }, (_one, index) => NOON - (count - 1 - index) * gapMs);

/** How long after the last poll the quota allows the next, where nothing else holds it back. */
export function waitMs(known: Known, polls: readonly number[] = [NOON]): number {
  const last = polls.at(-1) ?? NOON;
  const pacing = { mode: "masacre", lastPollAt: last, pacedFrom: null, polls, pollFloorMs: 0 } as const;
  return nextPollAt({ ...pacing, quota: know(known) }, 0) - last;
}
