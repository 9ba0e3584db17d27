import { useState } from "react";
import type {
  MoneyInCurrency,
  MoneyResponse,
  RevenueLine,
} from "../../../worker/contract/console/operator-money.ts";
import { formatCount, formatDate, formatExactMoney } from "../../features/language/format.ts";
import { formatPlan } from "../../features/payments/payment-labels.ts";
import { Button } from "../../ui/button.tsx";
import { CsvButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { toAmount } from "../../ui/csv.ts";
import { DataTable, Section, type Column } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";
import { netOf, sumBy } from "./money-days.ts";
import { POINT_USES } from "./money-labels.ts";

type RevenueSum = ReturnType<typeof sumBy>[number];

/** So many days are listed before somebody asks for all. */
const DAYS_SHOWN = 14;

/** The income of each day and each plan. `nameOf` names a table among those of other currencies. */
export function RevenueTables({
  money: { revenue, currency },
  nameOf,
}: {
  money: MoneyInCurrency;
  nameOf: (title: string) => string;
}) {
  const [isWhole, setWhole] = useState(false);
  const days = sumBy(revenue, ({ day }) => day);
  const planOf = new Map<string, RevenueLine["plan"]>(revenue.map(({ plan }) => [plan, plan]));
  const plans = sumBy(revenue, ({ plan }) => plan).toSorted((a, b) => b.grossCents - a.grossCents);
  const columnsWith = (title: string, labelOf: (key: string) => string): Column<RevenueSum>[] => [
    { id: "key", title, renderCell: ({ key }) => <span className="whitespace-nowrap">{labelOf(key)}</span> },
    {
      id: "payments",
      title: m.payments(),
      renderCell: ({ payments }) => formatCount(payments),
      isFigure: true,
      isWideOnly: true,
    },
    { ...moneyColumn(m.money_gross(), currency, ({ grossCents }) => grossCents), isWideOnly: true },
    moneyColumn(m.money_refunded(), currency, ({ refundedCents }) => refundedCents),
    { ...moneyColumn(m.money_disputed(), currency, ({ disputedCents }) => disputedCents), isWideOnly: true },
    moneyColumn(m.money_net(), currency, netOf),
  ];
  const plan = (key: string) => {
    const known = planOf.get(key);
    return known ? formatPlan(known) : key;
  };
  const [byDay, byPlan] = [nameOf(m.revenue_days()), nameOf(m.revenue_plans())];
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      <Section
        title={byDay}
        actions={
          <CsvButton
            name={`revenue-${currency}`}
            table={byDay}
            columns={CSV_COLUMNS.revenue}
            rows={revenue}
          />
        }
      >
        <DataTable
          label={byDay}
          columns={columnsWith(m.day(), (day) => formatDate(Date.parse(day), "UTC"))}
          rows={isWhole ? days : days.slice(0, DAYS_SHOWN)}
          rowKey={({ key }) => key}
          empty={m.revenue_none()}
        />
        {!isWhole && days.length > DAYS_SHOWN && (
          <Button variant="quiet" className="m-2 text-sm" onClick={() => setWhole(true)}>
            {m.more_days()}
          </Button>
        )}
      </Section>
      <Section
        title={byPlan}
        actions={
          <CsvButton
            name={`revenue-by-plan-${currency}`}
            table={byPlan}
            columns={() => [
              { title: m.plan(), value: ({ key }) => plan(key) },
              { title: m.payments(), value: ({ payments }) => payments },
              { title: m.money_gross(), value: ({ grossCents }) => toAmount(grossCents) },
              { title: m.money_refunded(), value: ({ refundedCents }) => toAmount(refundedCents) },
              { title: m.money_disputed(), value: ({ disputedCents }) => toAmount(disputedCents) },
              { title: m.money_net(), value: (line) => toAmount(netOf(line)) },
            ]}
            rows={plans}
          />
        }
      >
        <DataTable
          label={byPlan}
          columns={columnsWith(m.plan(), plan)}
          rows={plans}
          rowKey={({ key }) => key}
          empty={m.revenue_none()}
        />
      </Section>
    </div>
  );
}

/** A column of money, to the right and always with its cents. */
export function moneyColumn<Row>(
  title: string,
  currency: string | ((row: Row) => string),
  centsOf: (row: Row) => number,
): Column<Row> {
  return {
    id: title,
    title,
    renderCell: (row) =>
      formatExactMoney(centsOf(row), typeof currency === "string" ? currency : currency(row)),
    isFigure: true,
  };
}

/** The purposes for which points were granted and spent. */
export function PointTable({ money: { points } }: { money: MoneyResponse }) {
  const columns: Column<MoneyResponse["points"][number]>[] = [
    { id: "use", title: m.points_use(), renderCell: ({ use }) => POINT_USES[use]() },
    {
      id: "granted",
      title: m.points_granted(),
      renderCell: ({ granted }) => formatCount(granted),
      isFigure: true,
    },
    { id: "spent", title: m.points_spent(), renderCell: ({ spent }) => formatCount(spent), isFigure: true },
  ];
  return (
    <Section
      title={m.points()}
      actions={
        <CsvButton
          name="points"
          table={m.points()}
          columns={() => [
            { title: m.points_use(), value: ({ use }) => POINT_USES[use]() },
            { title: m.points_granted(), value: ({ granted }) => granted },
            { title: m.points_spent(), value: ({ spent }) => spent },
          ]}
          rows={points}
        />
      }
    >
      <DataTable
        label={m.points()}
        columns={columns}
        rows={points}
        rowKey={({ use }) => use}
        empty={m.points_none()}
      />
    </Section>
  );
}
