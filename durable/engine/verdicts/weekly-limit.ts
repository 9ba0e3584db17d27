import { updateState, type Transition } from "../state/transition.ts";
import type { DriverState, WeeklyLimit } from "../state/types.ts";
import type { Block, Offer, Warehouse } from "../../../db/shapes/work/offer.ts";
import { DAY_MS, MINUTE_MS, type EpochMs, type Span } from "../../../db/shapes/units.ts";
import { weekdayOf } from "../../../db/shapes/work/local-date.ts";
import { createZone, dayOf, type Zone } from "../schedule/zone.ts";

/** A week in which the platform gives no more blocks of a length, and until when we believe that. */
export type FullWeek = Pick<WeeklyLimit, "startsAt" | "endsAt" | "minutes"> & { until: EpochMs };

/**
 * The platform refused an offer because the driver's week is full. Offers of that week that are not shorter are not tried again
 * until a held block of it ends or is given back, or the week is over: then the platform is asked once more. The driver is
 * notified of the present week, once.
 */
export function learnWeeklyLimit(transition: Transition, offer: Offer): void {
  const { state, ctx } = transition;
  const { now } = ctx;
  const week = weekOf(offer, state.warehouses);
  const known = state.weeklyLimit.find((limit) => isIn(limit, offer));
  const isFull = fullWeeks(state, now).some((full) => isIn(full, offer));
  const minutes = Math.min(lengthOf(offer), known && isFull ? known.minutes : Infinity);
  const limit = { ...(known ?? week), minutes, refusedAt: now };
  const others = state.weeklyLimit.filter((other) => other !== known && other.endsAt > now);
  updateState(transition, { weeklyLimit: [...others, limit] });
  const full = fullWeekAt(transition.state, now);
  if (!known && full && isIn(full, offer))
    transition.notifications.push({ kind: "weekly_limit", until: full.until });
}

/** A block was given back, so that its week may have room again. */
export function reconsiderWeeklyLimits(transition: Transition): void {
  const { weeklyLimit } = transition.state;
  if (weeklyLimit.every(({ refusedAt }) => refusedAt === null)) return;
  updateState(transition, { weeklyLimit: weeklyLimit.map((limit) => ({ ...limit, refusedAt: null })) });
}

/** The weeks that are known to be full, and for which blocks. */
export function fullWeeks(
  { weeklyLimit, held }: Pick<DriverState, "weeklyLimit" | "held">,
  now: EpochMs,
): FullWeek[] {
  return weeklyLimit.flatMap((limit) => {
    if (limit.refusedAt === null) return [];
    const until = nextEnd(held, limit, limit.refusedAt);
    return until > now
      ? [{ startsAt: limit.startsAt, endsAt: limit.endsAt, minutes: limit.minutes, until }]
      : [];
  });
}

/** The present week, if it is full. */
export function fullWeekAt(state: DriverState, now: EpochMs): FullWeek | null {
  return fullWeeks(state, now).find(({ startsAt }) => startsAt <= now) ?? null;
}

/** The week that is too full for an offer. */
export function fullWeekFor(full: readonly FullWeek[], offer: Span): FullWeek | undefined {
  return full.find((week) => isIn(week, offer) && lengthOf(offer) >= week.minutes);
}

/** The length of a block in minutes, rounded down. */
export function lengthOf({ startsAt, endsAt }: Span): number {
  return Math.floor((endsAt - startsAt) / MINUTE_MS);
}

/** Whether a block starts in a week. */
export function isIn(week: Span, { startsAt }: Span): boolean {
  return week.startsAt <= startsAt && startsAt < week.endsAt;
}

/** When the first held block of the week ended, or will end, after the refusal; the week's end if none does before. */
function nextEnd(held: readonly Block[], week: Span, refusedAt: EpochMs): EpochMs {
  const ends = held.flatMap((block) =>
    block.status !== "forfeited" && isIn(week, block) && block.endsAt > refusedAt ? [block.endsAt] : [],
  );
  return Math.min(week.endsAt, ...ends);
}

/** The week, from Monday to Sunday at the warehouse, in which an offer starts. */
export function weekOf({ warehouseId, startsAt }: Offer, warehouses: readonly Warehouse[]): Span {
  const zone = zoneOf(warehouses.find((known) => known.warehouseId === warehouseId)?.timeZone ?? "UTC");
  const day = dayOf(zone.wallAt(startsAt));
  const monday = day + 1 - weekdayOf(day);
  return {
    startsAt: zone.instantOf(monday * DAY_MS, "opening"),
    endsAt: zone.instantOf((monday + 7) * DAY_MS, "opening"),
  };
}

/** UTC for a zone that the runtime doesn't know. */
function zoneOf(timeZone: string): Zone {
  try {
    return createZone(timeZone);
  } catch {
    return createZone("UTC");
  }
}
