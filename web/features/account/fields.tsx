import { useLayoutEffect, useRef } from "react";
import { reformatPhoneInput } from "../../../locales/phone-number.ts";
import { m } from "../../messages/messages.js";
import { Field, INPUT_CLASS } from "../../ui/inputs/field.tsx";
import { useFieldControl } from "../../ui/form/contexts.ts";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { TextField } from "../../ui/form/fields.tsx";

/** The password that an account has. */
export function KnownPasswordField() {
  return <PasswordField label={m.account_password()} name="password" autoComplete="current-password" />;
}

/** Tells a password manager whose password the form around it is about. */
export function HiddenUsername({ phone }: { phone: string }) {
  return <input type="text" name="username" autoComplete="username" value={phone} readOnly hidden />;
}

/** A driver's own name. */
export function NameField({ isFirst = false }: { isFirst?: boolean }) {
  return (
    <TextField
      label={m.account_name()}
      name="name"
      required
      isFirst={isFirst}
      autoComplete="name"
      maxLength={100}
    />
  );
}

/** A phone number, formatted while it is typed; the caret stays at its digit. */
export function PhoneField({
  label = m.account_phone(),
  name = "username",
  isRequired = true,
  hint,
  autoComplete = "username",
}: {
  label?: string;
  name?: string;
  isRequired?: boolean;
  hint?: string;
  /** With `webauthn` the browser suggests passkeys, too. */
  autoComplete?: "username" | "username webauthn" | "tel";
}) {
  const { value, onChange, error } = useFieldControl<string>();
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
      {(inputProps) => (
        <input
          {...inputProps}
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
