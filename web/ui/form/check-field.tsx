import { useId } from "react";
import { useFieldControl } from "./contexts.ts";

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
