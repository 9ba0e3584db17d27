import { useEffect, useRef, type InputHTMLAttributes } from "react";
import { Field, INPUT_CLASS } from "../field.tsx";
import { useFieldControl } from "./contexts.ts";

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value" | "id"> & {
  label: string;
  hint?: string | undefined;
  /** Has the focus from the start: the first field of a screen that is only a form. */
  isFirst?: boolean;
};

/** A line of text. */
export function TextField({ label, hint, isFirst = false, ...rest }: TextFieldProps) {
  const { value, onChange, error } = useFieldControl<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Unless something was typed into before the page came to life.
    if (isFirst && !document.activeElement?.matches("input")) input.current?.focus({ preventScroll: true });
  }, [isFirst]);
  return (
    <Field label={label} error={error} {...(hint && { hint })}>
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
