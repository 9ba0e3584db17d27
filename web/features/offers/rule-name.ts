import { RULE_REASONS, type JudgedRule, type Reason } from "../../../db/shapes/work/verdict.ts";
import { m } from "../../messages/messages.js";
import { formatCount } from "../language/format.ts";

/** The name of the rule that a reason is by, where its warehouse has more than one; null where none decided alone. */
export function nameOfJudged({ code }: Reason, rule: JudgedRule | undefined): string | null {
  return rule && RULE_REASONS.has(code) ? judgedRuleName(rule) : null;
}

/** A rule's own name, or its place. */
export function judgedRuleName({ ruleId, name, number }: JudgedRule): string {
  if (name !== "") return name;
  return ruleId === null ? m.rule_first() : m.rule_numbered({ number: formatCount(number) });
}
