import type { DurationMs, EpochMs } from "../../durable/engine/units.ts";

const MOST_NAMES = 10_000;

/** Says of each call whether it is one too many. */
export type Limit = {
  /** Counts a call of a name. @returns when the next one is allowed, or null where this one is */
  take(name: string, now: EpochMs): EpochMs | null;
};

/**
 * So many calls of a name in a window, counted in memory for as long as the isolate lives: a shield
 * against loops that costs nothing, not an account. Another isolate counts for itself.
 */
export function createLimit({ most, windowMs }: { most: number; windowMs: DurationMs }): Limit {
  const windows = new Map<string, { endsAt: EpochMs; calls: number }>();
  return {
    take(name, now) {
      const known = windows.get(name);
      if (known && known.endsAt > now) {
        known.calls += 1;
        return known.calls > most ? known.endsAt : null;
      }
      if (windows.size >= MOST_NAMES) windows.clear();
      windows.set(name, { endsAt: now + windowMs, calls: 1 });
      return null;
    },
  };
}
