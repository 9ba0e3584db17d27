import type { RuleHours } from "../../../../db/shapes/work/filters.ts";
import { m } from "../../../messages/messages.js";
import { formatCount, formatList, formatWeekday } from "../../language/format.ts";
import type { DraftExtraRule, DraftRule } from "../draft.ts";
import { formatHoursOfDay } from "../schedule-window.ts";
import { FIRST } from "./rule-notices.ts";

/** The name of a further rule: its own, or its place after the first. */
export function ruleName({ name }: Pick<DraftExtraRule, "name">, index: number): string {
  return name.trim() || m.rule_numbered({ number: formatCount(index + 2) });
}

/** The name of one of a warehouse's rules, by its id; the first has none. */
export function nameOfRule({ extraRules }: Pick<DraftRule, "extraRules">, key: string): string {
  const index = extraRules.findIndex(({ ruleId }) => ruleId === key);
  const extra = extraRules[index];
  return key === FIRST || !extra ? m.rule_first() : ruleName(extra, index);
}

/** `Sat and Sun, 8:00 AM to 6:00 PM`. */
export function formatRuleHours({ days, start, end }: RuleHours): string {
  return m.rule_hours({ days: formatDays(days), hours: formatHoursOfDay({ start, end }) });
}

/** `Mon to Fri`, `Mon, Wed and Fri`, `every day`. */
function formatDays(days: readonly number[]): string {
  if (days.length === 7) return m.rule_hours_every_day();
  const nameOf = (day: number) => formatWeekday(day, "short").replace(".", "");
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const isRange = days.length > 2 && last - first === days.length - 1;
  return isRange ? m.time_span({ start: nameOf(first), end: nameOf(last) }) : formatList(days.map(nameOf));
}
