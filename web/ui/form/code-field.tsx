import { Field, INPUT_CLASS } from "../field.tsx";
import { useFieldControl } from "./contexts.ts";

/** A code of digits, as it comes by text; what is pasted may have gaps. */
export function CodeField({ label, maxLength = 10 }: { label: string; maxLength?: number }) {
  const { value, onChange, error } = useFieldControl<string>();
  return (
    <Field label={label} error={error}>
      {(inputProps) => (
        <input
          {...inputProps}
          name="code"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          value={value}
          onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, "").slice(0, maxLength))}
          className={`${INPUT_CLASS} h-14 text-center text-2xl font-semibold ${value.length > 8 ? "tracking-[0.2em]" : "tracking-[0.4em]"}`}
        />
      )}
    </Field>
  );
}
