import { nearestDuration } from "../../../db/shapes/work/durations.ts";
import { findGivenBack } from "../../../durable/engine/verdicts/given-back.ts";
import type { CompiledFilters, WarehouseRequirements } from "./compiled-filters.ts";
import { isInSchedule, dayScheduleOf } from "./schedule.ts";
import { fullWeekFor, lengthOf, type FullWeek } from "../../../durable/engine/verdicts/weekly-limit.ts";
import type { GivenBackBlock } from "../../../db/shapes/work/given-back.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { Reason, ReasonCode } from "../../../db/shapes/work/verdict.ts";
import {
  HOUR_MS,
  MINUTE_MS,
  type Cents,
  type DurationMs,
  type EpochMs,
  type OfferId,
  type Span,
  type WarehouseId,
} from "../../../db/shapes/units.ts";
import { weekdayOf } from "../../../db/shapes/work/local-date.ts";
import { dayOf, minuteOf } from "../../../durable/engine/schedule/zone.ts";

/** A block that pays less is never wanted, whatever the filters. */
const LEAST_PAY_CENTS: Cents = 1;

/** A span of time that is not free: a held block or an attempt that is not settled. */
export type BusySpan = Span & { offerId: OfferId | null; warehouseId?: WarehouseId | undefined };

/** The standards for an offer. */
export type MatchContext = {
  filters: CompiledFilters;
  now: EpochMs;
  busy: readonly BusySpan[];
  /** The currency of the filters' amounts. */
  currency: string;
  givenBack: readonly GivenBackBlock[];
  /** The weeks in which the platform gives no more blocks. */
  fullWeeks?: readonly FullWeek[];
};

/** The reasons that this release finds; `other` is only read. */
type FoundCode = Exclude<
  ReasonCode,
  | "other"
  | "date_off"
  | "day_limit"
  | "week_limit"
  | "goal_reached"
  | "rest"
  | "travel"
  | "passed"
  | "unanswered"
  | "only_told"
>;

/** One check of an offer: the reason against it, or null. */
type Check<Code extends FoundCode> = (
  offer: Offer,
  judged: JudgedOffer,
) => Extract<Reason, { code: Code }> | null;

/**
 * The data that the checks of one offer share. `requirements` is null where its warehouse is not selected, `outsideAt`
 * the wall clock of a start that is outside of the schedule.
 */
type JudgedOffer = {
  context: MatchContext;
  requirements: WarehouseRequirements | null;
  outsideAt: number | null;
  isComparable: boolean;
};

/**
 * Every reason with its check. If the warehouse is not selected, its buffer, durations and minimums
 * don't apply, but the general filters do. Amounts of another currency are not compared with the filters' minimums.
 */
