import { useId } from "react";
import { m } from "../../messages/messages.js";
import { useFieldControl } from "../../ui/form/contexts.ts";

const SCORES = Array.from({ length: 10 }, (_, index) => index + 1);

/** A score from one to ten. */
export function ScoreField({ titleId }: { titleId: string }) {
  const { value: score, onChange, error } = useFieldControl<number | null>();
  const id = useId();
  return (
    <fieldset
      aria-describedby={error ? `${id}-error` : undefined}
      role="radiogroup"
      aria-invalid={error !== undefined}
    >
      <legend id={titleId} className="font-display text-lg font-semibold">
        {m.feedback_title()}
      </legend>
      <div className="mt-3 grid grid-cols-5 gap-2 sm:grid-cols-10">
        {SCORES.map((value) => (
          <label
            key={value}
            className="figures grid h-11 place-items-center rounded-field border border-edge font-semibold hover:bg-sunken has-checked:border-ink has-checked:bg-ink has-checked:text-ground has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)"
          >
            <input
              type="radio"
              name={`${id}-score`}
              className="sr-only"
              checked={score === value}
              onChange={() => onChange(value)}
            />
            {value}
          </label>
        ))}
      </div>
      <div aria-hidden className="mt-1 flex justify-between text-sm text-soft">
        <span>{m.feedback_low()}</span>
        <span>{m.feedback_high()}</span>
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
