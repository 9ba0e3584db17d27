import { audienceKind, type Audience } from "../../db/shapes/announcement.ts";
import { LANGUAGES } from "../../db/shapes/language.ts";
import { Field, INPUT_CLASS } from "../ui/field.tsx";
import { LANGUAGE_NAMES } from "./language-names.ts";
import { m } from "./messages/messages.js";

type Choice = { audience: Audience["kind"]; audienceOf: string };

const LABELS = {
  all: m.audience_all,
  city: m.audience_city,
  language: m.audience_language,
} satisfies Record<Audience["kind"], () => string>;

/** Whom an announcement is for: everybody, or a city, or a language. */
export function AudienceField({
  audience,
  of,
  cities,
  isMissing,
  onChange,
}: {
  audience: Audience["kind"];
  of: string;
  cities: readonly string[];
  isMissing: boolean;
  onChange: (choice: Choice) => void;
}) {
  const options =
    audience === "city"
      ? cities.map((city) => ({ value: city, label: city }))
      : LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }));
  return (
    <>
      <Field label={m.announce_audience()}>
        {(props) => (
          <select
            {...props}
            value={audience}
            onChange={(event) => {
              const chosen = audienceKind.options.find((kind) => kind === event.target.value);
              if (chosen) onChange({ audience: chosen, audienceOf: "" });
            }}
            className={INPUT_CLASS}
          >
            {audienceKind.options.map((kind) => (
              <option key={kind} value={kind}>
                {LABELS[kind]()}
              </option>
            ))}
          </select>
        )}
      </Field>
      {audience !== "all" && (
        <Field label={LABELS[audience]()} error={isMissing ? m.issue_audience() : undefined}>
          {(props) => (
            <select
              {...props}
              value={of}
              onChange={(event) => onChange({ audience, audienceOf: event.target.value })}
              className={INPUT_CLASS}
            >
              <option value="">–</option>
              {options.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </>
  );
}
