import { expectNothingLeft } from "../../../db/shapes/work/filters.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { m } from "../../messages/messages.js";
import {
  formatMoney,
  formatWeekday,
  formatCount,
  formatDuration,
  formatHours,
  formatList,
  unbroken,
} from "../language/format.ts";
import { warehouseName } from "../offers/offer-place.ts";
import type { FilterPart } from "./merge.ts";
import { DURATION_MINUTES, type Durations } from "../../../db/shapes/work/durations.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { selectedDurations, type DraftExtraRule, type DraftRule, type RuleValues } from "./draft.ts";
import { formatException, formatExceptionDates } from "./dates/date-labels.ts";
import { formatLimit, LIMIT_LABELS } from "../language/limit-labels.ts";
import { formatRuleHours, ruleName } from "./rules/rule-labels.ts";
import { formatDaySchedule } from "./schedule-window.ts";

/** The name of a part of the filters. */
export function partLabel(part: FilterPart, warehouses: readonly Warehouse[]): string {
  switch (part.kind) {
    case "general":
      return m.general_title();
    case "day":
      return formatWeekday(part.index + 1);
    case "limit":
      return LIMIT_LABELS[part.limit]();
    case "date":
      return formatExceptionDates(part.date);
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
    case "limit":
      return part.value.isOn
        ? formatLimit(part.limit, { figure: part.value.figure, currency })
        : m.limit_none();
    case "date":
      return part.value === null ? m.date_as_usual() : formatException(part.value);
    case "warehouse":
      return part.value.selected ? formatRule(part.value, currency) : m.part_not_selected();
  }
}

/** A warehouse's rules in words, each in a sentence. Those after the first have their names before them. */
export function formatRule(rule: DraftRule, currency: string): string {
  const extras = rule.extraRules.map((extra, index) =>
    m.sentence_named({ name: ruleName(extra, index), sentence: formatExtraRule(extra, currency) }),
  );
  return [formatFirstRule(rule, currency), ...extras].join(" ");
}

/** A warehouse's first rule, whose hours are those of the week. */
export function formatFirstRule(
  { warehouseId: _warehouseId, selected: _selected, extraRules: _extraRules, ...values }: DraftRule,
  currency: string,
): string {
  return withAction(formatRequirements(values, currency), values);
}

/** A further rule, with the hours that are its own. */
export function formatExtraRule(
  { ruleId: _ruleId, name: _name, hours, ...values }: DraftExtraRule,
  currency: string,
): string {
  const sentence = formatRequirements(values, currency);
  const limited = hours === null ? sentence : m.sentence_only({ sentence, hours: formatRuleHours(hours) });
  return withAction(limited, values);
}

/** A rule's requirements as one sentence, which says each of them or doesn't compile. */
function formatRequirements(
  {
    minPriceCents,
    minHourlyCents,
    bufferMinutes,
    durations,
    onlyHourly,
    action: _action,
    askSeconds: _askSeconds,
    ...rest
  }: RuleValues,
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

/** Adds the action on offers that fit, unless that is to take them. */
function withAction(rule: string, { action, askSeconds }: Pick<RuleValues, "action" | "askSeconds">): string {
  switch (action) {
    case "take":
      return rule;
    case "ask":
      return m.sentence_ask({
        sentence: rule,
        seconds: m.unit_seconds({ seconds: formatCount(askSeconds) }),
      });
    case "tell":
      return m.sentence_tell({ sentence: rule });
  }
}

function formatDurations(durations: Durations): string {
  const { minutes, isRange } = selectedDurations({ durations });
  if (minutes.length === 0) return m.sentence_none();
  if (minutes.length === DURATION_MINUTES.length) return m.sentence_all();
  const hours = minutes.map(formatHours);
  if (isRange) return m.sentence_range({ from: hours[0] ?? "", to: hours.at(-1) ?? "" });
  return m.sentence_list({ list: formatList(hours, "disjunction"), count: (minutes.at(-1) ?? 0) / 60 });
}
