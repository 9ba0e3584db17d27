import { useState, type FormEvent } from "react";
import type { PricesResponse } from "../../worker/contract/operators.ts";
import { RequestError } from "../api/request-error.ts";
import { Field, INPUT_CLASS } from "../ui/field.tsx";
import { parseAmount } from "./amounts.ts";
import {
  parseLocalTime,
  parseSale,
  toLocalTime,
  type SaleInput,
  type SaleIssues,
} from "./deployment-forms.ts";
import { FormEnd } from "./form-end.tsx";
import { m } from "./messages/messages.js";
import { useOperator } from "./operator.ts";
import { SalePreview } from "./price-preview.tsx";
import { ReasonField } from "./reason-field.tsx";
import { SpanFields } from "./span-fields.tsx";
import { useDeploymentAct } from "./use-deployment-act.ts";
import { PlanField } from "./plan-field.tsx";

const WEEK_MS = 7 * 86_400_000;

/** A lower price of a plan for everybody, for a while, as drivers will see it. */
export function SaleForm({ prices, onClose }: { prices: PricesResponse["prices"]; onClose: () => void }) {
  const me = useOperator();
  const send = useDeploymentAct(onClose);
  const [issues, setIssues] = useState<SaleIssues>({});
  const [opened] = useState(() => Date.now());
  const [input, setInput] = useState<SaleInput>({
    plan: "14days",
    price: "",
    from: toLocalTime(opened),
    to: toLocalTime(opened + WEEK_MS),
    reason: "",
  });
  const change = (part: Partial<SaleInput>) => setInput((known) => ({ ...known, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseSale(input);
    setIssues("issues" in parsed ? parsed.issues : {});
    if ("act" in parsed) send.mutate(parsed.act);
  };
  const refused = send.error instanceof RequestError ? send.error.fields : {};
  const priceIssue = issues.price ? m.issue_amount() : refusedWords(refused["priceCents"]);
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-soft">{m.note_sale()}</p>
      <PlanField plan={input.plan} onChange={(plan) => change({ plan })} />
      <Field label={m.field_price({ currency: me.currency })} error={priceIssue}>
        {(props) => (
          <input
            {...props}
            inputMode="decimal"
            autoComplete="off"
            value={input.price}
            onChange={(event) => change({ price: event.target.value })}
            className={INPUT_CLASS}
          />
        )}
      </Field>
      <SpanFields
        from={input.from}
        to={input.to}
        errors={{
          from: issues.from ? m.issue_required() : undefined,
          to: issues.to ? m.issue_until() : refusedWords(refused["endsAt"]),
        }}
        onChange={change}
      />
      <SalePreview
        {...{ prices, now: opened, plan: input.plan }}
        priceCents={parseAmount(input.price)}
        startsAt={parseLocalTime(input.from)}
        endsAt={parseLocalTime(input.to)}
      />
      <ReasonField
        value={input.reason}
        isMissing={issues.reason === true}
        onChange={(reason) => change({ reason })}
      />
      <FormEnd
        error={Object.keys(refused).length === 0 ? send.error : null}
        isPending={send.isPending}
        submitLabel={m.sale_make()}
        onClose={onClose}
      />
    </form>
  );
}

function refusedWords(issue: string | undefined): string | undefined {
  if (issue === undefined) return undefined;
  return issue === "too_small" ? m.issue_too_small() : m.issue_too_large();
}
