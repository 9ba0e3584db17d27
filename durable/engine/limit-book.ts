import type { Limits } from "../../db/shapes/work/filters.ts";
import { weekdayOf } from "../../db/shapes/work/local-date.ts";
import type { Offer } from "../../db/shapes/work/offer.ts";
import type { Reason } from "../../db/shapes/work/verdict.ts";
import {
  MINUTE_MS,
  type Cents,
  type DurationMs,
  type EpochMs,
  type OfferId,
  type Span,
  type WarehouseId,
} from "../../db/shapes/units.ts";
import type { CompiledFilters } from "./compiled-filters.ts";
import { dayOf } from "./zone.ts";

/** A block that counts toward the limits: held, or of an attempt that may have taken it. */
export type CountedBlock = Span & {
  offerId: OfferId | null;
  warehouseId?: WarehouseId | undefined;
  payCents: Cents;
  /** ISO 4217; null if the pay is not known. */
  currency: string | null;
};

/** A block with the day on which it counts. */
type Placed = CountedBlock & { day: number };

/** The limits with all blocks that count. */
export type LimitBook = {
  limits: Limits;
  filters: CompiledFilters;
  currency: string;
  blocks: readonly Placed[];
};

/** The blocks of one day and its week. */
export type LimitUse = { blocks: number; ms: DurationMs; weekMs: DurationMs; weekPayCents: Cents };

/** The reasons that a limit gives. */
export type LimitReason = Extract<
  Reason,
  { code: "day_limit" | "week_limit" | "goal_reached" | "rest" | "travel" }
>;

/** Counts blocks toward the limits of the filters; null if they have none. One of another currency pays nothing here. */
export function openLimitBook(
  filters: CompiledFilters,
  blocks: readonly CountedBlock[],
  currency: string,
): LimitBook | null {
  if (!filters.limits) return null;
  return countAlso({ limits: filters.limits, filters, currency, blocks: [] }, blocks);
}

/** Counts more blocks. */
export function countAlso(book: LimitBook, blocks: readonly CountedBlock[]): LimitBook {
  const placed = blocks.map((block) => ({ ...block, day: dayAt(book.filters, block) }));
  return { ...book, blocks: [...book.blocks, ...placed] };
}

/** The day on which a block or offer counts, by the clock of its warehouse; where that is not known, by the first one's. */
export function dayAt(
  { warehousesById }: CompiledFilters,
  { warehouseId, startsAt }: { warehouseId?: WarehouseId | undefined; startsAt: EpochMs },
): number {
  const known = warehouseId === undefined ? undefined : warehousesById.get(warehouseId);
  const warehouse = known ?? warehousesById.values().next().value;
  return dayOf(warehouse ? warehouse.calendar.zone.wallAt(startsAt) : startsAt);
}

/** The Monday of a day's week. */
export function mondayOfDay(day: number): number {
  return day + 1 - weekdayOf(day);
}

/** The blocks that count on a day and in its week, without one of an offer. */
export function useOf(book: LimitBook, day: number, except: OfferId | null = null): LimitUse {
  const use: LimitUse = { blocks: 0, ms: 0, weekMs: 0, weekPayCents: 0 };
  const monday = mondayOfDay(day);
  for (const block of book.blocks) {
    if (except !== null && block.offerId === except) continue;
    if (mondayOfDay(block.day) !== monday) continue;
    const lengthMs = block.endsAt - block.startsAt;
    use.weekMs += lengthMs;
    if (block.currency === book.currency) use.weekPayCents += block.payCents;
    if (block.day !== day) continue;
    use.blocks += 1;
    use.ms += lengthMs;
  }
  return use;
}

/** A limit that a day or its week has reached. */
export type Fullness = "goal" | "week" | "day";

