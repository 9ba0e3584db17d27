import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PricesResponse } from "../../worker/contract/operators.ts";
import { DEVICE_TIME_ZONE, formatExactMoney, formatTime } from "../features/language/format.ts";
import { formatPlan } from "../features/payments/payment-labels.ts";
import { Button } from "../ui/button.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { useNow } from "../ui/use-now.ts";
import { pricesQuery } from "./console-api.ts";
import { CsvButton } from "./csv-button.tsx";
import { CSV_COLUMNS } from "./csv-columns.ts";
import { DataTable, Section, type Column } from "./data-table.tsx";
import { ReasonForm } from "./reason-form.tsx";
import { consoleErrorMessage } from "./console-error-message.ts";
import { m } from "./messages/messages.js";
import { useOperator } from "./operator.ts";
import { SaleForm } from "./sale-form.tsx";

const MINUTE_MS = 60_000;

type Sale = PricesResponse["sales"][number];
type Open = { kind: "make" } | { kind: "end"; sale: Sale } | null;

/** What plans cost, and the sales that hold or will; owners make and end them. */
export function PricesScreen() {
  const me = useOperator();
  const found = useQuery(pricesQuery);
  if (found.isPending) return <output className="block">{m.loading()}</output>;
  if (!found.data) return <FormError title={consoleErrorMessage(found.error, me)} />;
  return <LoadedPrices prices={found.data} />;
}

function LoadedPrices({ prices: { prices, sales } }: { prices: PricesResponse }) {
  const { operator, currency } = useOperator();
  const [open, setOpen] = useState<Open>(null);
  const now = useNow(MINUTE_MS);
  const isOwner = operator.role === "owner";
  const close = () => setOpen(null);
  const time = (at: number) => formatTime(at, { timeZone: DEVICE_TIME_ZONE, now });
  const listColumns: Column<PricesResponse["prices"][number]>[] = [
    { id: "plan", title: m.plan(), renderCell: ({ plan }) => formatPlan(plan) },
    {
      id: "price",
      title: m.price(),
      renderCell: ({ priceCents }) => formatExactMoney(priceCents, currency),
      isFigure: true,
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
            onClick={() => setOpen({ kind: "end", sale })}
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
            <CsvButton name="prices" table={m.list_prices()} columns={CSV_COLUMNS.prices} rows={prices} />
          }
        >
          <DataTable
            label={m.list_prices()}
            columns={listColumns}
            rows={prices}
            rowKey={({ plan }) => plan}
            empty={m.nothing()}
          />
        </Section>
        <Section
          title={m.sales()}
          actions={
            <div className="flex flex-wrap items-center gap-2">
              <CsvButton name="sales" table={m.sales()} columns={CSV_COLUMNS.sales} rows={sales} />
              {isOwner && (
                <Button variant="primary" aria-haspopup="dialog" onClick={() => setOpen({ kind: "make" })}>
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
      <Sheet
        open={open !== null}
        onClose={close}
        edge="middle"
        title={open?.kind === "end" ? m.act_end_sale() : m.sale_make()}
      >
        {open?.kind === "make" && <SaleForm prices={prices} onClose={close} />}
        {open?.kind === "end" && (
          <ReasonForm
            note={m.note_end_sale()}
            submitLabel={m.act_end_sale()}
            toAct={(reason) => ({ act: "end_sale", saleId: open.sale.id, reason })}
            onClose={close}
          />
        )}
      </Sheet>
    </>
  );
}
