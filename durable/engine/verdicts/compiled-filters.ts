import { durationsToMinutes, leastLengthMs } from "../../../db/shapes/work/durations.ts";
import {
  LIMITS,
  type Filters,
  type Limits,
  type Rule,
  type RuleHours,
  type WarehouseFilter,
} from "../../../db/shapes/work/filters.ts";
import type { JudgedRule } from "../../../db/shapes/work/verdict.ts";
import { ruleDays, scheduledDays } from "../schedule/day-rules.ts";
import { nextAwake, createCalendar, type Calendar } from "../schedule/schedule.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import {
  MINUTE_MS,
  type Cents,
  type DurationMs,
  type EpochMs,
  type WarehouseId,
} from "../../../db/shapes/units.ts";
import { tryZone, type Zone } from "../schedule/zone.ts";

/** A driver's requirements for offers at a selected warehouse: the fields of a rule, some of them in another form. */
export type WarehouseRequirements = Omit<Rule, "minPriceCents" | "durations" | "onlyHourly"> & {
  /** For the whole block; null if only the hourly minimum applies. */
  minPriceCents: Cents | null;
  /** The greater of the warehouse's and the general minimum; 0 if there is neither. */
  minHourlyCents: Cents;
  /** The block lengths that the driver wants, in minutes. */
  durationMinutes: readonly number[];
};

/** The first rule of a warehouse, which has no name of its own. */
export const FIRST_RULE: JudgedRule = { ruleId: null, name: "", number: 1 };

/** One rule for a warehouse: its name, its days and hours, and what it requires. */
export type CompiledRule = { name: JudgedRule; calendar: Calendar; requirements: WarehouseRequirements };

/**
 * A warehouse that the platform lists, with its rules in the driver's order; none, and no `requirements` of a first one, if the
 * driver has not selected it. `calendar` is that of the week's schedule.
 */
export type CompiledWarehouse = {
  calendar: Calendar;
  requirements: WarehouseRequirements | null;
  rules: readonly CompiledRule[];
};

/** A driver's filters, indexed for judging many offers. Depends on the profile and the list of warehouses. */
export type CompiledFilters = {
  filtersVersion: number;
  wholeFoodsOnly: boolean;
  /** Cents per hour; 0 if the driver turned it off. */
  generalMinHourlyCents: Cents;
  /** Selected warehouses that the platform lists, in the order of the filters. */
  selectedIds: readonly WarehouseId[];
  /** Null if the driver set none. */
  limits: Limits | null;
  warehousesById: ReadonlyMap<WarehouseId, CompiledWarehouse>;
  /** Each calendar of a rule, once. */
  calendars: readonly RuleCalendar[];
};

/** A calendar with the smallest buffer and the shortest wanted length among its rules. */
type RuleCalendar = { calendar: Calendar; bufferMs: DurationMs; lengthMs: DurationMs };

/**
 * Compiles a driver's filters. A warehouse whose time zone the runtime doesn't know is left out, as if the
 * platform did not list it: without its local time no offer there can be judged.
 */
export function compileFilters(profile: Profile, warehouses: readonly Warehouse[]): CompiledFilters {
  const { minHourlyCents, limits, warehouses: warehouseFilters } = profile.filters;
  const generalMinHourlyCents = minHourlyCents ?? 0;
  const selected = new Map(
    warehouseFilters.filter((filter) => filter.selected).map((filter) => [filter.warehouseId, filter]),
  );
  const calendarOf = calendarsOf(profile.filters);
  const warehousesById = new Map<WarehouseId, CompiledWarehouse>();
  for (const { warehouseId, timeZone } of warehouses) {
    const calendar = calendarOf(timeZone, null);
    if (!calendar) continue;
    const warehouseFilter = selected.get(warehouseId);
    const rules = warehouseFilter
      ? compileRules(warehouseFilter, {
          generalMinHourlyCents,
          calendarOf: (hours) => calendarOf(timeZone, hours) ?? calendar,
        })
      : [];
    warehousesById.set(warehouseId, { calendar, requirements: rules[0]?.requirements ?? null, rules });
  }
  return {
    filtersVersion: profile.filtersVersion,
    wholeFoodsOnly: profile.specialMode === "wf",
    generalMinHourlyCents,
    selectedIds: [...selected.keys()].filter((id) => warehousesById.has(id)),
    limits: LIMITS.some((limit) => limits[limit] !== null) ? limits : null,
    warehousesById,
    calendars: ruleCalendars([...warehousesById.values()].flatMap(({ rules }) => rules)),
  };
}

