import type { ReactNode } from "react";
import { toast } from "../../ui/toast.ts";
import { DURATION_MINUTES, durationsToMinutes } from "../../../db/shapes/work/durations.ts";
import {
  FIGURE_UNITS,
  FILTER_FIELDS,
  type FigureField,
  type RuleField,
  type SwitchField,
} from "../../../db/shapes/work/filters.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { formatCurrencySymbol, formatHours } from "../language/format.ts";
import {
  copyRule,
  isFigureField,
  withDuration,
  withRule,
  type DraftEditing,
  type DraftRule,
} from "./draft.ts";
import { issueMessage } from "./issue-messages.ts";

/** The labels of a rule's numbers and switches. */
const FIGURES: Readonly<Record<FigureField, { label: () => string; hint?: () => string }>> = {
  minPriceCents: { label: m.rule_min_price },
  minHourlyCents: { label: m.rule_min_hourly },
  bufferMinutes: { label: m.rule_buffer, hint: m.rule_buffer_hint },
};
const SWITCHES: Readonly<Record<SwitchField, { label: () => string; hint: () => string }>> = {
  onlyHourly: { label: m.rule_only_hourly, hint: m.rule_only_hourly_hint },
};
/** The remaining ones. */
const OTHERS: Readonly<
  Record<Exclude<RuleField, FigureField | SwitchField>, (props: RuleInputProps) => ReactNode>
> = { durations: LengthsInput };

type RuleInputProps = { rule: DraftRule; onChange: (rule: DraftRule) => void; error: string | undefined };

const isSwitchField = (field: string): field is SwitchField => field in SWITCHES;
const isOtherField = (field: string): field is keyof typeof OTHERS => field in OTHERS;

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
      <div className="grid gap-4 sm:grid-cols-3">
        {FILTER_FIELDS.filter(isFigureField).map((field) => (
          <NumberField
            key={field}
            label={FIGURES[field].label()}
            hint={FIGURES[field].hint?.()}
            {...(FIGURE_UNITS[field] === "cents" && { prefix: formatCurrencySymbol(currency), scale: 100 })}
            value={rule[field]}
            disabled={field === "minPriceCents" && rule.onlyHourly && !issueFor(field)}
            onChange={(figure) => edit({ ...rule, [field]: figure })}
            error={issueFor(field)}
          />
        ))}
      </div>
      {FILTER_FIELDS.filter(isSwitchField).map((field) => (
        <div key={field} className="flex items-center justify-between gap-4">
          <p>
            <span className="block font-semibold">{SWITCHES[field].label()}</span>
            <span className="block text-sm text-soft">{SWITCHES[field].hint()}</span>
          </p>
          <Switch
            label={SWITCHES[field].label()}
            checked={rule[field]}
            onChange={(isOn) => edit({ ...rule, [field]: isOn })}
          />
        </div>
      ))}
      {FILTER_FIELDS.filter(isOtherField).map((field) => {
        const Input = OTHERS[field];
        return <Input key={field} rule={rule} onChange={edit} error={issueFor(field)} />;
      })}
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

/** The ten lengths, each of which is wanted or not. */
function LengthsInput({ rule, onChange, error }: RuleInputProps) {
  const selectedMinutes = durationsToMinutes(rule.durations);
  return (
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
              onChange={(event) => onChange(withDuration(rule, minutes, event.target.checked))}
            />
            {formatHours(minutes)}
          </label>
        ))}
      </div>
      {error && <p className="mt-1 text-sm font-semibold text-bad">{error}</p>}
    </fieldset>
  );
}
