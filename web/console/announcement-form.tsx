import { Megaphone } from "lucide-react";
import { useState, type FormEvent } from "react";
import { LANGUAGES } from "../../db/shapes/language.ts";
import { MAX_ANNOUNCEMENT_LENGTH } from "../../worker/contract/operators.ts";
import { RequestError } from "../api/request-error.ts";
import { Field } from "../ui/field.tsx";
import { parseAnnouncement, type AnnouncementInput, type AnnouncementIssues } from "./announcement-input.ts";
import { AudienceField } from "./audience-field.tsx";
import { toLocalTime } from "./deployment-forms.ts";
import { LANGUAGE_NAMES } from "./language-names.ts";
import { FormEnd } from "./form-end.tsx";
import { m } from "./messages/messages.js";
import { useOperator } from "./operator.ts";
import { ReasonField } from "./reason-field.tsx";
import { SpanFields } from "./span-fields.tsx";
import { useDeploymentAct } from "./use-deployment-act.ts";

const DAY_MS = 86_400_000;

const TEXT_CLASS =
  "w-full rounded-field border border-edge bg-raised px-3 py-2 text-base text-ink aria-invalid:border-2 aria-invalid:border-bad";

/** A line to drivers, in three languages, with what each of them sees. */
export function AnnouncementForm({ cities, onClose }: { cities: readonly string[]; onClose: () => void }) {
  const send = useDeploymentAct(onClose);
  const [opened] = useState(() => Date.now());
  const [issues, setIssues] = useState<AnnouncementIssues>({});
  const [input, setInput] = useState<AnnouncementInput>({
    en: "",
    es: "",
    pt: "",
    audience: "all",
    audienceOf: "",
    from: toLocalTime(opened),
    to: toLocalTime(opened + DAY_MS),
    reason: "",
  });
  const change = (part: Partial<AnnouncementInput>) => setInput((known) => ({ ...known, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseAnnouncement(input, Date.now());
    setIssues("issues" in parsed ? parsed.issues : {});
    if ("act" in parsed) send.mutate(parsed.act);
  };
  const refused = send.error instanceof RequestError ? send.error.fields : {};
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-soft">{m.announce_note()}</p>
      {LANGUAGES.map((language) => (
        <Field
          key={language}
          label={m.announce_line({ language: LANGUAGE_NAMES[language] })}
          error={issues[language] ? m.issue_line() : undefined}
        >
          {(props) => (
            <textarea
              {...props}
              lang={language}
              rows={2}
              maxLength={MAX_ANNOUNCEMENT_LENGTH}
              value={input[language]}
              onChange={(event) => change({ [language]: event.target.value })}
              className={TEXT_CLASS}
            />
          )}
        </Field>
      ))}
      <AudienceField
        audience={input.audience}
        of={input.audienceOf}
        cities={cities}
        isMissing={issues.audienceOf === true}
        onChange={change}
      />
      <SpanFields
        from={input.from}
        to={input.to}
        errors={{
          from: issues.from ? m.issue_required() : undefined,
          to: issues.to || refused["endsAt"] ? m.issue_end() : undefined,
        }}
        onChange={change}
      />
      <AnnouncementPreview input={input} />
      <ReasonField
        value={input.reason}
        isMissing={issues.reason === true}
        onChange={(reason) => change({ reason })}
      />
      <FormEnd
        error={Object.keys(refused).length === 0 ? send.error : null}
        isPending={send.isPending}
        submitLabel={m.announce()}
        onClose={onClose}
      />
    </form>
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
          <h4 className="font-semibold text-soft">{LANGUAGE_NAMES[language]}</h4>
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
