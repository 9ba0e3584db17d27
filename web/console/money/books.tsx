import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { JournalResponse } from "../../../worker/contract/console/operator-money.ts";
import { formatCount, formatDays, formatExactMoney } from "../../features/language/format.ts";
import { JOURNAL_ACCOUNTS, type JournalAccount } from "../../../db/shapes/money/journal.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { toAmount } from "../../ui/csv.ts";
import { journalQuery } from "../calls/money.ts";
import { QueryState } from "../calls/load-states.tsx";
import { PlotFigure, type FigureSeries } from "../plots/plot-figure.tsx";
import { CsvButton } from "../tables/csv-button.tsx";
import { DataTable, Section, type Column } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";
import { type Days, keysOf, midnightsOf } from "./money-days.ts";
import { groupBy } from "../../../db/shapes/group-by.ts";

type Balance = JournalResponse["balance"][number];
type Line = JournalResponse["lines"][number];
type Revenue = JournalResponse["revenue"];

/**
 * The revenue that was earned in some days, the trial balance at their end, each currency apart, and the journal of
 * these days for an accountant.
 */
export function Books({ days }: { days: Days }) {
  const found = useQuery(journalQuery(days));
  const units = [...groupBy(found.data?.balance ?? [], ({ unit }) => unit)];
  return (
    <>
      {found.data && <EarnedPlots revenue={found.data.revenue} days={days} />}
      <Section
        title={m.books()}
        note={found.data && noteOf(found.data)}
        actions={
          found.data && (
            <CsvButton
              name="journal"
              table={m.books_journal()}
              columns={journalColumns}
              rows={found.data.lines}
            />
          )
        }
      >
        <QueryState query={found} />
        {found.data?.hasMore && <p className="px-5 pb-3 text-warn">{m.books_cut()}</p>}
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
          {units.map(([unit, rows]) => (
            <TrialBalance key={unit} unit={unit} rows={rows} />
          ))}
        </div>
        {units.length === 0 && found.data && <p className="px-5 pb-4 text-soft">{m.nothing()}</p>}
      </Section>
    </>
  );
}

function noteOf({ closedUntil }: JournalResponse): string {
  return closedUntil === null ? m.books_note_open() : m.books_note({ day: closedUntil });
}

function TrialBalance({ unit, rows }: { unit: string; rows: readonly Balance[] }) {
  const sum = rows.reduce((total, { amount }) => total + amount, 0);
  const columns: Column<Balance>[] = [
    { id: "account", title: unitLabel(unit), renderCell: ({ account }) => accountLabel(account) },
    {
      id: "debit",
      title: m.books_debit(),
      renderCell: ({ amount }) => (amount > 0 ? formatAmount(amount, unit) : ""),
      isFigure: true,
    },
    {
      id: "credit",
      title: m.books_credit(),
      renderCell: ({ amount }) => (amount < 0 ? formatAmount(-amount, unit) : ""),
      isFigure: true,
    },
  ];
  return (
    <div className="min-w-0">
      <DataTable
        label={`${m.books()}: ${unitLabel(unit)}`}
        columns={columns}
        rows={rows}
        rowKey={({ account }) => account}
        empty={m.nothing()}
      />
      <p className={`figures px-5 py-2 text-sm font-semibold ${sum === 0 ? "text-good" : "text-bad"}`}>
        {sum === 0 ? m.books_balanced() : m.books_differ({ amount: formatAmount(sum, unit) })}
      </p>
    </div>
  );
}

const LEDGER_LABELS = {
  stripe: m.ledger_stripe,
  bank: m.ledger_bank,
  disputes_held: m.ledger_disputes_held,
  tax: m.ledger_tax,
  service_owed: m.ledger_service_owed,
  revenue: m.ledger_revenue,
  fees: m.ledger_fees,
  goodwill: m.ledger_goodwill,
  dispute_losses: m.ledger_dispute_losses,
  time_owed: m.ledger_time_owed,
  time_given: m.ledger_time_given,
  time_used: m.ledger_time_used,
  points_owed: m.ledger_points_owed,
  points_given: m.ledger_points_given,
  rewards: m.ledger_rewards,
} satisfies Record<JournalAccount, () => string>;

/** An account's name; one of a later release has its own. */
function accountLabel(account: string): string {
  const known = JOURNAL_ACCOUNTS.find((name) => name === account);
  return known ? LEDGER_LABELS[known]() : account;
}

/** A currency is its own name. */
function unitLabel(unit: string): string {
  if (unit === "points") return m.points();
  if (unit === "ms") return m.books_time();
  return unit;
}

/** Money as such, service time in days, points as they are. */
function formatAmount(amount: number, unit: string): string {
  if (unit === "points") return formatCount(amount);
  if (unit === "ms") return formatDays(Math.round((10 * amount) / DAY_MS) / 10);
  return formatExactMoney(amount, unit);
}

function journalColumns() {
  return [
    { title: m.day(), value: ({ day }: Line) => day },
    { title: m.books_entry(), value: ({ entry }: Line) => entry },
    { title: m.books_account(), value: ({ account }: Line) => account },
    { title: m.currency(), value: ({ unit }: Line) => unit },
    {
      title: m.amount(),
      value: ({ amount, unit }: Line) => (/^[A-Z]{3}$/.test(unit) ? amount / 100 : amount),
    },
    { title: "ID", value: ({ paymentId }: Line) => paymentId },
  ];
}

/** Revenue as it was earned, by day: a picture for each currency, since sums of two can't be added. */
function EarnedPlots({ revenue, days }: { revenue: Revenue; days: Days }) {
  return [...groupBy(revenue, ({ currency }) => currency)].map(([currency, lines]) => (
    <EarnedPlot key={currency} currency={currency} lines={lines} days={days} />
  ));
}

function EarnedPlot({ currency, lines, days }: { currency: string; lines: Revenue; days: Days }) {
  const { at, series } = useMemo(() => {
    const keys = keysOf({ from: days.from, to: days.to });
    const earned = new Map(lines.map(({ day, cents }) => [day, cents]));
    const values = keys.map((key) => earned.get(key) ?? 0);
    const bars: FigureSeries[] = [{ label: m.money_earned(), color: "good", kind: "bars", values }];
    return { at: midnightsOf(keys), series: bars };
  }, [lines, days.from, days.to]);
  const total = lines.reduce((sum, { cents }) => sum + cents, 0);
  const title = m.money_earned_by_day({ currency });
  return (
    <Section title={title} note={m.money_earned_note({ money: formatExactMoney(total, currency) })}>
      <PlotFigure
        label={title}
        at={at}
        span={DAY_MS}
        series={series}
        formatValue={(cents) => formatExactMoney(cents, currency)}
        toCell={toAmount}
      />
    </Section>
  );
}
