import { expectNothingLeft, type DaySchedule } from "../../../db/shapes/work/filters.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { m } from "../../messages/messages.js";
import {
  formatMinuteOfDay,
  formatMoney,
  formatWeekday,
  formatCount,
  formatDuration,
  formatHours,
  formatList,
  unbroken,
} from "../language/format.ts";
import { warehouseName } from "../offers/offer-place.ts";
import { windowKind } from "./schedule-window.ts";
import type { FilterPart } from "./merge.ts";
import { DURATION_MINUTES, type Durations } from "../../../db/shapes/work/durations.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { selectedDurations, type DraftRule } from "./draft.ts";

/** The name of a part of the filters. */
export function partLabel(part: FilterPart, warehouses: readonly Warehouse[]): string {
  switch (part.kind) {
    case "general":
      return m.general_title();
    case "day":
      return formatWeekday(part.index + 1);
    case "limits":
      return m.part_limits();
    case "dates":
      return m.part_dates();
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
    case "limits":
      return countSummary(Object.values(part.value).filter((limit) => limit !== null).length);
    case "dates":
      return countSummary(part.value.length);
    case "warehouse":
      return part.value.selected ? formatRule(part.value, currency) : m.part_not_selected();
  }
}

function countSummary(count: number): string {
  return count === 0 ? m.part_off() : m.part_count({ figure: formatCount(count) });
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

/** A warehouse's rule as one sentence, which says each of its fields or doesn't compile. */
export function formatRule(
  {
    warehouseId: _warehouseId,
    selected: _selected,
    minPriceCents,
    minHourlyCents,
    bufferMinutes,
    durations,
    onlyHourly,
    extraRules: _extraRules,
    ...rest
  }: DraftRule,
  currency: string,
): string {
  expectNothingLeft(rest);
  const buffer = bufferMinutes ?? 0;
  const ahead =
    buffer === 0 ? unbroken(m.unit_minutes({ minutes: formatCount(0) })) : formatDuration(buffer * MINUTE_MS);
  const lengths = formatDurations(durations);
  const price = formatMoney(minPriceCents ?? 0, currency);
  const hourly = formatMoney(minHourlyCents ?? 0, currency);
  const hasHourly = (minHourlyCents ?? 0) > 0;
  if (onlyHourly)
    return hasHourly ? m.sentence_hourly({ hourly, ahead, lengths }) : m.sentence_any({ ahead, lengths });
  return hasHourly
    ? m.sentence({ price, hourly, ahead, lengths })
    : m.sentence_price({ price, ahead, lengths });
}

function formatDurations(durations: Durations): string {
  const { minutes, isRange } = selectedDurations({ durations });
  if (minutes.length === 0) return m.sentence_none();
  if (minutes.length === DURATION_MINUTES.length) return m.sentence_all();
  const hours = minutes.map(formatHours);
  if (isRange) return m.sentence_range({ from: hours[0] ?? "", to: hours.at(-1) ?? "" });
  return m.sentence_list({ list: formatList(hours, "disjunction"), count: (minutes.at(-1) ?? 0) / 60 });
}
