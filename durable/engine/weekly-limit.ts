import { updateState, type Transition } from "./transition.ts";
import type { DriverState, WeeklyLimit } from "./types.ts";
import type { Block, Offer, Warehouse } from "../../db/shapes/work/offer.ts";
import { DAY_MS, type EpochMs } from "../../db/shapes/units.ts";
import { createZone, dayOf, weekdayOf, type Zone } from "./zone.ts";

/**
 * The platform refused an offer because the driver's week is full. Offers of that week are not tried again until a
 * held block ends or is given back, or the week is over: then the platform is asked once more. The driver is notified
 * once a week.
 */
export function learnWeeklyLimit(transition: Transition, offer: Offer): void {
  const { state, ctx } = transition;
  const endsAt = endOfWeek(offer, state.warehouses);
  const isNew = state.weeklyLimit === null || state.weeklyLimit.endsAt < endsAt;
  updateState(transition, {
    weeklyLimit: { endsAt: Math.max(endsAt, state.weeklyLimit?.endsAt ?? 0), refusedAt: ctx.now },
  });
  const until = weeklyLimitUntil(transition.state, ctx.now);
  if (isNew && until !== null) transition.notifications.push({ kind: "weekly_limit", until });
}

/** A block was given back, so that the week may have room again. */
export function reconsiderWeeklyLimit(transition: Transition): void {
  const { weeklyLimit } = transition.state;
  if (weeklyLimit) updateState(transition, { weeklyLimit: { ...weeklyLimit, refusedAt: null } });
}

/** Until when no offer of the full week is tried; null if the week is not known to be full. */
export function weeklyLimitUntil({ weeklyLimit, held }: DriverState, now: EpochMs): EpochMs | null {
  if (weeklyLimit === null || weeklyLimit.refusedAt === null) return null;
  const until = nextEnd(held, weeklyLimit.refusedAt, weeklyLimit.endsAt);
  return until <= now ? null : until;
}

/** Leaves out the offers that start in a week that is known to be full. */
export function withoutFullWeek(state: DriverState, offers: readonly Offer[], now: EpochMs): Offer[] {
  const isFull = weeklyLimitUntil(state, now) !== null;
  const { weeklyLimit } = state;
  return offers.filter(({ startsAt }) => !isFull || weeklyLimit === null || startsAt >= weeklyLimit.endsAt);
}

/** When the first held block ended, or will end, after the refusal; `atMost` if none does before. */
function nextEnd(held: readonly Block[], refusedAt: EpochMs, atMost: WeeklyLimit["endsAt"]): EpochMs {
  const ends = held.flatMap(({ status, endsAt }) =>
    status !== "forfeited" && endsAt > refusedAt ? [endsAt] : [],
  );
  return Math.min(atMost, ...ends);
}

/** The end of the week, from Monday to Sunday at the warehouse, in which an offer starts. */
function endOfWeek({ warehouseId, startsAt }: Offer, warehouses: readonly Warehouse[]): EpochMs {
  const zone = zoneOf(warehouses.find((known) => known.warehouseId === warehouseId)?.timeZone ?? "UTC");
  const day = dayOf(zone.wallAt(startsAt));
  return zone.instantOf((day + 8 - weekdayOf(day)) * DAY_MS, "opening");
}

/** UTC for a zone that the runtime doesn't know. */
function zoneOf(timeZone: string): Zone {
  try {
    return createZone(timeZone);
  } catch {
    return createZone("UTC");
  }
}
