import { DURATION_MINUTES } from "../../../db/shapes/work/durations.ts";
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

/** A warehouse's rule as one sentence. */
export function formatRule(rule: DraftRule, currency: string): string {
  const buffer = rule.bufferMinutes ?? 0;
  const ahead =
    buffer === 0 ? unbroken(m.unit_minutes({ minutes: formatCount(0) })) : formatDuration(buffer * MINUTE_MS);
  const durations = formatDurations(rule);
  const price = formatMoney(rule.minPriceCents ?? 0, currency);
  const hourly = formatMoney(rule.minHourlyCents ?? 0, currency);
  const hasHourly = (rule.minHourlyCents ?? 0) > 0;
  if (rule.onlyHourly)
    return hasHourly
      ? m.sentence_hourly({ hourly, ahead, lengths: durations })
      : m.sentence_any({ ahead, lengths: durations });
  return hasHourly
    ? m.sentence({ price, hourly, ahead, lengths: durations })
    : m.sentence_price({ price, ahead, lengths: durations });
}

function formatDurations(rule: DraftRule): string {
  const { minutes, isRange } = selectedDurations(rule);
  if (minutes.length === 0) return m.sentence_none();
  if (minutes.length === DURATION_MINUTES.length) return m.sentence_all();
  const hours = minutes.map(formatHours);
  if (isRange) return m.sentence_range({ from: hours[0] ?? "", to: hours.at(-1) ?? "" });
  return m.sentence_list({ list: formatList(hours, "disjunction"), count: (minutes.at(-1) ?? 0) / 60 });
}
