import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { formatLimit, LIMIT_LABELS } from "../language/limit-labels.ts";
import { formatDuration, formatLength, formatMoney, formatWeekday } from "../language/format.ts";
import { warehouseName } from "./offer-place.ts";
import { judgedRuleName } from "./rule-name.ts";

/** The effect of a change, as its button names it. */
export function changeLabel(
  change: FilterChange,
  { warehouses, currency }: { warehouses: readonly Warehouse[]; currency: string },
): string {
  const nameOf = (id: string) => warehouseName(warehouses.find(({ warehouseId }) => warehouseId === id));
  switch (change.kind) {
    case "min_price":
      return m.change_min_price({
        name: nameOf(change.warehouseId),
        figure: formatMoney(change.cents, currency),
      });
    case "min_hourly": {
      const figure = m.unit_per_hour({ money: formatMoney(change.cents, currency) });
      return change.warehouseId === null
        ? m.change_min_hourly({ figure })
        : m.change_min_hourly_at({ figure, name: nameOf(change.warehouseId) });
    }
    case "notice": {
      const figure = formatMinutes(change.minutes);
      return change.warehouseId === null
        ? m.change_notice({ figure })
        : m.change_notice_at({ figure, name: nameOf(change.warehouseId) });
    }
    case "length": {
      const figure = formatLength(change.minutes);
      return change.warehouseId === null
        ? m.change_length({ figure })
        : m.change_length_at({ figure, name: nameOf(change.warehouseId) });
    }
    case "day_on":
      return m.change_day_on({ day: formatWeekday(change.day) });
    case "earlier":
    case "later":
      return windowLabel(change);
    case "select":
      return m.change_select({ name: nameOf(change.warehouseId) });
    case "limit":
      return limitLabel(change, currency);
    case "rule":
      return ruleLabel(change, { warehouse: nameOf(change.warehouseId), currency });
  }
}

function limitLabel({ limit, figure }: Extract<FilterChange, { kind: "limit" }>, currency: string): string {
  if (figure === null || figure === 0) return m.change_limit_none({ limit: LIMIT_LABELS[limit]() });
  switch (limit) {
    case "blocksPerDay":
    case "minutesPerDay":
    case "minutesPerWeek":
      return m.change_limit({ figure: formatLimit(limit, { figure, currency }) });
    case "weekGoalCents":
      return m.change_goal({ figure: formatMoney(figure, currency) });
    case "restMinutes":
      return m.change_rest({ figure: formatMinutes(figure) });
    case "travelMinutes":
      return m.change_travel({ figure: formatMinutes(figure) });
  }
}

function ruleLabel(
  { rule: judged, part, figure: to }: Extract<FilterChange, { kind: "rule" }>,
  { warehouse, currency }: { warehouse: string; currency: string },
): string {
  const rule = m.change_rule({ rule: judgedRuleName(judged), warehouse });
  switch (part) {
    case "min_price":
      return m.change_rule_min_price({ rule, figure: formatMoney(to, currency) });
    case "min_hourly":
      return m.change_rule_min_hourly({
        rule,
        figure: m.unit_per_hour({ money: formatMoney(to, currency) }),
      });
    case "notice":
      return m.change_rule_notice({ rule, figure: formatMinutes(to) });
    case "length":
      return m.change_rule_length({ rule, figure: formatLength(to) });
    case "day_on":
      return m.change_rule_day_on({ rule, day: formatWeekday(to) });
    case "earlier":
      return m.change_rule_earlier({ rule, figure: formatDuration(to * MINUTE_MS) });
    case "later":
      return m.change_rule_later({ rule, figure: formatDuration(to * MINUTE_MS) });
  }
}

function windowLabel({ kind, day, minutes }: Extract<FilterChange, { kind: "earlier" | "later" }>): string {
  const figure = formatDuration(minutes * MINUTE_MS);
  if (day === null) return kind === "earlier" ? m.change_earlier({ figure }) : m.change_later({ figure });
  const name = formatWeekday(day);
  return kind === "earlier"
    ? m.change_earlier_on({ day: name, figure })
    : m.change_later_on({ day: name, figure });
}

function formatMinutes(minutes: number): string {
  return minutes === 0 ? m.unit_minutes({ minutes: "0" }) : formatDuration(minutes * MINUTE_MS);
}
