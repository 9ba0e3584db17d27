import type { ListingChange } from "../../../db/shapes/log/listing.ts";
import type { Offer, Warehouse } from "../../../db/shapes/work/offer.ts";
import {
  WEEK_HOURS,
  type OfferHour,
  type OfferStretch,
  type WarehouseHours,
} from "../../../db/shapes/work/offer-hours.ts";
import {
  hourlyPay,
  type Cents,
  type DurationMs,
  type EpochMs,
  type OfferId,
  type WarehouseId,
} from "../../../db/shapes/units.ts";
import { dayOf, minuteOf, tryZone, type Zone } from "../schedule/zone.ts";

/** The log of listings as its hours are counted. */
export type OfferHoursContext = {
  /** Oldest first. */
  changes: readonly ListingChange[];
  /** Offers that were first seen earlier are not counted: what is older only tells that they are not new. */
  from: EpochMs;
  /** Offers that Jornada captured. */
  captured: ReadonlySet<OfferId>;
  warehouses: readonly Pick<Warehouse, "warehouseId" | "timeZone">[];
  /** Offers of another currency are left out: their pay can't be compared. */
  currency: string;
};

/** An offer as it was first seen, and its stay on the list as far as that is known. */
export type Sighting = {
  at: EpochMs;
  offer: Offer;
  /** Whether it appeared then. It didn't where a look began: it may have been listed for hours. */
  hasAppeared: boolean;
  stayMs: DurationMs;
  /** Whether it left after that stay. If not, it stayed so long at least. */
  hasLeft: boolean;
};

/** Offers that make hours the best of a warehouse. */
const ENOUGH_OFFERS = 5;
/** The best hours in a row. */
const MAX_STRETCH_HOURS = 3;
/** An hour with this share of the best one's offers is part of the stretch. */
const STRETCH_SHARE = 0.5;
/** The share of offers that is left when half are gone, and what adding fractions may be off. */
const HALF = 0.5 + 1e-9;

/**
 * Counts by warehouse and hour of its week which offers appeared, each once, at its first sight and by its pay then. The
 * clock is the warehouse's own: an hour that autumn repeats is one hour of the week, and one that spring skips has no
 * offers. Warehouses whose time zone isn't known are left out.
 *
 * An offer whose end is not known stayed so long at least: one that Jornada captured, that is still listed, or that left
 * while nothing was known. How long half of the offers stay is estimated with these (Kaplan and Meier), so that captures
 * don't make stays look shorter than they are. An offer that comes back counts by its first stay.
 */
export function countOfferHours(context: OfferHoursContext): WarehouseHours[] {
  const zones = zonesOf(context.warehouses);
  const groups = Map.groupBy(listSightings(context), ({ offer }) => offer.warehouseId);
  const counted = [...groups].flatMap(([warehouseId, sightings]) => {
    const zone = zones.get(warehouseId);
    return zone ? [toWarehouseHours(sightings, { warehouseId, zone, captured: context.captured })] : [];
  });
  return counted.toSorted(
    (one, other) => (other.best?.offers ?? 0) - (one.best?.offers ?? 0) || other.offers - one.offers,
  );
}

/** Every offer of the log that was first seen since `from`, in that order. */
export function listSightings({
  changes,
  from,
  captured,
  currency,
}: Omit<OfferHoursContext, "warehouses">): Sighting[] {
  const sightings = new Map<OfferId, Sighting>();
  const open = new Set<OfferId>();
  let lastAt: EpochMs = 0;
  const close = (id: OfferId, until: EpochMs, hasLeft: boolean) => {
    const sighting = sightings.get(id);
    if (!sighting || !open.delete(id)) return;
    sighting.stayMs = Math.max(0, until - sighting.at);
    sighting.hasLeft = hasLeft;
  };
  for (const { at, isAfterPause, seen, left } of changes) {
    for (const id of left) close(id, isAfterPause ? lastAt : at, !isAfterPause && !captured.has(id));
    for (const offer of seen) {
      if (sightings.has(offer.offerId)) continue;
      open.add(offer.offerId);
      sightings.set(offer.offerId, { at, offer, hasAppeared: !isAfterPause, stayMs: 0, hasLeft: false });
    }
    lastAt = at;
  }
  for (const id of open) close(id, lastAt, false);
  return [...sightings.values()].filter(({ at, offer }) => at >= from && offer.currency === currency);
}

/** The zones of warehouses, each made once. */
export function zonesOf(warehouses: OfferHoursContext["warehouses"]): ReadonlyMap<WarehouseId, Zone | null> {
  const byName = new Map<string, Zone | null>();
  return new Map(
    warehouses.map(({ warehouseId, timeZone }) => {
      const zone = byName.get(timeZone) ?? tryZone(timeZone);
      byName.set(timeZone, zone);
      return [warehouseId, zone];
    }),
  );
}

