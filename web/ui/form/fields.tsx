import { useEffect, useRef, type InputHTMLAttributes, useId } from "react";
import { useIsHydrated } from "../../early/use-is-hydrated.ts";
import { Field, INPUT_CLASS } from "../inputs/field.tsx";
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

/** Something to agree to; or not, where it `isOptional`. */
export function CheckField({
  label,
  name,
  isOptional = false,
}: {
  label: string;
  name: string;
  isOptional?: boolean;
}) {
  const { value: checked, onChange, error } = useFieldControl<boolean>();
  const errorId = useId();
  return (
    <div className="grid gap-1">
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          name={name}
          required={!isOptional}
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          aria-invalid={error !== undefined}
          aria-describedby={error ? errorId : undefined}
          className="size-5.5 shrink-0 accent-(--ink)"
        />
        <span>{label}</span>
      </label>
      {error && (
        <p id={errorId} className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
