import { useState } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/switch.tsx";
import { withRule, type DraftEditing, type DraftRule } from "./draft.ts";
import { formatRule } from "./rule-sentence.ts";
import { WarehouseForm } from "./warehouse-form.tsx";

/** One warehouse: selected or not; a selected one has its rule as a sentence that expands into a form. */
export function WarehouseCard({
  rule,
  name,
  street,
  draft,
  onChange,
  issues,
  currency,
}: DraftEditing & { rule: DraftRule; name: string; street: string }) {
  const [isEditing, setEditing] = useState(false);
  const isInvalid = Object.keys(issues).some((place) => place.startsWith(`${rule.warehouseId}.`));
  const isOpen = (isEditing && rule.selected) || isInvalid;
  return (
    <article
      data-testid="warehouse-card"
      className={`px-4 py-2 sm:px-5 ${rule.selected ? "border-l-4 border-l-ink pl-3 sm:pl-4" : ""}`}
    >
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <h4 className="font-sans leading-tight font-semibold">{name}</h4>
          <p className="truncate text-sm text-soft">{street}</p>
        </div>
        <Switch
          label={m.warehouse_select({ name })}
          checked={rule.selected}
          onChange={(selected) => onChange(withRule(draft, { ...rule, selected }))}
        />
      </div>
      {isOpen && (
        <WarehouseForm
          {...{ rule, draft, onChange, issues, currency }}
          onDone={() => setEditing(false)}
          canClose={!isInvalid}
        />
      )}
      {!isOpen && rule.selected && (
        <div className="flex flex-wrap items-center justify-end gap-x-3">
          <p className="figures min-w-0 flex-[1_1_9rem] text-sm">{formatRule(rule, currency)}</p>
          <Button
            variant="quiet"
            className="-mr-3 shrink-0"
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
