import { toast } from "../../ui/toast.ts";
import type { RuleField } from "../../../db/shapes/work/filters.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { StartingMinimum } from "../hours/starting-minimum.tsx";
import { copyRule, withRule, type DraftRule } from "./draft.ts";
import type { DraftEditing } from "./draft-issues.ts";
import { issueMessage } from "./issue-messages.ts";
import { ExtraRules } from "./rules/extra-rules-list.tsx";
import { RuleFields } from "./rules/rule-fields.tsx";

/** The filters of one warehouse, field by field. Each change goes to the draft at once. */
export function WarehouseForm({
  rule,
  draft,
  onChange,
  issues,
  currency,
  onDone,
  canClose,
}: DraftEditing & { rule: DraftRule; onDone: () => void; canClose: boolean }) {
  const edit = (next: DraftRule) => onChange(withRule(draft, next));
  const issueFor = (field: RuleField) => issueMessage(issues[`${rule.warehouseId}.${field}`], currency);
  const copyToAll = () => {
    onChange(copyRule(draft, rule));
    toast(m.warehouse_copied());
  };
  return (
    <div className="mt-3 grid gap-5 border-t border-line pt-4">
      <StartingMinimum
        warehouseId={rule.warehouseId}
        minHourlyCents={rule.minHourlyCents}
        currency={currency}
        onChoose={(minHourlyCents) => edit({ ...rule, minHourlyCents })}
      />
      <RuleFields
        rule={rule}
        onChange={(changed) => edit({ ...rule, ...changed })}
        issueFor={issueFor}
        currency={currency}
      />
      <ExtraRules {...{ rule, draft, onChange, issues, currency }} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={copyToAll}>
          {m.warehouse_copy_all()}
        </Button>
        <Button onClick={onDone} disabled={!canClose}>
          {m.warehouse_done()}
        </Button>
      </div>
    </div>
  );
}
