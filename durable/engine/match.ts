import { DURATION_MINUTES } from "../../db/shapes/durations.ts";
import type { CompiledFilters, WarehouseRequirements } from "./compiled-filters.ts";
import { isInSchedule, dayScheduleOf } from "./schedule.ts";
import type { Offer } from "../../db/shapes/offer.ts";
import type { Reason } from "../../db/shapes/verdict.ts";
import {
  HOUR_MS,
  MINUTE_MS,
  type Cents,
  type DurationMs,
  type EpochMs,
  type OfferId,
  type Span,
} from "../../db/shapes/units.ts";
import { dayOf, minuteOf, weekdayOf } from "./zone.ts";

/** A span of time that is not free: a held block or an attempt that is not settled. */
export type BusySpan = Span & { offerId: OfferId | null };

/**
 * Every reason against an offer, in order of precedence; empty if it matches. All checks run: `expired`,
 * `warehouse_not_selected`, `service_type`, `day_off` or `outside_schedule`, `too_soon`,
 * `duration_not_preferred`, `price_below_minimum`, `rate_below_minimum`, `overlaps_block`. If the warehouse is
 * not selected, its buffer, durations and minimums don't apply, but the general filters do. A busy span of the
 * same offer is not an overlap.
 */
export function matchOffer(
  offer: Offer,
  { filters, now, busy }: { filters: CompiledFilters; now: EpochMs; busy: readonly BusySpan[] },
): Reason[] {
  const reasons: Reason[] = [];
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
  if (requirements) matchWarehouse(offer, requirements, reasons);
  matchRate(offer, requirements?.minHourlyCents ?? filters.generalMinHourlyCents, reasons);
  const overlapping = busy.find((span) => span.offerId !== offer.offerId && overlaps(span, offer));
  if (overlapping) reasons.push({ code: "overlaps_block", rule: spanOf(overlapping), offer: spanOf(offer) });
  return reasons;
}

/** `day_off` if the weekday is inactive, else `outside_schedule`. */
function scheduleReason(compiled: CompiledFilters, wall: number): Reason {
  const day = dayOf(wall);
  const { active, start, end } = dayScheduleOf(compiled.schedule, day);
  return active
    ? { code: "outside_schedule", rule: { start, end }, offer: minuteOf(wall) }
    : { code: "day_off", rule: [...compiled.activeDays], offer: weekdayOf(day) };
}

function matchWarehouse(offer: Offer, requirements: WarehouseRequirements, reasons: Reason[]): void {
  const lengthMs = offer.endsAt - offer.startsAt;
  if (!isPreferredDuration(requirements.durationMinutes, lengthMs)) {
    reasons.push({
      code: "duration_not_preferred",
      rule: [...requirements.durationMinutes],
      offer: Math.round(lengthMs / MINUTE_MS),
    });
  }
  if (requirements.minPriceCents !== null && offer.payCents < requirements.minPriceCents) {
    reasons.push({ code: "price_below_minimum", rule: requirements.minPriceCents, offer: offer.payCents });
  }
}

/** Compares pay · 1 h with minimum · length, in milliseconds, so that nothing is rounded. */
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

/** The nearest of `DURATION_MINUTES`; a tie goes to the longer one. */
export function nearestDuration(lengthMs: DurationMs): number {
  let nearest: number = DURATION_MINUTES[0];
  for (const longer of DURATION_MINUTES) {
    if (2 * lengthMs >= (nearest + longer) * MINUTE_MS) nearest = longer;
  }
  return nearest;
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
