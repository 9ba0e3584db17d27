import { Field, INPUT_CLASS } from "./field.tsx";

/** A code of so many digits, as it comes by text; what is pasted may have gaps. */
export function CodeField({
  label,
  value,
  onChange,
  error,
  length = 6,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  length?: number;
}) {
  return (
    <Field label={label} error={error}>
      {(wiring) => (
        <input
          {...wiring}
          name="code"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          value={value}
          onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, "").slice(0, length))}
          className={`${INPUT_CLASS} h-14 text-center text-2xl font-semibold tracking-[0.4em]`}
        />
      )}
    </Field>
  );
}