function ruleCalendars(rules: readonly CompiledRule[]): RuleCalendar[] {
  return [...Map.groupBy(rules, ({ calendar }) => calendar)].map(([calendar, ofCalendar]) => ({
    calendar,
    bufferMs: Math.min(...ofCalendar.map(({ requirements }) => requirements.bufferMinutes * MINUTE_MS)),
    lengthMs: Math.min(...ofCalendar.map(({ requirements }) => leastLengthMs(requirements.durationMinutes))),
  }));
}

/** The calendar of a zone and of a rule's own hours, made once; null where the runtime doesn't know the zone. */
function calendarsOf(filters: Filters): (timeZone: string, hours: RuleHours | null) => Calendar | null {
  const zones = new Map<string, Zone | null>();
  const calendars = new Map<string, Calendar>();
  return (timeZone, hours) => {
    const zone = zones.get(timeZone) ?? tryZone(timeZone);
    zones.set(timeZone, zone);
    if (!zone) return null;
    const key = `${timeZone} ${JSON.stringify(hours)}`;
    const calendar =
      calendars.get(key) ??
      createCalendar(zone, hours ? ruleDays(hours, filters.dates) : scheduledDays(filters));
    calendars.set(key, calendar);
    return calendar;
  };
}

function compileRules(
  { warehouseId: _warehouseId, selected: _selected, extraRules, ...first }: WarehouseFilter,
  {
    generalMinHourlyCents,
    calendarOf,
  }: { generalMinHourlyCents: Cents; calendarOf: (hours: RuleHours | null) => Calendar },
): CompiledRule[] {
  const further = extraRules.map(({ ruleId, name, hours, ...rule }, index): CompiledRule => {
    return {
      name: { ruleId, name, number: index + 2 },
      calendar: calendarOf(hours),
      requirements: toRequirements(rule, generalMinHourlyCents),
    };
  });
  return [
    {
      name: FIRST_RULE,
      calendar: calendarOf(null),
      requirements: toRequirements(first, generalMinHourlyCents),
    },
    ...further,
  ];
}

function toRequirements(
  { durations, onlyHourly, ...rule }: Rule,
  generalHourlyCents: Cents,
): WarehouseRequirements {
  return {
    ...rule,
    minPriceCents: onlyHourly ? null : rule.minPriceCents,
    minHourlyCents: Math.max(rule.minHourlyCents, generalHourlyCents),
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

/** When to look again: the instant, and the day of the blocks that can be taken from then on. */
export type Awake = { at: EpochMs; day: number };

/**
 * The first instant, `now` or later, at which a selected warehouse can have an offer that fits the days and hours of one of
 * its rules, on a day that is not full. Warehouses may be in different time zones. Null for never.
 * @param isFull whether a day has no room for a block of a length
 */
export function nextAwakeOf(
  filters: CompiledFilters,
  {
    now,
    horizonMs,
    isFull,
  }: { now: EpochMs; horizonMs: DurationMs; isFull?: (day: number, lengthMs: DurationMs) => boolean },
): Awake | null {
  let earliest: Awake | null = null;
  for (const { calendar, bufferMs, lengthMs } of filters.calendars) {
    const isFullHere = isFull && ((day: number) => isFull(day, lengthMs));
    const found = nextAwake(calendar, {
      now,
      bufferMs,
      horizonMs,
      ...(isFullHere && { isFull: isFullHere }),
    });
    if (found && (!earliest || found.at < earliest.at)) earliest = found;
  }
  return earliest;
}
