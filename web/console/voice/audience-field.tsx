import { audienceKind, type Audience } from "../../../db/shapes/announcement.ts";
import { LANGUAGE_FACTS, LANGUAGES } from "../../../db/shapes/language.ts";
import { SelectField } from "../../ui/form/select-field.tsx";
import { m } from "../messages/messages.js";

const LABELS = {
  all: m.audience_all,
  city: m.audience_city,
  language: m.audience_language,
} satisfies Record<Audience["kind"], () => string>;

/** Whom an announcement is for: everybody, or a city, or a language. */
export function AudienceField() {
  const options = audienceKind.options.map((kind) => ({ value: kind, label: LABELS[kind]() }));
  return <SelectField label={m.announce_audience()} name="audience" options={options} />;
}

/** Which city, or which language. */
export function AudienceOfField({
  kind,
  cities,
}: {
  kind: Exclude<Audience["kind"], "all">;
  cities: readonly string[];
}) {
  const options =
    kind === "city"
      ? cities.map((city) => ({ value: city, label: city }))
      : LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_FACTS[language].name }));
  return (
    <SelectField label={LABELS[kind]()} name="audienceOf" options={[{ value: "", label: "–" }, ...options]} />
  );
}
