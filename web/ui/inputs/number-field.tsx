import { useState } from "react";
import { Field, INPUT_CLASS } from "./field.tsx";

/**
 * A number that is typed. Text that can't be parsed is `null` to the outside and stays as typed inside, so
 * that nothing is corrected under the driver's fingers.
 */
export function NumberField({
  label,
  value,
  onChange,
  format,
  prefix,
  scale = 1,
  hint,
  error,
  disabled = false,
}: {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
  /** How the page's language writes a displayed figure. */
  format: (figure: number) => string;
  prefix?: string;
  /** How many units of `value` are one displayed unit: 100 for cents. */
  scale?: number;
  hint?: string;
  error?: string | undefined;
  disabled?: boolean;
}) {
  const [inputText, setInputText] = useState(() => toText(value, { scale, format }));
  const [lastValue, setLastValue] = useState(value);
  if (value !== lastValue) {
    setLastValue(value);
    if (parseNumber(inputText, scale) !== value) setInputText(toText(value, { scale, format }));
  }
  const onInput = (text: string) => {
    setInputText(text);
    const parsed = parseNumber(text, scale);
    setLastValue(parsed);
    onChange(parsed);
  };
  return (
    <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
      {(wiring) => (
        <span className="relative block">
          {prefix && (
            <span
              aria-hidden
              className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-soft"
            >
              {prefix}
            </span>
          )}
          <input
            {...wiring}
            inputMode={scale === 1 ? "numeric" : "decimal"}
            autoComplete="off"
            disabled={disabled}
            value={inputText}
            onChange={(event) => onInput(event.target.value)}
            className={INPUT_CLASS}
            style={prefix ? { paddingInlineStart: `${prefix.length * 0.62 + 1.1}rem` } : undefined}
          />
        </span>
      )}
    </Field>
  );
}

/** As it is parsed: at most two decimals, 1.33 for 80 minutes in hours. */
function toText(
  value: number | null,
  { scale, format }: { scale: number; format: (figure: number) => string },
): string {
  return value === null ? "" : format(Math.round((value / scale) * 100) / 100);
}

/**
 * Parses `22.5` and `22,5`; at most two decimals, so that money stays in whole cents. A figure that is counted in ones
 * has none: it would be read as another number than the one in the field.
 */
export function parseNumber(text: string, scale: number): number | null {
  const trimmed = text.trim().replace(",", ".");
  if (!/^\d{1,7}(\.\d{0,2})?$/.test(trimmed)) return null;
  const number = Number(trimmed);
  return scale === 1 && !Number.isInteger(number) ? null : Math.round(number * scale);
}
