import { TextField } from "../../ui/form/text-field.tsx";

/** A date and a time of day, in the operator's own time zone. */
export function InstantField({ label, hint, name }: { label: string; hint?: string; name: string }) {
  return <TextField label={label} hint={hint} name={name} type="datetime-local" />;
}
