import type { Limit } from "../db/shapes/work/filters.ts";
import type { FilterChange } from "../db/shapes/work/filter-change.ts";
import type { JudgedRule } from "../db/shapes/work/verdict.ts";
import type { Cents, WarehouseId } from "../db/shapes/units.ts";

/** The messages that name a change of the filters. */
export type ChangeMessage =
  | "change_min_price"
  | "change_min_hourly"
  | "change_min_hourly_at"
  | "change_notice"
  | "change_notice_at"
  | "change_length"
  | "change_length_at"
  | "change_day_on"
  | "change_earlier"
  | "change_later"
  | "change_earlier_on"
  | "change_later_on"
  | "change_select"
  | "change_limit"
  | "change_limit_none"
  | "change_goal"
  | "change_rest"
  | "change_travel"
  | "change_rule"
  | "change_rule_min_price"
  | "change_rule_min_hourly"
  | "change_rule_notice"
  | "change_rule_length"
  | "change_rule_day_on"
  | "change_rule_earlier"
  | "change_rule_later";

/** The values of all of them; each message uses its own. */
export type ChangeValues = Record<"name" | "figure" | "day" | "limit" | "rule" | "warehouse", string>;

/** How the page, or a message to the driver, says the parts of a change. */
export type ChangeFormatter = {
  say: (message: ChangeMessage, values: ChangeValues) => string;
  warehouse: (id: WarehouseId) => string;
  rule: (rule: JudgedRule) => string;
  money: (cents: Cents) => string;
  hourly: (cents: Cents) => string;
  /** A block's length, `3.5 h`. */
  length: (minutes: number) => string;
  /** A while, `45 min`. */
  minutes: (minutes: number) => string;
  weekday: (day: number) => string;
  limitName: (limit: Limit) => string;
  limit: (limit: Limit, figure: number) => string;
};

const NO_VALUES: ChangeValues = { name: "", figure: "", day: "", limit: "", rule: "", warehouse: "" };

/** A change of the filters as a button or a sentence names it: `Lower Maspeth to $80`. */
export function formatChange(change: FilterChange, words: ChangeFormatter): string {
  const say = sayBy(words);
  switch (change.kind) {
    case "min_price": {
      const { warehouseId, cents, rule } = change;
      if (rule) return formatRuleChange({ warehouseId, rule, part: "min_price", figure: cents }, words);
      const name = words.warehouse(warehouseId);
      return say("change_min_price", { name, figure: words.money(cents) });
    }
    case "min_hourly":
      return sayAt("min_hourly", change, change.cents, words.hourly);
    case "notice":
      return sayAt("notice", change, change.minutes, words.minutes);
    case "length":
      return sayAt("length", change, change.minutes, words.length);
    case "day_on":
      return say("change_day_on", { day: words.weekday(change.day) });
    case "earlier":
    case "later": {
      const figure = words.minutes(change.minutes);
      return change.day === null
        ? say(`change_${change.kind}`, { figure })
        : say(`change_${change.kind}_on`, { day: words.weekday(change.day), figure });
    }
    case "select":
      return say("change_select", { name: words.warehouse(change.warehouseId) });
    case "limit":
      return formatLimitChange(change, words);
    case "rule":
      return formatRuleChange(change, words);
  }

  /** Of every warehouse, of one, or of the first of its rules. */
  function sayAt(
    part: "min_hourly" | "notice" | "length",
    { warehouseId, rule }: Pick<ChangeOf<typeof part>, "warehouseId" | "rule">,
    to: number,
    format: (to: number) => string,
  ): string {
    if (warehouseId === null) return say(`change_${part}`, { figure: format(to) });
    if (rule) return formatRuleChange({ warehouseId, rule, part, figure: to }, words);
    return say(`change_${part}_at`, { figure: format(to), name: words.warehouse(warehouseId) });
  }
}

type ChangeOf<Kind extends FilterChange["kind"]> = Extract<FilterChange, { kind: Kind }>;

function sayBy(words: ChangeFormatter) {
  return (message: ChangeMessage, values: Partial<ChangeValues>) =>
    words.say(message, { ...NO_VALUES, ...values });
}

function formatLimitChange({ limit, figure: to }: ChangeOf<"limit">, words: ChangeFormatter): string {
  const say = sayBy(words);
  if (to === null || to === 0) return say("change_limit_none", { limit: words.limitName(limit) });
  switch (limit) {
    case "blocksPerDay":
    case "minutesPerDay":
    case "minutesPerWeek":
      return say("change_limit", { figure: words.limit(limit, to) });
    case "weekGoalCents":
      return say("change_goal", { figure: words.money(to) });
    case "restMinutes":
      return say("change_rest", { figure: words.minutes(to) });
    case "travelMinutes":
      return say("change_travel", { figure: words.minutes(to) });
  }
}

function formatRuleChange(
  { warehouseId, rule: judged, part, figure: to }: Omit<ChangeOf<"rule">, "kind">,
  words: ChangeFormatter,
): string {
  const say = sayBy(words);
  const rule = say("change_rule", { rule: words.rule(judged), warehouse: words.warehouse(warehouseId) });
  switch (part) {
    case "min_price":
      return say("change_rule_min_price", { rule, figure: words.money(to) });
    case "min_hourly":
      return say("change_rule_min_hourly", { rule, figure: words.hourly(to) });
    case "notice":
      return say("change_rule_notice", { rule, figure: words.minutes(to) });
    case "length":
      return say("change_rule_length", { rule, figure: words.length(to) });
    case "day_on":
      return say("change_rule_day_on", { rule, day: words.weekday(to) });
    case "earlier":
    case "later":
      return say(`change_rule_${part}`, { rule, figure: words.minutes(to) });
  }
}
