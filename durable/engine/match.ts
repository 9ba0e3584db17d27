import { nearestDuration } from "../../db/shapes/work/durations.ts";
import { findGivenBack } from "./given-back.ts";
import type { CompiledFilters, WarehouseRequirements } from "./compiled-filters.ts";
import { isInSchedule, dayScheduleOf } from "./schedule.ts";
import type { GivenBackBlock } from "../../db/shapes/work/given-back.ts";
import type { Offer } from "../../db/shapes/work/offer.ts";
import type { Reason } from "../../db/shapes/work/verdict.ts";
import {
  HOUR_MS,
  MINUTE_MS,
  type Cents,
  type DurationMs,
  type EpochMs,
  type OfferId,
  type Span,
  type WarehouseId,
} from "../../db/shapes/units.ts";
import { dayOf, minuteOf, weekdayOf } from "./zone.ts";

/** A block that pays less is never wanted, whatever the filters. */
const LEAST_PAY_CENTS: Cents = 1;

/** A span of time that is not free: a held block or an attempt that is not settled. */
export type BusySpan = Span & { offerId: OfferId | null; warehouseId?: WarehouseId | undefined };

/** What an offer is judged by. */
export type MatchContext = {
  filters: CompiledFilters;
  now: EpochMs;
  busy: readonly BusySpan[];
  /** The currency of the filters' amounts. */
  currency: string;
  givenBack: readonly GivenBackBlock[];
};

/**
 * Every reason against an offer, in order of precedence; empty if it matches. All checks run: `currency`,
 * `given_back`, `expired`, `warehouse_not_selected`, `service_type`, `day_off` or `outside_schedule`, `too_soon`,
 * `duration_not_preferred`, `price_below_minimum`, `rate_below_minimum`, `overlaps_block`. If the warehouse is
 * not selected, its buffer, durations and minimums don't apply, but the general filters do. Amounts of another
 * currency are not compared with the filters' minimums. A busy span of the same offer is not an overlap.
 */
export function matchOffer(
  offer: Offer,
  { filters, now, busy, currency, givenBack }: MatchContext,
): Reason[] {
  const reasons: Reason[] = [];
  const isComparable = offer.currency === currency;
  if (!isComparable) reasons.push({ code: "currency", rule: currency, offer: offer.currency });
  const returned = findGivenBack(givenBack, offer);
  if (returned) {
    const { blockId, givenBackAt } = returned;
    reasons.push({ code: "given_back", rule: givenBackAt, offer: { blockId, ...spanOf(returned) } });
  }
  const compiledWarehouse = filters.warehousesById.get(offer.warehouseId);
  const requirements = compiledWarehouse?.requirements ?? null;
  if (offer.expiresAt <= now) reasons.push({ code: "expired", rule: now, offer: offer.expiresAt });
  if (!requirements) {
    reasons.push({
      code: "warehouse_not_selected",
      rule: [...filters.selectedIds],
      offer: offer.warehouseId,
    });
  }
  if (filters.wholeFoodsOnly && offer.serviceType !== "whole_foods") {
    reasons.push({ code: "service_type", rule: "whole_foods", offer: offer.serviceType });
  }
  if (compiledWarehouse && !isInSchedule(compiledWarehouse.calendar, offer.startsAt)) {
    reasons.push(scheduleReason(filters, compiledWarehouse.calendar.zone.wallAt(offer.startsAt)));
  }
  const bufferMinutes = requirements?.bufferMinutes ?? 0;
  const leftMs = offer.startsAt - now;
  if (leftMs < bufferMinutes * MINUTE_MS) {
    reasons.push({ code: "too_soon", rule: bufferMinutes, offer: Math.floor(leftMs / MINUTE_MS) });
  }
  if (requirements) matchDuration(offer, requirements, reasons);
  if (isComparable)
    matchPay(offer, { requirements, generalHourlyCents: filters.generalMinHourlyCents }, reasons);
  const overlapping = busy.find((span) => span.offerId !== offer.offerId && overlaps(span, offer));
  if (overlapping) reasons.push(overlapReason(overlapping, offer));
  return reasons;
}

