import type { JudgedRule, Reason, ReasonCode } from "../../../db/shapes/work/verdict.ts";
import { m } from "../../messages/messages.js";
import { formatCount } from "../language/format.ts";

/** The reasons that each rule of a warehouse decides for itself: the others hold for all of them. */
const OF_ONE_RULE: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  "day_off",
  "outside_schedule",
  "too_soon",
  "duration_not_preferred",
  "price_below_minimum",
  "rate_below_minimum",
]);

/** The name of the rule that a reason is by, where its warehouse has more than one; null where none decided alone. */
export function nameOfJudged({ code }: Reason, rule: JudgedRule | undefined): string | null {
  return rule && OF_ONE_RULE.has(code) ? judgedRuleName(rule) : null;
}

/** A rule's own name, or its place. */
export function judgedRuleName({ ruleId, name, number }: JudgedRule): string {
  if (name !== "") return name;
  return ruleId === null ? m.rule_first() : m.rule_numbered({ number: formatCount(number) });
}
