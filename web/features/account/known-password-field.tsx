import { m } from "../../messages/messages.js";
import { PasswordField } from "../../ui/form/password-field.tsx";

/** The password that an account has. */
export function KnownPasswordField() {
  return <PasswordField label={m.account_password()} name="password" autoComplete="current-password" />;
}
