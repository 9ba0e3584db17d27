import { Minus, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { m } from "../../messages/messages.js";

/** A number with buttons for less and more, large enough for a thumb. */
export function Stepper({
  label,
  value,
  formattedValue,
  onChange,
  step,
  min,
  max,
}: {
  label: string;
  value: number;
  /** The value as it is shown and announced. */
  formattedValue: string;
  onChange: (value: number) => void;
  step: number;
  min: number;
  max: number;
}) {
  const { less, more } = stepsFrom(value, { step, min, max });
  return (
    <fieldset aria-label={label} className="flex shrink-0 items-center">
      <StepButton label={m.stepper_less({ label })} isAtEnd={value <= min} onStep={() => onChange(less)}>
        <Minus aria-hidden className="size-4.5" />
      </StepButton>
      <output aria-live="polite" className="figures block min-w-20 px-1 text-center font-semibold">
        {formattedValue}
      </output>
      <StepButton label={m.stepper_more({ label })} isAtEnd={value >= max} onStep={() => onChange(more)}>
        <Plus aria-hidden className="size-4.5" />
      </StepButton>
    </fieldset>
  );
}

/** The steps below and above a value, within its bounds; from a value between two steps, the nearest ones. */
export function stepsFrom(
  value: number,
  { step, min, max }: { step: number; min: number; max: number },
): { less: number; more: number } {
  return {
    less: Math.max(min, (Math.ceil(value / step) - 1) * step),
    more: Math.min(max, (Math.floor(value / step) + 1) * step),
  };
}

/** Keeps the focus at the end too, where it does nothing. */
function StepButton({
  label,
  isAtEnd,
  onStep,
  children,
}: {
  label: string;
  isAtEnd: boolean;
  onStep: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={isAtEnd}
      onClick={() => isAtEnd || onStep()}
      className="grid size-11 place-items-center rounded-field border border-edge hover:bg-sunken aria-disabled:opacity-55"
    >
      {children}
    </button>
  );
}
