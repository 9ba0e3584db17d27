import * as z from "zod/mini";
import { durationsToMinutes, minutesToDurations } from "./durations.ts";
import type { FilterChange } from "./filter-change.ts";
import {
  limits,
  type DaySchedule,
  type ExtraRule,
  type Filters,
  type Rule,
  type WarehouseFilter,
  type WeekSchedule,
} from "./filters.ts";
import type { Cents, MinuteOfDay, WarehouseId } from "../units.ts";

const MINUTES_PER_DAY = 1440;

/** The hours of a day, or those of a rule. */
type DayWindow = Pick<DaySchedule, "start" | "end">;

/** Makes a change. The filters never get stricter, and keep their reference if they already allow that much. */
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
          : lowerHourlyAt(filters, { warehouseId: change.warehouseId, ruleId: null }, change.cents),
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
    case "limit":
      return loosenLimit(filters, change);
    case "rule":
      return changeRule(filters, change);
  }
}

type ChangeOf<Kind extends FilterChange["kind"]> = Extract<FilterChange, { kind: Kind }>;

/** A figure above a limit's greatest value removes the limit. */
function loosenLimit(filters: Filters, { limit, figure: to }: ChangeOf<"limit">): Filters {
  const present = filters.limits[limit];
  if (present === null) return filters;
  const changed = z.safeParse(limits, { ...filters.limits, [limit]: to });
  const next = changed.success ? changed.data : { ...filters.limits, [limit]: null };
  const value = next[limit];
  const isGap = limit === "restMinutes" || limit === "travelMinutes";
  const isLooser = value === null || (isGap ? value < present : value > present);
  return isLooser ? { ...filters, limits: next } : filters;
}

function changeRule(filters: Filters, change: ChangeOf<"rule">): Filters {
  const { warehouseId: id, rule, part, figure: to } = change;
  if (part === "min_hourly") {
    const isThere = filters.warehouses.some(
      (filter) => filter.warehouseId === id && filter.extraRules.some(({ ruleId }) => ruleId === rule.ruleId),
    );
    if (!isThere) return filters;
    return lowerGeneralMinimum(lowerHourlyAt(filters, { warehouseId: id, ruleId: rule.ruleId }, to), to);
  }
  return mapWarehouses(filters, id, (filter) =>
    mapExtraRules(filter, (extra) => (extra.ruleId === rule.ruleId ? changeExtra(extra, part, to) : extra)),
  );
}

function changeExtra(
  rule: ExtraRule,
  part: Exclude<ChangeOf<"rule">["part"], "min_hourly">,
  to: number,
): ExtraRule {
  const { hours } = rule;
  switch (part) {
    case "min_price":
      return rule.minPriceCents > to && !rule.onlyHourly ? { ...rule, minPriceCents: Math.max(1, to) } : rule;
    case "notice":
      return rule.bufferMinutes > to ? { ...rule, bufferMinutes: to } : rule;
    case "length":
      return addLength(rule, to);
    case "day_on": {
      if (!hours || hours.days.includes(to)) return rule;
      return {
        ...rule,
        hours: { ...hours, days: [...hours.days, to].toSorted((one, other) => one - other) },
      };
    }
    case "earlier":
    case "later": {
      if (!hours) return rule;
      const widened = widen(hours, { kind: part, minutes: to });
      return widened === hours ? rule : { ...rule, hours: widened };
    }
  }
}

function lowerHourly<Of extends Rule>(rule: Of, most: Cents): Of {
  return rule.minHourlyCents > most ? { ...rule, minHourlyCents: most } : rule;
}

/** Lowers a general minimum for this rule alone: all others get it as their own. */
function lowerHourlyAt(
  filters: Filters,
  { warehouseId: id, ruleId }: { warehouseId: WarehouseId; ruleId: string | null },
  most: Cents,
): Filters {
  const general = filters.minHourlyCents ?? 0;
  const change = <Of extends Rule>(rule: Of, isMeant: boolean): Of => {
    if (isMeant) return lowerHourly(rule, most);
    return general > most && rule.minHourlyCents < general ? { ...rule, minHourlyCents: general } : rule;
  };
  return mapList(filters, (filter) => {
    const isHere = filter.warehouseId === id;
    const first = change(filter, isHere && ruleId === null);
    return mapExtraRules(first, (extra) => change(extra, isHere && ruleId === extra.ruleId));
  });
}

function lowerGeneralMinimum(filters: Filters, most: Cents): Filters {
  const { minHourlyCents } = filters;
  return minHourlyCents !== null && minHourlyCents > most ? { ...filters, minHourlyCents: most } : filters;
}

function addLength<Of extends Rule>(rule: Of, length: number): Of {
  const chosen = durationsToMinutes(rule.durations);
  return chosen.includes(length) ? rule : { ...rule, durations: minutesToDurations([...chosen, length]) };
}

/** Moves one end of the window. A window that would meet itself becomes one of 24 hours, whose ends are the same. */
function widen<Of extends DayWindow>(
  window: Of,
  { kind, minutes: by }: { kind: "earlier" | "later"; minutes: number },
): Of {
  const { start, end } = window;
  const length = windowMinutes(window);
  if (by === 0 || length === MINUTES_PER_DAY) return window;
  if (kind === "later")
    return { ...window, end: length + by >= MINUTES_PER_DAY ? start : (end + by) % MINUTES_PER_DAY };
  // A window belongs to the day on which it opens: it can't open on the day before.
  const opensAt: MinuteOfDay = Math.max(0, start - by);
  if (opensAt === start) return window;
  return { ...window, start: opensAt, end: length + start - opensAt >= MINUTES_PER_DAY ? opensAt : end };
}

function windowMinutes({ start, end }: DayWindow): number {
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

function mapExtraRules(filter: WarehouseFilter, change: (rule: ExtraRule) => ExtraRule): WarehouseFilter {
  const extraRules = filter.extraRules.map(change);
  return extraRules.every((rule, index) => rule === filter.extraRules[index])
    ? filter
    : { ...filter, extraRules };
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
