import type { CostliestRule, ReplayDays, ReplayFigures } from "../../../../db/shapes/work/replay.ts";
import type { ReasonCode } from "../../../../db/shapes/work/verdict.ts";
import { m } from "../../../messages/messages.js";
import { countInputs, formatMoney } from "../../language/format.ts";
import { judgedRuleName } from "../../offers/rule-name.ts";

export const PERIOD_LABELS: Readonly<Record<ReplayDays, () => string>> = {
  1: m.replay_days_1,
  7: m.replay_days_7,
  28: m.replay_days_28,
};

/** `9 blocks ($812)`. */
export function formatBlocks(
  { blocks, payCents }: Pick<ReplayFigures, "blocks" | "payCents">,
  currency: string,
): string {
  return m.replay_blocks({ ...countInputs(blocks), money: formatMoney(payCents, currency) });
}

type CostMessage = (inputs: { warehouse: string; money: string }) => string;

const COST_MESSAGES: Partial<Record<ReasonCode, CostMessage>> = {
  price_below_minimum: m.replay_cost_price,
  rate_below_minimum: m.replay_cost_rate,
  too_soon: m.replay_cost_notice,
  duration_not_preferred: m.replay_cost_lengths,
  day_off: m.replay_cost_schedule,
  date_off: m.replay_cost_schedule,
  outside_schedule: m.replay_cost_schedule,
  day_limit: m.replay_cost_limits,
  week_limit: m.replay_cost_limits,
  goal_reached: m.replay_cost_limits,
  rest: m.replay_cost_limits,
  travel: m.replay_cost_limits,
};

/** The same of one of several rules of a warehouse. */
const RULE_COST_MESSAGES: Partial<Record<ReasonCode, (inputs: { rule: string; money: string }) => string>> = {
  price_below_minimum: m.replay_cost_rule_price,
  rate_below_minimum: m.replay_cost_rule_rate,
  too_soon: m.replay_cost_rule_notice,
  duration_not_preferred: m.replay_cost_rule_lengths,
  day_off: m.replay_cost_rule_hours,
  outside_schedule: m.replay_cost_rule_hours,
};

/** `Your minimum pay at Maspeth alone turned down $412.` Names the rule where the warehouse has several. */
export function costMessage(
  { code, rule, payCents }: CostliestRule,
  { warehouse, currency }: { warehouse: string; currency: string },
): string {
  const money = formatMoney(payCents, currency);
  const ofRule = rule && RULE_COST_MESSAGES[code];
  if (ofRule) return ofRule({ rule: m.change_rule({ rule: judgedRuleName(rule), warehouse }), money });
  const message = COST_MESSAGES[code] ?? m.replay_cost_other;
  return message({ warehouse, money });
}