function overlapReason(busy: BusySpan, offer: Offer): Reason {
  const { warehouseId } = busy;
  const rule = warehouseId === undefined ? spanOf(busy) : { ...spanOf(busy), warehouseId };
  return { code: "overlaps_block", rule, offer: spanOf(offer) };
}

/** `day_off` if the weekday is inactive, else `outside_schedule`. */
function scheduleReason(compiled: CompiledFilters, wall: number): Reason {
  const day = dayOf(wall);
  const { active, start, end } = dayScheduleOf(compiled.schedule, day);
  return active
    ? { code: "outside_schedule", rule: { start, end }, offer: minuteOf(wall) }
    : { code: "day_off", rule: [...compiled.activeDays], offer: weekdayOf(day) };
}

function matchDuration(offer: Offer, requirements: WarehouseRequirements, reasons: Reason[]): void {
  const lengthMs = offer.endsAt - offer.startsAt;
  if (!isPreferredDuration(requirements.durationMinutes, lengthMs)) {
    reasons.push({
      code: "duration_not_preferred",
      rule: [...requirements.durationMinutes],
      offer: Math.round(lengthMs / MINUTE_MS),
    });
  }
}

function matchPay(
  offer: Offer,
  {
    requirements,
    generalHourlyCents,
  }: { requirements: WarehouseRequirements | null; generalHourlyCents: Cents },
  reasons: Reason[],
): void {
  const minHourlyCents = requirements?.minHourlyCents ?? generalHourlyCents;
  // The least minimum that a driver can set is one cent: where only an hourly minimum of 0 applies, it still holds.
  const leastCents = requirements && minHourlyCents === 0 ? LEAST_PAY_CENTS : null;
  const minPriceCents = requirements?.minPriceCents ?? leastCents;
  if (minPriceCents !== null && offer.payCents < minPriceCents) {
    reasons.push({ code: "price_below_minimum", rule: minPriceCents, offer: offer.payCents });
  }
  matchRate(offer, minHourlyCents, reasons);
}

/**
 * Compares pay · 1 h with minimum · length, in milliseconds, so that nothing is rounded. The figure in the reason is the
 * highest minimum that the offer reaches.
 */
function matchRate(offer: Offer, minHourlyCents: Cents, reasons: Reason[]): void {
  const lengthMs = offer.endsAt - offer.startsAt;
  if (offer.payCents * HOUR_MS >= minHourlyCents * lengthMs) return;
  reasons.push({
    code: "rate_below_minimum",
    rule: minHourlyCents,
    offer: Math.floor((offer.payCents * HOUR_MS) / lengthMs),
  });
}

/** Whether the driver wants the nearest of the ten lengths. False if the block ends before it starts. */
function isPreferredDuration(chosenMinutes: readonly number[], lengthMs: DurationMs): boolean {
  return lengthMs > 0 && chosenMinutes.includes(nearestDuration(lengthMs));
}

/** Whether two half-open spans overlap: one that ends when the other starts does not. */
export function overlaps(one: Span, other: Span): boolean {
  return one.startsAt < other.endsAt && other.startsAt < one.endsAt;
}

function spanOf({ startsAt, endsAt }: Span): Span {
  return { startsAt, endsAt };
}

/**
 * The least pay in cents that the filters accept for an offer of this length at this warehouse: the greater of
 * the block minimum and the hourly minimum, rounded up. Null if the warehouse is not selected.
 */
export function minimumPay(compiled: CompiledFilters, offer: Offer): Cents | null {
  const requirements = compiled.warehousesById.get(offer.warehouseId)?.requirements;
  if (!requirements) return null;
  const byRate = Math.ceil((requirements.minHourlyCents * (offer.endsAt - offer.startsAt)) / HOUR_MS);
  return Math.max(requirements.minPriceCents ?? 0, byRate);
}
