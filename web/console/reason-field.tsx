import { Field, INPUT_CLASS } from "../ui/field.tsx";
import { m } from "./messages/messages.js";

/** Why an act is done, which the log keeps. */
export function ReasonField({
  value,
  isMissing,
  hint,
  onChange,
}: {
  value: string;
  isMissing: boolean;
  hint?: string;
  onChange: (reason: string) => void;
}) {
  return (
    <Field label={m.field_reason()} {...(hint && { hint })} error={isMissing ? m.issue_reason() : undefined}>
      {(props) => (
        <input
          {...props}
          maxLength={300}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={INPUT_CLASS}
        />
      )}
    </Field>
  );
}
