import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { m } from "../messages/messages.js";
import { Field, INPUT_CLASS } from "./field.tsx";

/** A password, hidden until asked for. */
export function PasswordField({
  label,
  name,
  value,
  onChange,
  error,
  autoComplete,
  describedBy,
}: {
  label: string;
  name: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  autoComplete: "current-password" | "new-password";
  /** What stands elsewhere and belongs to it, such as its rules. */
  describedBy?: string;
}) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field label={label} error={error}>
      {(wiring) => (
        <span className="relative block">
          <input
            {...wiring}
            aria-describedby={
              [wiring["aria-describedby"], describedBy].filter(Boolean).join(" ") || undefined
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
