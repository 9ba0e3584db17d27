import { useId, type ReactNode } from "react";

type InputProps = { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean };

/** The classes of every text input. */
export const INPUT_CLASS =
  "h-11 w-full rounded-field border border-edge bg-raised px-3 text-base text-ink figures aria-invalid:border-2 aria-invalid:border-bad disabled:opacity-55";

/** A label, its control, and beneath it the error or else the hint. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: string;
  error?: string | undefined;
  children: (inputProps: InputProps) => ReactNode;
}) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {children({ id, "aria-describedby": note ? noteId : undefined, "aria-invalid": error !== undefined })}
      {note && (
        <p id={noteId} className={`text-sm ${error ? "font-semibold text-bad" : "text-soft"}`}>
          {note}
        </p>
      )}
    </div>
  );
}
