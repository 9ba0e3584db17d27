import { useSuspenseQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useState } from "react";
import { type PlanForSale, DEFAULT_PLAN } from "../../../db/shapes/money/plans.ts";
import type { PricesResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { DEVICE_TIME_ZONE, formatExactMoney } from "../../features/language/format.ts";
import { formatPlan } from "../../features/payments/payment-labels.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useOpened } from "../../ui/use-opened.ts";
import { pricesQuery } from "../calls/deployment.ts";
import { parseLocalTime, parseSale, toLocalTime, type SaleInput } from "../forms/deployment-forms.ts";
import { FormEnd, InstantField, ReasonField, PlanField, PriceField } from "../forms/fields.tsx";
import { parseAmount, boundMessage } from "../forms/typed-values.ts";
import { fieldMessages, useActForm, useDeploymentAct } from "../forms/use-act-form.ts";
import { CsvButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { DataTable, Section, type Column } from "../tables/data-table.tsx";
import { ListPriceForm } from "./list-price-form.tsx";
import { ReasonForm } from "../forms/reason-form.tsx";
import { formatInstant } from "../../features/language/format-instant.ts";
import { serverNow } from "../../early/server-clock.ts";
import { m } from "../messages/messages.js";
import { useOperator } from "../calls/operator.ts";
import { SalePreview } from "./price-preview.tsx";

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 86_400_000;

type Sale = PricesResponse["sales"][number];
type ListPrice = { plan: PlanForSale; priceCents: number; startsAt: number | null };
type Open = { kind: "make" } | { kind: "price" } | { kind: "end"; sale: Sale };

const TITLES = { make: m.sale_make, price: m.price_change, end: m.act_end_sale };

/** The prices of plans now and later, with present and future sales; owners change prices, and make and end sales. */
export function PricesScreen() {
  const { prices, ahead, sales } = useSuspenseQuery(pricesQuery).data;
  const { operator, currency } = useOperator();
  const { opened, open, close } = useOpened<Open>();
  const now = useNow(MINUTE_MS);
  const isOwner = operator.role === "owner";
  const time = (at: number) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now });
  const listed: ListPrice[] = [...prices.map((price) => ({ ...price, startsAt: null })), ...ahead];
  const listColumns: Column<ListPrice>[] = [
    { id: "plan", title: m.plan(), renderCell: ({ plan }) => formatPlan(plan) },
    {
      id: "price",
      title: m.price(),
      renderCell: ({ priceCents }) => formatExactMoney(priceCents, currency),
      isFigure: true,
    },
    {
      id: "from",
      title: m.from(),
      renderCell: ({ startsAt }) => (startsAt === null ? m.price_now() : time(startsAt)),
    },
  ];
  const saleColumns: Column<Sale>[] = [
    { id: "plan", title: m.plan(), renderCell: ({ plan }) => formatPlan(plan) },
    {
      id: "price",
      title: m.price(),
      renderCell: ({ priceCents }) => formatExactMoney(priceCents, currency),
      isFigure: true,
    },
    { id: "from", title: m.from(), renderCell: ({ startsAt }) => time(startsAt) },
    { id: "until", title: m.until(), renderCell: ({ endsAt }) => time(endsAt) },
    {
      id: "end",
      title: isOwner ? m.end() : m.status(),
      renderCell: (sale) =>
        isOwner ? (
          <Button
            variant="quiet"
            className="-my-2 text-sm"
            aria-haspopup="dialog"
            onClick={() => open({ kind: "end", sale })}
          >
            {m.end()}
          </Button>
        ) : sale.startsAt > now ? (
          m.sale_ahead()
        ) : (
          m.sale_holds()
        ),
    },
  ];
  return (
    <>
      <h1 className="text-2xl">{m.nav_prices()}</h1>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <Section
          title={m.list_prices()}
          actions={
            <div className="flex flex-wrap items-center gap-2">
              <CsvButton name="prices" table={m.list_prices()} columns={CSV_COLUMNS.prices} rows={listed} />
              {isOwner && (
                <Button aria-haspopup="dialog" onClick={() => open({ kind: "price" })}>
                  {m.price_change()}
                </Button>
              )}
            </div>
          }
        >
          <DataTable
            label={m.list_prices()}
            columns={listColumns}
            rows={listed}
            rowKey={({ plan, startsAt }) => `${plan} ${startsAt}`}
            empty={m.nothing()}
          />
        </Section>
        <Section
          title={m.sales()}
          actions={
            <div className="flex flex-wrap items-center gap-2">
              <CsvButton name="sales" table={m.sales()} columns={CSV_COLUMNS.sales} rows={sales} />
              {isOwner && (
                <Button variant="primary" aria-haspopup="dialog" onClick={() => open({ kind: "make" })}>
                  {m.sale_make()}
                </Button>
              )}
            </div>
          }
        >
          <DataTable
            label={m.sales()}
            columns={saleColumns}
            rows={sales}
            rowKey={({ id }) => id}
            empty={m.sales_none()}
          />
        </Section>
      </div>
      <Sheet open={opened !== null} onClose={close} edge="middle" title={opened ? TITLES[opened.kind]() : ""}>
        {opened?.kind === "price" && <ListPriceForm prices={prices} onClose={close} />}
        {opened?.kind === "make" && <SaleForm prices={prices} onClose={close} />}
        {opened?.kind === "end" && (
          <ReasonForm
            note={m.note_end_sale()}
            submitLabel={m.act_end_sale()}
            toAct={(reason) => ({ act: "end_sale", saleId: opened.sale.id, reason })}
            onClose={close}
          />
        )}
      </Sheet>
    </>
  );
}

const SALE_ISSUES = {
  price: m.issue_amount,
  from: m.issue_required,
  to: m.issue_until,
  reason: m.issue_reason,
};

/** A lower price of a plan for everybody, for a while, as drivers will see it. */
function SaleForm({ prices, onClose }: { prices: PricesResponse["prices"]; onClose: () => void }) {
  const act = useDeploymentAct(onClose);
  const [opened] = useState(serverNow);
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
      return "act" in parsed ? parsed : { issues: fieldMessages(parsed.issues, SALE_ISSUES) };
    },
    send: act.mutateAsync,
    refusal: ({ priceCents, endsAt }) => ({ price: boundMessage(priceCents), to: boundMessage(endsAt) }),
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
