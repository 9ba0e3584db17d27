import { MAX_EXTRA_RULES, type RuleHours } from "../../../../db/shapes/work/filters.ts";
import { withRule, type Draft, type DraftExtraRule, type DraftRule } from "../draft.ts";

/** The first hours of a rule that gets its own: the weekend, in the daytime. */
export const FIRST_HOURS: RuleHours = { days: [6, 7], start: 8 * 60, end: 18 * 60 };

export function canAddRule({ extraRules }: DraftRule): boolean {
  return extraRules.length < MAX_EXTRA_RULES;
}

/** Whether a removed rule can come back: there is room, and it isn't back already, as where all changes were undone. */
export function canRestoreRule(rule: DraftRule, { ruleId }: DraftExtraRule): boolean {
  return canAddRule(rule) && rule.extraRules.every((extra) => extra.ruleId !== ruleId);
}

/** Adds a rule that requires what the first one does, to be changed from there. The same draft where there are five. */
export function addRule(draft: Draft, rule: DraftRule, ruleId: string): Draft {
  if (!canAddRule(rule)) return draft;
  const { warehouseId: _warehouseId, selected: _selected, extraRules, ...values } = rule;
  const added: DraftExtraRule = { ruleId, name: "", hours: null, ...values };
  return withRule(draft, { ...rule, extraRules: [...extraRules, added] });
}

/** Puts a rule at a place again that it had before it was removed. */
export function insertRule(
  draft: Draft,
  { rule, extra, index }: { rule: DraftRule; extra: DraftExtraRule; index: number },
): Draft {
  if (!canAddRule(rule)) return draft;
  return withRule(draft, { ...rule, extraRules: rule.extraRules.toSpliced(index, 0, extra) });
}

export function changeRule(draft: Draft, rule: DraftRule, changed: DraftExtraRule): Draft {
  const extraRules = rule.extraRules.map((extra) => (extra.ruleId === changed.ruleId ? changed : extra));
  return withRule(draft, { ...rule, extraRules });
}

export function removeRule(draft: Draft, rule: DraftRule, ruleId: string): Draft {
  return withRule(draft, {
    ...rule,
    extraRules: rule.extraRules.filter((extra) => extra.ruleId !== ruleId),
  });
}

/** Moves a rule up (-1) or down (1) among the further ones. The same draft where it is at that end. */
export function moveRule(
  draft: Draft,
  rule: DraftRule,
  { ruleId, by }: { ruleId: string; by: -1 | 1 },
): Draft {
  const index = rule.extraRules.findIndex((extra) => extra.ruleId === ruleId);
  const moved = rule.extraRules[index];
  const to = index + by;
  if (!moved || to < 0 || to >= rule.extraRules.length) return draft;
  return withRule(draft, {
    ...rule,
    extraRules: rule.extraRules.toSpliced(index, 1).toSpliced(to, 0, moved),
  });
}

/**
 * Copies one further rule to every other selected warehouse, in place of the copy that it may have there from before.
 * `full` counts the warehouses that have five rules already.
 */
export function copyExtraRule(
  draft: Draft,
  from: DraftRule,
  copied: DraftExtraRule,
): { draft: Draft; copies: number; full: number } {
  let [copies, full] = [0, 0];
  const warehouses = draft.warehouses.map((rule) => {
    if (!rule.selected || rule.warehouseId === from.warehouseId) return rule;
    const isThere = rule.extraRules.some(({ ruleId }) => ruleId === copied.ruleId);
    if (!isThere && !canAddRule(rule)) {
      full += 1;
      return rule;
    }
    copies += 1;
    const extraRules = isThere
      ? rule.extraRules.map((extra) => (extra.ruleId === copied.ruleId ? copied : extra))
      : [...rule.extraRules, copied];
    return { ...rule, extraRules };
  });
  return { draft: { ...draft, warehouses }, copies, full };
}
