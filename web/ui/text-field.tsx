import type { InputHTMLAttributes } from "react";
import { Field, INPUT_CLASS } from "./field.tsx";

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value" | "id"> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
};

/** A line of text. */
export function TextField({ label, value, onChange, error, ...rest }: TextFieldProps) {
  return (
    <Field label={label} error={error}>
      {(wiring) => (
        <input
          {...wiring}
          {...rest}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={INPUT_CLASS}
        />
      )}
    </Field>
  );
}
