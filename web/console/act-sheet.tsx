import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { toast } from "sonner";
import type { ActKind } from "../../db/shapes/operators.ts";
import type { DriverAct, DriverPage } from "../../worker/contract/operators.ts";
import { RequestError } from "../api/request-error.ts";
import { Button } from "../ui/button.tsx";
import { Field, INPUT_CLASS } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { parseAct, type ActDraft, type ActInput, type ActIssues } from "./act-form.ts";
import { PricePreview } from "./price-preview.tsx";
import { ActPreview } from "./act-preview.tsx";
import { ACT_LABELS } from "./act-labels.ts";
import { postAct } from "./console-api.ts";
import { consoleErrorMessage } from "./console-error-message.ts";
import { m } from "./messages/messages.js";
import { useOperator } from "./operator.ts";
import { PlanField } from "./plan-field.tsx";

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
  show_phone: m.note_show_phone,
} satisfies Partial<Record<ActKind, () => string>>;

const ISSUES = { number: m.issue_number, amount: m.issue_amount, reason: m.issue_reason };

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
  const [key] = useState(() => crypto.randomUUID());
  const [input, setInput] = useState<ActInput>({
    figure: draft.act === "refund" ? (draft.payment.refundableCents / 100).toFixed(2) : "",
    keepsDays: false,
    plan: "14days",
    forDays: "7",
    reason: "",
  });
  const [issues, setIssues] = useState<ActIssues>({});
  const { driver } = page;
  const send = useMutation({
    mutationFn: (act: DriverAct) => postAct(driver.id, key, act),
    onSuccess: ({ status, phones }) => {
      if (phones) onPhones(phones);
      toast.success(status === "pending" ? m.done_pending() : m.done());
      onClose();
    },
    // Also after a refusal: how things stand has changed.
    onSettled: () => queryClient.invalidateQueries(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseAct(draft, input, Date.now());
    setIssues("issues" in parsed ? parsed.issues : {});
    if ("act" in parsed) send.mutate(parsed.act);
  };
  const change = (part: Partial<ActInput>) => setInput((known) => ({ ...known, ...part }));
  const issueOf = (field: keyof ActIssues) => {
    const issue = issues[field];
    return issue === undefined ? undefined : ISSUES[issue]();
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-soft">{NOTES[draft.act]()}</p>
      {draft.act === "special_price" && <PlanField plan={input.plan} onChange={(plan) => change({ plan })} />}
      {hasFigure(draft) && (
        <Field label={figureLabel(draft, me.currency)} error={issueOf("figure") ?? refusedFigure(send.error)}>
          {(props) => (
            <input
              {...props}
              inputMode={draft.act === "days" || draft.act === "points" ? "text" : "decimal"}
              autoComplete="off"
              value={input.figure}
              onChange={(event) => change({ figure: event.target.value })}
              className={INPUT_CLASS}
            />
          )}
        </Field>
      )}
      {draft.act === "special_price" && (
        <Field label={m.field_for_days()} error={issueOf("forDays")}>
          {(props) => (
            <input
              {...props}
              inputMode="numeric"
              value={input.forDays}
              onChange={(event) => change({ forDays: event.target.value })}
              className={INPUT_CLASS}
            />
          )}
        </Field>
      )}
      {draft.act === "refund" && (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            checked={input.keepsDays}
            onChange={(event) => change({ keepsDays: event.target.checked })}
            className="size-5.5 shrink-0 accent-(--ink)"
          />
          <span>{m.field_keeps()}</span>
        </label>
      )}
      {draft.act === "special_price" ? (
        <PricePreview input={input} />
      ) : (
        <ActPreview draft={draft} figure={input.figure} page={page} />
      )}
      <Field label={m.field_reason()} hint={m.field_reason_hint()} error={issueOf("reason")}>
        {(props) => (
          <input
            {...props}
            maxLength={300}
            value={input.reason}
            onChange={(event) => change({ reason: event.target.value })}
            className={INPUT_CLASS}
          />
        )}
      </Field>
      {send.isError && refusedFigure(send.error) === undefined && (
        <FormError title={consoleErrorMessage(send.error, me)} />
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{m.cancel()}</Button>
        <Button
          type="submit"
          variant={draft.act === "disable" || draft.act === "unlink" ? "danger" : "primary"}
          disabled={send.isPending}
        >
          {ACT_LABELS[draft.act]()}
        </Button>
      </div>
    </form>
  );
}

function hasFigure({ act }: ActDraft): boolean {
  return act === "days" || act === "points" || act === "refund" || act === "special_price";
}

function figureLabel({ act }: ActDraft, currency: string): string {
  if (act === "days") return m.field_days();
  if (act === "points") return m.field_points();
  return act === "refund" ? m.field_amount({ currency }) : m.field_price({ currency });
}

/** What the server says of the figure: it is too much or too little as things stand. */
function refusedFigure(error: unknown): string | undefined {
  if (!(error instanceof RequestError)) return undefined;
  const issue = ["days", "points", "cents", "priceCents"].map((field) => error.fields[field]).find(Boolean);
  if (issue === undefined) return undefined;
  return issue === "too_small" ? m.issue_too_small() : m.issue_too_large();
}
