import { m } from "../../messages/messages.js";
import { TextField } from "../../ui/text-field.tsx";

/** A driver's own name. */
export function NameField({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  return (
    <TextField
      label={m.account_name()}
      name="name"
      required
      autoComplete="name"
      maxLength={100}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
