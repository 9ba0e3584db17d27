import { useMemo } from "react";
import type { MoneyInCurrency } from "../../../worker/contract/console/operator-money.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { formatExactMoney } from "../../features/language/format.ts";
import { PlotFigure, type FigureSeries } from "../plots/plot-figure.tsx";
import { toAmount } from "../../ui/files/csv.ts";
import { Section } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";
import { keysOf, midnightsOf, sumBy, type Days } from "./money-days.ts";

/** Money that came in each day, and money that went back. */
export function RevenuePlot({ money, title, days }: { money: MoneyInCurrency; title: string; days: Days }) {
  const { revenue, currency } = money;
  const { at, series } = useMemo(() => {
    const sums = new Map(sumBy(revenue, ({ day }) => day).map((sum) => [sum.key, sum]));
    const keys = keysOf({ from: days.from, to: days.to });
    const back = keys.map((key) => (sums.get(key)?.refundedCents ?? 0) + (sums.get(key)?.disputedCents ?? 0));
    const rows: FigureSeries[] = [
      {
        label: m.money_gross(),
        color: "good",
        kind: "bars",
        values: keys.map((key) => sums.get(key)?.grossCents ?? 0),
      },
      {
        label: m.money_back(),
        color: "bad",
        kind: "bars",
        values: back.map((cents) => -cents),
        shown: back,
      },
    ];
    return { at: midnightsOf(keys), series: rows };
  }, [revenue, days.from, days.to]);
  if (revenue.length === 0) return null;
  return (
    <Section title={title}>
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
