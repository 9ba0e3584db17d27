import type { Limits } from "../../../db/shapes/work/filters.ts";
import { weekdayOf } from "../../../db/shapes/work/local-date.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import {
  MINUTE_MS,
  type Cents,
  type DurationMs,
  type EpochMs,
  type OfferId,
  type Span,
  type WarehouseId,
} from "../../../db/shapes/units.ts";
import type { CompiledFilters } from "./compiled-filters.ts";
import { dayOf } from "../schedule/zone.ts";

/** A block that counts toward the limits: held, or of an attempt that may have taken it. */
export type CountedBlock = Span & {
  offerId: OfferId | null;
  warehouseId?: WarehouseId | undefined;
  payCents: Cents;
  /** ISO 4217; null if the pay is not known. */
  currency: string | null;
};

/** A block with the day on which it counts, and the Monday of its week. */
type Placed = CountedBlock & { day: number; monday: number };

/** The limits with all blocks that count. */
export type LimitBook = {
  limits: Limits;
  filters: CompiledFilters;
  currency: string;
  blocks: readonly Placed[];
  /** The use of each day, summed once: one book judges many offers. */
  uses: Map<number, LimitUse>;
};

/** The blocks of one day and its week. */
export type LimitUse = Readonly<{
  blocks: number;
  ms: DurationMs;
  weekMs: DurationMs;
  weekPayCents: Cents;
}>;

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
  return countAlso({ limits: filters.limits, filters, currency, blocks: [], uses: new Map() }, blocks);
}

/** Counts more blocks. */
export function countAlso(book: LimitBook, blocks: readonly CountedBlock[]): LimitBook {
  const placed = blocks.map((block): Placed => {
    const day = dayAt(book.filters, block);
    return { ...block, day, monday: mondayOfDay(day) };
  });
  return { ...book, blocks: [...book.blocks, ...placed], uses: new Map() };
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
  if (except !== null && book.blocks.some(({ offerId }) => offerId === except))
    return sumOf(book, day, except);
  const known = book.uses.get(day);
  if (known) return known;
  const use = sumOf(book, day, null);
  book.uses.set(day, use);
  return use;
}

function sumOf(book: LimitBook, day: number, except: OfferId | null): LimitUse {
  const use = { blocks: 0, ms: 0, weekMs: 0, weekPayCents: 0 };
  const monday = mondayOfDay(day);
  for (const block of book.blocks) {
    if ((except !== null && block.offerId === except) || block.monday !== monday) continue;
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
  if (limits.minutesPerDay !== null && isOver(limits.minutesPerDay, use.ms + lengthMs)) {
    const comesTo = Math.ceil((use.ms + lengthMs) / MINUTE_MS);
    reasons.push({ code: "day_limit", unit: "minutes", rule: limits.minutesPerDay, offer: comesTo });
  }
  if (limits.minutesPerWeek !== null && isOver(limits.minutesPerWeek, use.weekMs + lengthMs)) {
    const comesTo = Math.ceil((use.weekMs + lengthMs) / MINUTE_MS);
    reasons.push({ code: "week_limit", rule: limits.minutesPerWeek, offer: comesTo });
  }
  if (limits.weekGoalCents !== null && use.weekPayCents >= limits.weekGoalCents)
    reasons.push({ code: "goal_reached", rule: limits.weekGoalCents, offer: use.weekPayCents });
  if (limits.restMinutes === null && limits.travelMinutes === null) return reasons;
  const { anyMs, elsewhereMs, elsewhere } = gapsBeside(book, offer);
  if (limits.restMinutes !== null && anyMs < limits.restMinutes * MINUTE_MS)
    reasons.push({ code: "rest", rule: limits.restMinutes, offer: Math.floor(anyMs / MINUTE_MS) });
  if (limits.travelMinutes !== null && elsewhereMs < limits.travelMinutes * MINUTE_MS)
    reasons.push({
      code: "travel",
      rule: limits.travelMinutes,
      offer: Math.floor(elsewhereMs / MINUTE_MS),
      ...(elsewhere !== undefined && { warehouseId: elsewhere }),
    });
  return reasons;
}

/**
 * The least time between an offer and a block, and between it and a block at another warehouse, ignoring blocks that it
 * overlaps. A block at an unknown place counts as elsewhere. Infinity if there is none.
 */
function gapsBeside(
  { blocks }: LimitBook,
  offer: Offer,
): { anyMs: DurationMs; elsewhereMs: DurationMs; elsewhere: WarehouseId | undefined } {
  let anyMs = Infinity;
  let elsewhereMs = Infinity;
  let elsewhere: WarehouseId | undefined;
  for (const block of blocks) {
    const gapMs = gapBetween(block, offer);
    if (gapMs < 0 || block.offerId === offer.offerId) continue;
    if (gapMs < anyMs) anyMs = gapMs;
    if (gapMs >= elsewhereMs || block.warehouseId === offer.warehouseId) continue;
    elsewhereMs = gapMs;
    elsewhere = block.warehouseId;
  }
  return { anyMs, elsewhereMs, elsewhere };
}

/** The time between two spans; negative where they overlap. */
export function gapBetween(one: Span, other: Span): DurationMs {
  return Math.max(one.startsAt - other.endsAt, other.startsAt - one.endsAt);
}