const CHECKS: { readonly [Code in FoundCode]: Check<Code> } = {
  currency: (offer, { context: { currency }, isComparable }) =>
    isComparable ? null : { code: "currency", rule: currency, offer: offer.currency },
  given_back: (offer, { context: { givenBack } }) => {
    const returned = findGivenBack(givenBack, offer);
    if (!returned) return null;
    const { blockId, givenBackAt } = returned;
    return { code: "given_back", rule: givenBackAt, offer: { blockId, ...spanOf(returned) } };
  },
  expired: ({ expiresAt }, { context: { now } }) =>
    expiresAt <= now ? { code: "expired", rule: now, offer: expiresAt } : null,
  warehouse_not_selected: ({ warehouseId }, { context: { filters }, requirements }) =>
    requirements
      ? null
      : { code: "warehouse_not_selected", rule: [...filters.selectedIds], offer: warehouseId },
  service_type: ({ serviceType }, { context: { filters } }) =>
    filters.wholeFoodsOnly && serviceType !== "whole_foods"
      ? { code: "service_type", rule: "whole_foods", offer: serviceType }
      : null,
  day_off: (_offer, { context: { filters }, outsideAt }) => {
    if (outsideAt === null) return null;
    const day = dayOf(outsideAt);
    const { active } = dayScheduleOf(filters.schedule, day);
    return active ? null : { code: "day_off", rule: [...filters.activeDays], offer: weekdayOf(day) };
  },
  outside_schedule: (_offer, { context: { filters }, outsideAt }) => {
    if (outsideAt === null) return null;
    const { active, start, end } = dayScheduleOf(filters.schedule, dayOf(outsideAt));
    return active ? { code: "outside_schedule", rule: { start, end }, offer: minuteOf(outsideAt) } : null;
  },
  too_soon: ({ startsAt }, { context: { now }, requirements }) => {
    const bufferMinutes = requirements?.bufferMinutes ?? 0;
    const leftMs = startsAt - now;
    return leftMs < bufferMinutes * MINUTE_MS
      ? { code: "too_soon", rule: bufferMinutes, offer: Math.floor(leftMs / MINUTE_MS) }
      : null;
  },
  duration_not_preferred: ({ startsAt, endsAt }, { requirements }) => {
    const lengthMs = endsAt - startsAt;
    if (!requirements || isPreferredDuration(requirements.durationMinutes, lengthMs)) return null;
    const rule = [...requirements.durationMinutes];
    return { code: "duration_not_preferred", rule, offer: Math.round(lengthMs / MINUTE_MS) };
  },
  price_below_minimum: ({ payCents }, { isComparable, requirements }) => {
    if (!requirements || !isComparable) return null;
    // The least minimum that a driver can set is one cent: where only an hourly minimum of 0 applies, it still holds.
    const leastCents = requirements.minHourlyCents === 0 ? LEAST_PAY_CENTS : null;
    const minPriceCents = requirements.minPriceCents ?? leastCents;
    return minPriceCents !== null && payCents < minPriceCents
      ? { code: "price_below_minimum", rule: minPriceCents, offer: payCents }
      : null;
  },
  /**
   * Compares pay · 1 h with minimum · length, in milliseconds, so that nothing is rounded. The figure in the reason is the
   * highest minimum that the offer reaches.
   */
  rate_below_minimum: (
    { payCents, startsAt, endsAt },
    { context: { filters }, isComparable, requirements },
  ) => {
    if (!isComparable) return null;
    const minHourlyCents = requirements?.minHourlyCents ?? filters.generalMinHourlyCents;
    const lengthMs = endsAt - startsAt;
    return payCents * HOUR_MS < minHourlyCents * lengthMs
      ? {
          code: "rate_below_minimum",
          rule: minHourlyCents,
          offer: Math.floor((payCents * HOUR_MS) / lengthMs),
        }
      : null;
  },
  weekly_limit: (offer, { context: { fullWeeks = [] } }) => {
    const full = fullWeekFor(fullWeeks, offer);
    if (!full) return null;
    const { minutes, until } = full;
    return { code: "weekly_limit", rule: { minutes, until }, offer: lengthOf(offer) };
  },
  /** A busy span of the same offer is not an overlap. */
  overlaps_block: (offer, { context: { busy } }) => {
    const overlapping = busy.find((span) => span.offerId !== offer.offerId && overlaps(span, offer));
    if (!overlapping) return null;
    const { warehouseId } = overlapping;
    const rule = warehouseId === undefined ? spanOf(overlapping) : { ...spanOf(overlapping), warehouseId };
    return { code: "overlaps_block", rule, offer: spanOf(offer) };
  },
};

/** Every reason against an offer, the main one first; empty if it matches. All checks run. */
export function matchOffer(offer: Offer, context: MatchContext): Reason[] {
  const warehouse = context.filters.warehousesById.get(offer.warehouseId);
  const isOutside = warehouse !== undefined && !isInSchedule(warehouse.calendar, offer.startsAt);
  const judged: JudgedOffer = {
    context,
    requirements: warehouse?.requirements ?? null,
    outsideAt: isOutside ? warehouse.calendar.zone.wallAt(offer.startsAt) : null,
    isComparable: offer.currency === context.currency,
  };
  // Called by name, so that each can be inlined: millions of offers are judged so.
  return collectReasons([
    CHECKS.currency(offer, judged),
    CHECKS.given_back(offer, judged),
    CHECKS.expired(offer, judged),
    CHECKS.warehouse_not_selected(offer, judged),
    CHECKS.service_type(offer, judged),
    CHECKS.day_off(offer, judged),
    CHECKS.outside_schedule(offer, judged),
    CHECKS.too_soon(offer, judged),
    CHECKS.duration_not_preferred(offer, judged),
    CHECKS.price_below_minimum(offer, judged),
    CHECKS.rate_below_minimum(offer, judged),
    CHECKS.weekly_limit(offer, judged),
    CHECKS.overlaps_block(offer, judged),
  ]);
}

/** Leaves out what is no reason. Does not compile where a code is missing. */
function collectReasons<Found extends readonly (Reason | null)[]>(
  found: Found & (FoundCode extends NonNullable<Found[number]>["code"] ? unknown : never),
): Reason[] {
  const reasons: Reason[] = [];
  for (const reason of found) if (reason) reasons.push(reason);
  return reasons;
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
