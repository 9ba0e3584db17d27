import { Temporal } from "temporal-polyfill";
import { DAY_MS, MINUTE_MS, type DurationMs, type EpochMs, type MinuteOfDay } from "./units.ts";

/** A wall-clock reading as if its zone were UTC: milliseconds since 1970-01-01T00:00 on that clock. */
export type WallMs = number;

/** Which of the two instants of a repeated hour is meant: an opening edge the earlier, a closing one the later. */
export type Edge = "opening" | "closing";

/** The clock of one IANA time zone. */
export type Zone = {
  /** What the wall clock shows at an instant. */
  wallAt(at: EpochMs): WallMs;
  /**
   * The instant at which the wall clock shows `wall`. A reading that a change of the clock skips
   * moves forward to the first instant that exists; of a repeated one, `edge` picks the instant.
   */
  instantOf(wall: WallMs, edge: Edge): EpochMs;
};

/** A stretch of time with one offset: from ≤ t < to. */
type Stretch = { from: EpochMs; to: EpochMs; offsetMs: DurationMs };

/** No offset, past or present, is larger than this. */
const WIDEST_OFFSET_MS = 16 * 60 * MINUTE_MS;
/** Offers lie within weeks: more stretches than this come only from a stray instant. */
const MOST_STRETCHES = 32;

/**
 * Reads a zone's rules from Temporal, one stretch between two changes of the clock at a time, and
 * remembers them, so that a verdict costs an addition and not a calendar.
 * @throws {RangeError} where the runtime does not know the zone.
 */
export function openZone(timeZone: string): Zone {
  Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone);
  const stretches: Stretch[] = [];
  let latest: Stretch | null = null;

  function stretchAt(at: EpochMs): Stretch {
    if (latest && latest.from <= at && at < latest.to) return latest;
    latest = stretches.find(({ from, to }) => from <= at && at < to) ?? readStretch(timeZone, at);
    if (!stretches.includes(latest)) {
      if (stretches.length >= MOST_STRETCHES) stretches.length = 0;
      stretches.push(latest);
    }
    return latest;
  }

  return {
    wallAt: (at) => at + stretchAt(at).offsetMs,
    instantOf(wall, edge) {
      let found: EpochMs | null = null;
      let skipped: EpochMs | null = null;
      let stretch = stretchAt(wall - WIDEST_OFFSET_MS);
      for (;;) {
        const at = wall - stretch.offsetMs;
        if (stretch.from <= at && at < stretch.to && (found === null || edge === "closing")) found = at;
        if (stretch.to > wall + WIDEST_OFFSET_MS) break;
        const next = stretchAt(stretch.to);
        if (at >= stretch.to && wall - next.offsetMs < next.from) skipped = next.from;
        stretch = next;
      }
      const instant = found ?? skipped;
      if (instant === null) throw new RangeError(`no instant for ${wall} in ${timeZone}`);
      return instant;
    },
  };
}

function readStretch(timeZone: string, at: EpochMs): Stretch {
  const here = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  // A change at this very instant belongs to this stretch, and "previous" is strictly before.
  const before = here.add({ milliseconds: 1 }).getTimeZoneTransition("previous");
  const after = here.getTimeZoneTransition("next");
  return {
    from: before?.epochMilliseconds ?? -Infinity,
    to: after?.epochMilliseconds ?? Infinity,
    offsetMs: here.offsetNanoseconds / 1e6,
  };
}

/** Days since 1970-01-01 on the wall clock. */
export function dayOf(wall: WallMs): number {
  return Math.floor(wall / DAY_MS);
}

/** The ISO weekday of a day: 1 is Monday. 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Whole minutes since midnight on the wall clock. */
export function minuteOf(wall: WallMs): MinuteOfDay {
  return Math.floor((wall - dayOf(wall) * DAY_MS) / MINUTE_MS);
}
