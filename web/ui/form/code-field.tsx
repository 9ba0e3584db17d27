import { useEffect, useRef, type InputEvent } from "react";
import { Field, INPUT_CLASS } from "../field.tsx";
import { useFieldControl } from "./contexts.ts";
import { useTextedCode } from "./use-texted-code.ts";

/** A code that is typed as a whole is sent after this pause, in case it is longer than most. */
const TYPED_PAUSE_MS = 400;

/**
 * When a code sends itself: at once where it comes as a whole, pasted or filled in from a text, and has `min` digits; typed
 * digit by digit, where it has one of the `typed` lengths.
 */
type AutoSend = { min: number; typed: readonly number[] };

/** The codes that we text ourselves: six digits, or ten while somebody guesses at the account. */
export const OWN_CODE: AutoSend = { min: 6, typed: [6, 10] };

/** A code of digits, as it comes by text; what is pasted may have gaps. It has the focus from the start. */
export function CodeField({
  label,
  maxLength = 10,
  autoSend,
  readsTexts = false,
}: {
  label: string;
  maxLength?: number;
  autoSend?: AutoSend;
  /** Whether it is our own text: the browser offers to take over the code from it. */
  readsTexts?: boolean;
}) {
  const { value, onChange, error } = useFieldControl<string>();
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const enter = (text: string, digitsAtOnce: number) => {
    const code = text.replaceAll(/\D/g, "").slice(0, maxLength);
    onChange(code);
    clearTimeout(timer.current);
    const delayMs = autoSend ? sendDelayMs(autoSend, { length: code.length, digitsAtOnce }) : null;
    if (delayMs !== null) timer.current = setTimeout(() => input.current?.form?.requestSubmit(), delayMs);
  };
  useTextedCode(readsTexts, (code) => enter(code, code.length));
  useEffect(() => {
    input.current?.focus();
    return () => clearTimeout(timer.current);
  }, []);
  const onInput = ({ currentTarget, nativeEvent: { inputType, data } }: InputEvent<HTMLInputElement>) => {
    const { value: text } = currentTarget;
    const isDeleted = inputType?.startsWith("delete") ?? false;
    enter(text, isDeleted ? 0 : data?.length === 1 ? 1 : text.length);
  };
  return (
    <Field label={label} error={error}>
      {(inputProps) => (
        <input
          {...inputProps}
          ref={input}
          name="code"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          value={value}
          onInput={onInput}
          // React warns of a value without it.
          onChange={() => undefined}
          className={`${INPUT_CLASS} h-14 text-center text-2xl font-semibold ${value.length > 8 ? "tracking-[0.2em]" : "tracking-[0.4em]"}`}
        />
      )}
    </Field>
  );
}

function sendDelayMs(
  { min, typed }: AutoSend,
  { length, digitsAtOnce }: { length: number; digitsAtOnce: number },
): number | null {
  if (digitsAtOnce >= min) return 0;
  return typed.includes(length) && digitsAtOnce > 0 ? TYPED_PAUSE_MS : null;
}
