import { useSelector } from "@tanstack/react-store";
import { Megaphone } from "lucide-react";
import { useState } from "react";
import { LANGUAGE_FACTS, LANGUAGES, type Language } from "../../../db/shapes/language.ts";
import { formatLanguage } from "../../features/language/format.ts";
import { recordOf } from "../../../db/shapes/record-of.ts";
import { toLocalTime, parseLocalTime } from "../forms/deployment-forms.ts";
import { FormEnd, InstantField, ReasonField } from "../forms/fields.tsx";
import { AUDIENCE_LABELS } from "../acts/act-labels.ts";
import { parseReason } from "../forms/typed-values.ts";
import { m } from "../messages/messages.js";
import { useOperator } from "../calls/operator.ts";
import { fieldMessages, useActForm, useDeploymentAct } from "../forms/use-act-form.ts";
import {
  MAX_ANNOUNCEMENT_LENGTH,
  type DeploymentAct,
} from "../../../worker/contract/console/operator-acts.ts";
import { Field } from "../../ui/inputs/field.tsx";
import { useFieldControl } from "../../ui/form/contexts.ts";
import { audienceKind, type Audience } from "../../../db/shapes/announcement.ts";
import { SelectField } from "../../ui/form/fields.tsx";
import { serverNow } from "../../early/server-clock.ts";

const DAY_MS = 86_400_000;

const ISSUES = {
  ...recordOf(LANGUAGES, () => m.issue_line),
  audienceOf: m.issue_audience,
  from: m.issue_required,
  to: m.issue_end,
  reason: m.issue_reason,
};

const TEXT_CLASS =
  "w-full rounded-field border border-edge bg-raised px-3 py-2 text-base text-ink aria-invalid:border-2 aria-invalid:border-bad";

/** A line to drivers, in all languages, with what each of them sees. */
export function AnnouncementForm({ cities, onClose }: { cities: readonly string[]; onClose: () => void }) {
  const act = useDeploymentAct(onClose);
  const [opened] = useState(serverNow);
  const defaultValues: AnnouncementInput = {
    ...recordOf(LANGUAGES, () => ""),
    audience: "all",
    audienceOf: "",
    from: toLocalTime(opened),
    to: toLocalTime(opened + DAY_MS),
    reason: "",
  };
  const form = useActForm({
    defaultValues,
    describe: (input) => {
      const parsed = parseAnnouncement(input, serverNow());
      return "act" in parsed ? parsed : { issues: fieldMessages(parsed.issues, ISSUES) };
    },
    send: act.mutateAsync,
    refusal: ({ endsAt }) => ({ to: endsAt && m.issue_end() }),
  });
  const input = useSelector(form.store, ({ values }) => values);
  const { audience } = input;
  return (
    <form.AppForm>
      <form.Body className="grid gap-4">
        <p className="text-soft">{m.announce_note()}</p>
        {LANGUAGES.map((language) => (
          <form.AppField key={language} name={language}>
            {() => <AnnouncementLine language={language} />}
          </form.AppField>
        ))}
        <form.AppField name="audience" listeners={{ onChange: () => form.setFieldValue("audienceOf", "") }}>
          {() => <AudienceField />}
        </form.AppField>
        {audience !== "all" && (
          <form.AppField name="audienceOf">
            {() => <AudienceOfField kind={audience} cities={cities} />}
          </form.AppField>
        )}
        <form.AppField name="from">{() => <InstantField label={m.from()} name="from" />}</form.AppField>
        <form.AppField name="to">{() => <InstantField label={m.until()} name="to" />}</form.AppField>
        <AnnouncementPreview input={input} />
        <form.AppField name="reason">{() => <ReasonField />}</form.AppField>
        <FormEnd submitLabel={m.announce()} onClose={onClose} />
      </form.Body>
    </form.AppForm>
  );
}

/** The line as each language's dashboard and push message show it. */
function AnnouncementPreview({ input }: { input: AnnouncementInput }) {
  const { productName } = useOperator();
  const written = LANGUAGES.filter((language) => input[language].trim() !== "");
  if (written.length === 0) return null;
  return (
    <section aria-label={m.announce_preview()} className="grid gap-3 rounded-field bg-sunken p-3 text-sm">
      <h3 className="text-base">{m.announce_preview()}</h3>
      {written.map((language) => (
        <div key={language} className="grid gap-2">
          <h4 className="font-semibold text-soft">{LANGUAGE_FACTS[language].name}</h4>
          <p className="text-xs text-soft">{m.preview_dashboard()}</p>
          <p lang={language} className="card flex items-start gap-3 p-3">
            <Megaphone aria-hidden className="mt-0.5 size-5 shrink-0 text-soft" />
            <span className="min-w-0 break-words">{input[language].trim()}</span>
          </p>
          <p className="text-xs text-soft">{m.preview_push()}</p>
          <p lang={language} className="rounded-card border border-edge bg-raised p-3">
            <span className="block font-semibold">{productName}</span>
            <span className="block break-words">{input[language].trim()}</span>
          </p>
        </div>
      ))}
    </section>
  );
}

/** An announcement's text in one language. */
function AnnouncementLine({ language }: { language: Language }) {
  const { value, onChange, error } = useFieldControl<string>();
  return (
    <Field label={m.announce_line({ language: formatLanguage(language) })} error={error}>
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

/** The audience of an announcement: everybody, or a city, or a language. */
function AudienceField() {
  const options = audienceKind.options.map((kind) => ({ value: kind, label: AUDIENCE_LABELS[kind]() }));
  return <SelectField label={m.announce_audience()} name="audience" options={options} />;
}

/** Which city, or which language. */
function AudienceOfField({
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
    <SelectField
      label={AUDIENCE_LABELS[kind]()}
      name="audienceOf"
      options={[{ value: "", label: "–" }, ...options]}
    />
  );
}

type AnnouncementInput = Record<Language, string> & {
  audience: Audience["kind"];
  /** The city or the language that was chosen; empty for none. */
  audienceOf: string;
  from: string;
  to: string;
  reason: string;
};
type AnnouncementIssues = Partial<Record<Language | "audienceOf" | "from" | "to" | "reason", true>>;

/** The announcement that a form describes, or what is wrong with it. */
function parseAnnouncement(
  input: AnnouncementInput,
  now: number,
): { act: DeploymentAct } | { issues: AnnouncementIssues } {
  const { audience, from, to } = input;
  const [startsAt, endsAt] = [parseLocalTime(from), parseLocalTime(to)];
  const reason = parseReason(input.reason);
  const issues: AnnouncementIssues = {};
  for (const name of LANGUAGES) if (input[name].trim() === "") issues[name] = true;
  if (audience !== "all" && input.audienceOf === "") issues.audienceOf = true;
  if (startsAt === null) issues.from = true;
  if (endsAt === null || endsAt <= Math.max(startsAt ?? 0, now)) issues.to = true;
  if (reason === null) issues.reason = true;
  if (startsAt === null || endsAt === null || reason === null || Object.keys(issues).length > 0)
    return { issues };
  return {
    act: {
      act: "announce",
      ...recordOf(LANGUAGES, (language) => input[language].trim()),
      audience,
      audienceOf: audience === "all" ? null : input.audienceOf,
      startsAt,
      endsAt,
      reason,
    },
  };
}
