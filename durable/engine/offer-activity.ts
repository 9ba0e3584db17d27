import type { OfferActivity } from "./types.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";

/** A silence is suspicious after so many of the gaps that are usual for this driver. */
const SOFT_BLOCK_GAPS = 20;
/** And never sooner than this: a quiet half hour is ordinary. */
const MIN_SOFT_BLOCK_MS = 30 * MINUTE_MS;
/** The weight of the latest gap in the mean. */
const SMOOTHING_FACTOR = 0.1;
/** After a longer pause between two polls (asleep, off, restarted) the watch begins anew. */
const TRACKING_GAP_MS = 5 * MINUTE_MS;

/** What one answer showed; `answeredAt` is when the one before it came. */
export type PollObservation = { now: EpochMs; answeredAt: EpochMs | null; listed: number; unseen: number };

/**
 * Keeps the mean gap between sightings of new offers, and suspects a silent block where the
 * platform lists nothing for far longer than usual. `lastNewAt` is when a new offer was last seen,
 * or when watching began, where that is later.
 */
export function trackOfferActivity(
  sightings: OfferActivity,
  { now, answeredAt, listed, unseen }: PollObservation,
): OfferActivity {
  const { lastNewAt, meanGapMs, suspectedAt } = sightings;
  const wasTracking = lastNewAt !== null && answeredAt !== null && now - answeredAt <= TRACKING_GAP_MS;
  if (unseen > 0) {
    const gap = wasTracking ? now - lastNewAt : null;
    return { lastNewAt: now, meanGapMs: movingAverage(meanGapMs, gap), suspectedAt: null };
  }
  if (!wasTracking) return { lastNewAt: now, meanGapMs, suspectedAt: listed > 0 ? null : suspectedAt };
  if (listed > 0) return suspectedAt === null ? sightings : { ...sightings, suspectedAt: null };
  if (suspectedAt !== null || meanGapMs === null) return sightings;
  const isOverdue = now - lastNewAt > Math.max(MIN_SOFT_BLOCK_MS, SOFT_BLOCK_GAPS * meanGapMs);
  return isOverdue ? { ...sightings, suspectedAt: now } : sightings;
}

/** An exponential moving average; a gap that was not watched says nothing. */
function movingAverage(meanGapMs: number | null, gap: number | null): number | null {
  if (gap === null) return meanGapMs;
  return meanGapMs === null ? gap : Math.round(meanGapMs + SMOOTHING_FACTOR * (gap - meanGapMs));
}
