import { DEFAULT_PLAN, type PlanForSale } from "../../../db/shapes/money/plans.ts";
import { useSelector } from "@tanstack/react-store";
import { useState } from "react";
import { LANGUAGES, type Language } from "../../../db/shapes/language.ts";
import { makeSeed, sealSeed } from "../../../db/shapes/money/sealed-seed.ts";
import { recordOf } from "../../../db/shapes/record-of.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";
import { dateFormat, numberFormat } from "../../../locales/format.ts";
import type { DeploymentAct } from "../../../worker/contract/console/operator-acts.ts";
import { DEVICE_TIME_ZONE, formatLanguage } from "../../features/language/format.ts";
import { serverNow } from "../../early/server-clock.ts";
import { parseLocalTime, toLocalTime } from "../forms/deployment-forms.ts";
import { FormEnd, InstantField, ReasonField, PlanField } from "../forms/fields.tsx";
import { parseReason } from "../forms/typed-values.ts";
import { m } from "../messages/messages.js";
import { fieldMessages, useActForm, useDeploymentAct } from "../forms/use-act-form.ts";

const MONTH_MS = 30 * 86_400_000;

const ISSUES = {
  raffle: m.issue_raffle_id,
  from: m.issue_required,
  to: m.issue_until,
  winners: m.issue_winners,
  ...recordOf(LANGUAGES, () => m.issue_prize),
  passphrase: m.issue_passphrase,
  isKept: m.issue_kept,
  reason: m.issue_reason,
};

/** Fields that no keyboard should correct. */
const AS_TYPED = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

/** Announces a raffle: its seed is made and sealed here. */
export function RaffleForm({ onClose }: { onClose: () => void }) {
  const act = useDeploymentAct(onClose);
  // Sent again under its key, it is the same act: a seed is made once for what was typed.
  const [sealed, setSealed] = useState<SealedDraft | null>(null);
  const [defaultValues] = useState<RaffleInput>(() => {
    const opened = serverNow();
    return {
      raffle: "",
      plan: DEFAULT_PLAN,
      from: toLocalTime(opened),
      to: toLocalTime(opened + MONTH_MS),
      winners: "10",
      ...recordOf(LANGUAGES, () => ""),
      passphrase: makePassphrase(),
      isKept: false,
      reason: "",
    };
  });
  const form = useActForm({
    defaultValues,
    describe: async (input) => {
      const parsed = parseRaffle(input);
      if ("issues" in parsed) return { issues: fieldMessages(parsed.issues, ISSUES) };
      const made = await sealOnce(sealed, parsed.draft, input.passphrase);
      setSealed(made);
      return { act: made.act };
    },
    send: act.mutateAsync,
    refusal: ({ raffle, endsAt }) => ({
      raffle: raffle && m.issue_raffle_id(),
      to: endsAt && m.issue_until(),
    }),
  });
  const input = useSelector(form.store, ({ values }) => values);
  return (
    <form.AppForm>
      <form.Body className="grid gap-4">
        <p className="text-soft">{m.note_raffle()}</p>
        <form.AppField name="raffle">
          {({ TextField }) => (
            <TextField
              {...AS_TYPED}
              label={m.field_raffle_id()}
              hint={m.field_raffle_id_hint()}
              name="raffle"
            />
          )}
        </form.AppField>
        <form.AppField name="plan">{() => <PlanField />}</form.AppField>
        <form.AppField name="from">{() => <InstantField label={m.from()} name="from" />}</form.AppField>
        <form.AppField name="to">{() => <InstantField label={m.until()} name="to" />}</form.AppField>
        <form.AppField name="winners">
          {({ TextField }) => (
            <TextField {...AS_TYPED} label={m.field_winners()} name="winners" inputMode="numeric" />
          )}
        </form.AppField>
        {LANGUAGES.map((language) => (
          <form.AppField key={language} name={language}>
            {({ TextField }) => (
              <TextField
                label={m.field_prize({ language: formatLanguage(language) })}
                name={`prize-${language}`}
                lang={language}
                maxLength={200}
              />
            )}
          </form.AppField>
        ))}
        <RafflePreview input={input} />
        <form.AppField name="passphrase">
          {({ TextField }) => (
            <TextField
              {...AS_TYPED}
              label={m.field_passphrase()}
              hint={m.field_passphrase_hint()}
              name="passphrase"
            />
          )}
        </form.AppField>
        <form.AppField name="isKept">
          {({ CheckField }) => <CheckField label={m.field_kept()} name="isKept" />}
        </form.AppField>
        <form.AppField name="reason">{() => <ReasonField />}</form.AppField>
        <FormEnd submitLabel={m.raffle_make()} onClose={onClose} />
      </form.Body>
    </form.AppForm>
  );
}

