import { useEffect, useRef, type InputHTMLAttributes } from "react";
import { Field, INPUT_CLASS } from "../field.tsx";
import { useFieldControl } from "./contexts.ts";

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value" | "id"> & {
  label: string;
  /** Has the focus from the start: the first field of a screen that is only a form. */
  isFirst?: boolean;
};

/** A line of text. */
export function TextField({ label, isFirst = false, ...rest }: TextFieldProps) {
  const { value, onChange, error } = useFieldControl<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) input.current?.focus({ preventScroll: true });
  }, [isFirst]);
  return (
    <Field label={label} error={error}>
      {(inputProps) => (
        <input
          {...inputProps}
          {...rest}
          ref={input}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={INPUT_CLASS}
        />
      )}
    </Field>
  );
}