/** The hour of the week on a zone's clock, 0 to 167. */
export function weekHourOf(zone: Zone, at: EpochMs): number {
  const wall = zone.wallAt(at);
  // 1970 began on a Thursday.
  return ((dayOf(wall) + 3) % 7) * 24 + Math.floor(minuteOf(wall) / 60);
}

/** The pay that at least half of the offers reach; 0 if there are none. */
export function medianCents(pays: readonly Cents[]): Cents {
  const sorted = pays.toSorted((one, other) => other - one);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
}

type Counted = { warehouseId: WarehouseId; zone: Zone; captured: ReadonlySet<OfferId> };

function toWarehouseHours(
  sightings: readonly Sighting[],
  { warehouseId, zone, captured }: Counted,
): WarehouseHours {
  const placed = sightings.filter(({ hasAppeared }) => hasAppeared);
  const byHour = Map.groupBy(placed, ({ at }) => weekHourOf(zone, at));
  const hours = [...byHour]
    .map(([hour, group]): OfferHour => ({
      hour,
      ...figuresOf(group, captured),
      startHour: mostCommon(group.map(({ offer }) => weekHourOf(zone, offer.startsAt))),
    }))
    .toSorted((one, other) => one.hour - other.hour);
  const stretch = findBest(hours);
  const among = stretch ? hoursOf(stretch).flatMap((hour) => byHour.get(hour) ?? []) : [];
  return {
    warehouseId,
    offers: sightings.length,
    unplaced: sightings.length - placed.length,
    best: stretch && among.length >= ENOUGH_OFFERS ? { ...stretch, ...figuresOf(among, captured) } : null,
    hours,
  };
}

function figuresOf(
  sightings: readonly Sighting[],
  captured: ReadonlySet<OfferId>,
): Omit<OfferStretch, "from" | "hours"> {
  const pays = sightings.map(({ offer }) => hourlyPay(offer));
  return {
    offers: sightings.length,
    medianHourlyCents: medianCents(pays),
    bestHourlyCents: Math.max(...pays),
    halfGoneMs: findHalfGone(sightings),
    captured: sightings.filter(({ offer }) => captured.has(offer.offerId)).length,
  };
}

/** Kaplan and Meier: at each departure the share that stays shrinks by those that leave, of those that were still watched. */
function findHalfGone(sightings: readonly Sighting[]): DurationMs | null {
  const sorted = sightings.toSorted(
    (one, other) => one.stayMs - other.stayMs || Number(other.hasLeft) - Number(one.hasLeft),
  );
  let staying = 1;
  for (const [index, { stayMs, hasLeft }] of sorted.entries()) {
    const watched = sorted.length - index;
    if (hasLeft) staying *= (watched - 1) / watched;
    if (hasLeft && staying <= HALF) return stayMs;
  }
  return null;
}

/** The one that occurs most often, the smallest of several. */
function mostCommon(hours: readonly number[]): number {
  const groups = [...Map.groupBy(hours, (hour) => hour)].map(([hour, group]) => ({ hour, of: group.length }));
  return groups.reduce((best, each) =>
    each.of > best.of || (each.of === best.of && each.hour < best.hour) ? each : best,
  ).hour;
}

/**
 * The hour with the most offers, plus neighbors that have at least half as many, the fuller first. In a tie, the hour that pays
 * best, then the earliest.
 */
function findBest(hours: readonly OfferHour[]): { from: number; hours: number } | null {
  const [first, ...rest] = hours;
  if (!first) return null;
  const peak = rest.reduce((best, each) => (isFuller(each, best) ? each : best), first);
  const offersIn = new Map(hours.map(({ hour, offers }) => [hour, offers]));
  const offersAt = (hour: number) => offersIn.get(wrap(hour)) ?? 0;
  let [from, to] = [peak.hour, peak.hour];
  while (to - from + 1 < MAX_STRETCH_HOURS) {
    const [before, after] = [offersAt(from - 1), offersAt(to + 1)];
    if (Math.max(before, after) < peak.offers * STRETCH_SHARE) break;
    if (after >= before) to += 1;
    else from -= 1;
  }
  return { from: wrap(from), hours: to - from + 1 };
}

function isFuller(one: OfferHour, other: OfferHour): boolean {
  return (
    one.offers > other.offers ||
    (one.offers === other.offers && one.medianHourlyCents > other.medianHourlyCents)
  );
}

function hoursOf({ from, hours }: { from: number; hours: number }): number[] {
  return Array.from({ length: hours }, (_, index) => wrap(from + index));
}

function wrap(hour: number): number {
  return (hour + WEEK_HOURS) % WEEK_HOURS;
}
