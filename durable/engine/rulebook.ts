import { DURATION_MINUTES, type WarehouseRule, type WeekSchedule } from "./rules.ts";
import { nextAwakeAt, openCalendar, type Calendar } from "./schedule.ts";
import type { Profile, Warehouse } from "./types.ts";
import { MINUTE_MS, type Cents, type DurationMs, type EpochMs, type WarehouseId } from "./units.ts";
import { openZone, type Zone } from "./zone.ts";

/** What a driver asks of a selected warehouse. */
export type Terms = {
  bufferMinutes: number;
  /** For the whole block; null where only the hourly minimum counts. */
  minPriceCents: Cents | null;
  /** The greater of the warehouse's and the general minimum; 0 where neither asks for anything. */
  minHourlyCents: Cents;
  durations: WarehouseRule["durations"];
  /** The lengths wanted, in minutes. */
  wantedMinutes: readonly number[];
};

/** A warehouse that the platform lists; `terms` is null where the driver did not select it. */
export type Place = { calendar: Calendar; terms: Terms | null };

/** A driver's rules made ready for many verdicts: one for each profile and list of warehouses. */
export type Rulebook = {
  filtersVersion: number;
  schedule: WeekSchedule;
  /** ISO weekdays on which there is a window. */
  activeDays: readonly number[];
  wholeFoodsOnly: boolean;
  /** Cents an hour; 0 where the driver disabled it. */
  generalHourlyCents: Cents;
  /** In the order of the filters, those only whose warehouse the platform lists. */
  selectedIds: readonly WarehouseId[];
  places: ReadonlyMap<WarehouseId, Place>;
};

/**
 * Compiles a driver's rules. A warehouse whose time zone the runtime does not know is left out, as
 * if the platform did not list it: its wall clock can't be read, so nothing can be taken there.
 */
export function compileRules(profile: Profile, warehouses: readonly Warehouse[]): Rulebook {
  const { schedule, minHourlyCents, warehouses: rules } = profile.filters;
  const generalHourlyCents = minHourlyCents ?? 0;
  const selected = new Map(rules.filter((rule) => rule.selected).map((rule) => [rule.warehouseId, rule]));
  const calendars = new Map<string, Calendar>();
  const places = new Map<WarehouseId, Place>();
  for (const { warehouseId, timeZone } of warehouses) {
    const calendar = calendars.get(timeZone) ?? readCalendar(timeZone, schedule);
    if (!calendar) continue;
    calendars.set(timeZone, calendar);
    const rule = selected.get(warehouseId);
    places.set(warehouseId, { calendar, terms: rule ? termsOf(rule, generalHourlyCents) : null });
  }
  return {
    filtersVersion: profile.filtersVersion,
    schedule,
    activeDays: schedule.flatMap((day, index) => (day.active ? [index + 1] : [])),
    wholeFoodsOnly: profile.specialMode === "wf",
    generalHourlyCents,
    selectedIds: [...selected.keys()].filter((id) => places.has(id)),
    places,
  };
}

function readCalendar(timeZone: string, schedule: WeekSchedule): Calendar | null {
  let zone: Zone;
  try {
    zone = openZone(timeZone);
  } catch {
    return null;
  }
  return openCalendar(zone, schedule);
}

function termsOf(rule: WarehouseRule, generalHourlyCents: Cents): Terms {
  return {
    bufferMinutes: rule.bufferMinutes,
    minPriceCents: rule.onlyHourly ? null : rule.minPriceCents,
    minHourlyCents: Math.max(rule.minHourlyCents, generalHourlyCents),
    durations: rule.durations,
    wantedMinutes: DURATION_MINUTES.filter((_minutes, index) => rule.durations[index]),
  };
}

/** Compiled rules by profile: gone with the profile, so it can't grow. */
const compiled = new WeakMap<Profile, { warehouses: readonly Warehouse[]; book: Rulebook }>();

/** The rulebook of a profile and its warehouses, compiled once for each pair of references. */
export function rulebookOf(profile: Profile, warehouses: readonly Warehouse[]): Rulebook {
  const known = compiled.get(profile);
  if (known?.warehouses === warehouses) return known.book;
  const book = compileRules(profile, warehouses);
  compiled.set(profile, { warehouses, book });
  return book;
}

/**
 * The first instant, `now` or later, at which a selected warehouse can have an offer worth
 * watching for. Zones may differ, so each is asked with the least buffer in it. Null for never.
 */
export function awakeAt(
  book: Rulebook,
  { now, horizonMs }: { now: EpochMs; horizonMs: DurationMs },
): EpochMs | null {
  const buffers = new Map<Calendar, DurationMs>();
  for (const { calendar, terms } of book.places.values()) {
    if (!terms) continue;
    const bufferMs = terms.bufferMinutes * MINUTE_MS;
    buffers.set(calendar, Math.min(bufferMs, buffers.get(calendar) ?? Infinity));
  }
  let earliest: EpochMs | null = null;
  for (const [calendar, bufferMs] of buffers) {
    const at = nextAwakeAt(calendar, { now, bufferMs, horizonMs });
    if (at !== null && (earliest === null || at < earliest)) earliest = at;
  }
  return earliest;
}
