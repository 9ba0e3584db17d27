import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { m } from "../../messages/messages.js";
import { Field, INPUT_CLASS } from "../inputs/field.tsx";
import { useFieldControl } from "./contexts.ts";

/** A password, hidden until asked for. */
export function PasswordField({
  label,
  name,
  autoComplete,
  describedBy,
}: {
  label: string;
  name: string;
  autoComplete: "current-password" | "new-password";
  /** The id of an element elsewhere that describes it too, such as its rules. */
  describedBy?: string;
}) {
  const { value, onChange, error } = useFieldControl<string>();
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field label={label} error={error}>
      {(inputProps) => (
        <span className="relative block">
          <input
            {...inputProps}
            aria-describedby={
              [inputProps["aria-describedby"], describedBy].filter(Boolean).join(" ") || undefined
            }
            name={name}
            required
            type={isShown ? "text" : "password"}
            autoComplete={autoComplete}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={`${INPUT_CLASS} pr-12`}
          />
          <button
            type="button"
            aria-pressed={isShown}
            aria-label={m.password_show()}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-field text-soft hover:text-ink"
          >
            <Icon aria-hidden className="size-5" />
          </button>
        </span>
      )}
    </Field>
  );
}
