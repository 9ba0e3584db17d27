import {
  cityWeekOf,
  hourPayOf,
  type CityHoursShare,
  type Counts,
} from "../../../db/shapes/work/city-hours.ts";
import { hourlyPay, type EpochMs, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { OfferActivity } from "../state/types.ts";
import { listSightings, weekHourOf, zonesOf, type OfferHoursContext } from "./offer-hours.ts";

/** The share of a driver in the city's figures, before it is known whether it is the driver's first of a week. */
export type UncountedShare = Omit<CityHoursShare, "drivers">;

/**
 * Counts the offers that appeared to one driver in a span of their log, by week and warehouse: how many in each hour of
 * the week on the warehouse's clock, how many at each hourly pay, in whole units of the currency, and how many in each
 * hour at each step of pay. An offer whose appearance isn't known is left out, as in the driver's own hours.
 * @param context `from` begins the span
 * @param to ends it, exclusive
 */
export function countCityShares(
  context: Omit<OfferHoursContext, "captured">,
  to: EpochMs,
): readonly UncountedShare[] {
  const zones = zonesOf(context.warehouses);
  const appeared = listSightings({ ...context, captured: new Set() })
    .filter(({ at, hasAppeared }) => hasAppeared && at < to)
    .flatMap(({ at, offer }) => {
      const zone = zones.get(offer.warehouseId);
      const pay = Math.floor(hourlyPay(offer) / 100);
      return zone ? [{ ...offer, week: cityWeekOf(at), hour: weekHourOf(zone, at), pay }] : [];
    });
  const groups = Map.groupBy(appeared, ({ week, warehouseId }) => `${week} ${warehouseId}`);
  return [...groups.values()].flatMap((group): UncountedShare[] => {
    const [first] = group;
    if (!first) return [];
    const { week, warehouseId } = first;
    const hours = countEach(group.map(({ hour }) => hour));
    const pays = countEach(group.map(({ pay }) => pay));
    const hourPays = countEach(group.map(({ hour, pay }) => hourPayOf(hour, pay)));
    return [{ week, warehouseId, offers: group.length, hours, pays, hourPays }];
  });
}

function countEach(values: readonly number[]): Counts {
  return [...Map.groupBy(values, (value) => value)].map(([value, of]) => [value, of.length]);
}

/** A soft block is suspected after this many times the driver's usual gap between new offers. */
const SOFT_BLOCK_GAPS = 20;
/** But never sooner than this: half an hour without offers is normal. */
const MIN_SOFT_BLOCK_MS = 30 * MINUTE_MS;
/** Weight of the latest gap in the moving average. */
const SMOOTHING_FACTOR = 0.1;
/** A longer pause between two polls (asleep, off, restarted) restarts the tracking. */
const TRACKING_GAP_MS = 5 * MINUTE_MS;

/** The offers in one poll's response. `answeredAt` is when the poll before it was answered. */
type PollObservation = { now: EpochMs; answeredAt: EpochMs | null; listed: number; unseen: number };

/**
 * Tracks the average gap between new offers, and suspects a soft block (the platform answers 200 with an empty
 * list while it shows offers to others) if nothing is listed for far longer than usual. `lastNewAt` is the later
 * of the last new offer and the start of tracking.
 */
export function trackOfferActivity(
  activity: OfferActivity,
  { now, answeredAt, listed, unseen }: PollObservation,
): OfferActivity {
  const { lastNewAt, meanGapMs, suspectedAt } = activity;
  const wasTracking = lastNewAt !== null && answeredAt !== null && now - answeredAt <= TRACKING_GAP_MS;
  if (unseen > 0) {
    const gap = wasTracking ? now - lastNewAt : null;
    return { lastNewAt: now, meanGapMs: movingAverage(meanGapMs, gap), suspectedAt: null };
  }
  if (!wasTracking) return { lastNewAt: now, meanGapMs, suspectedAt: listed > 0 ? null : suspectedAt };
  if (listed > 0) return suspectedAt === null ? activity : { ...activity, suspectedAt: null };
  if (suspectedAt !== null || meanGapMs === null) return activity;
  const isOverdue = now - lastNewAt > Math.max(MIN_SOFT_BLOCK_MS, SOFT_BLOCK_GAPS * meanGapMs);
  return isOverdue ? { ...activity, suspectedAt: now } : activity;
}

/** Exponential moving average. A null `gap` was not tracked throughout and is ignored. */
function movingAverage(meanGapMs: number | null, gap: number | null): number | null {
  if (gap === null) return meanGapMs;
  return meanGapMs === null ? gap : Math.round(meanGapMs + SMOOTHING_FACTOR * (gap - meanGapMs));
}
