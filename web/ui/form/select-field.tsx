import { Field, INPUT_CLASS } from "../field.tsx";
import { useFieldControl } from "./contexts.ts";

/** One of a list, by the device's own picker. */
export function SelectField({
  label,
  name,
  hint,
  options,
}: {
  label: string;
  name: string;
  hint?: string;
  options: readonly { value: string; label: string }[];
}) {
  const { value, onChange, error } = useFieldControl<string>();
  return (
    <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
      {(inputProps) => (
        <select
          {...inputProps}
          name={name}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={INPUT_CLASS}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
