import { Temporal } from "temporal-polyfill";
import { DAY_MS, MINUTE_MS, type DurationMs, type EpochMs, type MinuteOfDay } from "../../db/shapes/units.ts";

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
type OffsetPeriod = { from: EpochMs; to: EpochMs; offsetMs: DurationMs };

/** No offset, past or present, is larger than this. */
const MAX_OFFSET_MS = 16 * 60 * MINUTE_MS;
/** Offers lie within weeks: more stretches than this come only from a stray instant. */
const MAX_CACHED_PERIODS = 32;

/**
 * Reads a zone's rules from Temporal, one stretch between two changes of the clock at a time, and
 * remembers them, so that a verdict costs an addition and not a calendar.
 * @throws {RangeError} where the runtime does not know the zone.
 */
export function createZone(timeZone: string): Zone {
  Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone);
  const periods: OffsetPeriod[] = [];
  let latest: OffsetPeriod | null = null;

  function periodAt(at: EpochMs): OffsetPeriod {
    if (latest && latest.from <= at && at < latest.to) return latest;
    latest = periods.find(({ from, to }) => from <= at && at < to) ?? computeOffsetPeriod(timeZone, at);
    if (!periods.includes(latest)) {
      if (periods.length >= MAX_CACHED_PERIODS) periods.length = 0;
      periods.push(latest);
    }
    return latest;
  }

  return {
    wallAt: (at) => at + periodAt(at).offsetMs,
    instantOf(wall, edge) {
      let found: EpochMs | null = null;
      let skipped: EpochMs | null = null;
      let period = periodAt(wall - MAX_OFFSET_MS);
      for (;;) {
        const at = wall - period.offsetMs;
        if (period.from <= at && at < period.to && (found === null || edge === "closing")) found = at;
        if (period.to > wall + MAX_OFFSET_MS) break;
        const next = periodAt(period.to);
        if (at >= period.to && wall - next.offsetMs < next.from) skipped = next.from;
        period = next;
      }
      const instant = found ?? skipped;
      if (instant === null) throw new RangeError(`no instant for ${wall} in ${timeZone}`);
      return instant;
    },
  };
}

function computeOffsetPeriod(timeZone: string, at: EpochMs): OffsetPeriod {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  // A change at this very instant belongs to this stretch, and "previous" is strictly before.
  const before = zoned.add({ milliseconds: 1 }).getTimeZoneTransition("previous");
  const after = zoned.getTimeZoneTransition("next");
  return {
    from: before?.epochMilliseconds ?? -Infinity,
    to: after?.epochMilliseconds ?? Infinity,
    offsetMs: zoned.offsetNanoseconds / 1e6,
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
