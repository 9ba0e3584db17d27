import { m } from "../../messages/messages.js";
import { TextField } from "../../ui/form/text-field.tsx";

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
