import { Temporal } from "temporal-polyfill";
import {
  DAY_MS,
  MINUTE_MS,
  type DurationMs,
  type EpochMs,
  type MinuteOfDay,
} from "../../../db/shapes/units.ts";

/** Local wall-clock time as milliseconds since 1970-01-01T00:00 on that clock, as if its zone were UTC. */
export type WallMs = number;

/** Which instant to choose in an hour that the clock repeats: the earlier for an opening edge, the later for a closing one. */
export type Edge = "opening" | "closing";

/** Converts between instants and the wall clock of one IANA time zone. */
export type Zone = {
  /** The wall-clock time at an instant. */
  wallAt(at: EpochMs): WallMs;
  /**
   * The instant at which the wall clock shows `wall`. A time that a clock change skips moves forward to the
   * first instant that exists; for a time that occurs twice, `edge` picks one.
   */
  instantOf(wall: WallMs, edge: Edge): EpochMs;
};

/** A period with a constant UTC offset: [from, to). */
type OffsetPeriod = { from: EpochMs; to: EpochMs; offsetMs: DurationMs };

/** Larger than any UTC offset, past or present. */
const MAX_OFFSET_MS = 16 * 60 * MINUTE_MS;
/** Offers are weeks apart at most, so only stray instants would need more periods than this. */
const MAX_CACHED_PERIODS = 32;
/** More than the zones of one country. */
const MAX_KNOWN_ZONES = 32;

const knownZones = new Map<string, Zone>();

/**
 * A zone backed by Temporal, one for all that ask. Caches each period between two clock changes, so that judging an offer costs
 * an addition instead of a calendar computation, which takes a millisecond.
 * @throws {RangeError} if the runtime doesn't know the zone
 */
export function createZone(timeZone: string): Zone {
  const known = knownZones.get(timeZone);
  if (known) return known;
  const zone = makeZone(timeZone);
  if (knownZones.size >= MAX_KNOWN_ZONES) knownZones.clear();
  knownZones.set(timeZone, zone);
  return zone;
}

function makeZone(timeZone: string): Zone {
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

/** The same; null where the runtime doesn't know the zone. */
export function tryZone(timeZone: string): Zone | null {
  try {
    return createZone(timeZone);
  } catch {
    return null;
  }
}

function computeOffsetPeriod(timeZone: string, at: EpochMs): OffsetPeriod {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  // A clock change at `at` itself begins this period, but "previous" looks strictly before.
  const before = zoned.add({ milliseconds: 1 }).getTimeZoneTransition("previous");
  const after = zoned.getTimeZoneTransition("next");
  return {
    from: before?.epochMilliseconds ?? -Infinity,
    to: after?.epochMilliseconds ?? Infinity,
    offsetMs: zoned.offsetNanoseconds / 1e6,
  };
}

/** The day of a wall-clock time, counted from 1970-01-01. */
export function dayOf(wall: WallMs): number {
  return Math.floor(wall / DAY_MS);
}

/** Whole minutes since midnight. */
export function minuteOf(wall: WallMs): MinuteOfDay {
  return Math.floor((wall - dayOf(wall) * DAY_MS) / MINUTE_MS);
}
