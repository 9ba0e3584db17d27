import { useId } from "react";
import { RULE_ACTIONS, type RuleAction } from "../../../../db/shapes/work/rule-action.ts";
import { m } from "../../../messages/messages.js";
import { formatCount } from "../../language/format.ts";
import type { RuleValues } from "../draft.ts";

type ActionInputProps = { rule: RuleValues; onChange: (changed: Partial<RuleValues>) => void };

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

/** The action on offers that fit a rule: take them, ask the driver, or only tell of them. */
export function ActionInput({ rule, onChange }: ActionInputProps) {
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
export function AskSecondsInput({ rule, onChange }: ActionInputProps) {
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
