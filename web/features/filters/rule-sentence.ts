import { DURATION_MINUTES, type Durations } from "../../../db/shapes/work/durations.ts";
import { expectNothingLeft } from "../../../db/shapes/work/filters.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import {
  formatCount,
  formatDuration,
  formatHours,
  formatList,
  formatMoney,
  unbroken,
} from "../language/format.ts";
import { selectedDurations, type DraftRule } from "./draft.ts";

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
