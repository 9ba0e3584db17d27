import { DEFAULT_PLAN } from "../../../db/shapes/money/plans.ts";
import { useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import type { NewListPrice } from "../../../worker/contract/console/operator-acts.ts";
import type { PricesResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { RequestError } from "../../api/client/request-error.ts";
import { DEVICE_TIME_ZONE, formatExactMoney, formatTime } from "../../features/language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import { pricePreviewQuery } from "../calls/deployment.ts";
import { parseListPrice, parseNewPrice, type ListPriceInput } from "../forms/deployment-forms.ts";
import { FormEnd, InstantField, ReasonField, PlanField, PriceField } from "../forms/fields.tsx";
import { m } from "../messages/messages.js";
import { useOperator } from "../calls/operator.ts";
import { fieldMessages, useActForm, useDeploymentAct } from "../forms/use-act-form.ts";

const ISSUES = { price: m.issue_amount, from: m.issue_ahead, reason: m.issue_reason };
const PRICE_ISSUES = {
  too_small: m.issue_too_small,
  too_large: m.issue_too_large,
  invalid: m.issue_same_price,
};

const EMPTY: ListPriceInput = { plan: DEFAULT_PLAN, price: "", from: "", reason: "" };

/** A plan's list price, at once or from an instant on, with what drivers will pay from when. */
export function ListPriceForm({
  prices,
  onClose,
}: {
  prices: PricesResponse["prices"];
  onClose: () => void;
}) {
  const { currency } = useOperator();
  const act = useDeploymentAct(onClose);
  const form = useActForm({
    defaultValues: EMPTY,
    describe: (input) => {
      const parsed = parseListPrice(input);
      return "act" in parsed ? parsed : { issues: fieldMessages(parsed.issues, ISSUES) };
    },
    send: act.mutateAsync,
    refusal: ({ priceCents, startsAt }) => ({
      price: priceIssue(priceCents),
      from: startsAt && m.issue_ahead(),
    }),
  });
  const input = useSelector(form.store, ({ values }) => values);
  const typed = parseNewPrice(input);
  const known = prices.find(({ plan }) => plan === input.plan);
  const hint = known && `${m.price_now()}: ${formatExactMoney(known.priceCents, currency)}`;
  return (
    <form.AppForm>
      <form.Body className="grid gap-4">
        <p className="text-soft">{m.note_list_price()}</p>
        <form.AppField name="plan">{() => <PlanField />}</form.AppField>
        <form.AppField name="price">{() => <PriceField hint={hint} />}</form.AppField>
        <form.AppField name="from">
          {() => <InstantField label={m.price_from()} hint={m.price_from_hint()} name="from" />}
        </form.AppField>
        {typed && <Preview typed={typed} />}
        <form.AppField name="reason">{() => <ReasonField />}</form.AppField>
        <FormEnd submitLabel={m.price_change()} onClose={onClose} />
      </form.Body>
    </form.AppForm>
  );
}

/** A driver's future prices, as the server works them out, or its reason for refusing the price. */
function Preview({ typed }: { typed: NewListPrice }) {
  const { currency } = useOperator();
  const now = useNow(MINUTE_MS);
  const { data, error } = useQuery(pricePreviewQuery(typed));
  if (error instanceof RequestError && Object.keys(error.fields).length > 0)
    return (
      <output className="block text-sm font-semibold text-bad">
        {error.fields["startsAt"] ? m.issue_ahead() : priceIssue(error.fields["priceCents"])}
      </output>
    );
  const money = (cents: number) => formatExactMoney(cents, currency);
  return (
    <output className="block text-sm" aria-label={m.preview_prices()}>
      <span className="font-semibold">{m.preview_prices()}</span>
      {data?.steps.map(({ at, listCents, payCents }, index) => (
        <span key={at} className="figures flex flex-wrap justify-between gap-x-4">
          <span>{index === 0 ? m.price_now() : formatTime(at, { timeZone: DEVICE_TIME_ZONE, now })}</span>
          <span>
            {payCents === listCents
              ? money(listCents)
              : m.preview_price_sale({ price: money(payCents), list: money(listCents) })}
          </span>
        </span>
      ))}
    </output>
  );
}

function priceIssue(issue: string | undefined): string | undefined {
  if (issue === undefined) return undefined;
  return issue === "too_small" || issue === "too_large" ? PRICE_ISSUES[issue]() : PRICE_ISSUES.invalid();
}
