import { compiledFiltersOf } from "./compiled-filters.ts";
import { openLimitBook, type CountedBlock, type LimitBook } from "./limit-book.ts";
import type { DriverState } from "../state/types.ts";
import type { Limits } from "../../../db/shapes/work/filters.ts";
import { DAY_MS, type EpochMs } from "../../../db/shapes/units.ts";

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
