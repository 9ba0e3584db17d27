import { toast } from "../../ui/toast.ts";
import { DURATION_MINUTES, durationsToMinutes } from "../../../db/shapes/work/durations.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { formatCurrencySymbol, formatHours } from "../language/format.ts";
import { copyRule, withDuration, withRule, type DraftEditing, type DraftRule } from "./draft.ts";
import { issueMessage } from "./issue-messages.ts";

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
  const edit = (part: Partial<DraftRule>) => onChange(withRule(draft, { ...rule, ...part }));
  const selectedMinutes = durationsToMinutes(rule.durations);
  const issueFor = (field: string) => issueMessage(issues[`${rule.warehouseId}.${field}`], currency);
  const copyToAll = () => {
    onChange(copyRule(draft, rule));
    toast(m.warehouse_copied());
  };
  return (
    <div className="mt-3 grid gap-5 border-t border-line pt-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <NumberField
          label={m.rule_min_price()}
          prefix={formatCurrencySymbol(currency)}
          scale={100}
          value={rule.minPriceCents}
          disabled={rule.onlyHourly && !issueFor("minPriceCents")}
          onChange={(minPriceCents) => edit({ minPriceCents })}
          error={issueFor("minPriceCents")}
        />
        <NumberField
          label={m.rule_min_hourly()}
          prefix={formatCurrencySymbol(currency)}
          scale={100}
          value={rule.minHourlyCents}
          onChange={(minHourlyCents) => edit({ minHourlyCents })}
          error={issueFor("minHourlyCents")}
        />
        <NumberField
          label={m.rule_buffer()}
          hint={m.rule_buffer_hint()}
          value={rule.bufferMinutes}
          onChange={(bufferMinutes) => edit({ bufferMinutes })}
          error={issueFor("bufferMinutes")}
        />
      </div>
      <div className="flex items-center justify-between gap-4">
        <p>
          <span className="block font-semibold">{m.rule_only_hourly()}</span>
          <span className="block text-sm text-soft">{m.rule_only_hourly_hint()}</span>
        </p>
        <Switch
          label={m.rule_only_hourly()}
          checked={rule.onlyHourly}
          onChange={(onlyHourly) => edit({ onlyHourly })}
        />
      </div>
      <fieldset>
        <legend className="text-sm font-semibold">{m.rule_durations()}</legend>
        <div className="mt-2 grid grid-cols-5 gap-2 sm:grid-cols-10">
          {DURATION_MINUTES.map((minutes) => (
            <label
              key={minutes}
              className="figures relative grid h-11 place-items-center rounded-field border border-edge font-semibold has-checked:border-ink has-checked:bg-ink has-checked:text-ground has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)"
            >
              <input
                type="checkbox"
                className="absolute inset-0 cursor-pointer appearance-none outline-none"
                checked={selectedMinutes.includes(minutes)}
                onChange={(event) => edit(withDuration(rule, minutes, event.target.checked))}
              />
              {formatHours(minutes)}
            </label>
          ))}
        </div>
        {issueFor("durations") && (
          <p className="mt-1 text-sm font-semibold text-bad">{issueFor("durations")}</p>
        )}
      </fieldset>
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
