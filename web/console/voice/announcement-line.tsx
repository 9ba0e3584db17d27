import { LANGUAGE_FACTS, type Language } from "../../../db/shapes/language.ts";
import { MAX_ANNOUNCEMENT_LENGTH } from "../../../worker/contract/console/operator-acts.ts";
import { Field } from "../../ui/field.tsx";
import { useFieldControl } from "../../ui/form/contexts.ts";
import { m } from "../messages/messages.js";

const TEXT_CLASS =
  "w-full rounded-field border border-edge bg-raised px-3 py-2 text-base text-ink aria-invalid:border-2 aria-invalid:border-bad";

/** What an announcement says in one language. */
export function AnnouncementLine({ language }: { language: Language }) {
  const { value, onChange, error } = useFieldControl<string>();
  return (
    <Field label={m.announce_line({ language: LANGUAGE_FACTS[language].name })} error={error}>
      {(props) => (
        <textarea
          {...props}
          lang={language}
          rows={2}
          maxLength={MAX_ANNOUNCEMENT_LENGTH}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={TEXT_CLASS}
        />
      )}
    </Field>
  );
}
