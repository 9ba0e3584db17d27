import { useEffect, useRef, useState, type Ref } from "react";
import type { RuleField } from "../../../db/shapes/work/filters.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/inputs/switch.tsx";
import { toast } from "../../ui/toast.ts";
import { StartingMinimum } from "../hours/starting-minimum.tsx";
import { withRule, withSelected, type DraftRule, copyRule } from "./draft.ts";
import type { DraftEditing } from "./draft-issues.ts";
import { issueMessage } from "./issue-messages.ts";
import { formatExtraRule, formatFirstRule } from "./part-labels.ts";
import { ExtraRules } from "./rules/extra-rules-list.tsx";
import { RuleFields } from "./rules/rule-fields.tsx";
import { ruleName } from "./rules/rule-labels.ts";
import { formatCount } from "../language/format.ts";
import type { ArrangedWarehouse } from "./arrange-warehouses.ts";

/** One warehouse: selected or not; a selected one has its rule as a sentence that expands into a form. */
function WarehouseCard({
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
  // Its form stays open while a mistake is mended, letter by letter.
  if (isInvalid && !isEditing) setEditing(true);
  const isOpen = (isEditing && rule.selected) || isInvalid;
  const opener = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFieldSetElement>(null);
  // The pressed button is gone with what it stood in, and the focus would be, too.
  const isTurned = useRef(false);
  useEffect(() => {
    if (isTurned.current) (form.current ?? opener.current)?.focus({ preventScroll: form.current !== null });
    isTurned.current = false;
  });
  const turn = (toEditing: boolean) => {
    isTurned.current = true;
    setEditing(toEditing);
  };
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
          {...{ name, rule, draft, onChange, issues, currency }}
          ref={form}
          onDone={() => turn(false)}
          canClose={!isInvalid}
        />
      )}
      {!isOpen && rule.selected && (
        <div className="flex flex-wrap items-center justify-end gap-x-3">
          <div className="figures grid min-w-0 flex-[1_1_9rem] gap-1 text-sm">
            <p>{formatFirstRule(rule, currency)}</p>
            {rule.extraRules.map((extra, index) => (
              <p key={extra.ruleId}>
                <span className="font-semibold">{ruleName(extra, index)}:</span>{" "}
                {formatExtraRule(extra, currency)}
              </p>
            ))}
          </div>
          <Button
            ref={opener}
            variant="quiet"
            className="-mr-3 shrink-0"
            aria-label={m.warehouse_edit({ name })}
            onClick={() => turn(true)}
          >
            {m.warehouse_edit_short()}
          </Button>
        </div>
      )}
    </article>
  );
}

/**
 * The warehouses of one region under one heading, with a button that selects them all: not during a search, which shows
 * only some of them.
 */
export function WarehouseGroup({
  name,
  group: { warehouses, found },
  isSearched,
  draft,
  onChange,
  issues,
  currency,
}: DraftEditing & {
  name: string;
  group: { warehouses: readonly ArrangedWarehouse[]; found: readonly ArrangedWarehouse[] };
  isSearched: boolean;
}) {
  const selected = warehouses.filter(({ rule }) => rule.selected).length;
  const isWhole = selected === warehouses.length;
  const ids = warehouses.map(({ rule }) => rule.warehouseId);
  return (
    <section aria-label={name} className="card overflow-hidden">
      <div className="flex min-h-13 items-center justify-between gap-3 border-b border-line bg-sunken py-1 pr-2 pl-4 sm:pl-5">
        <h3 className="font-sans text-base font-semibold">
          {name}{" "}
          <span className="figures text-sm font-normal text-soft">
            {m.warehouses_group_count({
              count: formatCount(selected),
              total: formatCount(warehouses.length),
            })}
          </span>
        </h3>
        {!isSearched && (
          <button
            type="button"
            aria-pressed={isWhole}
            aria-label={m.warehouses_all_of({ name })}
            onClick={() => onChange(withSelected(draft, ids, !isWhole))}
            className="min-h-11 min-w-14 shrink-0 rounded-field border border-edge bg-raised px-3 text-sm font-semibold aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-ground"
          >
            {m.warehouses_all()}
          </button>
        )}
      </div>
      <ul className="divide-y divide-line">
        {found.map(({ rule, name: warehouse, street }) => (
          <li key={rule.warehouseId} className="[contain-intrinsic-size:auto_7rem] [content-visibility:auto]">
            <WarehouseCard {...{ rule, street, draft, onChange, issues, currency }} name={warehouse} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The filters of one warehouse, field by field. Each change goes to the draft at once. */
function WarehouseForm({
  ref,
  name,
  rule,
  draft,
  onChange,
  issues,
  currency,
  onDone,
  canClose,
}: DraftEditing & {
  ref: Ref<HTMLFieldSetElement>;
  name: string;
  rule: DraftRule;
  onDone: () => void;
  canClose: boolean;
}) {
  const edit = (next: DraftRule) => onChange(withRule(draft, next));
  const issueFor = (field: RuleField) => issueMessage(issues[`${rule.warehouseId}.${field}`], currency);
  const hasOthers = draft.warehouses.some(
    ({ selected, warehouseId }) => selected && warehouseId !== rule.warehouseId,
  );
  const copyToAll = () => {
    onChange(copyRule(draft, rule));
    toast(m.warehouse_copied());
  };
  return (
    <fieldset
      ref={ref}
      tabIndex={-1}
      aria-label={m.warehouse_edit({ name })}
      className="mt-3 grid min-w-0 gap-5 border-t border-line pt-4"
    >
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
        {hasOthers && (
          <Button variant="quiet" onClick={copyToAll}>
            {m.warehouse_copy_all()}
          </Button>
        )}
        <Button onClick={onDone} disabled={!canClose}>
          {m.warehouse_done()}
        </Button>
      </div>
    </fieldset>
  );
}
