import { durationsToMinutes } from "../../../db/shapes/work/durations.ts";
import {
  expectNothingLeft,
  type WarehouseFilter,
  type WeekSchedule,
} from "../../../db/shapes/work/filters.ts";
import { nextAwakeAt, createCalendar, type Calendar } from "./schedule.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import {
  MINUTE_MS,
  type Cents,
  type DurationMs,
  type EpochMs,
  type WarehouseId,
} from "../../../db/shapes/units.ts";
import { createZone, type Zone } from "../../../durable/engine/schedule/zone.ts";

/** A driver's requirements for offers at a selected warehouse. */
export type WarehouseRequirements = {
  bufferMinutes: number;
  /** For the whole block; null if only the hourly minimum applies. */
  minPriceCents: Cents | null;
  /** The greater of the warehouse's and the general minimum; 0 if there is neither. */
  minHourlyCents: Cents;
  /** The block lengths that the driver wants, in minutes. */
  durationMinutes: readonly number[];
};

/** A warehouse that the platform lists; `requirements` is null if the driver has not selected it. */
export type CompiledWarehouse = { calendar: Calendar; requirements: WarehouseRequirements | null };

/** A driver's filters, indexed for judging many offers. Depends on the profile and the list of warehouses. */
export type CompiledFilters = {
  filtersVersion: number;
  schedule: WeekSchedule;
  /** ISO weekdays that have an active schedule window. */
  activeDays: readonly number[];
  wholeFoodsOnly: boolean;
  /** Cents per hour; 0 if the driver turned it off. */
  generalMinHourlyCents: Cents;
  /** Selected warehouses that the platform lists, in the order of the filters. */
  selectedIds: readonly WarehouseId[];
  warehousesById: ReadonlyMap<WarehouseId, CompiledWarehouse>;
};

/**
 * Compiles a driver's filters. A warehouse whose time zone the runtime doesn't know is left out, as if the
 * platform did not list it: without its local time no offer there can be judged.
 */
export function compileFilters(profile: Profile, warehouses: readonly Warehouse[]): CompiledFilters {
  const { schedule, minHourlyCents, warehouses: warehouseFilters } = profile.filters;
  const generalMinHourlyCents = minHourlyCents ?? 0;
  const selected = new Map(
    warehouseFilters.filter((filter) => filter.selected).map((filter) => [filter.warehouseId, filter]),
  );
  const calendars = new Map<string, Calendar>();
  const warehousesById = new Map<WarehouseId, CompiledWarehouse>();
  for (const { warehouseId, timeZone } of warehouses) {
    const calendar = calendars.get(timeZone) ?? buildCalendar(timeZone, schedule);
    if (!calendar) continue;
    calendars.set(timeZone, calendar);
    const warehouseFilter = selected.get(warehouseId);
    warehousesById.set(warehouseId, {
      calendar,
      requirements: warehouseFilter ? toRequirements(warehouseFilter, generalMinHourlyCents) : null,
    });
  }
  return {
    filtersVersion: profile.filtersVersion,
    schedule,
    activeDays: schedule.flatMap((day, index) => (day.active ? [index + 1] : [])),
    wholeFoodsOnly: profile.specialMode === "wf",
    generalMinHourlyCents,
    selectedIds: [...selected.keys()].filter((id) => warehousesById.has(id)),
    warehousesById,
  };
}

function buildCalendar(timeZone: string, schedule: WeekSchedule): Calendar | null {
  let zone: Zone;
  try {
    zone = createZone(timeZone);
  } catch {
    return null;
  }
  return createCalendar(zone, schedule);
}

/** A rule's requirements: each of its fields is read here, or it doesn't compile. */
function toRequirements(
  {
    warehouseId: _warehouseId,
    selected: _selected,
    bufferMinutes,
    minPriceCents,
    minHourlyCents,
    durations,
    onlyHourly,
    action: _action,
    askSeconds: _askSeconds,
    extraRules: _extraRules,
    ...rest
  }: WarehouseFilter,
  generalHourlyCents: Cents,
): WarehouseRequirements {
  expectNothingLeft(rest);
  return {
    ...rest,
    bufferMinutes,
    minPriceCents: onlyHourly ? null : minPriceCents,
    minHourlyCents: Math.max(minHourlyCents, generalHourlyCents),
    durationMinutes: durationsToMinutes(durations),
  };
}

/** Cache of compiled filters. Weakly keyed by profile, so that it can't grow. */
const compiledByProfile = new WeakMap<
  Profile,
  { warehouses: readonly Warehouse[]; compiled: CompiledFilters }
>();

/** The compiled filters of a profile and its warehouses, cached for as long as both references stay the same. */
export function compiledFiltersOf(profile: Profile, warehouses: readonly Warehouse[]): CompiledFilters {
  const known = compiledByProfile.get(profile);
  if (known?.warehouses === warehouses) return known.compiled;
  const compiled = compileFilters(profile, warehouses);
  compiledByProfile.set(profile, { warehouses, compiled });
  return compiled;
}

/**
 * The first instant, `now` or later, at which a selected warehouse can have an offer that fits the schedule.
 * Warehouses may be in different time zones; each zone is checked with the smallest buffer among its
 * warehouses. Null for never.
 */
export function awakeAt(
  filters: CompiledFilters,
  { now, horizonMs }: { now: EpochMs; horizonMs: DurationMs },
): EpochMs | null {
  const buffers = new Map<Calendar, DurationMs>();
  for (const { calendar, requirements } of filters.warehousesById.values()) {
    if (!requirements) continue;
    const bufferMs = requirements.bufferMinutes * MINUTE_MS;
    buffers.set(calendar, Math.min(bufferMs, buffers.get(calendar) ?? Infinity));
  }
  let earliest: EpochMs | null = null;
  for (const [calendar, bufferMs] of buffers) {
    const at = nextAwakeAt(calendar, { now, bufferMs, horizonMs });
    if (at !== null && (earliest === null || at < earliest)) earliest = at;
  }
  return earliest;
}
