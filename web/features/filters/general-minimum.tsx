import { m } from "../../messages/messages.js";
import { NumberField } from "../../ui/number-field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { formatCurrencySymbol } from "../language/format.ts";
import type { DraftEditing } from "./draft.ts";
import { issueMessage } from "./issue-messages.ts";

/** The hourly minimum for every warehouse, if the driver wants one. */
export function GeneralMinimum({ draft, onChange, issues, currency }: DraftEditing) {
  const { general } = draft;
  return (
    <section className="card grid gap-3 p-5">
      <div className="flex items-center justify-between gap-4">
        <div>
          <h2 className="text-lg">{m.general_title()}</h2>
          <p className="mt-1 text-sm text-soft">{m.general_text()}</p>
        </div>
        <Switch
          label={m.general_enable()}
          checked={general.isOn}
          onChange={(isOn) => onChange({ ...draft, general: { ...general, isOn } })}
        />
      </div>
      {general.isOn && (
        <div className="max-w-60">
          <NumberField
            label={m.rule_min_hourly()}
            prefix={formatCurrencySymbol(currency)}
            scale={100}
            value={general.cents}
            onChange={(cents) => onChange({ ...draft, general: { ...general, cents } })}
            error={issueMessage(issues["general"], currency)}
          />
        </div>
      )}
    </section>
  );
}
