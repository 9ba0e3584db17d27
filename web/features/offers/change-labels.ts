import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { formatChange, type ChangeMessage, type ChangeValues } from "../../../locales/filter-change.ts";
import { m } from "../../messages/messages.js";
import { formatLimit, LIMIT_LABELS } from "../language/limit-labels.ts";
import { formatDuration, formatLength, formatMoney, formatRate, formatWeekday } from "../language/format.ts";
import { warehouseName } from "./offer-place.ts";
import { judgedRuleName } from "./rule-name.ts";

const CHANGE_MESSAGES: Readonly<Record<ChangeMessage, (values: ChangeValues) => string>> = {
  change_min_price: m.change_min_price,
  change_min_hourly: m.change_min_hourly,
  change_min_hourly_at: m.change_min_hourly_at,
  change_notice: m.change_notice,
  change_notice_at: m.change_notice_at,
  change_length: m.change_length,
  change_length_at: m.change_length_at,
  change_day_on: m.change_day_on,
  change_earlier: m.change_earlier,
  change_later: m.change_later,
  change_earlier_on: m.change_earlier_on,
  change_later_on: m.change_later_on,
  change_select: m.change_select,
  change_limit: m.change_limit,
  change_limit_none: m.change_limit_none,
  change_goal: m.change_goal,
  change_rest: m.change_rest,
  change_travel: m.change_travel,
  change_rule: m.change_rule,
  change_rule_min_price: m.change_rule_min_price,
  change_rule_min_hourly: m.change_rule_min_hourly,
  change_rule_notice: m.change_rule_notice,
  change_rule_length: m.change_rule_length,
  change_rule_day_on: m.change_rule_day_on,
  change_rule_earlier: m.change_rule_earlier,
  change_rule_later: m.change_rule_later,
};

/** The effect of a change, as its button names it. */
export function changeLabel(
  change: FilterChange,
  { warehouses, currency }: { warehouses: readonly Warehouse[]; currency: string },
): string {
  return formatChange(change, {
    say: (message, values) => CHANGE_MESSAGES[message](values),
    warehouse: (id) => warehouseName(warehouses.find(({ warehouseId }) => warehouseId === id)),
    rule: judgedRuleName,
    money: (cents) => formatMoney(cents, currency),
    hourly: (cents) => formatRate(cents, currency),
    length: formatLength,
    minutes: (minutes) =>
      minutes === 0 ? m.unit_minutes({ minutes: "0" }) : formatDuration(minutes * MINUTE_MS),
    weekday: (day) => formatWeekday(day),
    limitName: (limit) => LIMIT_LABELS[limit](),
    limit: (limit, figure) => formatLimit(limit, { figure, currency }),
  });
}