/** Which limit keeps all blocks of a length from a day, whatever their hours; null if none does. */
export function fullnessOf(book: LimitBook, day: number, leastLengthMs: DurationMs): Fullness | null {
  const { limits } = book;
  const use = useOf(book, day);
  if (limits.weekGoalCents !== null && use.weekPayCents >= limits.weekGoalCents) return "goal";
  if (isOver(limits.minutesPerWeek, use.weekMs + leastLengthMs)) return "week";
  if (limits.blocksPerDay !== null && use.blocks >= limits.blocksPerDay) return "day";
  return isOver(limits.minutesPerDay, use.ms + leastLengthMs) ? "day" : null;
}

function isOver(most: number | null, ms: DurationMs): boolean {
  return most !== null && ms > most * MINUTE_MS;
}

/** The reasons that the limits give against an offer. A block of the same offer doesn't count. */
export function limitReasons(book: LimitBook, offer: Offer): LimitReason[] {
  const { limits } = book;
  const day = dayAt(book.filters, offer);
  const use = useOf(book, day, offer.offerId);
  const lengthMs = offer.endsAt - offer.startsAt;
  const reasons: LimitReason[] = [];
  if (limits.blocksPerDay !== null && use.blocks + 1 > limits.blocksPerDay)
    reasons.push({ code: "day_limit", unit: "blocks", rule: limits.blocksPerDay, offer: use.blocks + 1 });
  else if (limits.minutesPerDay !== null && isOver(limits.minutesPerDay, use.ms + lengthMs)) {
    const comesTo = Math.ceil((use.ms + lengthMs) / MINUTE_MS);
    reasons.push({ code: "day_limit", unit: "minutes", rule: limits.minutesPerDay, offer: comesTo });
  }
  if (limits.minutesPerWeek !== null && isOver(limits.minutesPerWeek, use.weekMs + lengthMs)) {
    const comesTo = Math.ceil((use.weekMs + lengthMs) / MINUTE_MS);
    reasons.push({ code: "week_limit", rule: limits.minutesPerWeek, offer: comesTo });
  }
  if (limits.weekGoalCents !== null && use.weekPayCents >= limits.weekGoalCents)
    reasons.push({ code: "goal_reached", rule: limits.weekGoalCents, offer: use.weekPayCents });
  const rest = limits.restMinutes === null ? null : closestGap(book, offer, { elsewhere: false });
  if (limits.restMinutes !== null && rest && rest.gapMs < limits.restMinutes * MINUTE_MS)
    reasons.push({ code: "rest", rule: limits.restMinutes, offer: Math.floor(rest.gapMs / MINUTE_MS) });
  const travel = limits.travelMinutes === null ? null : closestGap(book, offer, { elsewhere: true });
  if (limits.travelMinutes !== null && travel && travel.gapMs < limits.travelMinutes * MINUTE_MS)
    reasons.push({
      code: "travel",
      rule: limits.travelMinutes,
      offer: Math.floor(travel.gapMs / MINUTE_MS),
      ...(travel.warehouseId !== undefined && { warehouseId: travel.warehouseId }),
    });
  return reasons;
}

/** The time between an offer and the block nearest to it, one that it overlaps aside. A block whose place is unknown is elsewhere. */
function closestGap(
  { blocks }: LimitBook,
  offer: Offer,
  { elsewhere }: { elsewhere: boolean },
): { gapMs: DurationMs; warehouseId: WarehouseId | undefined } | null {
  let closest: { gapMs: DurationMs; warehouseId: WarehouseId | undefined } | null = null;
  for (const block of blocks) {
    if (block.offerId === offer.offerId || (elsewhere && block.warehouseId === offer.warehouseId)) continue;
    const gapMs = gapBetween(block, offer);
    if (gapMs >= 0 && (!closest || gapMs < closest.gapMs))
      closest = { gapMs, warehouseId: block.warehouseId };
  }
  return closest;
}

/** The time between two spans; negative where they overlap. */
export function gapBetween(one: Span, other: Span): DurationMs {
  return Math.max(one.startsAt - other.endsAt, other.startsAt - one.endsAt);
}
