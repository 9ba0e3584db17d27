import { DEFAULT_PLAN } from "../../../db/shapes/money/plans.ts";
import { useSelector } from "@tanstack/react-store";
import { useState } from "react";
import type { PricesResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { parseAmount } from "../forms/typed-values.ts";
import { parseLocalTime, parseSale, toLocalTime, type SaleInput } from "../forms/deployment-forms.ts";
import { FormEnd, InstantField, ReasonField, PlanField, PriceField } from "../forms/fields.tsx";
import { m } from "../messages/messages.js";
import { SalePreview } from "./price-preview.tsx";
import { fieldMessages, useActForm, useDeploymentAct } from "../forms/use-act-form.ts";

const WEEK_MS = 7 * 86_400_000;

const ISSUES = { price: m.issue_amount, from: m.issue_required, to: m.issue_until, reason: m.issue_reason };

/** A lower price of a plan for everybody, for a while, as drivers will see it. */
export function SaleForm({ prices, onClose }: { prices: PricesResponse["prices"]; onClose: () => void }) {
  const act = useDeploymentAct(onClose);
  const [opened] = useState(() => Date.now());
  const defaultValues: SaleInput = {
    plan: DEFAULT_PLAN,
    price: "",
    from: toLocalTime(opened),
    to: toLocalTime(opened + WEEK_MS),
    reason: "",
  };
  const form = useActForm({
    defaultValues,
    describe: (input) => {
      const parsed = parseSale(input);
      return "act" in parsed ? parsed : { issues: fieldMessages(parsed.issues, ISSUES) };
    },
    send: act.mutateAsync,
    refusal: ({ priceCents, endsAt }) => ({ price: refusedWords(priceCents), to: refusedWords(endsAt) }),
  });
  const { plan, price, from, to } = useSelector(form.store, ({ values }) => values);
  return (
    <form.AppForm>
      <form.Body className="grid gap-4">
        <p className="text-soft">{m.note_sale()}</p>
        <form.AppField name="plan">{() => <PlanField />}</form.AppField>
        <form.AppField name="price">{() => <PriceField />}</form.AppField>
        <form.AppField name="from">{() => <InstantField label={m.from()} name="from" />}</form.AppField>
        <form.AppField name="to">{() => <InstantField label={m.until()} name="to" />}</form.AppField>
        <SalePreview
          {...{ prices, now: opened, plan }}
          priceCents={parseAmount(price)}
          startsAt={parseLocalTime(from)}
          endsAt={parseLocalTime(to)}
        />
        <form.AppField name="reason">{() => <ReasonField />}</form.AppField>
        <FormEnd submitLabel={m.sale_make()} onClose={onClose} />
      </form.Body>
    </form.AppForm>
  );
}

function refusedWords(issue: string | undefined): string | undefined {
  if (issue === undefined) return undefined;
  return issue === "too_small" ? m.issue_too_small() : m.issue_too_large();
}
