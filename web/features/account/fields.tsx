import { m } from "../../messages/messages.js";
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
