import { useEffect, useRef, type InputHTMLAttributes } from "react";
import { useIsHydrated } from "../../early/use-is-hydrated.ts";
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
  const wasPainted = useRef(!useIsHydrated());
  useEffect(() => {
    if (!isFirst) return;
    // A page is put into the document right after its first commit, and outside of it nothing takes the focus.
    queueMicrotask(() => {
      // Unless whoever was faster than the page's code has gone elsewhere, or is typing.
      const isElsewhere = wasPainted.current
        ? document.activeElement !== document.body
        : document.activeElement?.matches("input");
      if (!isElsewhere) input.current?.focus({ preventScroll: true });
    });
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
