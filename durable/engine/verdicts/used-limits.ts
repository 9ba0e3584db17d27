import { dateOfDay } from "../../../db/shapes/work/local-date.ts";
import { COUNTED_LIMITS, type CountedLimit, type UsedLimit } from "../../../db/shapes/work/used-limit.ts";
import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { CompiledFilters } from "./compiled-filters.ts";
import { areCountedRead, limitBookOf } from "./counted-blocks.ts";
import { dayAt, mondayOfDay, useOf, type LimitUse } from "./limit-book.ts";
import type { DriverState } from "../state/types.ts";

/** The count of each limit, of a day or of its week. Minutes are rounded up, as a reason has them. */
const COUNTS: Readonly<Record<CountedLimit, { period: "day" | "week"; count: (use: LimitUse) => number }>> = {
  blocksPerDay: { period: "day", count: ({ blocks }) => blocks },
  minutesPerDay: { period: "day", count: ({ ms }) => Math.ceil(ms / MINUTE_MS) },
  minutesPerWeek: { period: "week", count: ({ weekMs }) => Math.ceil(weekMs / MINUTE_MS) },
  weekGoalCents: { period: "week", count: ({ weekPayCents }) => weekPayCents },
};

/**
 * How much of the driver's limits is used, today and on the day after, each with its week, as a selection counts it
 * now: what is held, under way or in doubt. Warehouses whose clocks are on two dates have two todays. Undefined while
 * nothing is taken, if no such limit is set, or where blocks that count toward newly saved ones have yet to be read.
 */
export function usedLimitsOf(
  state: DriverState,
  { now, currency }: { now: EpochMs; currency: string },
): UsedLimit[] | undefined {
  const book = state.profile?.switchedOn ? limitBookOf(state, "pending", currency) : null;
  // An object that has just woken knows the blocks that it read before.
  const isKnown = state.transient.heldReadFrom === null || areCountedRead(state, now);
  if (!book || !isKnown) return undefined;
  const days = daysAround(book.filters, now).map((day) => ({ day, use: useOf(book, day) }));
  const used = COUNTED_LIMITS.flatMap((limit) => {
    const most = book.limits[limit];
    if (most === null) return [];
    const { period, count } = COUNTS[limit];
    const spans = days.map(({ day, use }): UsedLimit => {
      const from = period === "day" ? day : mondayOfDay(day);
      const until = period === "day" ? day : from + 6;
      return { limit, used: count(use), most, from: dateOfDay(from), until: dateOfDay(until) };
    });
    return spans.filter(({ from }, index) => from !== spans[index - 1]?.from);
  });
  return used.length > 0 ? used : undefined;
}

/** Today's dates at the selected warehouses, and the day after, each once. */
function daysAround(filters: CompiledFilters, now: EpochMs): number[] {
  const ids = filters.selectedIds.length > 0 ? filters.selectedIds : [undefined];
  const todays = ids.map((warehouseId) => dayAt(filters, { warehouseId, startsAt: now }));
  const [first, last] = [Math.min(...todays), Math.max(...todays)];
  return Array.from({ length: last - first + 2 }, (_, index) => first + index);
}
