import type { DaySchedule } from "../../../db/shapes/work/filters.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { m } from "../../messages/messages.js";
import { formatMinuteOfDay, formatMoney, formatWeekday } from "../language/format.ts";
import { warehouseName } from "../offers/offer-place.ts";
import { windowKind } from "./schedule-window.ts";
import type { FilterPart } from "./merge.ts";
import { formatRule } from "./rule-sentence.ts";

/** The name of a part of the filters. */
export function partLabel(part: FilterPart, warehouses: readonly Warehouse[]): string {
  switch (part.kind) {
    case "general":
      return m.general_title();
    case "day":
      return formatWeekday(part.index + 1);
    case "warehouse":
      return warehouseName(warehouses.find(({ warehouseId }) => warehouseId === part.value.warehouseId));
  }
}

/** A part's value as text. */
export function partSummary(part: FilterPart, currency: string): string {
  switch (part.kind) {
    case "general":
      return part.value.isOn
        ? m.rule_at_least({
            figure: m.unit_per_hour({ money: formatMoney(part.value.cents ?? 0, currency) }),
          })
        : m.part_off();
    case "day":
      return formatDaySchedule(part.value);
    case "warehouse":
      return part.value.selected ? formatRule(part.value, currency) : m.part_not_selected();
  }
}

/** `9:30 AM to 6:00 PM`; past midnight it says that the end is on the next day. */
export function formatDaySchedule(day: DaySchedule): string {
  if (!day.active) return m.week_off();
  const [start, end] = [formatMinuteOfDay(day.start), formatMinuteOfDay(day.end)];
  switch (windowKind(day)) {
    case "whole":
      return m.week_all_day();
    case "same":
      return m.time_span({ start, end });
    case "overnight":
      return m.time_span_overnight({ start, end });
  }
}
