import { useState, type FormEvent } from "react";
import { LANGUAGES } from "../../db/shapes/language.ts";
import { dateFormat, numberFormat } from "../../locales/format.ts";
import type { DeploymentAct } from "../../worker/contract/operators.ts";
import { RequestError } from "../api/request-error.ts";
import { DEVICE_TIME_ZONE } from "../features/language/format.ts";
import { Field, INPUT_CLASS } from "../ui/field.tsx";
import { parseLocalTime, toLocalTime } from "./deployment-forms.ts";
import { LANGUAGE_NAMES } from "./language-names.ts";
import { FormEnd } from "./form-end.tsx";
import { m } from "./messages/messages.js";
import { PlanField } from "./plan-field.tsx";
import { parseRaffle, sealRaffle, type RaffleInput, type RaffleIssues } from "./parse-raffle.ts";
import { ReasonField } from "./reason-field.tsx";
import { SpanFields } from "./span-fields.tsx";
import { makePassphrase } from "./sealed-seed.ts";
import { useDeploymentAct } from "./use-deployment-act.ts";

const MONTH_MS = 30 * 86_400_000;

/** Announces a raffle: its seed is made and sealed here. */
export function RaffleForm({ onClose }: { onClose: () => void }) {
  const send = useDeploymentAct(onClose);
  const [issues, setIssues] = useState<RaffleIssues>({});
  // Sent again under its key, it is the same act: a seed is made once for what was typed.
  const [sealed, setSealed] = useState<{ of: string; act: DeploymentAct } | null>(null);
  const [opened] = useState(() => Date.now());
  const [input, setInput] = useState<RaffleInput>(() => ({
    raffle: "",
    plan: "14days",
    from: toLocalTime(opened),
    to: toLocalTime(opened + MONTH_MS),
    winners: "10",
    prize: { en: "", es: "", pt: "" },
    passphrase: makePassphrase(),
    isKept: false,
    reason: "",
  }));
  const change = (part: Partial<RaffleInput>) => setInput((known) => ({ ...known, ...part }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseRaffle(input);
    setIssues("issues" in parsed ? parsed.issues : {});
    if (!("draft" in parsed)) return;
    const of = JSON.stringify([parsed.draft, input.passphrase]);
    const act = sealed?.of === of ? sealed.act : await sealRaffle(parsed.draft, input.passphrase);
    setSealed({ of, act });
    send.mutate(act);
  };
  const refused = send.error instanceof RequestError ? send.error.fields : {};
  const text = (field: "raffle" | "winners" | "passphrase", mode: "text" | "numeric" = "text") => ({
    value: input[field],
    inputMode: mode,
    autoComplete: "off",
    autoCapitalize: "none",
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => change({ [field]: event.target.value }),
    className: INPUT_CLASS,
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p className="text-soft">{m.note_raffle()}</p>
      <Field
        label={m.field_raffle_id()}
        hint={m.field_raffle_id_hint()}
        error={issues.raffle || refused["raffle"] ? m.issue_raffle_id() : undefined}
      >
        {(props) => <input {...props} {...text("raffle")} />}
      </Field>
      <PlanField plan={input.plan} onChange={(plan) => change({ plan })} />
      <SpanFields
        from={input.from}
        to={input.to}
        errors={{
          from: issues.from ? m.issue_required() : undefined,
          to: issues.to || refused["endsAt"] ? m.issue_until() : undefined,
        }}
        onChange={change}
      />
      <Field label={m.field_winners()} error={issues.winners ? m.issue_winners() : undefined}>
        {(props) => <input {...props} {...text("winners", "numeric")} />}
      </Field>
      {LANGUAGES.map((language) => (
        <Field
          key={language}
          label={m.field_prize({ language: LANGUAGE_NAMES[language] })}
          error={issues.prize ? m.issue_prize() : undefined}
        >
          {(props) => (
            <input
              {...props}
              lang={language}
              maxLength={200}
              value={input.prize[language]}
              onChange={(event) => change({ prize: { ...input.prize, [language]: event.target.value } })}
              className={INPUT_CLASS}
            />
          )}
        </Field>
      ))}
      <RafflePreview input={input} />
      <Field
        label={m.field_passphrase()}
        hint={m.field_passphrase_hint()}
        error={issues.passphrase ? m.issue_passphrase() : undefined}
      >
        {(props) => <input {...props} {...text("passphrase")} />}
      </Field>
      <div>
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            checked={input.isKept}
            onChange={(event) => change({ isKept: event.target.checked })}
            className="size-5.5 shrink-0 accent-(--ink)"
          />
          <span>{m.field_kept()}</span>
        </label>
        {issues.kept && <p className="text-sm font-semibold text-bad">{m.issue_kept()}</p>}
      </div>
      <ReasonField
        value={input.reason}
        isMissing={issues.reason === true}
        onChange={(reason) => change({ reason })}
      />
      <FormEnd
        error={Object.keys(refused).length === 0 ? send.error : null}
        isPending={send.isPending}
        submitLabel={m.raffle_make()}
        onClose={onClose}
      />
    </form>
  );
}

/** What drivers will read on the raffle's page, in each of their languages. */
function RafflePreview({ input }: { input: RaffleInput }) {
  const [from, to] = [parseLocalTime(input.from), parseLocalTime(input.to)];
  if (from === null || to === null) return null;
  return (
    <section aria-label={m.preview_raffle()} className="grid gap-2 rounded-field bg-sunken p-4 text-sm">
      <h3 className="font-semibold">{m.preview_raffle()}</h3>
      {LANGUAGES.map((locale) => {
        const day = dateFormat(locale, { dateStyle: "long", timeZone: DEVICE_TIME_ZONE });
        const prize = input.prize[locale].trim();
        return (
          <p key={locale} lang={locale} data-testid={`preview-${locale}`}>
            {prize !== "" && <span className="block">{m.preview_raffle_prize({ prize }, { locale })}</span>}
            <span className="block">
              {m.preview_raffle_dates({ from: day.format(from), to: day.format(to - 1) }, { locale })}
            </span>
            <span className="block">
              {m.preview_raffle_winners(
                { count: numberFormat(locale, {}).format(Number(input.winners) || 0) },
                { locale },
              )}
            </span>
          </p>
        );
      })}
    </section>
  );
}
