import { DAY_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";

/** A driver can judge what we do after this many captures. */
export const CAPTURES_BEFORE_ASKING = 3;

/** A driver is asked at most this often, whether they answer or skip it. */
export const ASK_EVERY_MS: DurationMs = 60 * DAY_MS;

/** Whether to ask a driver now what they think. */
export function isFeedbackDue(
  { captures, lastAskedAt }: { captures: number; lastAskedAt: EpochMs | null },
  now: EpochMs,
): boolean {
  if (captures < CAPTURES_BEFORE_ASKING) return false;
  return lastAskedAt === null || now - lastAskedAt >= ASK_EVERY_MS;
}
