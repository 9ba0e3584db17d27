import { MAX_COMMENT_LENGTH } from "../../../worker/contract/feedback.ts";
import { m } from "../../messages/messages.js";
import { Field } from "../../ui/field.tsx";
import { useFieldControl } from "../../ui/form/contexts.ts";

/** The driver's comment on the score. */
export function CommentField() {
  const { value, onChange, error } = useFieldControl<string>();
  return (
    <Field label={m.feedback_comment()} error={error}>
      {(inputProps) => (
        <textarea
          {...inputProps}
          rows={3}
          maxLength={MAX_COMMENT_LENGTH}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="w-full rounded-field border border-edge bg-raised px-3 py-2 text-base text-ink aria-invalid:border-2 aria-invalid:border-bad"
        />
      )}
    </Field>
  );
}
