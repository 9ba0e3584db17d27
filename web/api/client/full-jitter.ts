import type { DurationMs } from "../../../db/shapes/units.ts";

/**
 * How long to wait before another try: anything up to a limit that doubles with each failure ("full jitter"). Pages that failed
 * in the same second come back spread over the whole limit, which exact waits of 1, 2 and 4 seconds would not achieve.
 * @param failures the number of failed tries before this one
 * @param roll in [0, 1)
 */
export function fullJitter(
  { failures, baseMs, capMs }: { failures: number; baseMs: DurationMs; capMs: DurationMs },
  roll: number,
): DurationMs {
  return Math.round(roll * Math.min(capMs, baseMs * 2 ** failures));
}

/** How far a page's own pace may be from the stated one. */
const PACE_SPREAD = 0.1;

/** A page keeps its own pace, so pages that began to ask in the same second drift apart. */
const pace = 1 - PACE_SPREAD + 2 * PACE_SPREAD * Math.random();

/** About this long, and on one page always the same. */
export function atOwnPace(everyMs: DurationMs): DurationMs {
  return Math.round(everyMs * pace);
}
