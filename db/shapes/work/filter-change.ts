import * as z from "zod/mini";
import { durationsToMinutes, minutesToDurations } from "./durations.ts";
import type { DaySchedule, Filters, WarehouseFilter, WeekSchedule } from "./filters.ts";
import { cents, warehouseId, type Cents, type MinuteOfDay, type WarehouseId } from "../units.ts";

const weekday = z.int().check(z.minimum(1), z.maximum(7));
const minutes = z.int().check(z.nonnegative());
const MINUTES_PER_DAY = 1440;

/**
 * One change that lets more offers through. Where `warehouseId` is null it goes for every selected warehouse, where
 * `day` is null for every active day. Weekdays are ISO.
 */
export const filterChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("min_price"), warehouseId, cents }),
  /**
   * Also lowers the general minimum, which would hold otherwise. Where one warehouse is named, the others get it as their
   * own, so that the same offers there match as before.
   */
  z.object({ kind: z.literal("min_hourly"), warehouseId: z.nullable(warehouseId), cents }),
  z.object({ kind: z.literal("notice"), warehouseId: z.nullable(warehouseId), minutes }),
  /** One of the ten lengths. */
  z.object({ kind: z.literal("length"), warehouseId: z.nullable(warehouseId), minutes }),
  z.object({ kind: z.literal("day_on"), day: weekday }),
  /** The window opens this much earlier. */
  z.object({ kind: z.literal("earlier"), day: z.nullable(weekday), minutes }),
  /** The window closes this much later, perhaps on the next day. */
  z.object({ kind: z.literal("later"), day: z.nullable(weekday), minutes }),
  z.object({ kind: z.literal("select"), warehouseId }),
]);
export type FilterChange = z.infer<typeof filterChange>;

/** The filters with a change made. Never stricter than before; the same reference where they allow that much already. */
export function applyFilterChange(filters: Filters, change: FilterChange): Filters {
  switch (change.kind) {
    case "min_price":
      return mapWarehouses(filters, change.warehouseId, (filter) =>
        filter.minPriceCents > change.cents && !filter.onlyHourly
          ? { ...filter, minPriceCents: Math.max(1, change.cents) }
          : filter,
      );
    case "min_hourly":
      return lowerGeneralMinimum(
        change.warehouseId === null
          ? mapWarehouses(filters, null, (filter) => lowerHourly(filter, change.cents))
          : lowerHourlyAt(filters, change.warehouseId, change.cents),
        change.cents,
      );
    case "notice":
      return mapWarehouses(filters, change.warehouseId, (filter) =>
        filter.bufferMinutes > change.minutes ? { ...filter, bufferMinutes: change.minutes } : filter,
      );
    case "length":
      return mapWarehouses(filters, change.warehouseId, (filter) => addLength(filter, change.minutes));
    case "day_on":
      return mapDays(filters, change.day, (day) => (day.active ? day : { ...day, active: true }));
    case "earlier":
    case "later":
      return mapDays(filters, change.day, (day) => (day.active ? widen(day, change) : day));
    case "select":
      return mapList(filters, (filter) =>
        filter.warehouseId === change.warehouseId && !filter.selected
          ? { ...filter, selected: true }
          : filter,
      );
  }
}

function lowerHourly(filter: WarehouseFilter, most: Cents): WarehouseFilter {
  return filter.minHourlyCents > most ? { ...filter, minHourlyCents: most } : filter;
}

/** A general minimum that is to be lowered for this warehouse becomes the others' own. */
function lowerHourlyAt(filters: Filters, id: WarehouseId, most: Cents): Filters {
  const general = filters.minHourlyCents ?? 0;
  return mapList(filters, (filter) => {
    if (filter.warehouseId === id) return lowerHourly(filter, most);
    return general > most && filter.minHourlyCents < general
      ? { ...filter, minHourlyCents: general }
      : filter;
  });
}

function lowerGeneralMinimum(filters: Filters, most: Cents): Filters {
  const { minHourlyCents } = filters;
  return minHourlyCents !== null && minHourlyCents > most ? { ...filters, minHourlyCents: most } : filters;
}

function addLength(filter: WarehouseFilter, length: number): WarehouseFilter {
  const chosen = durationsToMinutes(filter.durations);
  return chosen.includes(length) ? filter : { ...filter, durations: minutesToDurations([...chosen, length]) };
}

/** Moves one end of the window. A window that would meet itself becomes one of 24 hours, whose ends are the same. */
function widen(
  day: DaySchedule,
  { kind, minutes: by }: { kind: "earlier" | "later"; minutes: number },
): DaySchedule {
  const { start, end } = day;
  const length = windowMinutes(day);
  if (by === 0 || length === MINUTES_PER_DAY) return day;
  if (kind === "later")
    return { ...day, end: length + by >= MINUTES_PER_DAY ? start : (end + by) % MINUTES_PER_DAY };
  // A window belongs to the day on which it opens: it can't open on the day before.
  const opensAt: MinuteOfDay = Math.max(0, start - by);
  if (opensAt === start) return day;
  return { ...day, start: opensAt, end: length + start - opensAt >= MINUTES_PER_DAY ? opensAt : end };
}

function windowMinutes({ start, end }: DaySchedule): number {
  return end > start ? end - start : MINUTES_PER_DAY - start + end;
}

/** Changes the selected warehouses, or one of them. */
function mapWarehouses(
  filters: Filters,
  only: WarehouseId | null,
  change: (filter: WarehouseFilter) => WarehouseFilter,
): Filters {
  return mapList(filters, (filter) =>
    filter.selected && (only === null || filter.warehouseId === only) ? change(filter) : filter,
  );
}

function mapList(filters: Filters, change: (filter: WarehouseFilter) => WarehouseFilter): Filters {
  const warehouses = filters.warehouses.map(change);
  return warehouses.every((filter, index) => filter === filters.warehouses[index])
    ? filters
    : { ...filters, warehouses };
}

/** Changes all days, or one of them. */
function mapDays(filters: Filters, only: number | null, change: (day: DaySchedule) => DaySchedule): Filters {
  const [mo, tu, we, th, fr, sa, su] = filters.schedule;
  const of = (day: DaySchedule, weekdayNumber: number) =>
    only === null || only === weekdayNumber ? change(day) : day;
  const schedule: WeekSchedule = [
    of(mo, 1),
    of(tu, 2),
    of(we, 3),
    of(th, 4),
    of(fr, 5),
    of(sa, 6),
    of(su, 7),
  ];
  return schedule.every((day, index) => day === filters.schedule[index]) ? filters : { ...filters, schedule };
}
