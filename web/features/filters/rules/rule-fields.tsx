import { type ReactNode, useId } from "react";
import { DURATION_MINUTES, durationsToMinutes } from "../../../../db/shapes/work/durations.ts";
import {
  FIGURE_UNITS,
  FILTER_FIELDS,
  type FigureField,
  type RuleField,
  type SwitchField,
} from "../../../../db/shapes/work/filters.ts";
import { RULE_ACTIONS, type RuleAction } from "../../../../db/shapes/work/rule-action.ts";
import { m } from "../../../messages/messages.js";
import { NumberField } from "../../../ui/inputs/number-field.tsx";
import { Switch } from "../../../ui/inputs/switch.tsx";
import { formatCurrencySymbol, formatHours, formatCount } from "../../language/format.ts";
import { formatTypedFigure } from "../../language/typed-figure.ts";
import { isFigureField, withDuration, type RuleValues } from "../draft.ts";

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
> = { durations: LengthsInput, action: ActionInput, askSeconds: AskSecondsInput };

type RuleInputProps = {
  rule: RuleValues;
  onChange: (changed: Partial<RuleValues>) => void;
  error: string | undefined;
};

const isSwitchField = (field: string): field is SwitchField => field in SWITCHES;
const isOtherField = (field: string): field is keyof typeof OTHERS => field in OTHERS;

/** A rule's requirements, field by field: of a warehouse's first rule and of each further one. */
export function RuleFields({
  rule,
  onChange,
  issueFor,
  currency,
}: Omit<RuleInputProps, "error"> & {
  issueFor: (field: RuleField) => string | undefined;
  currency: string;
}) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        {FILTER_FIELDS.filter(isFigureField).map((field) => (
          <NumberField
            key={field}
            format={formatTypedFigure}
            label={FIGURES[field].label()}
            hint={FIGURES[field].hint?.()}
            {...(FIGURE_UNITS[field] === "cents" && { prefix: formatCurrencySymbol(currency), scale: 100 })}
            value={rule[field]}
            disabled={field === "minPriceCents" && rule.onlyHourly && !issueFor(field)}
            onChange={(figure) => onChange({ [field]: figure })}
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
            onChange={(isOn) => onChange({ [field]: isOn })}
          />
        </div>
      ))}
      {FILTER_FIELDS.filter(isOtherField).map((field) => {
        const Input = OTHERS[field];
        return <Input key={field} rule={rule} onChange={onChange} error={issueFor(field)} />;
      })}
    </>
  );
}

/** The ten lengths, each of which is wanted or not. */
function LengthsInput({ rule, onChange, error }: RuleInputProps) {
  const selectedMinutes = durationsToMinutes(rule.durations);
  const note = useId();
  return (
    <fieldset aria-describedby={error ? note : undefined}>
      <legend className="text-sm font-semibold">{m.rule_durations()}</legend>
      <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(max(44px,2.75rem,16%),1fr))] gap-2 sm:grid-cols-10">
        {DURATION_MINUTES.map((minutes) => (
          <label
            key={minutes}
            className="figures relative grid h-11 place-items-center rounded-field border border-edge font-semibold has-checked:border-ink has-checked:bg-ink has-checked:text-ground has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)"
          >
            <input
              type="checkbox"
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
              checked={selectedMinutes.includes(minutes)}
              onChange={(event) =>
                onChange({ durations: withDuration(rule, minutes, event.target.checked).durations })
              }
            />
            {formatHours(minutes)}
          </label>
        ))}
      </div>
      {error && (
        <p id={note} className="mt-1 text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}

const ACTIONS = {
  take: { label: m.rule_action_take, hint: m.rule_action_take_hint },
  ask: { label: m.rule_action_ask, hint: m.rule_action_ask_hint },
  tell: { label: m.rule_action_tell, hint: m.rule_action_tell_hint },
} satisfies Record<RuleAction, { label: () => string; hint: () => string }>;

/** How long a driver can let a question wait, in seconds. */
const ASK_CHOICES = [15, 30, 45, 60, 90, 120] as const;

const CHOICE =
  "figures relative grid min-h-11 place-items-center rounded-field border border-edge px-2 text-center font-semibold has-checked:border-ink has-checked:bg-ink has-checked:text-ground has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)";
const CHOICE_INPUT = "absolute inset-0 cursor-pointer appearance-none outline-none";

type ActionInputProps = { rule: RuleValues; onChange: (changed: Partial<RuleValues>) => void };

/** The action on offers that fit a rule: take them, ask the driver, or only tell of them. */
function ActionInput({ rule, onChange }: ActionInputProps) {
  const name = useId();
  return (
    <fieldset>
      <legend className="text-sm font-semibold">{m.rule_action()}</legend>
      <div className="mt-2 flex flex-wrap gap-2">
        {RULE_ACTIONS.map((action) => (
          <label key={action} className={`min-w-fit flex-[1_1_28%] ${CHOICE}`}>
            <input
              type="radio"
              name={name}
              className={CHOICE_INPUT}
              checked={rule.action === action}
              onChange={() => onChange({ action })}
            />
            {ACTIONS[action].label()}
          </label>
        ))}
      </div>
      <p className="mt-1 text-sm text-soft">{ACTIONS[rule.action].hint()}</p>
    </fieldset>
  );
}

/** How long a question waits; of no use to a rule that asks nothing. */
function AskSecondsInput({ rule, onChange }: ActionInputProps) {
  const name = useId();
  if (rule.action !== "ask") return null;
  const isOwn = !ASK_CHOICES.some((seconds) => seconds === rule.askSeconds);
  const choices = isOwn
    ? [...ASK_CHOICES, rule.askSeconds].toSorted((one, other) => one - other)
    : ASK_CHOICES;
  return (
    <fieldset>
      <legend className="text-sm font-semibold">{m.rule_ask_seconds()}</legend>
      <div className="mt-2 grid grid-cols-3 gap-2 sm:grid-cols-6">
        {choices.map((seconds) => (
          <label key={seconds} className={CHOICE}>
            <input
              type="radio"
              name={name}
              className={CHOICE_INPUT}
              checked={rule.askSeconds === seconds}
              onChange={() => onChange({ askSeconds: seconds })}
            />
            {m.unit_seconds({ seconds: formatCount(seconds) })}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
