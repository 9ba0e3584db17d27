import { useMemo } from "react";
import type { JournalResponse } from "../../../worker/contract/console/operator-money.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { formatExactMoney } from "../../features/language/format.ts";
import { PlotFigure, type FigureSeries } from "../plots/plot-figure.tsx";
import { toAmount } from "../../ui/files/csv.ts";
import { Section } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";
import { keysOf, midnightsOf, type Days } from "./money-days.ts";

type Revenue = JournalResponse["revenue"];

/** Revenue as it was earned, by day: a picture for each currency, since sums of two can't be added. */
export function EarnedPlots({ revenue, days }: { revenue: Revenue; days: Days }) {
  return [...Map.groupBy(revenue, ({ currency }) => currency)].map(([currency, lines]) => (
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
