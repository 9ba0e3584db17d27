import { useState } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/switch.tsx";
import { withRule, type Draft, type DraftRule, type FilterIssues } from "./draft.ts";
import { formatRule } from "./rule-sentence.ts";
import { WarehouseForm } from "./warehouse-form.tsx";

/** One warehouse: selected or not, and its rule as a sentence that expands into a form. */
export function WarehouseCard({
  rule,
  name,
  street,
  draft,
  onChange,
  issues,
  currency,
}: {
  rule: DraftRule;
  name: string;
  street: string;
  draft: Draft;
  onChange: (next: Draft) => void;
  issues: FilterIssues;
  currency: string;
}) {
  const [isEditing, setEditing] = useState(false);
  const isInvalid = Object.keys(issues).some((place) => place.startsWith(`${rule.warehouseId}.`));
  const isOpen = isEditing || isInvalid;
  return (
    <article
      data-testid="warehouse-card"
      className={`card p-4 sm:px-5 ${rule.selected ? "border-l-4 border-l-ink" : ""}`}
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h4 className="font-display text-lg leading-tight font-semibold">{name}</h4>
          <p className="text-sm text-soft">{street}</p>
        </div>
        <Switch
          label={m.warehouse_select({ name })}
          checked={rule.selected}
          onChange={(selected) => onChange(withRule(draft, { ...rule, selected }))}
        />
      </div>
      {isOpen ? (
        <WarehouseForm
          {...{ rule, draft, onChange, issues, currency }}
          onDone={() => setEditing(false)}
          canClose={!isInvalid}
        />
      ) : (
        <div className="mt-1 flex flex-wrap items-end justify-end gap-x-3">
          <p className={`figures flex-1 basis-48 ${rule.selected ? "" : "text-soft"}`}>
            {formatRule(rule, currency)}
          </p>
          <Button
            variant="quiet"
            className="-my-1 -mr-3 shrink-0"
            aria-label={m.warehouse_edit({ name })}
            onClick={() => setEditing(true)}
          >
            {m.warehouse_edit_short()}
          </Button>
        </div>
      )}
    </article>
  );
}
