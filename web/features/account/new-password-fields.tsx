import { Check, Circle } from "lucide-react";
import { useId } from "react";
import { m } from "../../messages/messages.js";
import { withFieldGroup } from "../../ui/form/app-form.tsx";
import {
  validateNewPassword,
  validateRepeatedPassword,
  PASSWORD_RULES,
  type PasswordRule,
} from "./field-validation.ts";

const RULE_LABELS = {
  length: m.password_rule_length,
  uppercase: m.password_rule_uppercase,
  lowercase: m.password_rule_lowercase,
  number: m.password_rule_number,
  special: m.password_rule_special,
} satisfies Record<PasswordRule, () => string>;

const RULE_ORDER = ["length", "uppercase", "lowercase", "number", "special"] satisfies PasswordRule[];

/** A new password, the rules that it meets as it is typed, and the same once more. */
export const NewPasswordFields = withFieldGroup({
  defaultValues: { password: "", repeated: "" },
  props: { label: "" },
  render: function NewPasswordFields({ group, label }) {
    const rulesId = useId();
    // That the two differ is mended in either of them.
    const forgetDifference = () =>
      group.setFieldMeta("repeated", (meta) => ({
        ...meta,
        errorMap: { ...meta.errorMap, onDynamic: undefined },
      }));
    return (
      <>
        <div className="grid gap-2">
          <group.AppField
            name="password"
            validators={{ onDynamic: ({ value }) => validateNewPassword(value) }}
            listeners={{ onChange: forgetDifference }}
          >
            {(field) => (
              <>
                <field.PasswordField
                  label={label}
                  name="new-password"
                  autoComplete="new-password"
                  describedBy={rulesId}
                />
                <ul
                  id={rulesId}
                  aria-label={m.password_rules()}
                  className="grid gap-0.5 text-sm sm:grid-cols-2"
                >
                  {RULE_ORDER.map((rule) => (
                    <Rule
                      key={rule}
                      text={RULE_LABELS[rule]()}
                      isMet={PASSWORD_RULES[rule](field.state.value)}
                    />
                  ))}
                </ul>
              </>
            )}
          </group.AppField>
        </div>
        <group.AppField
          name="repeated"
          validators={{
            onDynamic: ({ value }) => validateRepeatedPassword(value, group.state.values.password),
          }}
        >
          {(field) => (
            <field.PasswordField
              label={m.account_password_repeat()}
              name="repeat-password"
              autoComplete="new-password"
            />
          )}
        </group.AppField>
      </>
    );
  },
});

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
