import type { Sightings } from "./types.ts";
import { MINUTE_MS, type EpochMs } from "./units.ts";

/** A silence is suspicious after so many of the gaps that are usual for this driver. */
const SILENT_GAPS = 20;
/** And never sooner than this: a quiet half hour is ordinary. */
const SILENT_AT_LEAST_MS = 30 * MINUTE_MS;
/** The weight of the latest gap in the mean. */
const LATEST_WEIGHT = 0.1;
/** After a longer pause between two polls (asleep, off, restarted) the watch begins anew. */
const UNWATCHED_MS = 5 * MINUTE_MS;

/** What one answer showed; `answeredAt` is when the one before it came. */
export type Sight = { now: EpochMs; answeredAt: EpochMs | null; listed: number; fresh: number };

/**
 * Keeps the mean gap between sightings of new offers, and suspects a silent block where the
 * platform lists nothing for far longer than usual. `lastNewAt` is when a new offer was last seen,
 * or when watching began, where that is later.
 */
export function watchSightings(sightings: Sightings, { now, answeredAt, listed, fresh }: Sight): Sightings {
  const { lastNewAt, meanGapMs, suspectedAt } = sightings;
  const wasWatching = lastNewAt !== null && answeredAt !== null && now - answeredAt <= UNWATCHED_MS;
  if (fresh > 0) {
    const gap = wasWatching ? now - lastNewAt : null;
    return { lastNewAt: now, meanGapMs: meanOf(meanGapMs, gap), suspectedAt: null };
  }
  if (!wasWatching) return { lastNewAt: now, meanGapMs, suspectedAt: listed > 0 ? null : suspectedAt };
  if (listed > 0) return suspectedAt === null ? sightings : { ...sightings, suspectedAt: null };
  if (suspectedAt !== null || meanGapMs === null) return sightings;
  const isSilent = now - lastNewAt > Math.max(SILENT_AT_LEAST_MS, SILENT_GAPS * meanGapMs);
  return isSilent ? { ...sightings, suspectedAt: now } : sightings;
}

/** An exponential moving average; a gap that was not watched says nothing. */
function meanOf(meanGapMs: number | null, gap: number | null): number | null {
  if (gap === null) return meanGapMs;
  return meanGapMs === null ? gap : Math.round(meanGapMs + LATEST_WEIGHT * (gap - meanGapMs));
}
