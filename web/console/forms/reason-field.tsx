import { TextField } from "../../ui/form/text-field.tsx";
import { m } from "../messages/messages.js";

/** Why an act is done, which the log keeps. */
export function ReasonField({ hint }: { hint?: string }) {
  return <TextField label={m.field_reason()} hint={hint} name="reason" maxLength={300} />;
}
