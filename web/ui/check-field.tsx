import { useId } from "react";

/** Something to agree to. */
export function CheckField({
  label,
  name,
  checked,
  onChange,
  error,
}: {
  label: string;
  name: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  error: string | undefined;
}) {
  const noteId = useId();
  return (
    <div className="grid gap-1">
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          name={name}
          required
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          aria-invalid={error !== undefined}
          aria-describedby={error ? noteId : undefined}
          className="size-5.5 shrink-0 accent-(--ink)"
        />
        <span>{label}</span>
      </label>
      {error && (
        <p id={noteId} className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
