import { compiledFiltersOf, type CompiledFilters } from "./compiled-filters.ts";
import {
  openLimitBook,
  type CountedBlock,
  type LimitBook,
  dayAt,
  mondayOfDay,
  useOf,
  type LimitUse,
} from "./limit-book.ts";
import type { DriverState } from "../state/types.ts";
import type { Limits } from "../../../db/shapes/work/filters.ts";
import { DAY_MS, type EpochMs, MINUTE_MS } from "../../../db/shapes/units.ts";
import { dateOfDay } from "../../../db/shapes/work/local-date.ts";
import { COUNTED_LIMITS, type CountedLimit, type UsedLimit } from "../../../db/shapes/work/used-limit.ts";

/** How far back blocks count: today's and those that a night's rest follows, and those of the week, on every clock. */
const DAYS_LOOKBACK_MS = 2 * DAY_MS;
const WEEK_LOOKBACK_MS = 8 * DAY_MS;

/**
 * The driver's limits with what counts toward them: held blocks, those taken by hand too, and attempts that may have had an
 * effect. Pending ones don't count in a verdict (`unknown`), since their outcome is a moment away, but they do where something
 * is accepted (`pending`). Null if the driver set no limits.
 */
export function limitBookOf(
  state: DriverState,
  scope: "unknown" | "pending",
  currency: string,
): LimitBook | null {
  const { profile, warehouses } = state;
  const filters = profile && compiledFiltersOf(profile, warehouses);
  return filters?.limits ? openLimitBook(filters, countedBlocks(state, scope), currency) : null;
}

function countedBlocks(
  { held, openAttempts, doubtedAttempts, transient }: DriverState,
  scope: "unknown" | "pending",
): CountedBlock[] {
  const blocks = held.filter(({ status }) => status !== "forfeited");
  const open = [...openAttempts.values()].filter(
    ({ outcome }) => scope === "pending" || outcome.status === "unknown",
  );
  const offers = [...open, ...doubtedAttempts.values()].map(({ offer }) => offer);
  const unreadable = transient.unreadableHeld.map((span) => ({
    ...span,
    offerId: null,
    payCents: 0,
    currency: null,
  }));
  // Two attempts at one offer count once, and so do an attempt and its block.
  const byOffer = new Map([...offers, ...blocks].map((block) => [block.offerId, block]));
  const others = blocks.filter((block) => byOffer.get(block.offerId) !== block);
  return [...byOffer.values(), ...others, ...unreadable];
}

/** Whether the driver set any limit. */
export function hasLimits({ profile }: DriverState): boolean {
  return profile !== null && Object.values(profile.filters.limits).some((limit) => limit !== null);
}

/** From when on blocks count toward limits; null if none needs past ones. */
export function countedFrom(limits: Limits | undefined, now: EpochMs): EpochMs | null {
  if (!limits) return null;
  const { minutesPerWeek, weekGoalCents, ...others } = limits;
  if (minutesPerWeek !== null || weekGoalCents !== null) return now - WEEK_LOOKBACK_MS;
  return Object.values(others).some((limit) => limit !== null) ? now - DAYS_LOOKBACK_MS : null;
}

/** Whether all blocks that count toward the limits were read since the object woke. */
export function areCountedRead({ profile, transient }: DriverState, now: EpochMs): boolean {
  const from = countedFrom(profile?.filters.limits, now);
  return from === null || (transient.heldReadFrom !== null && transient.heldReadFrom <= from);
}

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
