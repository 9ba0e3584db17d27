import type { ListingChange } from "../../../db/shapes/log/listing.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { WEEK_HOURS, type WarehouseHours } from "../../../db/shapes/work/offer-hours.ts";
import { MINUTE_MS, type DurationMs, type EpochMs, type Period } from "../../../db/shapes/units.ts";
import { weekHourOf, zonesOf } from "./offer-hours.ts";
import type { Zone } from "../schedule/zone.ts";

/** Every clock's hours begin with one of these. */
const QUARTER_MS: DurationMs = 15 * MINUTE_MS;

/** The log of listings as its watched time is counted. */
export type WatchedContext = {
  /** Oldest first. */
  changes: readonly Pick<ListingChange, "at" | "isAfterPause" | "pausedFrom">[];
  /** From when on the log is known: its first change, or the beginning of what was read of it. */
  knownFrom: EpochMs;
  /** When the platform last answered; null if that isn't known. */
  lastAnswerAt: EpochMs | null;
};

/**
 * The spans in which the platform's list was watched, oldest first. Each change after a pause ends one span, at the last
 * response before the pause, and begins the next. If a log of an earlier release lacks that instant, the change before counts.
 */
export function watchedSpans({ changes, knownFrom, lastAnswerAt }: WatchedContext): Period[] {
  const spans: Period[] = [];
  let from = knownFrom;
  let lastAt = knownFrom;
  for (const { at, isAfterPause, pausedFrom } of changes) {
    if (isAfterPause) {
      spans.push({ from, to: pausedFrom ?? lastAt });
      from = at;
    }
    lastAt = at;
  }
  spans.push({ from, to: Math.max(lastAt, lastAnswerAt ?? 0) });
  return spans.filter((span) => span.to > span.from);
}

/** The weeks of warehouses with the minutes that were watched of each hour since an instant. */
export function addWatched(
  weeks: readonly WarehouseHours[],
  {
    spans,
    since,
    warehouses,
  }: {
    spans: readonly Period[];
    since: EpochMs;
    warehouses: readonly Pick<Warehouse, "warehouseId" | "timeZone">[];
  },
): WarehouseHours[] {
  const zones = zonesOf(warehouses);
  const byZone = new Map<Zone, number[]>();
  return weeks.map((week) => {
    const zone = zones.get(week.warehouseId);
    if (!zone) return week;
    const watchedMinutes = byZone.get(zone) ?? countWatchedMinutes(spans, zone, since);
    byZone.set(zone, watchedMinutes);
    return { ...week, watchedMinutes };
  });
}

/** How many minutes of each hour of the week were watched since an instant, by quarters of an hour on a zone's clock. */
export function countWatchedMinutes(spans: readonly Period[], zone: Zone, since: EpochMs): number[] {
  const minutes = Array.from({ length: WEEK_HOURS }, () => 0);
  for (const { from, to } of spans) {
    // A quarter counts where its middle was watched.
    const first = Math.ceil((Math.max(from, since) - QUARTER_MS / 2) / QUARTER_MS) * QUARTER_MS;
    for (let at = first; at + QUARTER_MS / 2 < to; at += QUARTER_MS) {
      const hour = weekHourOf(zone, at);
      minutes[hour] = (minutes[hour] ?? 0) + QUARTER_MS / MINUTE_MS;
    }
  }
  return minutes;
}
