import type { Profile } from "../../../db/shapes/profile.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { compiledFiltersOf } from "../verdicts/compiled-filters.ts";
import { windowsAfter, type Calendar } from "../schedule/schedule.ts";

/** Hours in which blocks may start by the driver's schedule: [opensAt, closesAt). The zone is that of whichever opens first. */
export type Hours = { opensAt: EpochMs; closesAt: EpochMs; timeZone: string };

/** Enough windows of a calendar: more than a week of nights, each of which is two. */
const WINDOWS = 16;

/**
 * The driver's hours that are not over, the earliest first: those of all rules of the selected warehouses, by schedule, dates
 * and days off. Hours that overlap or touch are one.
 */
export function hoursFrom(profile: Profile, warehouses: readonly Warehouse[], now: EpochMs): Hours[] {
  const { warehousesById } = compiledFiltersOf(profile, warehouses);
  const zones = new Map<Calendar, string>();
  for (const { warehouseId, timeZone } of warehouses)
    for (const { calendar } of warehousesById.get(warehouseId)?.rules ?? []) zones.set(calendar, timeZone);
  const windows = [...zones].flatMap(([calendar, timeZone]) =>
    windowsAfter(calendar, now, WINDOWS).map((window) => ({ ...window, timeZone })),
  );
  const merged: Hours[] = [];
  for (const window of windows.toSorted((one, other) => one.opensAt - other.opensAt)) {
    const last = merged.at(-1);
    if (!last || window.opensAt > last.closesAt) merged.push({ ...window });
    else last.closesAt = Math.max(last.closesAt, window.closesAt);
  }
  return merged;
}
