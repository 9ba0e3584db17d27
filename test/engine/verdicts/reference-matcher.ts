import { Temporal } from "temporal-polyfill";
import type { Block, Offer, Warehouse } from "../../../db/shapes/work/offer.ts";
import type { Profile } from "../../../db/shapes/profile.ts";

/**
 * A second implementation of the filters, written with Temporal and without regard to speed: whether an offer
 * matches. Shares nothing with the engine but the shapes.
 */
export function matchesByReference(
  offer: Offer,
  {
    profile,
    warehouses,
    held,
    now,
  }: { profile: Profile; warehouses: readonly Warehouse[]; held: readonly Block[]; now: number },
): boolean {
  const warehouse = warehouses.find(({ warehouseId }) => warehouseId === offer.warehouseId);
  const filter = profile.filters.warehouses.find(({ warehouseId }) => warehouseId === offer.warehouseId);
  if (!warehouse || !filter || !filter.selected) return false;
  if (now >= offer.expiresAt) return false;
  if (profile.specialMode === "wf" && offer.serviceType !== "whole_foods") return false;
  if (!startsInside(offer, profile, warehouse.timeZone)) return false;
  if ((offer.startsAt - now) / 60_000 < filter.bufferMinutes) return false;
  const minutes = (offer.endsAt - offer.startsAt) / 60_000;
  if (minutes <= 0 || !wanted(minutes, filter.durations)) return false;
  // A block without pay is never wanted, as the least minimum that a driver can set is one cent.
  if (offer.payCents < 1) return false;
  if (!filter.onlyHourly && offer.payCents < filter.minPriceCents) return false;
  for (const minimum of [filter.minHourlyCents, profile.filters.minHourlyCents ?? 0]) {
    if (offer.payCents * 60 < minimum * minutes) return false;
  }
  return !held.some(
    (block) =>
      block.offerId !== offer.offerId &&
      block.status !== "forfeited" &&
      Math.max(block.startsAt, offer.startsAt) < Math.min(block.endsAt, offer.endsAt),
  );
}

function wanted(minutes: number, durations: readonly boolean[]): boolean {
  const options = [60, 90, 120, 150, 180, 210, 240, 270, 300, 360];
  const distances = options.map((option) => Math.abs(option - minutes));
  return durations[distances.lastIndexOf(Math.min(...distances))] === true;
}

function startsInside(offer: Offer, profile: Profile, timeZone: string): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(offer.startsAt).toZonedDateTimeISO(timeZone);
  return [0, 1].some((daysBack) => {
    const date = local.toPlainDate().subtract({ days: daysBack });
    const day = profile.filters.schedule[date.dayOfWeek - 1];
    if (!day?.active) return false;
    const from = edge(date, day.start, timeZone, "earlier");
    const to = edge(day.end > day.start ? date : date.add({ days: 1 }), day.end, timeZone, "later");
    return from <= offer.startsAt && offer.startsAt < to;
  });
}

function edge(
  date: Temporal.PlainDate,
  minutes: number,
  timeZone: string,
  which: "earlier" | "later",
): number {
  const wall = date.toPlainDateTime({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
  const found = wall.toZonedDateTime(timeZone, { disambiguation: which });
  if (found.toPlainDateTime().equals(wall)) return found.epochMilliseconds;
  // A skipped time moves to the clock change itself, the first instant that exists.
  const before = wall.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  return before.getTimeZoneTransition("next")?.epochMilliseconds ?? NaN;
}
