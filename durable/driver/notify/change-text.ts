import type { Language } from "../../../db/shapes/language.ts";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { Limit } from "../../../db/shapes/work/filters.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { formatChange } from "../../../locales/filter-change.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { countInputs, formatHours, formatMoney, formatWeekday } from "../../../locales/format.ts";
import { minutesText } from "./minutes-text.ts";

const LIMIT_NAMES = {
  blocksPerDay: "limit_blocks_day",
  minutesPerDay: "limit_hours_day",
  minutesPerWeek: "limit_hours_week",
  restMinutes: "limit_rest",
  travelMinutes: "limit_travel",
  weekGoalCents: "limit_goal",
} as const satisfies Record<Limit, string>;

/** A change of the filters in the words of its button on the page, for texts and push messages. */
export function changeText(
  change: FilterChange,
  {
    language,
    warehouses,
    currency,
  }: { language: Language; warehouses: readonly Pick<Warehouse, "warehouseId" | "name">[]; currency: string },
): string {
  const money = (cents: number) => formatMoney(language, cents, currency);
  const length = (minutes: number) =>
    formatMessage(language, "unit_hours", { hours: formatHours(language, minutes) });
  const minutes = (count: number) => minutesText(language, count);
  return formatChange(change, {
    say: (message, values) => formatMessage(language, message, values),
    warehouse: (id) =>
      warehouses.find(({ warehouseId }) => warehouseId === id)?.name ??
      formatMessage(language, "warehouse_unnamed"),
    rule: ({ ruleId, name, number }) => {
      if (name !== "") return name;
      return ruleId === null
        ? formatMessage(language, "rule_first")
        : formatMessage(language, "rule_numbered", { number });
    },
    money,
    hourly: (cents) => formatMessage(language, "unit_per_hour", { money: money(cents) }),
    length,
    minutes,
    weekday: (day) => formatWeekday(language, day),
    limitName: (limit) => formatMessage(language, LIMIT_NAMES[limit]),
    limit: (limit, figure) =>
      formatMessage(language, `${LIMIT_NAMES[limit]}_of`, {
        ...countInputs(language, figure),
        hours: length(figure),
        minutes: minutes(figure),
        money: money(figure),
      }),
  });
}
