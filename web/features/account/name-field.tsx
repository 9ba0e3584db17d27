import { m } from "../../messages/messages.js";
import { TextField } from "../../ui/form/text-field.tsx";

/** A driver's own name. */
export function NameField() {
  return <TextField label={m.account_name()} name="name" required autoComplete="name" maxLength={100} />;
}
