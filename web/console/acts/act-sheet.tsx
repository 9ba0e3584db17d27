import { DEFAULT_PLAN } from "../../../db/shapes/money/plans.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { toast } from "sonner";
import { IDENTITY_CHECKS, type ActKind } from "../../../db/shapes/operators.ts";
import type { ActResponse } from "../../../worker/contract/console/operators.ts";
import type { DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { errorCodeOf, RequestError } from "../../api/client/request-error.ts";
import { sendOnce } from "../../api/client/send-once.ts";
import { Sheet } from "../../ui/sheet.tsx";
import { parseAct, type ActDraft, type ActInput, type ActIssues } from "./act-form.ts";
import { PricePreview } from "../prices/price-preview.tsx";
import { ACT_LABELS, CHECK_LABELS } from "./act-labels.ts";
import { postAct } from "../calls/acts.ts";
import { FormEnd, PlanField, ReasonField } from "../forms/fields.tsx";
import { formatInstant } from "../../features/language/format-instant.ts";
import { m } from "../messages/messages.js";
import { useOperator } from "../calls/operator.ts";
import { boundMessage, parseChange } from "../forms/typed-values.ts";
import { useActForm } from "../forms/use-act-form.ts";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { DEVICE_TIME_ZONE, formatCount } from "../../features/language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import { serverNow } from "../../early/server-clock.ts";

const NOTES = {
  days: m.note_days,
  points: m.note_points,
  refund: m.note_refund,
  special_price: m.note_special_price,
  end_price: m.note_end_price,
  sign_out: m.note_sign_out,
  unlink: m.note_unlink,
  disable: m.note_disable,
  enable: m.note_enable,
  test_text: m.note_test_text,
  resend_text: m.note_resend_text,
  show_phone: m.note_show_phone,
  check_payment: m.note_check_payment,
  end_renewal: m.note_end_renewal,
  unlock: m.note_unlock,
  change_number: m.note_change_number,
  export_data: m.note_export_data,
  erase: m.note_erase,
} satisfies Partial<Record<ActKind, () => string>>;

const ISSUES = {
  number: m.issue_number,
  amount: m.issue_amount,
  reason: m.issue_reason,
  phone: m.issue_phone,
  checks: m.issue_checks,
};

const DONE = { done: m.done, pending: m.done_pending, waiting: m.done_waiting } satisfies Record<
  ActResponse["status"],
  () => string
>;

/** Acts that can't be undone. */
const DANGEROUS: ReadonlySet<ActKind> = new Set(["disable", "unlink", "erase", "end_renewal"]);

/** Acts that no request goes to an owner for: a refusal says that a day's number of them is used up. */
const UNASKED: ReadonlySet<ActKind> = new Set(["show_phone", "change_number"]);

type Phones = { phoneNumber: string; preferredPhoneNumber: string | null };

/** The form of an act. It is sent under one key for as long as it is open, so that sending it again does nothing twice. */
export function ActSheet({
  draft,
  page,
  onClose,
  onPhones,
}: {
  draft: ActDraft | null;
  page: DriverPage;
  onClose: () => void;
  onPhones: (phones: Phones) => void;
}) {
  return (
    <Sheet open={draft !== null} onClose={onClose} edge="middle" title={draft ? ACT_LABELS[draft.act]() : ""}>
      {draft && <ActForm draft={draft} page={page} onClose={onClose} onPhones={onPhones} />}
    </Sheet>
  );
}

function ActForm({
  draft,
  page,
  onClose,
  onPhones,
}: {
  draft: ActDraft;
  page: DriverPage;
  onClose: () => void;
  onPhones: (phones: Phones) => void;
}) {
  const me = useOperator();
  const queryClient = useQueryClient();
  const { driver } = page;
  const act = useMutation({
    mutationFn: (described: DriverAct) =>
      sendOnce([driver.id, draft], (key) => postAct(driver.id, key, described)),
    onSuccess: ({ status, phones }) => {
      if (phones) onPhones(phones);
      toast.success(DONE[status]());
      onClose();
    },
    // Also after a refusal: how things stand has changed.
    onSettled: () => queryClient.invalidateQueries(),
  });
  const form = useActForm({
    defaultValues: startingInput(draft),
    describe: (input) => {
      const parsed = parseAct(draft, input, serverNow());
      return "act" in parsed ? parsed : { issues: actIssueWords(parsed.issues) };
    },
    send: act.mutateAsync,
    refusal: (fields) => ({ figure: refusedFigure(fields), forDays: boundMessage(fields["endsAt"]) }),
    describeRefusal: (error) => {
      if (isTextGone(error)) return m.issue_text_gone();
      return UNASKED.has(draft.act) && errorCodeOf(error) === "forbidden" ? m.issue_day_used() : undefined;
    },
  });
  const input = useSelector(form.store, ({ values }) => values);
  return (
    <form.AppForm>
      <form.Body className="grid gap-4">
        <p className="text-soft">{NOTES[draft.act]()}</p>
        {draft.act === "special_price" && <form.AppField name="plan">{() => <PlanField />}</form.AppField>}
        {hasFigure(draft) && (
          <form.AppField name="figure">
            {({ TextField }) => (
              <TextField
                label={figureLabel(draft, me.currency)}
                name="figure"
                inputMode={INPUT_MODES[draft.act] ?? "decimal"}
                autoComplete="off"
              />
            )}
          </form.AppField>
        )}
        {draft.act === "change_number" && (
          <fieldset className="grid">
            <legend className="font-semibold">{m.field_checks()}</legend>
            {IDENTITY_CHECKS.map((check) => (
              <form.AppField key={check} name={`checks.${check}`}>
                {({ CheckField }) => <CheckField label={CHECK_LABELS[check]()} name={check} isOptional />}
              </form.AppField>
            ))}
          </fieldset>
        )}
        {draft.act === "special_price" && (
          <form.AppField name="forDays">
            {({ TextField }) => <TextField label={m.field_for_days()} name="forDays" inputMode="numeric" />}
          </form.AppField>
        )}
        {draft.act === "refund" && (
          <form.AppField name="keepsDays">
            {({ CheckField }) => <CheckField label={m.field_keeps()} name="keepsDays" isOptional />}
          </form.AppField>
        )}
        {draft.act === "special_price" ? (
          <PricePreview input={input} />
        ) : (
          <ActPreview draft={draft} figure={input.figure} page={page} />
        )}
        <form.AppField name="reason">{() => <ReasonField hint={m.field_reason_hint()} />}</form.AppField>
        <FormEnd
          submitLabel={ACT_LABELS[draft.act]()}
          variant={DANGEROUS.has(draft.act) ? "danger" : "primary"}
          onClose={onClose}
        />
      </form.Body>
    </form.AppForm>
  );
}

const FIGURES: ReadonlySet<ActKind> = new Set(["days", "points", "refund", "special_price", "change_number"]);

const INPUT_MODES: Partial<Record<ActKind, "text" | "tel">> = {
  days: "text",
  points: "text",
  change_number: "tel",
};

function startingInput(draft: ActDraft): ActInput {
  return {
    figure: draft.act === "refund" ? (draft.payment.refundableCents / 100).toFixed(2) : "",
    keepsDays: false,
    plan: DEFAULT_PLAN,
    forDays: "7",
    checks: {
      platform_email: false,
      last_payment: false,
      last_block: false,
      warehouses: false,
      video_call: false,
    },
    reason: "",
  };
}

function actIssueWords(issues: ActIssues): Partial<Record<keyof ActIssues, string>> {
  return Object.fromEntries(Object.entries(issues).map(([field, issue]) => [field, ISSUES[issue]()]));
}

function hasFigure({ act }: ActDraft): boolean {
  return FIGURES.has(act);
}

function figureLabel(draft: ActDraft, currency: string): string {
  if (draft.act === "days") return m.field_days();
  if (draft.act === "points") return m.field_points();
  if (draft.act === "change_number") return m.field_new_number();
  // Money goes back in the currency that it came in, also where the deployment has another by now.
  return draft.act === "refund"
    ? m.field_amount({ currency: draft.payment.currency })
    : m.field_price({ currency });
}

/** The server's verdict on the figure: it is too much or too little as things stand. */
function refusedFigure(fields: RequestError["fields"]): string | undefined {
  if (fields["phoneNumber"] !== undefined) return m.issue_number_taken();
  return boundMessage(["days", "points", "cents", "priceCents"].map((field) => fields[field]).find(Boolean));
}

/** A text that isn't sent again, because of what it was or how old it is. */
function isTextGone(error: unknown): boolean {
  return error instanceof RequestError && error.fields["textId"] !== undefined;
}

/** How an act will change service or points, before it is done. */
function ActPreview({ draft, figure, page }: { draft: ActDraft; figure: string; page: DriverPage }) {
  const now = useNow(MINUTE_MS);
  const change = parseChange(figure);
  if (change === null) return null;
  if (draft.act === "points") {
    const { balance } = page.points;
    return (
      <output className="block figures text-sm">
        {m.preview_points({ before: formatCount(balance), after: formatCount(balance + change) })}
      </output>
    );
  }
  if (draft.act !== "days") return null;
  const { until, unusedMs } = page.service;
  const time = (at: number) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now });
  const before = until === null ? m.service_none() : time(until);
  return (
    <output className="block figures text-sm">
      {m.preview_service({ before, after: time(now + Math.max(0, unusedMs + change * DAY_MS)) })}
    </output>
  );
}
