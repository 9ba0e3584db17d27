import { useLayoutEffect, useRef } from "react";
import { reformatPhoneInput } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Field, INPUT_CLASS } from "../../ui/field.tsx";

/** A phone number that takes its shape while it is typed; the caret stays at its digit. */
export function PhoneField({
  label = m.account_phone(),
  name = "username",
  isRequired = true,
  hint,
  value,
  onChange,
  error,
  autoComplete = "username",
}: {
  label?: string;
  name?: string;
  isRequired?: boolean;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  autoComplete?: "username" | "tel";
}) {
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current === null) return;
    input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  const onInput = (element: HTMLInputElement) => {
    const text = element.value;
    const reformatted = reformatPhoneInput(value, { text, caret: element.selectionStart ?? text.length });
    if (document.activeElement === element) caret.current = reformatted.caret;
    onChange(reformatted.text);
  };
  return (
    <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
      {(wiring) => (
        <input
          {...wiring}
          ref={input}
          type="tel"
          name={name}
          required={isRequired}
          inputMode="tel"
          autoComplete={autoComplete}
          placeholder="+1 (___) ___-____"
          value={value}
          onChange={(event) => onInput(event.target)}
          className={INPUT_CLASS}
        />
      )}
    </Field>
  );
}
