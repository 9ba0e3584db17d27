import { DURATION_MINUTES, type WarehouseRule } from "./rules.ts";
import type { Rulebook, Terms } from "./rulebook.ts";
import { isInSchedule, scheduleOf } from "./schedule.ts";
import type { Offer, Reason } from "./types.ts";
import {
  HOUR_MS,
  MINUTE_MS,
  type Cents,
  type DurationMs,
  type EpochMs,
  type OfferId,
  type Span,
} from "./units.ts";
import { dayOf, minuteOf, weekdayOf } from "./zone.ts";

/** A span of time that is not free: a block held, or an attempt whose outcome is open. */
export type TakenSpan = Span & { offerId: OfferId };

/**
 * All that speaks against an offer, in the order of DESIGN 5; nothing where it matches. Every
 * check runs. Where the warehouse is not selected, those that need its rule can't, and the
 * general ones still do. A taken span of the same offer is the offer itself and no obstacle.
 */
export function matchOffer(
  offer: Offer,
  { book, now, taken }: { book: Rulebook; now: EpochMs; taken: readonly TakenSpan[] },
): Reason[] {
  const reasons: Reason[] = [];
  const place = book.places.get(offer.warehouseId);
  const terms = place?.terms ?? null;
  if (offer.expiresAt <= now) reasons.push({ code: "expired", rule: now, offer: offer.expiresAt });
  if (!terms) {
    reasons.push({ code: "warehouse_not_selected", rule: [...book.selectedIds], offer: offer.warehouseId });
  }
  if (book.wholeFoodsOnly && offer.serviceType !== "whole_foods") {
    reasons.push({ code: "service_type", rule: "whole_foods", offer: offer.serviceType });
  }
  if (place && !isInSchedule(place.calendar, offer.startsAt)) {
    reasons.push(scheduleReason(book, place.calendar.zone.wallAt(offer.startsAt)));
  }
  const bufferMinutes = terms?.bufferMinutes ?? 0;
  const leftMs = offer.startsAt - now;
  if (leftMs < bufferMinutes * MINUTE_MS) {
    reasons.push({ code: "too_soon", rule: bufferMinutes, offer: Math.floor(leftMs / MINUTE_MS) });
  }
  if (terms) matchTerms(offer, terms, reasons);
  matchRate(offer, terms?.minHourlyCents ?? book.generalHourlyCents, reasons);
  const obstacle = taken.find((span) => span.offerId !== offer.offerId && overlaps(span, offer));
  if (obstacle) reasons.push({ code: "overlaps_block", rule: spanOf(obstacle), offer: spanOf(offer) });
  return reasons;
}

/** The day is off, or it has a window that does not hold the start. */
function scheduleReason(book: Rulebook, wall: number): Reason {
  const day = dayOf(wall);
  const { active, start, end } = scheduleOf(book.schedule, day);
  return active
    ? { code: "outside_schedule", rule: { start, end }, offer: minuteOf(wall) }
    : { code: "day_off", rule: [...book.activeDays], offer: weekdayOf(day) };
}

function matchTerms(offer: Offer, terms: Terms, reasons: Reason[]): void {
  const lengthMs = offer.endsAt - offer.startsAt;
  if (!isPreferred(terms.durations, lengthMs)) {
    reasons.push({
      code: "duration_not_preferred",
      rule: [...terms.wantedMinutes],
      offer: Math.round(lengthMs / MINUTE_MS),
    });
  }
  if (terms.minPriceCents !== null && offer.payCents < terms.minPriceCents) {
    reasons.push({ code: "price_below_minimum", rule: terms.minPriceCents, offer: offer.payCents });
  }
}

/** pay · 60 ≥ minimum · minutes, in milliseconds, so that no division rounds. */
function matchRate(offer: Offer, minHourlyCents: Cents, reasons: Reason[]): void {
  const lengthMs = offer.endsAt - offer.startsAt;
  if (offer.payCents * HOUR_MS >= minHourlyCents * lengthMs) return;
  reasons.push({
    code: "rate_below_minimum",
    rule: minHourlyCents,
    offer: Math.floor((offer.payCents * HOUR_MS) / lengthMs),
  });
}

/** Whether the nearest of the ten lengths is wanted. A tie goes to the longer; no length is none. */
function isPreferred(durations: WarehouseRule["durations"], lengthMs: DurationMs): boolean {
  return lengthMs > 0 && durations[nearestDuration(lengthMs)] === true;
}

/** The position in `DURATION_MINUTES` of the length nearest to this one; a tie goes to the longer. */
export function nearestDuration(lengthMs: DurationMs): number {
  return DURATION_MINUTES.findIndex((minutes, index) => {
    const longer = DURATION_MINUTES[index + 1];
    return longer === undefined || 2 * lengthMs < (minutes + longer) * MINUTE_MS;
  });
}

/** Half-open: a span that ends as another starts does not overlap it. */
export function overlaps(one: Span, other: Span): boolean {
  return one.startsAt < other.endsAt && other.startsAt < one.endsAt;
}

function spanOf({ startsAt, endsAt }: Span): Span {
  return { startsAt, endsAt };
}

/**
 * What the rules ask at least for an offer of this length at a warehouse, in cents: the greater of
 * the price and the hourly minimum, rounded up. Null where the warehouse is not selected.
 */
export function leastPay(book: Rulebook, offer: Offer): Cents | null {
  const terms = book.places.get(offer.warehouseId)?.terms;
  if (!terms) return null;
  const byRate = Math.ceil((terms.minHourlyCents * (offer.endsAt - offer.startsAt)) / HOUR_MS);
  return Math.max(terms.minPriceCents ?? 0, byRate);
}
