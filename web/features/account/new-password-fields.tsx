import { Check, Circle } from "lucide-react";
import { useId } from "react";
import { m } from "../../messages/messages.js";
import { PasswordField } from "../../ui/password-field.tsx";
import { PASSWORD_RULES, type PasswordRule } from "./password-rules.ts";

const RULE_LABELS = {
  length: m.password_rule_length,
  uppercase: m.password_rule_uppercase,
  lowercase: m.password_rule_lowercase,
  number: m.password_rule_number,
  special: m.password_rule_special,
} satisfies Record<PasswordRule, () => string>;

const RULE_ORDER = ["length", "uppercase", "lowercase", "number", "special"] satisfies PasswordRule[];

/** What is typed into both fields; a form that has them keeps it under these names. */
export type NewPasswordValues = { password: string; repeated: string };

/** A new password, its rules as they are kept while it is typed, and the same once more. */
export function NewPasswordFields({
  label,
  values,
  onChange,
  fieldErrors,
}: {
  label: string;
  values: NewPasswordValues;
  onChange: (change: Partial<NewPasswordValues>) => void;
  fieldErrors: ReadonlyMap<string, string>;
}) {
  const rulesId = useId();
  return (
    <>
      <div className="grid gap-2">
        <PasswordField
          label={label}
          name="new-password"
          autoComplete="new-password"
          value={values.password}
          onChange={(password) => onChange({ password })}
          error={fieldErrors.get("password")}
          describedBy={rulesId}
        />
        <ul id={rulesId} aria-label={m.password_rules()} className="grid gap-0.5 text-sm sm:grid-cols-2">
          {RULE_ORDER.map((rule) => (
            <Rule key={rule} text={RULE_LABELS[rule]()} isMet={PASSWORD_RULES[rule](values.password)} />
          ))}
        </ul>
      </div>
      <PasswordField
        label={m.account_password_repeat()}
        name="repeat-password"
        autoComplete="new-password"
        value={values.repeated}
        onChange={(repeated) => onChange({ repeated })}
        error={fieldErrors.get("repeated")}
      />
    </>
  );
}

function Rule({ text, isMet }: { text: string; isMet: boolean }) {
  const Icon = isMet ? Check : Circle;
  return (
    <li className={`flex items-center gap-2 ${isMet ? "text-good" : "text-soft"}`}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span>
        <span className="sr-only">{isMet ? m.password_rule_kept() : m.password_rule_open()} </span>
        {text}
      </span>
    </li>
  );
}
