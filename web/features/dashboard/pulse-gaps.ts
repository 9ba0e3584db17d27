import type { PollSample } from "../../api/live/live-state.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";

/** How many usual intervals without an answer count as a gap. */
const GAP_INTERVALS = 2.5;
/** A slow answer is no gap. */
const SHORTEST_GAP_MS = 6_000;
const GAP_MARKS = 3;

/** An answer, or a place where answers are missing. */
export type PulseMark = { at: EpochMs; offers: number } | { at: EpochMs; gap: true };

/** The answers of the platform in order, with a few marks where it gave none for much longer than usual. */
export function toPulseMarks(samples: readonly PollSample[], now: EpochMs): PulseMark[] {
  const gapMs = Math.max(SHORTEST_GAP_MS, GAP_INTERVALS * usualInterval(samples));
  return samples.flatMap((sample, index): PulseMark[] => {
    const nextAt = samples[index + 1]?.at ?? now;
    const hasGap = nextAt - sample.at > gapMs;
    const gap = Array.from({ length: hasGap ? GAP_MARKS : 0 }, (_, mark) => ({
      at: sample.at + mark + 1,
      gap: true as const,
    }));
    return [sample, ...gap];
  });
}

/** The median, so that gaps don't count. */
function usualInterval(samples: readonly PollSample[]): number {
  const intervals = samples.slice(1).map(({ at }, index) => at - (samples[index]?.at ?? at));
  return intervals.toSorted((one, other) => one - other)[Math.floor(intervals.length / 2)] ?? 0;
}
