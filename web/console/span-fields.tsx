import { Field, INPUT_CLASS } from "../ui/field.tsx";
import { m } from "./messages/messages.js";

type Span = { from: string; to: string };

/** From when until when something holds, in the operator's own time. */
export function SpanFields({
  from,
  to,
  errors,
  onChange,
}: Span & {
  errors: { from: string | undefined; to: string | undefined };
  onChange: (part: Partial<Span>) => void;
}) {
  return (
    <>
      <Field label={m.from()} error={errors.from}>
        {(props) => (
          <input
            {...props}
            type="datetime-local"
            value={from}
            onChange={(event) => onChange({ from: event.target.value })}
            className={INPUT_CLASS}
          />
        )}
      </Field>
      <Field label={m.until()} error={errors.to}>
        {(props) => (
          <input
            {...props}
            type="datetime-local"
            value={to}
            onChange={(event) => onChange({ to: event.target.value })}
            className={INPUT_CLASS}
          />
        )}
      </Field>
    </>
  );
}