/** The raffle page's text for drivers, in each of their languages. */
function RafflePreview({ input }: { input: RaffleInput }) {
  const [from, to] = [parseLocalTime(input.from), parseLocalTime(input.to)];
  if (from === null || to === null) return null;
  return (
    <section aria-label={m.preview_raffle()} className="grid gap-2 rounded-field bg-sunken p-4 text-sm">
      <h3 className="font-semibold">{m.preview_raffle()}</h3>
      {LANGUAGES.map((locale) => {
        const day = dateFormat(locale, { dateStyle: "long", timeZone: DEVICE_TIME_ZONE });
        const prize = input[locale].trim();
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

const SHORTEST_PASSPHRASE = 12;
const MOST_WINNERS = 1000;

/** The prize as it was typed, in each language. */
type Prize = Record<Language, string>;

/** The values typed into the form of a new raffle. */
export type RaffleInput = Prize & {
  raffle: string;
  plan: PlanForSale;
  from: string;
  to: string;
  winners: string;
  passphrase: string;
  isKept: boolean;
  reason: string;
};
type RaffleIssues = Partial<
  Record<Language | "raffle" | "from" | "to" | "winners" | "passphrase" | "isKept" | "reason", true>
>;
/** A raffle before its seed is made. */
type RaffleDraft = Omit<Extract<DeploymentAct, { act: "raffle" }>, "seedHash" | "sealedSeed">;

/** The raffle that a form describes, or what is wrong with it. */
export function parseRaffle(input: RaffleInput): { draft: RaffleDraft } | { issues: RaffleIssues } {
  const [startsAt, endsAt] = [parseLocalTime(input.from), parseLocalTime(input.to)];
  const winners = /^\d{1,4}$/.test(input.winners.trim()) ? Number(input.winners) : 0;
  const [raffle, reason] = [input.raffle.trim(), parseReason(input.reason)];
  const prize = recordOf(LANGUAGES, (language) => input[language].trim());
  const said = LANGUAGES.filter((language) => prize[language] !== "").length;
  const issues: RaffleIssues = {
    ...(!/^[\w-]{1,64}$/.test(raffle) && { raffle: true }),
    ...(startsAt === null && { from: true }),
    ...((endsAt === null || (startsAt !== null && endsAt <= startsAt)) && { to: true }),
    ...((winners < 1 || winners > MOST_WINNERS) && { winners: true }),
    ...(said !== 0 && said !== LANGUAGES.length && recordOf(LANGUAGES, () => true as const)),
    ...(input.passphrase.trim().length < SHORTEST_PASSPHRASE && { passphrase: true }),
    ...(!input.isKept && { isKept: true }),
    ...(reason === null && { reason: true }),
  };
  if (startsAt === null || endsAt === null || reason === null || Object.keys(issues).length > 0)
    return { issues };
  const { plan } = input;
  return {
    draft: {
      act: "raffle",
      raffle,
      plan,
      startsAt,
      endsAt,
      winners,
      prize: said > 0 ? prize : null,
      reason,
    },
  };
}

/** Makes the seed of a raffle, which only the passphrase opens from here on. A space around it is none of its letters. */
export async function sealRaffle(draft: RaffleDraft, passphrase: string): Promise<DeploymentAct> {
  const seed = makeSeed();
  const sealedSeed = await sealSeed(seed, { passphrase: passphrase.trim(), id: draft.raffle });
  return { ...draft, seedHash: await sha256Hex(seed), sealedSeed };
}

/** The act that was sealed, and the typed values that it was sealed for. */
type SealedDraft = { of: string; act: DeploymentAct };

/** The same as before where nothing else was typed since. */
export async function sealOnce(
  known: SealedDraft | null,
  draft: RaffleDraft,
  passphrase: string,
): Promise<SealedDraft> {
  const of = JSON.stringify([draft, passphrase]);
  return known?.of === of ? known : { of, act: await sealRaffle(draft, passphrase) };
}

/** A passphrase that nobody guesses: six groups of four letters and digits, none of which looks like another. */
export function makePassphrase(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  // Of a byte only what divides evenly, so that each letter is as likely.
  const bytes = [...crypto.getRandomValues(new Uint8Array(96))].filter((byte) => byte < letters.length * 8);
  const chosen = bytes.slice(0, 24).map((byte) => letters.charAt(byte % letters.length));
  return Array.from({ length: 6 }, (_, group) => chosen.slice(group * 4, group * 4 + 4).join("")).join("-");
}
