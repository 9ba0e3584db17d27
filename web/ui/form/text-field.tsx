import type { InputHTMLAttributes } from "react";
import { Field, INPUT_CLASS } from "../field.tsx";
import { useFieldControl } from "./contexts.ts";

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value" | "id"> & {
  label: string;
};

/** A line of text. */
export function TextField({ label, ...rest }: TextFieldProps) {
  const { value, onChange, error } = useFieldControl<string>();
  return (
    <Field label={label} error={error}>
      {(inputProps) => (
        <input
          {...inputProps}
          {...rest}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={INPUT_CLASS}
        />
      )}
    </Field>
  );
}
